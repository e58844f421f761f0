"""The rules of a heist: states, moves, settings, and what anybody may see. Pure."""
