"""Rooms, their channels and incoming lines, and the clocks that they run by."""
