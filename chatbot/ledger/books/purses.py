"""What holds credits: wallets of people and of the house's players, pots of tables, houses and mints.

The mint of a community is where its credits come from and go to, and the only purse below zero; so a
community sums to 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from chatbot.kernel.game import Seat
from chatbot.kernel.kit import of_house

PERSON, PLAYER, POT, HOUSE, MINT = "person", "player", "pot", "house", "mint"
"""The kinds of purses; a player is one of the house."""

COMMUNITIES = 1000  # whose purses are kept at hand

WALLETS = frozenset({PERSON, PLAYER})

_SHOWN = {PERSON: "wallet", PLAYER: "wallet"}


class Purse(NamedTuple):
    """A purse by what it is. `owner` is a seat, the table of a pot, or nothing.

    As text it is for people to read, as in `wallet:town:twitch:1`: nothing takes that apart.
    """

    kind: str
    community: str
    owner: str = ""

    def __str__(self) -> str:
        shown = f"{_SHOWN.get(self.kind, self.kind)}:{self.community}"
        return f"{shown}:{self.owner}" if self.owner else shown

    @property
    def seat(self) -> Seat:
        """Whose wallet it is."""
        return Seat(self.owner)


def wallet(community: str, seat: Seat) -> Purse:
    return Purse(PLAYER if of_house(seat) else PERSON, _unambiguous(community), seat)


def pot(community: str, table: str) -> Purse:
    return Purse(POT, _unambiguous(community), table)


@lru_cache(maxsize=COMMUNITIES)
def house(community: str) -> Purse:
    return Purse(HOUSE, _unambiguous(community))


@lru_cache(maxsize=COMMUNITIES)
def mint(community: str) -> Purse:
    return Purse(MINT, _unambiguous(community))


def belongs(purse: Purse, community: str, table: str | None) -> bool:
    """Whether a posting of this community at this table may touch the purse."""
    return purse.community == community and (
        purse.kind != POT or (table is not None and purse.owner == table)
    )


@lru_cache(maxsize=COMMUNITIES)
def _unambiguous(community: str) -> str:
    """Refuse a colon: ids of postings are made of communities and seats, and two could come out the same."""
    if not community or ":" in community:
        raise ValueError(f"a community is a word without a colon, not {community!r}")
    return community
