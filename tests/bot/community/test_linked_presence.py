"""What somebody has watched and said, and since when they are known, counts for all accounts that they link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.members import Presence
from chatbot.ledger.people import Account
from tests.bot.platforms import DISCORD, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ANN, ANNA = "discord:ann", "twitch:anna"


async def both_watch(both: Platforms, minutes: int) -> None:
    """Let both accounts be listed as watching for so long, every two minutes."""
    people = {Account.read(each): each for each in (ANN, ANNA)}
    await both.house.watching(TWITCH, people)
    for _ in range(minutes // 2):
        await both.turn(120)
        await both.house.watching(TWITCH, people)


async def test_two_accounts_that_have_parted_watch_as_long_as_they_are_there_each(store: Store) -> None:
    both = await on_one_server(store)
    for who in (ANN, ANNA):
        await both.say(who, "hello")
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!unlink")
    both.room(TWITCH).live = True
    await both_watch(both, 60)
    await both.house.close()
    watched = await Presence(store).several("guild", [both.seat(each) for each in (ANN, ANNA)])
    assert sorted(each.minutes for each in watched.values()) == [60, 60]
    assert both.room(DISCORD) is not both.room(TWITCH)
