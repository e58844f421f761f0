"""The rules of High Show: states, moves, settings, and what anybody may see. Pure."""
