"""The rules of Poker Market: states, moves, settings, and what anybody may see. Pure."""
