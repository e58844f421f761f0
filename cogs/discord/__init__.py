"""The door to Discord, over discord.py: all that names Discord stands in this folder."""
