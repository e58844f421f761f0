"""What must survive everything: people, credits, tables, and what is known of rooms and their members."""
