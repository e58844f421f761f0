"""The command line: a module for each command; `entry` registers them."""
