"""Rankings mark or leave out who has left, but nobody who came back or is still on another platform."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chatbot.community import departures
from chatbot.community.confirmations import REFLECTION
from chatbot.community.departures import FRESH
from chatbot.rooms.channel import Channel
from chatbot.rooms.room import Room
from tests.bot.platforms import DISCORD, TWITCH, Platforms
from tests.bot.stage import Notebook

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

OWNER = "discord:owner(broadcaster)"


@dataclass
class MemberRegister(Notebook):
    """An adapter whose platform knows who has left; it counts what it is asked."""

    left: set[str] = field(default_factory=set)  # names
    asked: list[list[str]] = field(default_factory=list)
    silent: bool = False  # it never answers
    ignorant: bool = False  # it cannot say now

    async def departed(
        self, channels: Collection[str], accounts: Sequence[Account]
    ) -> Collection[Account] | None:
        assert channels
        self.asked.append([each.key for each in accounts])
        if self.silent:
            await asyncio.get_running_loop().create_future()
        return None if self.ignorant else [each for each in accounts if each.key in self.left]


class Town(Platforms):
    """Two platforms that know who has left."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.registers = {each: MemberRegister(self.adapter.deliveries) for each in (DISCORD, TWITCH)}

    def own_room(self, channel: str, community: str = "") -> Room:
        own = super().own_room(channel, community)
        (known,) = own.channels
        register = self.registers[channel]
        return Room(own.id, own.community, (Channel(channel, known.platform, register, known.manner),))

    @property
    def discord(self) -> MemberRegister:
        return self.registers[DISCORD]

    async def top(self, text: str = "!top", who: str = "discord:ann") -> str:
        await self.watch.turn(10)  # past the cooldown
        return " | ".join(each.partition(": ")[2] for each in await self.say(who, text))


@pytest.fixture
async def town(store: Store) -> Town:
    opened = Town(store)
    await opened.open()
    await opened.say(OWNER, "!exclude @owner-d")
    for who, amount in (("ann", 900), ("bob", 800), ("cat", 700)):
        await opened.endow(f"discord:{who}", amount)
    await opened.watch.turn(1)
    return opened


async def test_who_has_left_is_marked_in_the_ranking_and_keeps_the_place(town: Town) -> None:
    town.discord.left.add("bob")
    told = await town.top()
    assert told == "Richest: 1. ann-d 900 credits, 2. bob-d 800 credits (gone), 3. cat-d 700 credits."
    (rank,) = await town.say("discord:cat", "!rank @bob-d")
    assert "bob-d is in place 2 of 3" in rank
    assert rank.endswith("Not here any more.")


async def test_the_setting_leaves_out_who_has_left_and_places_close_up(town: Town) -> None:
    town.discord.left.add("bob")
    await town.say(OWNER, "!set credits skip_gone yes")
    assert await town.top() == "Richest: 1. ann-d 900 credits, 2. cat-d 700 credits."
    told = await town.top("!top 1", "discord:cat")
    assert told == "Richest: 1. ann-d 900 credits. | You: 2. cat-d 700 credits."
    (rank,) = await town.say("discord:cat", "!rank")
    assert "cat-d is in place 2 of 2" in rank


