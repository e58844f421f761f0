"""The kinds of purses: wallets of people and of players of the house, pots of tables, houses and mints.

Credits of a community are created from its mint and return to it. The mint is the only purse that may be
negative, so that the balances of a community always sum to 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house

PERSON, PLAYER, POT, HOUSE, MINT = "person", "player", "pot", "house", "mint"
"""The kinds of purses, as stored; a `player` is a player of the house."""

CACHED_COMMUNITIES = 1000  # whose houses and mints are cached; those of others are made anew for each line

WALLETS = frozenset({PERSON, PLAYER})

_SHOWN = {PERSON: "wallet", PLAYER: "wallet"}


class Purse(NamedTuple):
    """The identity of a purse. `owner` is a seat, the table of a pot, or empty.

    The text form, such as `wallet:town:twitch:1`, is for people to read and is never parsed.
    """

    kind: str
    community: str
    owner: str = ""

    def __str__(self) -> str:
        text = f"{_SHOWN.get(self.kind, self.kind)}:{self.community}"
        return f"{text}:{self.owner}" if self.owner else text

    @property
    def seat(self) -> Seat:
        """The seat that owns this wallet."""
        return Seat(self.owner)


def wallet(community: str, seat: Seat) -> Purse:
    """Return the wallet of a seat in a community.

    Raises:
        ValueError: the community is empty or contains a colon.
    """
    return Purse(PLAYER if of_house(seat) else PERSON, _unambiguous(community), seat)


def pot(community: str, table: str) -> Purse:
    """Return the pot of a table; raises as `wallet` does."""
    return Purse(POT, _unambiguous(community), table)


@lru_cache(maxsize=CACHED_COMMUNITIES)
def house(community: str) -> Purse:
    """Return the house of a community; raises as `wallet` does."""
    return Purse(HOUSE, _unambiguous(community))


@lru_cache(maxsize=CACHED_COMMUNITIES)
def mint(community: str) -> Purse:
    """Return the mint of a community; raises as `wallet` does."""
    return Purse(MINT, _unambiguous(community))


def belongs(purse: Purse, community: str, table: str | None) -> bool:
    """Return whether a posting of this community at this table may use the purse."""
    return purse.community == community and (
        purse.kind != POT or (table is not None and purse.owner == table)
    )


@lru_cache(maxsize=CACHED_COMMUNITIES)
def _unambiguous(community: str) -> str:
    """Refuse a colon: ids of postings join communities and seats with colons, and must stay unambiguous."""
    if not community or ":" in community:
        raise ValueError(f"a community is a word without a colon, not {community!r}")
    return community
