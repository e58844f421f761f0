"""How an action is made with the things on a table, for adapters that can do more than list buttons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from chatbot.kernel.say import Message


class Risk(Enum):
    """What an action puts at risk, compared with the other actions of its moment."""

    STAY = "stay"  # as much as before, or nothing
    SAFE = "safe"  # something small, for something later
    BOLD = "bold"  # more than before


@dataclass(frozen=True, slots=True)
class Pile:
    """Where cards are laid: what the pile is called, and the faces of the cards, in any order."""

    label: Message
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gesture:
    """What an action risks, and the cards of the own hand that it plays.

    `press` is the face of the one card that is played by pressing it. `lay` lists the piles among which
    the whole hand is divided: the line of the action gives their faces in this order behind its command, as
    in `!set 441 32 1`, and every other division is an action as well, listed or not. An action with neither
    is a button.
    """

    risk: Risk | None = None
    press: str | None = None
    lay: tuple[Pile, ...] = ()


BUTTON = Gesture()


def button(action: object) -> Gesture:  # noqa: ARG001
    """Make every action a plain button."""
    return BUTTON
