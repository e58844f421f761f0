"""Best play of High Show, as far as it can be worked out."""
