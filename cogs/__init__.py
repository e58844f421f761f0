"""The doors: each connects one platform. A door translates, and decides nothing."""
