"""The command line: one module a command; `entry` says what there is."""
