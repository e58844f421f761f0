"""Who is timed out, kicked or banned stays at the table, and what they won or lost is booked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.discord import test_chicken as chicken
from tests.adapters.discord import test_market as market
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.test_heist import START, unpaid

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import TypeAlias

    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import User

    Blow: TypeAlias = Callable[[Stage, User], Awaitable[None]]

STAKE = 69


async def time_out(stage: Stage, user: User) -> None:
    await stage.people.time_out(user, stage.bot.watch.date() + timedelta(days=1))


async def kick(stage: Stage, user: User) -> None:
    await stage.people.throw_out(user)


async def ban(stage: Stage, user: User) -> None:
    await stage.people.throw_out(user, ban=True)


BLOWS = pytest.mark.parametrize("blow", [time_out, kick, ban])


@BLOWS
async def test_who_is_banned_in_the_lobby_of_a_heist_wins_or_loses_as_the_others_do(
    stage: Stage, blow: Blow, told: list[MutableMapping[str, Any]]
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await unpaid(stage)
    await stage.people.slash(ann, stage.town, "heist", stake=str(STAKE))
    await stage.people.press(bob, await stage.board("ann"), f"Join with {STAKE}")
    await stage.told(bob, f"You are in with {STAKE}")
    await blow(stage, bob)
    await stage.people.slash(bob, stage.town, "backout")
    await stage.people.say(bob, stage.town, "!backout")
    await stage.people.press(bob, await stage.board("ann"), "Join with")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has")
    assert await stage.credits(bob) == START - STAKE, "nothing of it was sent"
    await stage.play_out()
    for user in (ann, bob):
        assert await stage.credits(user) == START + stage.net(user)
    assert "bob" in stage.world.texts(stage.town).partition("Results:")[2]
    assert told == []


@BLOWS
async def test_the_cards_of_who_is_banned_at_chicken_poker_are_played_for_them(
    stage: Stage, blow: Blow, told: list[MutableMapping[str, Any]]
) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await chicken.lobby(stage, [ann, bob], stake="20")
    await blow(stage, bob)
    while not chicken.table(stage).over:
        hand = chicken.view(stage).hands[seat_of(ann.id)]
        await stage.people.slash(ann, stage.town, "play", card=hand[-1])
        await stage.turn(chicken.CHOICE)
    await stage.chicken_won()
    shares = chicken.view(stage).shares
    assert sum(shares.values()) == 40, "two people, and with a stake nobody of the house"
    for user in (ann, bob):
        assert await stage.credits(user) == START - 20 + shares.get(seat_of(user.id), 0)
    assert told == []


@BLOWS
async def test_the_market_goes_on_where_it_is_the_turn_of_who_is_banned(
    stage: Stage, blow: Blow, told: list[MutableMapping[str, Any]]
) -> None:
    users = await market.dealt(stage, "ann", "bob")
    first = market.acting(stage, *users)
    (second,) = [each for each in users if each is not first]
    await blow(stage, first)
    await stage.people.slash(first, stage.town, "pass")
    await stage.turn(market.TURN)
    await stage.until(lambda: market.view(stage).acting == seat_of(second.id))
    while not market.table(stage).over:
        await stage.turn(market.TURN)
    await stage.shown("The market is closed")
    ranked = market.view(stage).ranked
    assert ranked is not None
    won = {place.seat: place.credits for place in ranked.places}
    for user in users:
        assert await stage.credits(user) == START - market.STAKE + won[seat_of(user.id)]
    assert told == []


async def test_what_cannot_be_written_to_who_was_banned_is_no_trouble(
    stage: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    """A member has written to the bot alone, and is banned before the answer, or closes their DMs."""
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    for user in (ann, bob):
        await stage.people.say(user, stage.town, "!heist 20")
        await stage.until(lambda user=user: stage.sits(user))  # type: ignore[misc]
    stage.server.closed_dms.add(ann.id)
    await stage.people.whisper(ann, "!credits")
    await stage.people.whisper(bob, "!credits")
    await ban(stage, bob)
    await stage.play_out()
    await stage.until(lambda: len(stage.server.asked(r"POST /users/@me/channels")) >= 1)
    assert not [each for each in told if each["log_level"] == "error"]
