"""What the rules call pot, house, mint and seats, as accounts of the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Till
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, instalments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chatbot.kernel.game import Purse, Transfer


def booked(table: str, community: str, transfers: Iterable[Transfer]) -> Iterator[Entry]:
    """Make the entries of what a step moves."""
    for each in transfers:
        source, target = (_account(table, community, purse) for purse in (each.source, each.target))
        yield from instalments(source, target, each.credits, each.why)


def _account(table: str, community: str, purse: Purse) -> str:
    match purse:
        case Till.POT:
            return accounts.pot(table)
        case Till.HOUSE:
            return accounts.house(community)
        case Till.MINT:
            return accounts.mint(community)
        case _:
            return accounts.wallet(community, purse)
