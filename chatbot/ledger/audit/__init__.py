"""Audits of the books, and their repair."""
