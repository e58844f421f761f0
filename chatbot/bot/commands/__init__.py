"""Commands that are no game: help, odds, settings, and what moderators do."""
