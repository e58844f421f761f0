"""Who may use a command, and when games may be opened at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.kernel.game import Role
from chatbot.ledger.changes import OPERATOR
from chatbot.rooms.channel import Manner
from chatbot.rooms.line import Happening, Occasion
from chatbot.rooms.settings.changes import Actor
from chatbot.rooms.settings.lists import REGULARS
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.kernel.commands import Command
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

MO, OWNER = "mo(moderator)", "owner(broadcaster)"
STREAMED = Manner(streams=True)


async def stream(stage: Stage, kind: Happening) -> None:
    await stage.bot.notice(Occasion(f"{kind.value}:{stage.watch.now()}", "room:chat", kind))


# Permissions


async def test_the_least_role_of_a_command_is_told_and_changed(stage: Stage) -> None:
    assert await stage.say(OWNER, "!permit give") == ["!give is for everybody."]
    assert await stage.say(OWNER, "!permit set") == ["!set is for moderators or above."]
    assert await stage.say(OWNER, "!permit !give vip") == ["!give is for VIPs or above."]
    assert "for VIPs or above" in (await stage.say("ann(subscriber)", "!give bob 1"))[0]
    assert "That is for" not in (await stage.say("ann(vip)", "!give owner 1"))[0]
    assert await stage.say(OWNER, "!permit give default") == ["!give is for everybody."]
    assert stage.room.settings("permissions") == {}


async def test_a_command_of_a_game_is_restricted_by_any_of_its_words_whoever_may_start_it(
    stage: Stage,
) -> None:
    assert "!heist is for subscribers or above" in (await stage.say(OWNER, "!permit bankheist subscriber"))[0]
    for word in ("heist", "bankheist"):
        assert "for subscribers or above" in (await stage.say("ann", f"!{word} 5"))[0]
    await stage.say("bob(subscriber)", "!heist 5")
    button = replace(stage.line("ann", "!heist 5"), table=stage.table.id)
    await stage.bot.converse(button)
    await stage.watch.turn()
    assert len(stage.table.view(None).crew) == 1


OPENING = [(kit, command) for kit in kits().values() for command in kit.chat.commands if command.opens]


@pytest.mark.parametrize(("kit", "command"), OPENING, ids=[each.word for _, each in OPENING])
async def test_who_restricts_a_command_that_opens_a_game_is_told_how_to_let_everybody_join(
    stage: Stage, kit: AnyKit, command: Command
) -> None:
    (told,) = await stage.say(OWNER, f"!permit {command.word} moderator")
    assert told.startswith(f"!{command.word} is for moderators or above in all that it does")
    instead = f"!set {kit.name} starters moderator and !permit {command.word} default"
    assert told.endswith(f"To limit only who opens a game: {instead}")
    for line in instead.split(" and "):
        await stage.say(OWNER, line)
    assert "everybody may join" in (await stage.say("ann", f"!{command.word} 5"))[0]
    assert await stage.say(OWNER, f"!permit {command.word}") == [f"!{command.word} is for everybody."]


async def test_a_game_is_restricted_by_a_moderator_who_alone_opens_it_and_joined_by_everybody(
    stage: Stage,
) -> None:
    for line in ("!permit heist moderator", "!set heist starters moderator", "!permit heist default"):
        await stage.say(OWNER, line)
    await stage.say(MO, "!heist 5")
    await stage.say("ann", "!heist 5")
    assert len(stage.table.view(None).crew) == 2


async def test_who_restricts_a_game_by_the_settings_is_told_the_same_as_by_the_command(stage: Stage) -> None:
    changed, told = await stage.say(OWNER, "!set permissions heist vip")
    assert changed == "permissions: heist was viewer and is now vip."
    assert told.startswith("> owner: !heist is for VIPs or above in all that it does")
    assert len(await stage.say(OWNER, "!set permissions heist vip")) == 1
    assert len(await stage.say(OWNER, "!set permissions heist viewer")) == 1
    assert len(await stage.say(OWNER, "!set permissions backout vip give vip")) == 1


async def test_the_setting_of_who_opens_a_game_is_named_in_korean_too(stage: Stage) -> None:
    await stage.say(OWNER, "!set room language ko")
    (told,) = await stage.say(OWNER, "!permit chicken moderator")
    assert "매니저 이상" in told
    assert told.endswith("!set chickenpoker starters moderator 그리고 !permit chicken default")


@pytest.mark.parametrize(
    "line",
    [
        "!permit give moderator",
        "!permit permit moderator",
        "!set permissions give moderator",
        "!set permissions permit viewer",
        "!set permissions set default",
    ],
)
async def test_a_moderator_changes_no_permission_by_any_command(stage: Stage, line: str) -> None:
    assert await stage.say(MO, line) == ["> mo: That is for broadcasters."]
    assert stage.room.settings("permissions") == {}


async def test_whoever_was_given_the_command_still_cannot_change_permissions(stage: Stage) -> None:
    await stage.say(OWNER, "!permit permit viewer")
    assert await stage.say("ann", "!permit give") == ["!give is for everybody."]
    assert await stage.say("ann", "!permit give vip") == ["> ann: That is for broadcasters."]


async def test_the_command_line_may_change_permissions(stage: Stage) -> None:
    hand = Actor("change-set:1", stage.room, OPERATOR, OPERATOR)
    await stage.bot.parts.settings_changes.change(hand, {"permissions": {"give": "vip"}})
    assert stage.bot.parts.access.least(stage.room, "give") is Role.VIP


async def test_nothing_can_be_kept_from_the_broadcaster(stage: Stage) -> None:
    for word in ("permit", "undo", "settings", "set"):
        assert "not possible" in (await stage.say(OWNER, f"!permit {word} owner"))[0]
        await stage.say(OWNER, f"!permit {word} broadcaster")
        assert "That is for" in (await stage.say(MO, f"!{word}"))[0]
        assert not any("That is for" in line for line in await stage.say(OWNER, f"!{word}"))


async def test_a_permission_of_a_command_that_is_none_is_refused(stage: Stage) -> None:
    assert "no command “fly”" in (await stage.say(OWNER, "!permit fly vip"))[0]
    assert "Write it like this: !permit COMMAND" in (await stage.say(OWNER, "!permit"))[0]


async def test_a_regular_is_above_a_viewer_and_below_a_subscriber(stage: Stage) -> None:
    hand = Actor("change-set:1", stage.room, OPERATOR, OPERATOR)
    if REGULARS.name not in stage.bot.parts.groups:
        stage.bot.parts.groups.add(REGULARS)
    await stage.bot.parts.settings_changes.change(hand, {REGULARS.name: {str(seat("ann")): "Ann"}})
    await stage.say(OWNER, "!permit top regular")
    await stage.say(OWNER, "!set heist starters regular")
    assert "That is for regulars or above" in (await stage.say("bob", "!top"))[0]
    assert "Richest" in (await stage.say("ann", "!top"))[0]
    assert "Richest" in (await stage.say("cat(subscriber)", "!top"))[0]
    assert "regulars or above" in (await stage.say("bob", "!heist 5"))[0]
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


# When games are open


async def test_a_pause_opens_nothing_and_lets_everything_else_go_on(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.say(MO, "!set room paused yes")
    for line in ("!sixcard 0", "!highshow", "!chicken 5", "!market"):
        assert "No new games for now" in (await stage.say("ann", line))[0]
    await stage.say("bob", "!heist 7")
    assert len(stage.table.view(None).crew) == 2
    assert await stage.say("cat", "!credits") == ["cat has 240 credits."]
    assert any("Results:" in line for line in await stage.turn(60 + 30 + 6))
    await stage.turn(300)
    assert "No new games for now" in (await stage.say("ann", "!heist 5"))[0]
    await stage.say(MO, "!set room paused no")
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_game_that_is_switched_off_opens_nothing_and_is_offered_to_nobody(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.say(MO, "!set games heist no")
    await stage.say("bob", "!heist 7")
    assert len(stage.table.view(None).crew) == 2
    assert "switched off" not in (await stage.say("bob", "!heist odds"))[0]
    assert any("Results:" in line for line in await stage.turn(60 + 30 + 6))
    await stage.turn(300)
    off = "> ann: Bank heist is switched off here."
    assert [line.casefold() for line in await stage.say("ann", "!heist 5")] == [off.casefold()]
    assert [line.casefold() for line in await stage.say("ann", "!heist odds")] == [off.casefold()]
    assert "!heist" not in (await stage.say("ann", "!help"))[0]
    assert "heist" not in stage.bot.suggest("room:chat", "help", "topic", {})
    assert any("plays the house" in line for line in await stage.say("ann", "!sixcard 0"))


async def test_games_wait_for_the_stream_where_keepers_want_it_so(store: Store) -> None:
    stage = await Stage(store, manner=STREAMED).open()
    await stage.say(MO, "!set room only_live yes")
    await stream(stage, Happening.OFFLINE)
    assert await stage.say("ann", "!heist 5") == [
        "> ann: Games can be started here only while the stream is on."
    ]
    assert await stage.say("ann", "!credits") == ["ann has 240 credits."]
    await stage.turn(1)
    await stream(stage, Happening.ONLINE)
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]
    await stage.turn(1)
    await stream(stage, Happening.OFFLINE)
    await stage.say("bob", "!heist 5")
    assert len(stage.table.view(None).crew) == 2
    assert any("Results:" in line for line in await stage.turn(60 + 30 + 6))


async def test_a_stream_of_which_nothing_is_known_may_be_on(store: Store) -> None:
    stage = await Stage(store, manner=STREAMED).open()
    await stage.say(MO, "!set room only_live yes")
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_room_to_which_no_stream_belongs_waits_for_none(stage: Stage) -> None:
    await stage.say(MO, "!set room only_live yes")
    await stream(stage, Happening.OFFLINE)
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]
