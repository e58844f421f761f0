"""The seats of players of the house: how they are told from people's, and how many of them join a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat

HOUSE = "house"
"""The platform of seats that are the house's own: nobody can speak from one."""


@dataclass(frozen=True, slots=True)
class Roster:
    """Which players of the house join a table that somebody has opened.

    They never open one. Each table draws them afresh from `strategies`, names of the kit's own; a name
    that stands twice, or is needed twice, makes two players. Where players can win of each other they play
    for honour, unless `stakes` says that they stake credits of the house whoever else plays.
    """

    strategies: tuple[str, ...] = ()
    players: int = 0  # that join, whoever else does
    fills: int = 0  # until how many sit at the table, people included, more of them join
    least: int = 1  # credits without which nobody can join
    stakes: bool = False


@runtime_checkable
class Hosting(Protocol):
    """A game at whose tables players of the house may sit."""

    @property
    def roster(self) -> Roster: ...


def roster_of(game: Any) -> Roster:
    """Return which players of the house join a table of these rules: none if the rules have no roster."""
    return game.roster if isinstance(game, Hosting) else Roster()


def of_house(seat: Seat) -> bool:
    """Whether a seat is the house's own, such as `house:kelly`."""
    return seat.startswith(f"{HOUSE}:")


def house_name(seat: Seat) -> str:
    """Return the name of a seat of the house's own in the house, such as `kelly`."""
    return seat.removeprefix(f"{HOUSE}:")


def display_name(seat: Seat) -> str:
    """Return the name of a player of the house as it is shown, without its mark, such as `Guardsman 2`."""
    return house_name(seat).capitalize().replace("-", " ")
