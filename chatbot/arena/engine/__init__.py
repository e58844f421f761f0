"""Matches between players of any game: played, added up and rated, here or on many machines."""
