"""`!odds` says what comes back and what the house took; settings that give credits away are warned of."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.games import kits
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.kit import Money
from chatbot.kernel.odds import Odds
from chatbot.kernel.say import Message
from tests.bot.stage import Stage

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

MO = "mo(moderator)"
LIMITED = "!set heist max_stake 50"  # with more at stake another moderator would have to agree to the next
GIVEN = "!set heist chances 100/100/100/100/100"
WARNED = "Careful: Bank Heist now pays back {}% of what is staked to whoever plays best"
LINE = 500  # characters that a line on Twitch may have


def warnings(said: list[str]) -> list[str]:
    return [line for line in said if line.startswith("Careful")]


async def test_every_game_is_told_of_in_one_line(stage: Stage) -> None:
    said = await stage.say("ann", "!odds")
    assert [line.partition(":")[0] for line in said] == [
        "Bank Heist", "Chicken Poker", "High Show", "Poker Market", "Six Card Poker",
    ]  # fmt: skip
    # .387 × 2.65 = 1.02555
    assert said[0].startswith("Bank Heist: at best 102.6% of what is staked comes back.")
    assert said[1].startswith("Chicken Poker: all that is staked goes to the players.")
    assert all(len(line) <= LINE for line in said)


async def test_a_preset_that_gives_more_than_it_takes_is_warned_of_whatever_there_was_before(
    stage: Stage,
) -> None:
    for preset in ("small", "contest", "small"):
        said = await stage.say(MO, f"!preset heist {preset}")
        assert warnings([*said, *await stage.turn(1)])
    assert not warnings([*await stage.say(MO, "!preset heist stream"), *await stage.turn(1)])


@pytest.mark.parametrize("command", ["!odds heist", "!heist odds"])
async def test_the_odds_of_the_heist_are_one_line_with_where_to_read_on(stage: Stage, command: str) -> None:
    (said,) = await stage.say("ann", command)
    assert said.startswith("Chance and payout: Municipal Bank 54% ×1.8, City Bank 48.8% ×2.1, ")
    assert "pays back more than it takes" in said  # what is generous is warned of at once
    assert said.endswith(f"More: {command} more")


async def test_the_odds_say_where_players_of_the_house_stake(stage: Stage) -> None:
    await stage.say(MO, "!preset heist stream")
    await stage.say(MO, "!set heist house_players 2")
    assert not any("the house pays" in each for each in await stage.say("ann", "!odds heist more"))
    await stage.say(MO, "!set heist house_stakes on")
    assert any("the house pays" in each for each in await stage.say("ann", "!odds heist more"))


@pytest.mark.slow
@pytest.mark.parametrize("kit", kits().values(), ids=lambda kit: kit.name)
@pytest.mark.parametrize("language", ["en", "ko"])
async def test_the_odds_of_each_game_fit_a_line_of_twitch(stage: Stage, kit: object, language: str) -> None:
    await stage.say(MO, f"!set room language {language}")
    said = await stage.say("ann", f"!odds {kit.word}")  # type: ignore[attr-defined]
    assert said
    assert all(0 < len(line) <= LINE for line in said)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("theme", ["bank", "space"])
async def test_the_odds_of_the_heist_are_a_line_of_banks_and_one_of_answers_and_its_topic_tells_the_rest(
    stage: Stage, language: str, theme: str
) -> None:
    for setting in ("heist preset stream", f"room language {language}", f"heist theme {theme}"):
        await stage.say(MO, f"!set {setting}")
    banks, answers, more = await stage.say("ann", "!odds heist more")
    assert max(len(banks), len(answers)) <= LINE
    for figure in ("54%", "×1.5", "81%", "48.8%", "42.5%", "38.7%", "32.4%", "×2.75", "89.1%"):
        assert figure in banks
    words = [f"!{act.value}" for act in Act]
    assert all(each in answers for each in words)
    # At the third bank .425 × 2, and a wage of floor(69 / 20) = 3 of 69: 85% + 4.35%.
    assert "!guncheck !intel !deposit !withdraw 89.3%" in answers
    assert more.endswith("!heist odds")
    topic = " ".join(await stage.say("ann", "!heist odds more"))
    assert "×2.75" in topic
    assert "97%" in topic  # the best career
    assert "!guncheck" not in topic


async def test_where_answers_cannot_be_reckoned_the_odds_are_those_of_the_banks(stage: Stage) -> None:
    *_, more = told = await stage.say("ann", "!odds heist more")  # the contest's, with its rabble
    topic = await stage.say("ann", "!heist odds more")
    assert told[:-1] == topic[: len(told) - 1]
    assert more == "More: !heist odds"
    assert "!allin" in " ".join(topic)


async def test_a_game_that_has_told_all_names_no_more(stage: Stage) -> None:
    await stage.say(MO, "!preset heist deepbot")  # one round, without answers
    for game in ("heist more", "highshow", "chicken"):
        assert "More:" not in " ".join(await stage.say("ann", f"!odds {game}"))


async def test_the_room_s_settings_count(stage: Stage) -> None:
    await stage.say(MO, "!preset heist deepbot")
    assert "at best 89.1%" in (await stage.say("ann", "!odds"))[0]  # .324 × 2.75


async def test_odds_of_what_is_no_game_are_refused(stage: Stage) -> None:
    (refused,) = await stage.say("ann", "!odds chess")
    assert "chess" in refused
    (refused,) = await stage.say("ann", "!odds heist now")
    assert "!odds [GAME] [more]" in refused


async def test_a_game_may_publish_none(store: Store) -> None:
    quiet = replace(kits()["heist"], money=replace(kits()["heist"].money, odds=None))
    stage = await Stage(store, {"heist": quiet}).open()
    assert await stage.say("ann", "!odds heist") == ["> ann: Bank Heist publishes no odds."]
    await stage.say(MO, LIMITED)
    assert "is now 100/100/100/100/100" in " ".join(await stage.say(MO, GIVEN))


# The house's take


async def lose(stage: Stage) -> None:
    """Ann loses 40 credits in a heist that nobody survives."""
    await stage.say("ann", "!heist 40")
    await stage.turn(60 + 30 + 6)
    await stage.turn(300)


async def prepare(stage: Stage, *settings: str) -> None:
    for each in ("rabble 0", "payday no", "max_stake 40", "chances 0/0/0/0/0", *settings):
        await stage.say(MO, f"!set heist {each}")


@pytest.mark.slow
async def test_the_house_s_take_of_a_season_is_told(stage: Stage) -> None:
    await prepare(stage)
    await lose(stage)
    told = await stage.say("ann", "!odds heist more")
    assert told[-2] == "The house has kept 40 credits since season 1 began."
    await stage.say("bo(broadcaster)", "!season end heist")
    await stage.say("bo(broadcaster)", "!confirm")
    assert "The house" not in " ".join(await stage.say("ann", "!odds heist more")), (
        "of season 2 nothing is known"
    )


@pytest.mark.slow
async def test_what_the_house_paid_is_told_as_well(stage: Stage) -> None:
    await prepare(stage, "odds 0.5/1/1/1/1", "chances 100/100/100/100/100")
    await lose(stage)  # or rather, she wins 20 = 40 × .5
    told = await stage.say("ann", "!odds heist more")
    assert told[-2] == "The house has paid out 20 credits more than it took since season 1 began."


async def test_nothing_is_said_of_a_house_that_has_neither_kept_nor_paid_anything(stage: Stage) -> None:
    for line in ("!odds", "!odds heist", "!odds chicken"):
        said = " ".join(await stage.say("ann", line))
        assert "The house has" not in said
        assert "  " not in said


# Warnings


async def test_a_setting_that_gives_credits_away_is_accepted_with_a_warning(stage: Stage) -> None:
    await stage.say(MO, LIMITED)
    _, told, warned = await stage.say(MO, GIVEN)  # it reaches the moderator tomorrow, as the first line says
    assert told.startswith("heist: chances was 54/48.8/42.5/38.7/32.4 and is now 100/100/100/100/100")
    assert warned.startswith(WARNED.format("295"))  # 1 × 2.95
    assert "!undo" in warned


async def test_what_gives_away_more_still_is_warned_of_again(stage: Stage) -> None:
    await stage.say(MO, LIMITED)
    await stage.say(MO, GIVEN)
    assert "Another moderator can say !confirm" in (await stage.say(MO, "!set heist odds 1/1/1/1/9"))[0]
    assert warnings(await stage.say("kim(moderator)", "!confirm")) == [
        WARNED.format("1,000") + ", so the credits lose their worth. !undo takes it back."
    ]  # 1 × (1 + 9)


@pytest.mark.parametrize(
    "line",
    [
        "!set heist lobby 30",  # has nothing to do with it
        "!set heist chances 50/40/40/38.7/30",  # as generous as before
        "!preset heist deepbot",
        "!set room talk full",
    ],
)
async def test_what_gives_away_no_more_than_before_is_not_warned_of(stage: Stage, line: str) -> None:
    assert warnings(await stage.say(MO, line)) == []


@pytest.mark.slow
async def test_all_roads_to_such_settings_are_warned_of(stage: Stage) -> None:
    await stage.say(MO, LIMITED)
    assert warnings(await stage.say(MO, GIVEN))
    assert warnings(await stage.say(MO, "!undo")) == []
    await stage.say(MO, "!undo")  # of the limit
    await stage.say(MO, "!preset heist deepbot")
    assert warnings(await stage.say(MO, "!preset heist contest"))  # 89.1% before, 102.6% again
    assert warnings(await stage.say(MO, "!set heist payday no"))  # a loan for nothing
    await stage.say(MO, "!undo")
    assert warnings(await stage.say(MO, "!undo 1")) == []


async def test_taking_a_mending_back_is_warned_of(stage: Stage) -> None:
    await stage.say(MO, "!set heist odds 0.5/0.5/0.5/0.5/0.5")
    assert warnings(await stage.say(MO, "!undo")), "the contest's own odds are generous"


async def test_nobody_waits_for_odds_that_take_long_to_work_out(store: Store) -> None:
    begun, going = threading.Event(), threading.Event()

    def slow(_: object) -> Odds:
        begun.set()
        assert going.wait(20), "it was never let go"
        return Odds((Message("word", {"word": "These are the odds."}),), None)

    known = kits()
    slowly = replace(known["highshow"], money=Money(odds=slow))
    stage = await Stage(store, {**known, "highshow": slowly}).open()
    await stage.bot.converse(stage.line("ann", "!odds highshow"))
    thinking = asyncio.create_task(stage.turn(0))
    assert await asyncio.to_thread(begun.wait, 20)
    await stage.bot.converse(stage.line("bob", "!heist 50"))
    assert stage.room.playing("heist")
    going.set()
    await thinking
    assert stage.said()[-1] == "These are the odds."


@pytest.mark.parametrize(
    "line",
    ["!highshow rules now", "!chicken Rules x", "!sixcard rules 5", "!market rules 2", "!heist odds now"],
)
async def test_a_question_with_a_word_too_many_is_told_so_and_nothing_else(stage: Stage, line: str) -> None:
    """It was taken for a move: `rules` was no penalty, or no amount."""
    asked = " ".join(line.lower().split()[:2])
    assert await stage.say("ann", line) == [f"> ann: Type just {asked}, with nothing behind it."]
