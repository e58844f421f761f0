"""What somebody has watched and said, and since when they are known, by any of their accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.members import Presence, Sighting
from chatbot.ledger.people import Account
from tests.bot.platforms import DISCORD, TWITCH, Platforms, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ANN, ANNA, BOB = "discord:ann", "twitch:anna", "discord:bob"
HOUR = 3600


async def both_watch(both: Platforms, minutes: int) -> None:
    """Let both accounts be listed as watching for so long, every two minutes."""
    people = {Account.read(each): each for each in (ANN, ANNA)}
    await both.bot.watching(TWITCH, people)
    for _ in range(minutes // 2):
        await both.turn(120)
        await both.bot.watching(TWITCH, people)


async def test_two_accounts_that_have_parted_watch_as_long_as_they_are_there_each(store: Store) -> None:
    both = await on_one_server(store)
    for who in (ANN, ANNA):
        await both.say(who, "hello")
    await both.link(ANNA, ANN)
    await both.say(ANNA, "!unlink")
    both.room(TWITCH).live = True
    await both_watch(both, 60)
    await both.bot.close()
    watched = await Presence(store).several("guild", [both.seat(each) for each in (ANN, ANNA)])
    assert sorted(each.minutes for each in watched.values()) == [60, 60]
    assert both.room(DISCORD) is not both.room(TWITCH)


async def test_a_rank_tells_of_all_linked_accounts_together_as_the_ranking_does(store: Store) -> None:
    both = await on_one_server(store)
    for who, minutes in ((ANN, 60), (ANNA, 75)):
        await both.say(who, "hello")
        seen = Sighting("guild", both.seat(who), both.watch.date(), minutes=minutes, messages=2)
        await Presence(store).add([seen])
    await both.link(ANNA, ANN)
    (ranking,) = await both.say(BOB, "!top watched")
    assert "2 h 15 min" in ranking
    (rank, *_) = await both.say(ANN, "!rank")
    assert "Watched 2 h 15 min, 4 messages." in rank


async def test_what_was_watched_and_said_in_a_chat_counts_while_that_is_joined_with_another(
    store: Store,
) -> None:
    both = await Platforms(store).open()
    await both.say(ANNA, "hello")
    seen = Sighting("channel", both.seat(ANNA), both.watch.date(), minutes=75, messages=2)
    await Presence(store).add([seen])
    await both.bridge()
    (ranking,) = await both.say(ANNA, "!top watched")
    assert "anna-t 1 h 15 min" in ranking
    (rank, *_) = await both.say(ANNA, "!rank")
    assert "Watched 1 h 15 min, 2 messages." in rank


async def test_whoever_is_known_by_a_linked_account_is_not_too_new_to_give(store: Store) -> None:
    both = await on_one_server(store)
    await both.say("discord:mo(moderator)", "!set credits give_age 24 give_start yes")
    for who in (ANNA, BOB):
        await both.say(who, "hello")
    await both.turn(25 * HOUR)
    await both.say(ANN, "hello")
    (refused,) = await both.say(ANN, "!give @bob-d 10")
    assert "24" in refused
    await both.link(ANNA, ANN)
    assert any("10 credits" in each for each in await both.say(ANN, "!give @bob-d 10"))
