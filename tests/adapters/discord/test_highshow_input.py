"""What is typed and filled in for High Show: the options of its command, its form, and what is refused."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.highshow import KIT
from chatbot.games.highshow.rules.moves import Open
from chatbot.kernel.commands import MoveRequest
from cogs.discord.forms import FORM
from cogs.discord.slash_commands import SlashCommand, typed
from tests.adapters.discord.highshow import DECISION, ESTIMATES, START, begun, lines, pressed, table
from tests.adapters.discord.seats import seat_of
from tests.adapters.discord.stage import left_to_do
from tests.fakes.discord_world import EPHEMERAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.adapters.discord.stage import Stage
    from tests.fakes.discord_world import Json, User


# The slash command


GIVEN: dict[str, Any] = {"cards": 30, "keep": 4, "penalty": "value", "parameter": "1/3", "stake": "50"}


def subsets() -> Iterator[dict[str, Any]]:
    for size in range(len(GIVEN) + 1):
        for names in combinations(GIVEN, size):
            yield {name: GIVEN[name] for name in names}


def test_every_choice_of_options_means_what_it_says() -> None:
    """What is left out has the settings' value: 20 cards, 3 to keep, `linear`, and no stake."""
    command, rules = KIT.chat.commands[0], KIT.rules.game()
    for given in subsets():
        line, _ = typed(SlashCommand(command.word, command.options), given)
        # Thirty cards may be too many to prove a par for: here only how it is read counts.
        words = line.replace("stake=50", "stake=0").split()[1:]
        read = command.read(rules, MoveRequest(seat_of(1), 100, tuple(words)))
        penalty = given.get("penalty", "linear") + ("=1/3" if "parameter" in given else "")
        wanted = Open(seat_of(1), given.get("cards", 20), given.get("keep", 3), penalty, 0)
        assert read == wanted, line


def test_a_stake_is_one_wherever_it_stands() -> None:
    command, rules = KIT.chat.commands[0], KIT.rules.game()
    for given in ({"stake": "50"}, {"cards": 6, "stake": "50"}, {"keep": 2, "stake": "half"}):
        line, _ = typed(SlashCommand(command.word, command.options), {"cards": 5, **given})
        assert command.read(rules, MoveRequest(seat_of(1), 100, tuple(line.split()[1:]))).credits == 50, line


async def test_the_slash_command_has_its_choices_and_limits(stage: Stage) -> None:
    commands = {each["name"]: {row["name"]: row for row in each["options"]} for each in stage.world.commands}
    options = commands["highshow"]
    assert list(options) == ["cards", "keep", "penalty", "parameter", "stake"]
    assert not any(each["required"] for each in options.values())
    assert (options["cards"]["type"], options["cards"]["min_value"], options["cards"]["max_value"]) == (
        4,
        2,
        1000,
    )
    assert (options["keep"]["type"], options["keep"]["min_value"], options["keep"]["max_value"]) == (
        4,
        1,
        999,
    )
    choices = [each["value"] for each in options["penalty"]["choices"]]
    assert choices == ["none", "linear", "turn", "value", "turnvalue"]
    assert options["parameter"]["autocomplete"]
    assert options["stake"]["autocomplete"]
    assert commands.keys() >= {"cashout", "another", "guess", "hint"}
    ann = stage.world.join("ann")
    assert "half" in await stage.people.autocomplete(ann, stage.town, "highshow", "stake", stake="")


# The form


async def ready_to_guess(stage: Stage, user: User) -> Json:
    board = await begun(stage, user)
    for _ in range(2):
        await pressed(stage, user, board, "Cash out")
    return board


