"""The contest of a heist: what programs are told, and strategies that compete."""
