"""Minting: what keepers let a community make out of nothing beyond what ships, and the one policy for it."""
