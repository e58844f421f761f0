"""Settings of rooms and communities: their groups, their values, and how they are changed."""
