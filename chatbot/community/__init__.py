"""The members of a community: who they are, and what they have, earn, give and win."""
