"""What stops the program for a reason that its operator can mend."""

from __future__ import annotations


class Failure(Exception):  # noqa: N818  (what happened, told in one sentence, not a fault of the program)
    """One sentence that names the thing, its value, and what would be right."""
