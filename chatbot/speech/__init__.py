"""What is said, and how: languages, names made harmless, and when it goes out."""
