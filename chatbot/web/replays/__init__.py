"""Replays of finished tables: what they show, pages that show it, and files that need no server."""
