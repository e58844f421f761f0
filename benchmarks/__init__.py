"""Every claim of speed as a command: both sides are measured in one run, and their ratio is printed."""
