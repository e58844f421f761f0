"""Programs as players: started, kept within bounds, and asked by one of three protocols."""
