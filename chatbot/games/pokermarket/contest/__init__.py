"""The contest of Poker Market: what programs are told, and strategies that compete."""
