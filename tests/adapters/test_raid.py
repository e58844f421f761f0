"""A raid by both adapters at once: everybody gets in, in few words, and whoever comes too late is told."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from chatbot.delivery.sender import REFUSAL_DELAY
from chatbot.ledger.audit.checks import breaches
from tests.adapters.discord.seats import seat_of
from tests.adapters.test_bridge import both, fake, server
from tests.checked import store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.adapters.both import Both
    from tests.fakes.discord_world import Json, User

__all__ = ["both", "fake", "server", "store"]

pytestmark = pytest.mark.slow

RAIDERS, LATE = 500, 40  # on each platform
MOST = 12  # public messages of each chat
STAKE = 20
TOO_LATE = "The crew has left without you"
MORE, TARDY = re.compile(r"and ([0-9]+) more"), re.compile(r"tardy[0-9]+")


def named(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number:03}" for number in range(count)]


async def written(both: Both, viewers: Sequence[str], members: Sequence[User]) -> None:
    """Let all of them type the same, as fast as both platforms bring it."""

    async def on_twitch() -> None:
        for each in viewers:
            await both.fake.chat(each, "ada", f"!heist {STAKE}")

    async def on_discord() -> None:
        for each in members:
            await both.discord.people.say(each, both.discord.town, f"!heist {STAKE}")

    await asyncio.gather(on_twitch(), on_discord())


def posted(both: Both) -> list[str]:
    """List what everybody reads on Discord, but for the one message that shows the table."""
    return [str(each["content"]) for each in messages(both)]


def messages(both: Both) -> list[Json]:
    return [each for each in both.discord.world.shown(both.discord.town) if each["content"]]


def answered(both: Both, message: Json) -> str:
    """Return whose message this is a reply to; "": it is none."""
    if not (reference := message.get("message_reference")):
        return ""
    return str(both.discord.world.messages[int(reference["message_id"])]["author"]["username"])


def too_late(both: Both, first: int) -> list[str]:
    """List what the Twitch chat was told of those who came too late, from its message `first` on."""
    return [each for each in both.fake.sent("ada")[first:] if TOO_LATE in each]


def counted(both: Both, first: int) -> int:
    """Count those who were told so, by name or as one of "and 38 more"."""
    return sum(each.count("@") + int((MORE.findall(each) or ["0"])[0]) for each in too_late(both, first))


def told_late(both: Both, first: int) -> tuple[set[str], set[str]]:
    """Return who was named on Discord as too late, and to whose message the answer is a reply."""
    shown = [each for each in messages(both)[first:] if TOO_LATE in each["content"]]
    named_ones = {name for each in shown for name in TARDY.findall(each["content"])}
    return named_ones, {name for each in shown if (name := answered(both, each))}


async def test_two_raids_at_once_are_in_and_those_who_come_too_late_are_counted(both: Both) -> None:
    await both.bridge()
    viewers, members = (
        named("viewer", RAIDERS),
        [both.discord.world.join(each) for each in named("member", RAIDERS)],
    )
    await both.chat("bob", "!heist 100")
    tweets, posts = len(both.fake.sent("ada")), len(posted(both))
    await written(both, viewers, members)
    raiders = {both.twitch.seat(each) for each in viewers} | {seat_of(each.id) for each in members}
    await both.discord.until(lambda: raiders <= both.table.seated, 60)
    crew = {each.seat for each in both.table.view(None).crew}
    assert crew == raiders | {both.twitch.seat("bob")}
    await both.bot.settle()
    assert (await both.bot.ledger.balances([both.table.pot]))[both.table.pot] == 100 + 2 * RAIDERS * STAKE
    await both.discord.turn(10)
    assert len(both.fake.sent("ada")) - tweets <= MOST
    assert len(posted(both)) - posts <= MOST

    while both.table.clock is not None and both.table.clock.phase == "lobby":
        await both.discord.turn(1)
    late = named("late", LATE), [both.discord.world.join(each) for each in named("tardy", LATE)]
    tweets, posts = len(both.fake.sent("ada")), len(posted(both))
    await written(both, *late)
    tardy = {each.name for each in late[1]}
    await both.discord.until(lambda: {"Late039"} | tardy <= set(both.bot.members._names.values()), 30)
    await both.bot.settle()
    await both.discord.turn(REFUSAL_DELAY + 2)
    await both.discord.until(
        lambda: counted(both, tweets) >= LATE and tardy <= set().union(*told_late(both, posts)), 30
    )
    assert counted(both, tweets) == LATE
    assert len(too_late(both, tweets)) == 2, "the first by name, and then all others"
    assert len([each for each in messages(both)[posts:] if TOO_LATE in each["content"]]) <= MOST
    named_ones, replied = told_late(both, posts)
    # Both chats wait in one queue: whether the first of a chat is answered alone hangs on who came before.
    assert named_ones | replied == tardy
    assert len(replied) <= 1 < len(named_ones)
    assert await breaches(both.store) == []
