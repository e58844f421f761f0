"""Many at once on Discord: everybody is answered, in few messages and few transactions."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from chatbot.runtime.clock import LoopWatch
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

CROWD, GUILDS = 300, 30
ASKING = 60  # whose interactions are answered within three seconds on any machine
HINTED = 2.5  # seconds until hints that are the same for several are told
NAMED = re.compile(r"newcomer\d{3}")


async def test_in_a_flood_of_one_command_everybody_is_told_their_own_in_few_messages(
    stage: Stage, store: Store
) -> None:
    """300 rows of 16 characters, such as `newcomer000 240,`, are three messages of 1,800."""
    crowd = [stage.world.join(f"newcomer{number:03}") for number in range(CROWD)]
    written = store.written
    for each in crowd:
        await stage.people.say(each, stage.town, "!credits")
    await stage.until(lambda: len(stage.bot.members._names) >= CROWD)
    await stage.bot.settle()
    assert store.written - written <= CROWD // 10, "newcomers are greeted together"
    for _ in range(6):
        await stage.turn(5)
    await stage.world.until(lambda: len(NAMED.findall(stage.world.texts(stage.town))) == CROWD)
    texts = [each["content"] for each in stage.world.shown(stage.town)]
    assert len(texts) <= 12
    listed = re.compile(r"Balances: (newcomer\d{3} 240, )+newcomer\d{3} 240\.")
    assert any(map(listed.fullmatch, texts)), (
        "the last ones may be so few that they fit into a message as they are"
    )
    assert {each.name for each in crowd} == set(NAMED.findall("\n".join(texts)))


async def test_a_flood_of_slash_commands_by_newcomers_is_answered_one_by_one(stage: Stage) -> None:
    crowd = [stage.world.join(f"newcomer{number:03}") for number in range(ASKING)]
    stage.server.patience = 60.0  # a busy machine is no failure of the bot
    asked = [await stage.people.slash(each, stage.town, "credits") for each in crowd]
    await stage.world.until(lambda: all(each.original for each in asked))
    answers = [stage.world.messages[each.original or 0]["content"] for each in asked]
    assert answers == [f"{each.name} has 240 credits." for each in crowd]
    assert stage.server.late == 0


async def test_a_raid_of_newcomers_is_told_in_few_messages_what_is_the_same_for_all(
    server: DiscordServer, store: Store
) -> None:
    """By the clock of the event loop: what all are told waits for others, though nobody turns a clock."""
    async with Stage(server, store, watch=LoopWatch()) as stage:
        raiders = [stage.world.join(f"newcomer{number:03}") for number in range(CROWD)]
        for each in raiders:
            await stage.people.say(each, stage.town, "!heist 20")
        seats = {seat_of(each.id) for each in raiders}
        await stage.until(lambda: stage.sits(raiders[-1]) and seats <= stage.table.seated)
        await asyncio.sleep(HINTED)
        texts = [each["content"] for each in stage.world.shown(stage.town) if each["content"]]
        assert sum("New to Bank Heist?" in each for each in texts) == 1
        assert len(texts) <= 12


async def test_the_same_to_more_than_can_be_named_counts_the_others(stage: Stage) -> None:
    crowd = [stage.world.join(f"newcomer{number:03}") for number in range(CROWD)]
    for each in crowd:
        await stage.people.say(each, stage.town, "!heist nonsense")
    await stage.world.until(lambda: _told_that_it_is_no_amount(stage.world.texts(stage.town)) >= CROWD)
    texts = stage.world.texts(stage.town)
    assert _told_that_it_is_no_amount(texts) == CROWD, "each is answered, named or counted, once"
    assert len(texts.split("\n")) <= 5


def _told_that_it_is_no_amount(texts: str) -> int:
    counted = sum(int(each) for each in re.findall(r"and (\d+) more: ", texts))
    replies = texts.split("\n").count("“nonsense” is no amount: write 69, 5k, 1m, 25%, half or all.")
    return replies + len(NAMED.findall(texts)) + counted


async def test_the_first_command_in_each_of_many_servers_is_answered_without_a_fixed_wait(
    server: DiscordServer, store: Store
) -> None:
    """The clock of the program stands still meanwhile."""
    guilds = [server.world.add_guild(f"guild{number}") for number in range(GUILDS)]
    channels = [server.world.add_channel("town", each) for each in guilds]
    async with Stage(server, store) as stage:
        members = [stage.world.join(f"member{number}") for number in range(GUILDS)]
        for member, channel in zip(members, channels, strict=True):
            await stage.people.say(member, channel, "!credits")
        await stage.world.until(lambda: all(map(stage.world.shown, channels)))
        assert stage.watch.now() == 0
    told = [server.world.texts(channel) for channel in channels]
    assert told == [f"{each.name} has 240 credits." for each in members]
