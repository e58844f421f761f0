"""Settings: their groups, what they take, what was chosen, and the one way in which they change."""
