"""Programs as players: started, contained, and asked by one of three protocols."""
