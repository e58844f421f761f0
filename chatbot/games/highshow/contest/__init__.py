"""The contest of High Show: what programs are told, and strategies that compete."""
