"""What is said, and how: languages, the streamer's own texts, help, and names made harmless."""
