"""A ladder: programs of a folder that meet in duels until their ratings are known well enough."""
