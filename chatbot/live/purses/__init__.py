"""What members have, give, win and are called: whatever answers about credits, or moves them by hand."""