async def test_a_guess_is_written_into_a_form(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await ready_to_guess(stage, ann)
    asked = await pressed(stage, ann, board, "Guess…")
    assert asked.response == 9
    sent = await stage.people.fill(ann, asked, k=" 7 ", profit="-12.5")
    await stage.shown("ann: K was")
    assert "profit -12.5" in stage.world.texts(stage.town) or "profit −12.5" in stage.world.texts(stage.town)
    await stage.world.until(lambda: sent.response)
    await stage.world.until(lambda: not left_to_do(board))
    assert not stage.world.whispers(ann)


async def test_a_form_says_whole_what_it_asks_for_in_the_language_of_the_room(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await ready_to_guess(stage, ann)
    assert await fields(stage, ann, board) == [
        "The lowest card, or skip",
        "Your profit, such as 40, -12 or 81/4, or skip",
    ]
    await stage.people.say(stage.world.owner, stage.town, "!set room language ko")
    await stage.until(lambda: stage.room.settings("room"))
    assert await fields(stage, ann, board) == [
        "가장 낮은 카드, 또는 skip",
        "40, -12, 40.5, 81/4 같은 순이익, 또는 skip",
    ]


async def fields(stage: Stage, user: User, board: Json) -> list[str]:
    """Ask for the form, and read the names of its fields."""
    asked = await stage.people.click(user, board, button(board))
    await stage.until(lambda: asked.form)
    return [each["label"] for row in (asked.form or {})["components"] for each in row["components"]]


def button(board: Json) -> str:
    """Find the button that brings the form, whatever the language."""
    ids: list[str] = [each["custom_id"] for row in board["components"] for each in row["components"]]
    return next(each for each in ids if FORM in each)


async def test_what_a_form_leaves_out_is_skipped(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await ready_to_guess(stage, ann)
    await stage.people.fill(ann, await pressed(stage, ann, board, "Guess…"), k="7")
    await stage.shown("profit skipped")


async def test_a_form_with_nonsense_is_refused_in_private_and_can_be_sent_again(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await ready_to_guess(stage, ann)
    before = table(stage, ann).state
    asked = await pressed(stage, ann, board, "Guess…")
    await stage.people.fill(ann, asked, k="many")
    await stage.told(ann, "many")
    assert len(stage.world.ephemeral(ann)) == 1
    assert table(stage, ann).state is before
    await stage.people.fill(ann, asked, k="7", profit="1")
    await stage.shown("ann: K was")


async def test_the_form_is_for_the_player_alone(stage: Stage) -> None:
    ann, mallory = stage.world.join("ann"), stage.world.join("mallory")
    board = await ready_to_guess(stage, ann)
    asked = await pressed(stage, ann, board, "Guess…")
    refused = await stage.people.press(mallory, board, "Guess…")
    await stage.world.until(lambda: refused.response)
    assert (refused.response, refused.private) == (4, True)
    before = table(stage, ann).state
    asked.user = mallory
    forged = await stage.people.fill(mallory, asked, k="7")
    await stage.world.until(lambda: forged.response)
    assert forged.private
    assert len(stage.world.ephemeral(mallory)) == 2
    assert table(stage, ann).state is before


async def test_the_form_of_a_game_that_is_over_says_so(stage: Stage) -> None:
    ann = stage.world.join("ann")
    board = await ready_to_guess(stage, ann)
    asked = await pressed(stage, ann, board, "Guess…")
    old = dict(board)
    await pressed(stage, ann, board, "Skip")
    await stage.people.fill(ann, asked, k="7")
    await stage.told(ann, "over")
    await stage.people.press(ann, old, "Guess…")
    await stage.world.until(lambda: len(stage.world.ephemeral(ann)) == 2)


# What is refused


async def test_the_buttons_of_somebody_else_change_nothing(stage: Stage) -> None:
    ann, mallory = stage.world.join("ann"), stage.world.join("mallory")
    board = await begun(stage, ann)
    await begun(stage, mallory)
    before = [table(stage, each).state for each in (ann, mallory)]
    for count, label in enumerate(("Cash out", "See another", "Hint"), 1):
        refused = await pressed(stage, mallory, board, label)
        await stage.world.until(lambda count=count: len(stage.world.ephemeral(mallory)) == count)  # type: ignore[misc]
        assert refused.private
    assert all("ann plays this one" in each["content"] for each in stage.world.ephemeral(mallory))
    assert all(each["flags"] & EPHEMERAL for each in stage.world.ephemeral(mallory))
    assert [table(stage, each).state for each in (ann, mallory)] == before
    assert len(lines(stage)) == 2


async def test_the_buttons_of_a_game_that_is_over_say_so(stage: Stage) -> None:
    ann = stage.world.join("ann")
    old = dict(await begun(stage, ann))
    for seconds in (DECISION, DECISION, ESTIMATES):
        await stage.turn(seconds)
    await stage.shown("ann: K was")
    await begun(stage, ann)
    before = table(stage, ann).state
    for count, label in enumerate(("Cash out", "See another", "Hint"), 1):
        await stage.people.press(ann, old, label)
        await stage.world.until(lambda count=count: len(stage.world.ephemeral(ann)) == count)  # type: ignore[misc]
    assert table(stage, ann).state is before


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cards": 5, "keep": 5}, "5 cannot be kept"),
    ({"cards": 5, "keep": 6}, "6 cannot be kept"),
    ({"penalty": "linear", "parameter": "1/0"}, "is no parameter"),
    ({"penalty": "linear", "parameter": "-1"}, "is no parameter"),
    ({"penalty": "none", "parameter": "3"}, "there is no number to choose"),
    ({"stake": "241"}, "You have only 240 credits"),
    ({"stake": "-5"}, "-5"),
    ({"parameter": "50 60"}, "is no parameter"),
]


@pytest.mark.parametrize(("terms", "told"), REFUSED)
async def test_what_cannot_be_played_is_refused_to_its_author_alone(
    stage: Stage, terms: dict[str, Any], told: str
) -> None:
    ann = stage.world.join("ann")
    await stage.people.slash(ann, stage.town, "highshow", **terms)
    await stage.told(ann, told)
    assert len(stage.world.ephemeral(ann)) == 1
    assert lines(stage) == []
    assert stage.room.tables == {}
    assert await stage.credits(ann) == START


@pytest.mark.parametrize("terms", ["1", "1000000000", "5 5", "20 3 linear=1/0", "20 3 linear=-1"])
async def test_what_cannot_be_played_is_refused_to_who_types_it_too(stage: Stage, terms: str) -> None:
    ann = stage.world.join("ann")
    await stage.people.say(ann, stage.town, f"!highshow {terms}")
    await stage.world.until(lambda: lines(stage))
    assert len(lines(stage)) == 1
    assert stage.room.tables == {}
    assert await stage.credits(ann) == START


async def test_playing_out_of_turn_is_refused(stage: Stage) -> None:
    ann = stage.world.join("ann")
    await begun(stage, ann, stake="50")
    before = table(stage, ann).state
    tries: list[tuple[str, dict[str, Any]]]
    tries = [("guess", {"k": "3"}), ("guess", {"k": "x"}), ("hint", {}), ("highshow", {"cards": 8})]
    for count, (word, given) in enumerate(tries, 1):
        await stage.people.slash(ann, stage.town, word, **given)
        await stage.world.until(lambda count=count: len(stage.world.ephemeral(ann)) == count)  # type: ignore[misc]
    assert table(stage, ann).state is before
    assert await stage.credits(ann) == START - 50
    assert len(lines(stage)) == 1
