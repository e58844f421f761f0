"""The names of the purses in the ledger.

`wallet:<community>:<seat>`, `pot:<table>`, `house:<community>` and `mint:<community>`. The mint is
where credits come from and go to, and the only purse below zero; so a community sums to 0.
"""

from __future__ import annotations

from chatbot.kernel.game import Seat

NAMED = "name"
"""The platform of seats that stand for whoever has a name, such as `name:twitch:bob`."""

GONE = "gone"
"""The platform of seats of those whom the books were told to forget."""


def wallet(community: str, seat: Seat) -> str:
    return f"wallet:{_unambiguous(community)}:{seat}"


def pot(table: str) -> str:
    return f"pot:{table}"


def house(community: str) -> str:
    return f"house:{_unambiguous(community)}"


def mint(community: str) -> str:
    return f"mint:{_unambiguous(community)}"


def kind(account: str) -> str:
    """Say what an account is: wallet, pot, house or mint."""
    return account.partition(":")[0]


def community_of(account: str) -> str:
    """Say whose wallet, house or mint an account is; a pot's name does not tell."""
    return account.split(":", 2)[1]


def seat_of(wallet_account: str) -> Seat:
    return Seat(wallet_account.split(":", 2)[2])


def named(wallet_account: str) -> bool:
    """Whether a wallet waits for whoever has a name."""
    return seat_of(wallet_account).startswith(f"{NAMED}:")


def belongs(account: str, community: str, table: str | None) -> bool:
    """Whether a posting of this community at this table may touch the account."""
    if table is not None and account == pot(table):
        return True
    return account in {house(community), mint(community)} or account.startswith(wallet(community, Seat("")))


def _unambiguous(community: str) -> str:
    """Refuse a colon: with one, two people in two communities could come to share a wallet."""
    if not community or ":" in community:
        raise ValueError(f"a community is a word without a colon, not {community!r}")
    return community
