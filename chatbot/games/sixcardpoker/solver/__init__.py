"""Best play of Six Card Poker, as far as it can be worked out."""
