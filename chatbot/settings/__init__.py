"""Settings of games, rooms and communities: their groups, fields and values."""
