"""Rooms, their channels, and the lines that come from them."""
