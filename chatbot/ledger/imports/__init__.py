"""Imports of balances from other bots: rows that are staged, planned, written in portions, and undone."""
