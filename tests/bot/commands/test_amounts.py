"""Amounts as people write them are read by every command, or refused with what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.hosting import MO

if TYPE_CHECKING:
    from tests.bot.stage import Stage

UNCLEAR = "can be read in two ways: write whole credits, such as 1500, 1,500 or 15k."


@pytest.fixture
async def rich(stage: Stage) -> Stage:
    await stage.say("ann", "hello")
    await stage.say("bob", "hello")
    await stage.say(MO, "!grant ann 4760")  # on 240 of the start
    return stage


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("!heist 1,000", 4000),
        ("!heist 20 credits", 4980),
        ("!heist 20크레딧", 4980),
        ("!heist 1,000 Credits", 4000),
        ("!chicken 4 1,000", 4000),
        ("!chicken 1,000 4", 4000),
        ("!chicken 4 20 credits", 4980),
        ("!market 2 50 credits", 4950),
        ("!market stake=50_credits 2", 4950),
        ("!highshow 20 3 linear=5 1,000 credits", 4000),
        ("!sixcard 50 credits", 4950),
        ("!give bob 20 credits", 4980),
        ("!give bob 1,000", 4000),
    ],
)
async def test_thousands_and_the_name_of_credits_are_read(rich: Stage, typed: str, left: int) -> None:
    await rich.say("ann", typed)
    assert await rich.credits("ann") == left


async def test_the_name_that_a_room_gave_to_credits_is_read_in_every_language(rich: Stage) -> None:
    await rich.say(MO, "!set credits name_en gold coin/gold coins")
    await rich.say(MO, "!set credits name_ko 금화")
    await rich.say("ann", "!give bob 10 Gold Coins")
    await rich.say("ann", "!give bob 10금화")
    await rich.say("ann", "!heist 80 gold coins")
    assert await rich.credits("ann") == 4900
    assert await rich.say(MO, "!set heist max_stake 200 gold coins") == [
        "heist: max_stake was 0 and is now 200.",
        "> mo: The game that is being played keeps the settings that it was opened with.",
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("!heist 1.000", f"“1.000” {UNCLEAR}"),
        ("!heist 1,5", f"“1,5” {UNCLEAR}"),
        ("!chicken 4 1.5k", f"“1.5k” {UNCLEAR}"),
        ("!highshow 20 3 1.000", f"“1.000” {UNCLEAR}"),
        ("!heist 1 000", "“1 000” has a blank in it: write 1000 without one."),
        ("!sixcard 1 000", "“1 000” has a blank in it: write 1000 without one."),
        ("!give bob 1 500", "“1 500” has a blank in it: write 1500 without one."),
        ("!give bob 1 000", "“1 000” has a blank in it: write 1000 without one."),
        ("!heist -5", "“-5” has a sign: write 5."),
        ("!market 2 -50", "“-50” has a sign: write 50."),
        ("!give bob -50", "“-50” has a sign: write 50."),
    ],
)
async def test_what_can_be_read_in_two_ways_moves_nothing_and_is_told_how_to_write_it(
    rich: Stage, typed: str, told: str
) -> None:
    assert await rich.say("ann", typed) == [f"> ann: {told}"]
    assert await rich.credits("ann") == 5000


async def test_numbers_with_a_blank_between_them_stay_two(rich: Stage) -> None:
    await rich.say("ann", "!chicken 4 100")
    assert await rich.credits("ann") == 4900
    await rich.say("ann", "!highshow 20 3 linear=5 100")
    assert await rich.credits("ann") == 4800


async def test_a_grant_below_zero_names_the_command_that_takes(rich: Stage) -> None:
    await rich.say(MO, "!alias addpoints grant")
    for typed in ("!addpoints ann -50", "!grant @ann -50", "!grant ann \N{MINUS SIGN}50"):
        (told,) = await rich.say(MO, typed)
        assert "To take credits away: !take" in told
        assert told.endswith("ann 50")
    assert await rich.say(MO, "!grant ann +50") == ["> mo: “+50” has a sign: write 50."]
    assert await rich.say(MO, "!take ann -50") == ["> mo: “-50” has a sign: write 50."]
    assert await rich.credits("ann") == 5000


async def test_a_moderators_amount_is_read_before_a_reason(rich: Stage) -> None:
    assert await rich.say(MO, "!grant ann 1,500 credits for fun") == [
        "mo grants ann 1,500 credits (for fun)."
    ]
    assert await rich.say(MO, "!take ann 500credits") == ["mo takes 500 credits from ann."]
    await rich.say(MO, "!credits set ann 1,000 credits")
    assert await rich.credits("ann") == 1000
    assert await rich.say(MO, "!grant ann 1 500 bits") == [
        "> mo: “1 500” can be read in two ways: write 1500 if it is one amount, or -- before the reason."
    ]
    assert await rich.say(MO, "!grant ann 1 -- 500 bits") == ["mo grants ann 1 credit (500 bits)."]


@pytest.mark.parametrize("typed", ["10,000", "10k", "10000 credits", "10,000크레딧"])
async def test_a_setting_of_credits_takes_what_a_stake_takes(stage: Stage, typed: str) -> None:
    told = await stage.say(MO, f"!set heist max_stake {typed}")
    assert told == ["heist: max_stake was 0 and is now 10000."]
    assert (await stage.say(MO, "!set heist max_stake 1.000"))[0].startswith("> mo: “1.000” is not possible")
