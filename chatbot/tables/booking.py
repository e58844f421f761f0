"""What the rules call pot, house, mint and seats, as purses of the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Till
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, instalments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.kernel.game import Purse as Named
    from chatbot.kernel.game import Transfer
    from chatbot.ledger.books.purses import Purse


def booked(table: str, community: str, transfers: Iterable[Transfer]) -> Iterator[Entry]:
    """Make the entries of what a step moves."""
    for each in transfers:
        source, target = (_purse(table, community, purse) for purse in (each.source, each.target))
        yield from instalments(source, target, each.credits, each.why)


def _purse(table: str, community: str, purse: Named) -> Purse:
    match purse:
        case Till.POT:
            return purses.pot(community, table)
        case Till.HOUSE:
            return purses.house(community)
        case Till.MINT:
            return purses.mint(community)
        case _:
            return purses.wallet(community, purse)
