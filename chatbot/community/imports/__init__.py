"""Imports of balances from other bots: what reads their files, and what pays those who were known by name."""
