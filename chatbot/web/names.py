"""Invented names: for people who do not want to think of one, and for simulated viewers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chatbot.kernel.fair import Rng

_FIRST = (
    "Amber", "Brisk", "Clever", "Dusty", "Eager", "Foxy", "Gentle", "Hasty", "Icy", "Jolly",
    "Keen", "Lucky", "Merry", "Nimble", "Odd", "Plucky", "Quiet", "Rusty", "Sly", "Tipsy",
)  # fmt: skip
_LAST = (
    "Badger", "Cobra", "Dingo", "Egret", "Falcon", "Gecko", "Heron", "Ibis", "Jackal", "Koala",
    "Lynx", "Magpie", "Newt", "Otter", "Panda", "Quokka", "Raven", "Stoat", "Tapir", "Weasel",
)  # fmt: skip


def invented(count: int, rng: Rng) -> list[str]:
    """Invent up to 400 different names."""
    return rng.sample([first + last for first in _FIRST for last in _LAST], count)
