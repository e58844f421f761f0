"""A change set is written with what it does, once, and undone at most once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Posting, Short
from chatbot.ledger.changes import MONEY, SETTING, AlreadyUndone, Change, Changes, ChangeSet, Work
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
ANN, MINT = purses.wallet("town", "test:ann"), purses.mint("town")  # type: ignore[arg-type]  # a seat


def change_set(name: str, *changes: Change, undoes: str | None = None, room: str = "room") -> ChangeSet:
    made = changes or (Change(SETTING, "heist", "lobby", None, "45"),)
    return ChangeSet(name, room, "town", AT, "test:mo", "mo", made, "why", undoes)


def granting(name: str, entry: Entry) -> tuple[ChangeSet, Work]:
    posting = Posting(f"p:{name}", "town", AT, entries=(entry,))
    return change_set(name, Change(MONEY, "test:ann", posting=posting.id)), Work(posting=posting)


@pytest.mark.slow
async def test_a_change_set_is_read_as_it_was_written(store: Store) -> None:
    changes = Changes(store)
    first = change_set(
        "a", Change(SETTING, "heist", "lobby", None, "45"), Change(SETTING, "heist", "getaway")
    )
    assert await changes.make(first, Work())
    assert await changes.make(change_set("b"), Work())
    assert await changes.newest("room") == [change_set("b"), first]
    assert await changes.newest("room", 1) == [change_set("b")]
    second, number = (each.number for each in await changes.newest("room"))
    assert second == number + 2
    assert await changes.newest("elsewhere") == []


async def test_a_change_set_is_done_once(store: Store) -> None:
    changes = Changes(store)
    made, work = granting("a", Entry(MINT, ANN, 50, "grant"))
    assert await changes.make(made, work)
    assert not await changes.make(made, work)
    assert await Ledger(store).balances([ANN]) == {ANN: 50}


async def test_a_change_set_whose_posting_is_refused_leaves_no_trace(store: Store) -> None:
    changes = Changes(store)
    made, work = granting("a", Entry(ANN, MINT, 50, "take"))
    choices = Work({("room", "heist"): {"lobby": "45"}}, work.posting)
    with pytest.raises(Short):
        await changes.make(made, choices)
    assert await changes.newest() == []
    assert await Preferences(store).load("room") == {}
    await changes.make(*granting("b", Entry(MINT, ANN, 60, "grant")))
    assert await changes.make(made, choices)  # the answer then was not for ever
    assert await Ledger(store).balances([ANN]) == {ANN: 10}


async def test_a_change_set_is_undone_once_and_what_would_undo_it_again_does_nothing(store: Store) -> None:
    changes = Changes(store)
    first = change_set("a")
    await changes.make(first, Work())
    assert not await changes.undone(first)
    await changes.make(change_set("b", undoes="a"), Work())
    assert await changes.undone(first)
    with pytest.raises(AlreadyUndone):
        await changes.make(change_set("c", undoes="a"), Work({("room", "heist"): {"lobby": "9"}}))
    assert await Preferences(store).load("room") == {}
    assert [each.id for each in await changes.newest()] == ["b", "a"]


@pytest.mark.slow
async def test_the_database_itself_keeps_a_change_set_from_being_undone_twice(doctored: Store) -> None:
    """Two processes on one server could both have looked before either wrote."""
    from sqlalchemy import insert  # noqa: PLC0415

    from chatbot.ledger.store import schema  # noqa: PLC0415

    await Changes(doctored).make(change_set("b", undoes="a"), Work())
    row = {
        "change_set": "c",
        "part": 1,
        "room": "room",
        "community": "town",
        "at": AT,
        "actor": "x",
        "name": "x",
    }
    row |= {"kind": SETTING, "subject": "heist", "key": "", "why": "", "undoes": "a"}
    with pytest.raises(IntegrityError):
        await doctored.write(lambda connection: connection.execute(insert(schema.change), row))


async def test_the_last_change_set_is_neither_undone_nor_an_undoing(store: Store) -> None:
    changes = Changes(store)
    assert await changes.last("room") is None
    for each in (
        change_set("a"),
        change_set("b"),
        change_set("x", room="elsewhere"),
        change_set("c", undoes="b"),
    ):
        await changes.make(each, Work())
    assert await changes.last("room") == change_set("a")


async def test_a_change_set_is_found_by_the_number_of_its_first_change(store: Store) -> None:
    changes = Changes(store)
    two = Change(SETTING, "heist", "lobby"), Change(SETTING, "heist", "getaway")
    await changes.make(change_set("a", *two), Work())
    (written,) = await changes.newest("room")
    assert await changes.numbered("room", written.number) == written == change_set("a", *two)
    assert await changes.numbered("room", written.number + 1) is None
    assert await changes.numbered("elsewhere", written.number) is None


async def test_the_entries_of_a_change_set_are_those_of_its_postings(store: Store) -> None:
    changes = Changes(store)
    made, work = granting("a", Entry(MINT, ANN, 50, "grant"))
    await changes.make(made, work)
    await changes.make(*granting("b", Entry(MINT, ANN, 7, "grant")))
    assert await changes.entries(made) == (Entry(MINT, ANN, 50, "grant"),)
    assert await changes.entries(change_set("c")) == ()


async def test_a_room_is_known_once_it_was_opened(store: Store) -> None:
    places = KnownRooms(store)
    assert await places.known() == []
    await places.note(KnownRoom("room", "town"), AT)
    await places.note(KnownRoom("attic", "town"), AT)
    await places.note(KnownRoom("room", "city"), AT)
    assert await places.known() == [KnownRoom("attic", "town"), KnownRoom("room", "city")]
