"""Commands that belong to no game: help, odds, settings and moderation."""
