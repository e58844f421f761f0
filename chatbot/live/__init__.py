"""Games in rooms: tables, the house that runs them, wallet commands, and what may be said when."""
