"""Commands of the arena: tournaments, the ladder, solvers, and the command lines of two contests."""
