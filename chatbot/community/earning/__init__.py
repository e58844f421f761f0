"""What members earn by being there, and who earns nothing."""
