"""How long somebody was there is added up, and the first day and the last roles are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role, Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.incomes import Incomes
from chatbot.ledger.members import Members, Presence, Sighting, Visits

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

DAY = datetime(2026, 1, 1, tzinfo=UTC)
ANN, BOB = Seat("test:ann"), Seat("test:bob")


async def test_what_is_seen_again_and_again_adds_up(store: Store) -> None:
    presence = Presence(store)
    vip = frozenset({Role.VIEWER, Role.VIP})
    await presence.add([Sighting("town", ANN, DAY, 2, 3, vip), Sighting("port", ANN, DAY, 7)])
    await presence.add([Sighting("town", ANN, DAY + timedelta(hours=1), 5, 1)])
    assert (await presence.several("town", [ANN])).get(ANN) == Visits(DAY, 7, 4, vip)
    assert (await presence.several("port", [ANN])).get(ANN) == Visits(DAY, 7)


async def test_roles_that_are_gone_are_forgotten(store: Store) -> None:
    presence = Presence(store)
    for roles in (frozenset({Role.MODERATOR}), frozenset({Role.VIEWER})):
        await presence.add([Sighting("town", ANN, DAY, roles=roles)])
    assert (await presence.several("town", [ANN])).get(ANN) == Visits(DAY, roles=frozenset({Role.VIEWER}))


async def test_the_first_day_is_the_earliest_whatever_the_clock_said(store: Store) -> None:
    presence = Presence(store)
    for days in (0, 3, -2):
        await presence.add([Sighting("town", ANN, DAY + timedelta(days=days))])
    found = (await presence.several("town", [ANN])).get(ANN)
    assert found is not None
    assert found.first_at == DAY - timedelta(days=2)


async def test_who_was_never_seen_has_no_presence(store: Store) -> None:
    assert (await Presence(store).several("town", [BOB])).get(BOB) is None
    assert await Presence(store).several("town", []) == {}


async def test_incomes_are_those_of_a_time_and_of_reasons(store: Store) -> None:
    ledger, mint = Ledger(store), purses.mint("town")
    ann, bob = (purses.wallet("town", each) for each in (ANN, BOB))
    paid = [(0, "watch", 5), (0, "gift", 7), (-1, "watch", 11), (0.5, "talk", 13), (1, "talk", 17)]
    for days, why, amount in paid:
        entry = Entry(mint, ann, amount, why)
        posting = Posting(f"{why} {days}", "town", DAY + timedelta(days=days), entries=(entry,))
        await ledger.post(posting)
    wallets = [ann, bob]
    found = await Incomes(store).between(DAY, DAY + timedelta(days=1), wallets, ("watch", "talk"))
    assert found == {ann: 5 + 13, bob: 0}


async def test_who_is_introduced_keeps_the_name_that_is_known(store: Store) -> None:
    members = Members(store)
    await members.note("town", ANN, "Ann", DAY)
    await members.introduce("town", {ANN: "ann_login", BOB: "bob_login"}, DAY)
    assert await members.names("town", [ANN, BOB]) == {ANN: "Ann", BOB: "bob_login"}
