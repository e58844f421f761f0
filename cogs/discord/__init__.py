"""The adapter to Discord, over discord.py, which nothing outside this folder imports."""
