"""What the program runs on: clocks that tests turn by hand, bounded queues, rate limits, shielded work."""
