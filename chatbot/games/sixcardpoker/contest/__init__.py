"""The contest of Six Card Poker: what programs are told, and strategies that compete."""
