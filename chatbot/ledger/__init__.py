"""The books over the years: what finished tables become once they are old."""
