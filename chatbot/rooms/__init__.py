"""A room, the lines that come in from its channels, and the time by which it goes."""
