"""`chickp`: Chicken Poker's own command line, with built-in players and programs that speak its lines."""
