"""What settings are: their groups, what they take, and what was chosen. No room, no database, no chat."""
