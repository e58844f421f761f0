"""Keepers configure a room: settings, who may do what and how often, and what was done and is taken back."""
