"""The command line: modules of one command or few, which `entry` registers.

What a command does at length has a module beside it: `importer`, `inspection`, `settings_editor`.
"""
