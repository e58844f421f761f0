"""Seasons: a game's tournament over many tables, how it ends, and who may end it."""
