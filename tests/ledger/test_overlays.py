"""The keys of overlays are counted, one by one, whoever replaces them at the same time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chatbot.ledger.changes import Changes, ChangeSet
from chatbot.ledger.overlays import KeyGenerations
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store as Opened

AT = datetime(2026, 1, 1, tzinfo=UTC)


def change_set(name: str, room: str = "den") -> ChangeSet:
    return ChangeSet(name, room, "town", AT, "operator", "operator", ())


async def test_two_processes_that_replace_a_key_at_once_make_two_generations(store: Opened, url: str) -> None:
    other = await Store.look(url)
    try:
        ours, theirs = KeyGenerations(store), KeyGenerations(other)
        replacing = [each.replace(change_set(f"{at}:{each}")) for at in range(5) for each in (ours, theirs)]
        if url.startswith("sqlite"):  # whose writers exclude each other; those of one thread would for good
            made = [await each for each in replacing]
        else:
            made = await asyncio.gather(*replacing)
        assert sorted(made) == list(range(2, 12))
        assert await theirs.replaced() == {"den": 11}
    finally:
        await other.close()
    changes = [each.changes[0] for each in await Changes(store).newest("den")]
    assert [(each.old, each.new) for each in changes] == [(str(at - 1), str(at)) for at in range(11, 1, -1)]


async def test_a_room_whose_key_was_never_replaced_has_no_row(store: Opened) -> None:
    await KnownRooms(store).note(KnownRoom("bar", "town"), AT)
    await KeyGenerations(store).replace(change_set("change-set:1"))
    assert await KeyGenerations(store).replaced() == {"den": 2}
    assert [each.room for each in await KeyGenerations(store).rooms()] == ["bar"]
    assert await Preferences(store).load("bar") == {}
