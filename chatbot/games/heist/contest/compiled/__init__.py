"""Tournaments as compiled code."""
