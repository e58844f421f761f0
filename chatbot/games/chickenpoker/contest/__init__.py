"""The contest of Chicken Poker: what programs are told, and strategies that compete."""
