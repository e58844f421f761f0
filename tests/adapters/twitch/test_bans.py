"""Who is banned or timed out stays at the table, and so does a bot that is: each game comes to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.twitch import test_chicken as chicken
from tests.adapters.twitch import test_market as market
from tests.adapters.twitch.chatting import START, purse

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from tests.adapters.twitch.stage import Stage

    Told = list[MutableMapping[str, Any]]

STAKE = 69
BAN, TIMEOUT = None, 600.0  # for how many seconds


async def play_out(stage: Stage) -> None:
    while not stage.table("ada").over:
        clock = stage.table("ada").clock
        await stage.watch.turn(clock.seconds if clock else 0)


def net(stage: Stage, user: str) -> int:
    """Give what the heist brought somebody by their outcome, without the payday of the others."""
    outcomes = {each.seat: each for each in stage.table("ada").view(None).outcomes}
    outcome = outcomes[stage.seat(user)]
    return int(outcome.received - outcome.cost)


@pytest.mark.parametrize("seconds", [BAN, TIMEOUT])
async def test_who_is_banned_in_the_lobby_of_a_heist_wins_or_loses_as_the_others_do(
    stage: Stage, told: Told, seconds: float | None
) -> None:
    await stage.open()
    await stage.say("ada", "ada", "!set heist payday no", ["broadcaster"])
    await stage.say("ann", "ada", f"!heist {STAKE}")
    await stage.say("bob", "ada", f"!heist {STAKE}")
    await stage.fake.ban("bob", "ada", seconds)
    await stage.fake.chat("bob", "ada", "!backout")
    await stage.say("ann", "ada", "hello")  # was said after it
    assert await purse(stage, "bob") == START - STAKE, "it was not delivered"
    await play_out(stage)
    for user in ("ann", "bob"):
        assert await purse(stage, user) == START + net(stage, user)
    await stage.watch.turn(30)
    assert "Bob" in " ".join(stage.fake.sent("ada")).partition("Results:")[2]
    assert told == []


async def test_who_is_banned_plays_on_by_whispers(stage: Stage, told: Told) -> None:
    """A ban is of one chat, and Twitch does not tell the bot of it."""
    await stage.open()
    await chicken.lobby(stage, ("ann", "bob"), "5 20")
    await stage.fake.ban("bob", "ada")
    await chicken.whisper(stage, "bob", "!play 5")
    assert chicken.table(stage).view(stage.seat("bob")).own == 5
    assert told == []


@pytest.mark.parametrize("seconds", [BAN, TIMEOUT])
async def test_the_cards_of_who_is_banned_at_chicken_poker_are_played_for_them(
    stage: Stage, told: Told, seconds: float | None
) -> None:
    await stage.open()
    await chicken.lobby(stage, ("ann", "bob"), "3 20")
    await stage.fake.ban("bob", "ada", seconds)
    while not chicken.table(stage).over:
        hand = chicken.view(stage, "ann").hands[stage.seat("ann")]
        await stage.say("ann", "ada", f"!play {hand[-1]}")
        await stage.watch.turn(chicken.CHOICE)
    shares = chicken.view(stage).shares
    assert sum(shares.values()) == 40, "two people, and with a stake nobody of the house"
    for user in ("ann", "bob"):
        assert await purse(stage, user) == START - 20 + shares.get(stage.seat(user), 0)
    assert told == []


@pytest.mark.parametrize("seconds", [BAN, TIMEOUT])
async def test_the_market_goes_on_where_it_is_the_turn_of_who_is_banned(
    stage: Stage, told: Told, seconds: float | None
) -> None:
    await stage.open()
    await market.dealt(stage, "ann", "bob")
    first, second = market.turns(stage)
    await stage.fake.ban(first, "ada", seconds)
    await stage.fake.chat(first, "ada", "!pass")
    await stage.watch.turn(market.TURN)
    assert market.view(stage).acting == stage.seat(second), "the turn has run out"
    offered, wanted = market.hand(stage, second)[0], market.hand(stage, first)[0]
    await stage.say(second, "ada", f"!swap {offered} {wanted}")
    while not market.table(stage).over:
        await stage.watch.turn(market.ANSWER)
    assert wanted not in market.hand(stage, second), "who cannot answer declines"
    ranked = market.view(stage).ranked
    assert ranked is not None
    for place in ranked.places:
        user = first if place.seat == stage.seat(first) else second
        if place.seat in {stage.seat("ann"), stage.seat("bob")}:
            assert await purse(stage, user) == START - market.STAKE + place.credits
    assert told == []


async def test_a_bot_that_is_timed_out_tells_the_opener_and_speaks_when_it_may_again(
    stage: Stage, told: Told
) -> None:
    await stage.open()
    await stage.fake.ban("rabblebot", "ada", TIMEOUT)
    await stage.say("ann", "ada", f"!heist {STAKE}")
    await stage.until(lambda: stage.fake.world.whispers)
    [whisper] = stage.fake.world.whispers
    assert whisper.to == stage.fake.world.users["ann"].id
    assert "It is played to its end" in whisper.text
    [reason] = [each["reason"] for each in told]
    assert reason == "the bot is timed out in this chat"
    await stage.say("bob", "ada", f"!heist {STAKE}")
    assert await purse(stage, "bob") == START, "where nobody reads what becomes of it, no stake is taken"
    await stage.watch.turn(TIMEOUT)
    assert stage.table("ada").over
    assert "please repeat it" in (await stage.say("bob", "ada", f"!heist {STAKE}"))[0]
    await stage.watch.turn(60)
    assert "!heist and an amount" in (await stage.say("bob", "ada", f"!heist {STAKE}"))[0]


async def test_a_bot_that_is_banned_hears_nothing_until_it_is_let_in_again(stage: Stage, told: Told) -> None:
    await stage.open()
    await stage.say("ann", "ada", f"!heist {STAKE}")
    await stage.fake.ban("rabblebot", "ada")
    await stage.until(lambda: stage.chat("ada").unheard)
    await stage.watch.turn(TIMEOUT)
    assert stage.table("ada").over
    stage.fake.world.banned.clear()
    await stage.watch.turn(60)
    assert not stage.chat("ada").unheard
    assert "Ann" in (await stage.say("ann", "ada", "!credits"))[0]
    assert stage.fake.world.said[-1].by_app, "the chat was closed to the program's key, not the key to chats"
    assert not [each for each in told if "exc_info" in each or "trouble" in each]
