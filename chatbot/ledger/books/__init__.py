"""Credits: what holds them, what moves them, and what the books remember."""
