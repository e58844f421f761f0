"""The adapter of the local page, which needs no account anywhere."""
