"""`chickp`: the command line of Chicken Poker, with built-in players and programs with its line protocol."""
