"""What finished tables become once they are old."""
