"""The rules of Six Card Poker: states, moves, settings, and what anybody may see. Pure."""
