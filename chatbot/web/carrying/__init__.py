"""Pages of rooms that other processes run: requests are carried there and answered by the same handlers."""
