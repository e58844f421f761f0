"""What opens the doors: tokens of the platforms, how they are won, kept, renewed, and never shown."""
