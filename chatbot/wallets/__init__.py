"""What must survive everything: credits, open tables, and what is known of rooms and their members."""
