"""What the house's players of Poker Market can be made to give."""
