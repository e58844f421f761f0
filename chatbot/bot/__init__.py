"""The bot: it accepts lines, finds the commands that answer them, and runs these."""
