"""Several processes on one database: who runs which rooms, and what travels between them."""
