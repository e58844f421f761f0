"""What somebody holds may change while a gift or a grant is decided: it is decided anew, and that ends."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.books.unit import UnitOfWork

if TYPE_CHECKING:
    from tests.bot.stage import Stage

START, MOVED = 1000, 10
MOVING = "give:", "grant:", "take:", "undo:"  # what the ids of the postings begin with
PATIENCE = 20.0  # seconds; without an end it would go on for ever


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("ann: !give @bob 10", START - MOVED),
        ("mo(moderator): !grant @ann 10", START + MOVED),
        ("mo(moderator): !take @ann 10", START - MOVED),
        ("mo(moderator): !undo", START),
    ],
)
async def test_who_earns_meanwhile_has_both(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, line: str, after: int
) -> None:
    await stage.endow("ann", START)
    await stage.say("bob", "hello")
    who, _, text = line.partition(": ")
    if text == "!undo":
        await stage.say(who, "!grant @ann 10")
    post, earned = UnitOfWork.post, count(1)

    async def earn_and_post(self: UnitOfWork, posting: Posting) -> bool:
        """Earn just before ann's credits are moved, and just after that."""
        if not posting.id.startswith(MOVING) or next(earned) > 1:
            return await post(self, posting)
        await earn(stage, 1)
        try:
            return await post(self, posting)
        finally:
            await earn(stage, 2)

    monkeypatch.setattr(UnitOfWork, "post", earn_and_post)
    async with asyncio.timeout(PATIENCE):
        await stage.say(who, text)
    monkeypatch.undo()
    assert next(earned) > 2, "it was decided once more"
    assert await stage.credits("ann") == after + 2


async def earn(stage: Stage, number: int) -> None:
    """Give ann a credit by a unit of its own."""
    community = stage.room.community
    seat = await stage.bot.seat(stage.room, stage.line("ann", "").account)
    entry = Entry(purses.mint(community), purses.wallet(community, seat), 1, "watch")
    posting = Posting(f"earned:{number}", community, stage.watch.date(), entries=(entry,))
    unit = stage.bot.ledger.unit()
    await unit.post(posting)
    await unit.commit()
