"""Earning: credits for watching, talking, and what members do for a channel."""
