"""What the simulator is there to find."""

from __future__ import annotations


class Breach(Exception):  # noqa: N818  (what it is)
    """Something that must hold does not: one sentence."""
