"""Whether the books are sound, and what is done when they are not."""
