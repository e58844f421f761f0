"""Best play of Chicken Poker, as far as it can be worked out."""
