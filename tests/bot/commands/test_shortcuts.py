"""Short commands for settings that moderators reach for, and words of a room's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.rooms.availability import offered
from tests.bot.hosting import MO, restarted

if TYPE_CHECKING:
    from tests.bot.stage import Stage

PLAIN = "cannot stand for a command: it takes one plain word of letters and digits, of at most 25 characters."
MODERATORS_ONLY = ["> ann: That is for moderators or above."]


async def test_talk_is_changed_as_by_set_and_a_change_that_changes_nothing_says_so(stage: Stage) -> None:
    assert await stage.say(MO, "!talk full") == ["room: talk was normal and is now full."]
    assert await stage.say(MO, "!talk FULL") == ["room: talk is full already, so nothing changes."]
    assert await stage.say(MO, "!talk loud") == [
        "> mo: “loud” is not possible for talk: it takes one of quiet, normal, full."
    ]
    assert stage.room.settings("room") == {"talk": "full"}


async def test_numbers_may_be_typed_in_fullwidth_digits(stage: Stage) -> None:
    await stage.say("ann", "!heist \uff16\uff19")
    assert await stage.credits("ann") == 240 - 69
    await stage.say("bob", "!heist\uff12\uff15\uff05")
    assert await stage.credits("bob") == 240 - 60
    assert "heist: lobby was 60 and is now 45." in await stage.say(MO, "!set heist lobby \uff14\uff15")
    assert stage.bot.command_index.split("heist \uff11\uff0c\uff10\uff10\uff10") == ("heist", ("1,000",))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("!cooldown top \uff15\uff0f\uff16\uff10", "!top rests for 5 seconds in the whole room"),
        ("!cooldown top 5/\uff16\uff10", "!top rests for 5 seconds in the whole room"),
        ("!set heist lobby \uff11m\uff13\uff10s", "lobby was 60 and is now 90."),
        ("!set heist lobby=\uff14\uff15", "lobby was 60 and is now 45."),
    ],
)
async def test_times_and_cooldowns_may_be_typed_in_fullwidth_digits(
    stage: Stage, typed: str, told: str
) -> None:
    assert told in (await stage.say(MO, typed))[0]


async def test_names_and_other_words_keep_their_fullwidth_letters(stage: Stage) -> None:

    assert stage.bot.command_index.split("give @\uff22ob\uff11 5") == ("give", ("@\uff22ob\uff11", "5"))


async def test_a_game_is_switched_off_and_on_again(stage: Stage) -> None:
    assert await stage.say(MO, "!disable bankheist") == ["Bank Heist is not played here any more."]
    assert not offered(stage.room, stage.bot.kits["heist"])
    assert offered(stage.room, stage.bot.kits["highshow"])
    assert await stage.say(MO, "!enable heist") == ["Bank Heist can be played here now."]
    assert offered(stage.room, stage.bot.kits["heist"])


async def test_all_games_are_paused_and_unpaused(stage: Stage) -> None:
    assert await stage.say(MO, "!pause") == ["Games are paused: nothing new begins until they go on."]
    assert stage.room.habits.paused
    assert await stage.say(MO, "!unpause") == ["Games go on!"]
    assert not stage.room.habits.paused


@pytest.mark.parametrize(
    "line",
    ["!talk quiet", "!enable heist", "!disable heist", "!pause", "!unpause", "!alias rob heist", "!undo",
     "!audit"],
)  # fmt: skip
async def test_members_switch_nothing(stage: Stage, line: str) -> None:
    assert await stage.say("ann", line) == MODERATORS_ONLY


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("!talk", "!talk quiet|normal|full"),
        ("!pause now", "!pause"),
        ("!enable", "!enable GAME"),
        ("!alias rob", "!alias NEW OLD | NEW off"),
        ("!set", "!set GROUP KEY VALUE [KEY VALUE ...]"),
        ("!settings a b c", "!settings [GROUP] [KEY | all]"),
        ("!audit 1 2", "!audit [1-10]"),
        ("!undo 1 2", "!undo [NUMBER]"),
    ],
)
async def test_a_line_that_is_not_understood_is_answered_by_its_form(
    stage: Stage, line: str, form: str
) -> None:
    assert await stage.say(MO, line) == [f"> mo: Write it like this: {form}"]


# Words of a room's own


@pytest.mark.slow
async def test_a_word_stands_for_a_command_with_what_is_behind_it(stage: Stage) -> None:
    assert await stage.say(MO, "!alias rob heist") == ["!rob stands for !heist now."]
    told = await stage.say("ann", "!ROB 50")
    assert told[0].startswith("ann is planning a bank heist and stakes 50 credits.")
    await stage.say(MO, "!alias chance !heist  odds")
    assert stage.room.settings("aliases") == {"rob": "heist", "chance": "heist odds"}
    assert await stage.say("bob", "!chance") == await stage.say("bob", "!heist odds")


async def test_an_alias_in_another_alphabet_survives_a_restart(stage: Stage) -> None:
    await stage.say(MO, "!alias 강도 heist")
    later = await restarted(stage, "b")
    assert "stakes 50 credits" in (await later.say("ann", "!강도 50"))[0]


async def test_an_alias_is_taken_away_by_off(stage: Stage) -> None:
    await stage.say(MO, "!alias rob heist")
    assert await stage.say(MO, "!alias rob off") == ["!rob stands for nothing any more."]
    assert stage.room.settings("aliases") == {}
    assert "rob" not in stage.bot.parts.aliases.group.of(stage.room)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("!alias heist give", "“heist” is a command already, so it cannot stand for another."),
        ("!alias set give", "“set” is a command already, so it cannot stand for another."),
        ("!alias heist5 give", "“heist5” is a command already, so it cannot stand for another."),
        ("!alias ro-b give", f"“ro-b” {PLAIN}"),
        (f"!alias {'x' * 26} give", f"“{'x' * 26}” {PLAIN}"),
        ("!alias rob nonsense", "There is no command “nonsense”."),
    ],
)  # fmt: skip
async def test_what_cannot_be_an_alias_is_refused(stage: Stage, line: str, why: str) -> None:
    assert await stage.say(MO, line) == [f"> mo: {why}"]
    assert stage.room.settings("aliases") == {}


async def test_an_alias_stands_neither_for_another_nor_for_two_commands(stage: Stage) -> None:
    await stage.say(MO, "!alias rob heist")
    assert await stage.say(MO, "!alias steal rob") == ["> mo: There is no command “rob”."]
    assert await stage.say(MO, "!alias rob give") == [
        "> mo: “rob” stands for “heist” already; take that away first, with off."
    ]


async def test_an_alias_leaves_a_command_of_two_words_that_begins_with_it(stage: Stage) -> None:
    await stage.say(MO, "!alias back credits")
    assert "240 credits" in (await stage.say("ann", "!back"))[0]
    none = await stage.say("ann", "!backout")
    assert "credits" not in none[0]
    assert await stage.say("bob", "!back out") == [each.replace("ann", "bob") for each in none]


async def test_an_alias_gives_nobody_a_command_that_is_not_theirs(stage: Stage) -> None:
    await stage.say(MO, "!alias quieter talk quiet")
    assert await stage.say("ann", "!quieter") == MODERATORS_ONLY
    assert await stage.say(MO, "!quieter") == ["room: talk was normal and is now quiet."]


async def test_an_alias_of_a_secret_answer_is_as_secret(stage: Stage) -> None:
    await stage.say(MO, "!alias betray doublecross")
    ann = stage.line("ann", "").seat
    assert stage.bot.secret(stage.room, ann, "!betray")
    assert stage.bot.secret(stage.room, ann, "!doublecross")
    assert not stage.bot.secret(stage.room, ann, "!heist")
