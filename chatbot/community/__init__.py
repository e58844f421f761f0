"""Members of communities: accounts, balances, gifts, grants, rankings, earning and seasons."""
