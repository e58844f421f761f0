"""How messages reach the platforms: merged, within their budgets, and in order."""
