"""The settings of rooms: how they are changed, written as files, and listed."""
