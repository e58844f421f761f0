"""What happens in Discord is heard by cogs of the library, in the order in which Discord has told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from discord.ext import commands

from cogs.discord.buttons import Choice, Move

if TYPE_CHECKING:
    from chatbot.bot.pending_line import PendingLine
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.room import Room
    from tests.adapters.discord.stage import Stage

COGS = {
    "ConnectionCog": [
        "on_guild_channel_update",
        "on_guild_role_update",
        "on_member_update",
        "on_raw_thread_delete",
        "on_shard_ready",
    ],
    "MessageCog": [],  # it stands where the library's own parser would, see below
    "MoveCog": [],  # the library brings it the buttons and menus that it knows by their ids
    "FormCog": ["on_interaction"],
    "SlashCommandCog": [],  # and the slash commands, which are made from the house's own list
    "GreetingCog": ["on_guild_join"],
}
LINES = 60


async def test_each_concern_is_a_cog_that_the_bot_has_loaded(stage: Stage) -> None:
    bot = stage.adapter.client
    assert bot is not None
    loaded = {name: [event for event, _ in each.get_listeners()] for name, each in bot.cogs.items()}
    assert loaded == COGS
    assert bot.on_message == bot.messages.on_message, "the library's parser has a task for each message"
    assert set(bot._connection._view_store._dynamic_items.values()) == {Move, Choice}
    words = {each.word for kit in stage.bot.kits.values() for each in kit.chat.commands}
    words |= {each.word for each in stage.bot.command_index.bot_commands}
    assert {each.name for each in bot.tree.get_commands()} == words
    assert set(bot.all_commands) == set(), "nothing is left to the library's own parser"


@pytest.mark.parametrize("opened", [False, True])
async def test_messages_keep_their_order_also_while_their_room_is_opened(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, opened: bool
) -> None:
    people = [stage.world.join(f"member{number}") for number in range(7)]
    if opened:
        await stage.people.say(people[0], stage.town, "!credits")
        await stage.shown("has 240")
    heard: list[str] = []
    decision = stage.bot.parts.dispatcher._decision
    decide = decision.decide

    async def record(room: Room, pending: PendingLine, batch: Batch, *, alone: bool) -> None:
        heard.append(pending.line.text)
        await decide(room, pending, batch, alone=alone)

    monkeypatch.setattr(decision, "decide", record)
    expected = [f"!give member{number} {number + 1}" for number in range(LINES)]
    for number, text in enumerate(expected):
        await stage.people.say(people[number % len(people)], stage.town, text)
    await stage.until(lambda: len(heard) == LINES)
    assert heard == expected


async def test_the_parser_of_the_library_is_never_asked(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def parse(_: commands.Bot, message: object) -> None:
        asked.append(message)

    monkeypatch.setattr(commands.Bot, "get_context", parse)
    await stage.people.say(stage.world.join("ann"), stage.town, "!credits")
    await stage.shown("ann has 240")
    assert asked == []
