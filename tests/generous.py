"""Gifts without limits, for tests that are about something else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chatbot.ledger.rooms import Preferences
from chatbot.settings.community import TERMS
from chatbot.settings.fields import selected

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.room import Room


def let_give(room: Room) -> None:
    """Let people give what they like in an open room, until its credits are set otherwise."""
    free = replace(TERMS.of(room), give_start=True, give_daily=0, taken_daily=0)
    room.chosen[TERMS.name] = replace(selected(TERMS, room), value=free)


async def prefer_gifts(store: Store, *communities: str) -> None:
    """Let people give what they like in communities none of whose rooms is open yet."""
    free: dict[str, object] = {"give_start": "yes", "give_daily": "0", "taken_daily": "0"}
    stored = Preferences(store)
    for each in communities:
        if TERMS.name not in await stored.load(f"community {each}"):
            await stored.save(f"community {each}", TERMS.name, free)
