"""Matches between players of any game: playing, counting and rating them, on one machine or several."""