async def test_those_behind_the_gone_move_up_however_many_have_left(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.bot.commands.ranks.MOST_ASKED", 2)
    town.discord.left.update({"ann", "bob"})
    await town.say(OWNER, "!set credits skip_gone yes")
    assert await town.top("!top 1", "discord:cat") == "Richest: 1. cat-d 700 credits."


async def test_who_speaks_again_is_back_at_once(town: Town) -> None:
    town.discord.left.add("bob")
    await town.say(OWNER, "!set credits skip_gone yes")
    assert "bob" not in await town.top()
    await town.watch.turn(1)
    await town.say("discord:bob", "hello again")
    assert "2. bob-d 800 credits, 3." in await town.top()


async def test_who_comes_back_in_silence_is_back_after_a_quarter_of_an_hour(town: Town) -> None:
    town.discord.left.add("bob")
    assert "bob-d 800 credits (gone)" in await town.top()
    town.discord.left.clear()
    assert "bob-d 800 credits (gone)" in await town.top()
    await town.watch.turn(FRESH)
    assert "bob-d 800 credits, 3." in await town.top()


async def test_a_platform_is_asked_once_about_those_who_are_shown_and_about_nobody_else(town: Town) -> None:
    await town.top("!top 2")
    await town.top("!top 2", "discord:bob")
    assert [sorted(each) for each in town.discord.asked] == [["ann", "bob"]]
    await town.top("!top 3")
    assert town.discord.asked[1:] == [["cat"]]
    assert town.registers[TWITCH].asked == []


async def test_questions_that_come_together_ask_the_platform_once(town: Town) -> None:
    room, seats = town.room(DISCORD), [town.seat("discord:ann")]
    known = departures.Departures(town.bot.people, town.bot.rooms, town.watch)
    await asyncio.gather(*(known.find_gone(room, seats) for _ in range(5)))
    assert town.discord.asked == [["ann"]]


async def test_a_platform_that_cannot_say_or_never_answers_marks_nobody_and_holds_up_nothing(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.discord.left.add("bob")
    town.discord.ignorant = True
    assert "(gone)" not in await town.top()
    town.discord.ignorant, town.discord.silent = False, True
    monkeypatch.setattr(departures, "ANSWER_TIMEOUT", 0.01)
    assert "(gone)" not in await town.top()
    town.discord.silent = False
    assert "bob-d 800 credits (gone)" in await town.top()  # what was not known is asked again


async def test_whose_linked_account_is_still_there_is_not_gone(town: Town) -> None:
    await town.bridge()
    await town.say("twitch:bobby", "hello")
    await town.link("twitch:bobby", "discord:bob")
    await town.watch.turn(1)
    town.discord.left.update({"bob", "cat"})
    told = await town.top()
    assert "bob-d 800 credits," in told
    assert "cat-d 700 credits (gone)" in told
    await town.watch.turn(FRESH)
    town.registers[TWITCH].left.add("bobby")
    assert "bob-d 800 credits (gone)" in await town.top()


async def test_an_account_on_a_platform_that_the_community_has_no_chat_on_keeps_nobody_here(
    town: Town,
) -> None:
    await town.say("twitch:bobby", "hello")
    await town.link("twitch:bobby", "discord:bob")
    await town.watch.turn(1)
    town.discord.left.add("bob")
    assert "bob-d 800 credits (gone)" in await town.top()


async def test_where_nobody_can_leave_nobody_is_gone(store: Store) -> None:
    both = await Platforms(store).open()
    await both.endow("discord:ann", 900)
    assert (await both.say("discord:ann", "!top")) == ["discord:1: Richest: 1. ann-d 900 credits."]


async def test_what_was_won_and_the_last_season_tell_who_is_gone_too(town: Town) -> None:
    sure = "chances 100/100/100/100/100 rabble 0 payday no getaway 0 cooldown 0"
    await town.say(OWNER, f"!set heist {sure}")
    await town.watch.turn(REFLECTION)
    assert "cooldown" in " ".join(await town.say(OWNER, "!confirm"))
    await town.say(OWNER, "!set heist season_days 30")
    await town.say("discord:bob", "!heist 100")
    await town.turn(600)
    await town.say(OWNER, "!seasonend heist")
    assert "2. bob-d" in " ".join(await town.say(OWNER, "!confirm"))
    await town.watch.turn(FRESH)
    town.discord.left.add("bob")
    assert "(gone)" in await town.top("!top heists")
    assert "(gone)" in await town.top("!top season")
    await town.say(OWNER, "!set credits skip_gone yes")
    assert await town.top("!top heists") == "Nobody is in that ranking yet."
    assert "bob" not in await town.top("!top season")


async def test_what_is_stored_of_accounts_is_bounded(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departures, "REMEMBERED", 2)
    known = departures.Departures(town.bot.people, town.bot.rooms, town.watch)
    await known.find_gone(
        town.room(DISCORD), [town.seat(f"discord:{each}") for each in ("ann", "bob", "cat")]
    )
    assert len(known._lookups) == 2
