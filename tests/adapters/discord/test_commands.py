"""The slash commands that Discord is told: all, within its limits, and only when they have changed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.kernel.commands import Command, Kind, Option
from chatbot.kernel.game import Failure, Role
from cogs.discord import slash_commands as slash_commands_module
from cogs.discord.lines import shortened
from cogs.discord.slash_commands import AGAIN, slash_commands
from tests.adapters.discord.stage import Stage
from tests.generous import let_give

if TYPE_CHECKING:
    from discord import app_commands

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store
    from tests.fakes.discord_server import DiscordServer

NAME = re.compile(r"[-_a-z0-9]{1,32}")  # what Discord takes, of ASCII


def test_a_long_description_is_cut_at_a_word() -> None:
    assert shortened("play a game of chance", 12) == "play a game…"
    assert shortened("x" * 200, 100) == "x" * 99 + "…"
    assert shortened("\U0001f600" * 60, 100) == "\U0001f600" * 49 + "…"


@pytest.mark.parametrize("reason", ["the stream is over", "-- the stream is over"])
async def test_a_reason_to_cancel_a_game_is_no_name_of_a_member(stage: Stage, reason: str) -> None:
    await stage.lobby(stage.world.join("ann"))
    await stage.people.slash(stage.world.owner, stage.town, "cancel", game="heist", reason=reason)
    await stage.shown("Bank Heist was called off by owner;")
    await stage.people.slash(stage.world.owner, stage.town, "audit")
    await stage.told(stage.world.owner, "(the stream is over)")


async def test_every_word_that_is_typed_is_a_slash_command_too(stage: Stage) -> None:
    words = [each.word for kit in stage.bot.kits.values() for each in kit.chat.commands]
    words += [each.word for each in stage.bot.command_index.bot_commands]
    assert sorted(each["name"] for each in stage.world.commands) == sorted(words)


async def test_every_command_keeps_the_limits_and_belongs_to_servers(stage: Stage) -> None:
    assert len(stage.world.commands) <= 100
    for command in stage.world.commands:
        assert len(command["options"]) <= 25
        assert command["contexts"] == [0]
        assert command["integration_types"] == [0], "nobody brings it to a server that never asked for it"
        for each in (command, *command["options"]):
            assert NAME.fullmatch(each["name"])
            assert 1 <= len(each["description"]) <= 100
        required = [bool(each["required"]) for each in command["options"]]
        assert required == sorted(required, reverse=True)


async def test_options_have_their_types(stage: Stage) -> None:
    commands = {each["name"]: {row["name"]: row for row in each["options"]} for each in stage.world.commands}
    assert commands["heist"]["stake"]["type"] == 3
    assert commands["give"]["member"]["type"] == 6
    assert commands["give"]["amount"]["required"]
    top = commands["top"]["count"]
    assert (top["type"], top["min_value"], top["max_value"]) == (4, 1, 20)


async def test_commands_are_told_once_and_again_when_they_changed(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.close()
    assert len(server.asked("PUT")) == 1
    async with Stage(server, store, "b"):
        pass
    assert len(server.asked("PUT")) == 1
    server.world.commands[0]["description"] = "what it was in the last version"
    async with Stage(server, store, "c"):
        pass
    assert len(server.asked("PUT")) == 2
    heist = next(each for each in server.world.commands if each["name"] == "heist")
    heist["options"][0]["choices"] = [{"name": "50", "value": "50"}]  # which this version does not have
    async with Stage(server, store, "d"):
        pass
    assert len(server.asked("PUT")) == 3


async def test_commands_that_discord_does_not_take_for_a_moment_are_told_later(
    stage: Stage, server: DiscordServer, store: Store
) -> None:
    await stage.close()
    server.world.commands.clear()
    server.fail("GET /applications/.*/commands", "503")
    async with Stage(server, store, "b") as again:
        assert server.world.commands == []
        await again.turn(AGAIN)
        await again.until(lambda: server.world.commands)


async def test_values_are_offered_while_somebody_types(stage: Stage) -> None:
    ann = stage.world.join("ann")
    offered = await stage.people.autocomplete(ann, stage.town, "heist", "stake", stake="")
    assert "half" in offered
    offered = await stage.people.autocomplete(ann, stage.town, "heist", "stake", stake="car")
    assert offered == ["career"]
    offered = await stage.people.autocomplete(
        ann, stage.town, "set", "key", group="heist", key="lob", value=""
    )
    assert offered == ["lobby"]


@pytest.mark.parametrize(
    ("command", "focused", "given", "offered"),
    [
        ("set", "value", {"group": "room", "key": "talk", "value": ""}, "full"),
        ("set", "value", {"group": "room", "key": "paused", "value": "y"}, "yes"),
        ("set", "value", {"group": "heist", "key": "theme", "value": ""}, "space"),
        ("set", "value", {"group": "heist", "key": "lobby", "value": "def"}, "default"),
        ("set", "group", {"group": "ro", "key": "x", "value": "x"}, "room"),
        ("settings", "key", {"group": "heist", "key": "lob"}, "lobby"),
        ("preset", "name", {"game": "heist", "name": "con"}, "contest"),
        ("text", "key", {"key": "heist-all"}, "heist-all-escape"),
        ("text", "key", {"key": ""}, "opening"),
        ("alias", "old", {"new": "go", "old": "hei"}, "heist"),
        ("top", "ranking", {"ranking": "high"}, "highshow"),
        ("verify", "table", {"table": ""}, ""),
        ("guess", "k", {"k": "s"}, "skip"),
        ("arrange", "hands", {"hands": ""}, "auto"),
    ],
)
async def test_every_open_value_has_something_to_offer(
    stage: Stage, command: str, focused: str, given: dict[str, str], offered: str
) -> None:
    ann = stage.world.join("ann", manages=True)
    found = await stage.people.autocomplete(ann, stage.town, command, focused, **given)
    assert offered in found or not offered


async def test_what_nobody_knows_is_offered_nothing_and_answered(stage: Stage) -> None:
    ann = stage.world.join("ann", manages=True)
    for command in stage.world.commands:
        rows = [each for each in command["options"] if each.get("autocomplete")]
        given = {each["name"]: "\N{SNOWMAN}" * 60 for each in command["options"] if each["type"] == 3}
        given = {key: value for key, value in given.items() if not _listed(command, key)}
        for each in rows:
            needed = {row["name"] for row in command["options"] if row.get("required")} <= given.keys()
            if needed:
                assert (
                    await stage.people.autocomplete(ann, stage.town, command["name"], each["name"], **given)
                    == []
                )


def _listed(command: dict[str, Any], option: str) -> bool:
    return any(each["name"] == option and each.get("choices") for each in command["options"])


async def test_who_types_is_answered_though_the_room_cannot_be_opened(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = asyncio.Event()

    async def never(*_: object) -> bool:
        return await waits.wait()

    monkeypatch.setattr(slash_commands_module, "PATIENCE", 0.05)
    monkeypatch.setattr(stage.adapter, "open", never)
    ann = stage.world.join("ann")
    assert await stage.people.autocomplete(ann, stage.town, "heist", "stake", stake="") == []
    waits.set()


async def test_a_slash_command_says_what_somebody_would_type(stage: Stage) -> None:
    ann, bob = stage.world.join("ann"), stage.world.join("bob")
    await stage.people.say(ann, stage.town, "!credits")
    await stage.shown("ann has 240")
    let_give(stage.room)
    await stage.people.slash(ann, stage.town, "give", member=bob, amount="25%")
    await stage.people.slash(ann, stage.town, "top", count=1)
    await stage.shown("1. ann 180")


async def test_too_many_commands_are_a_failure_that_says_so(stage: Stage) -> None:
    flood = tuple(Command(f"word{number}", lambda *_: None) for number in range(100))
    with pytest.raises(Failure, match="takes 100"):
        _slash(stage, replace(kits()["heist"], chat=replace(kits()["heist"].chat, commands=flood)))


async def test_a_name_that_discord_does_not_take_is_a_failure_that_says_so(stage: Stage) -> None:
    with pytest.raises(Failure, match="does not take a command"):
        _slash(
            stage,
            replace(
                kits()["heist"],
                chat=replace(kits()["heist"].chat, commands=(Command("no such word!", lambda *_: None),)),
            ),
        )


async def test_a_list_of_choices_is_offered_as_one_and_a_long_one_while_typing(stage: Stage) -> None:
    few = Option("bank", Kind.WORD, choices=("city", "state"))
    many = Option("card", Kind.WORD, choices=tuple(f"c{number}" for number in range(52)))
    heist = Command("heist", lambda *_: None, options=(few, many))
    command = _slash(stage, replace(kits()["heist"], chat=replace(kits()["heist"].chat, commands=(heist,))))[
        0
    ]
    bank, card = command.parameters
    assert [each.value for each in bank.choices] == ["city", "state"]
    assert not card.choices
    assert card.autocomplete


def _slash(stage: Stage, kit: AnyKit) -> list[app_commands.Command[Any, ..., None]]:
    stage.bot.kits = {kit.name: kit}
    assert stage.adapter.client is not None
    return slash_commands(stage.bot, stage.adapter.client.slash_commands)


async def test_commands_of_moderators_are_in_nobody_elses_list(stage: Stage) -> None:
    administrator, manage_server = str(1 << 3), str(1 << 5)
    listed = {each["name"]: each["default_member_permissions"] for each in stage.world.commands}
    for each in stage.bot.command_index.bot_commands:
        wanted = {Role.BROADCASTER: administrator, Role.MODERATOR: manage_server}.get(each.least)
        assert listed[each.word] == wanted, each.word
    assert listed["set"] == manage_server
    assert listed["bridge"] == administrator
