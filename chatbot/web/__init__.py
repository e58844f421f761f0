"""What is served to browsers: the local page, which needs no token of a platform, and overlays of streams."""
