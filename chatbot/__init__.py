"""Rabble: a chat bot that hosts games a whole chat plays together."""

__version__ = "0.1.0"
