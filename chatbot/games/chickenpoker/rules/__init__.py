"""The rules of Chicken Poker: states, moves, settings, and what anybody may see. Pure."""
