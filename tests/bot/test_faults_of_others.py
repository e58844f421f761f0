"""What other bots of this kind are known to get wrong, each with the test that keeps it from us."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import Stage, seat
from tests.template import store_at

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
MO = "mo(moderator)"
WHOLE = 60 + 30 + 6  # lobby, getaway, suspense
PROVEN = {
    "brackets with gaps: 20 of 27 escape, and chat reads that all are lost": (
        "bot/test_faults_of_others.py::test_the_verdict_agrees_with_who_is_paid",
        "games/heist/test_story.py::test_there_is_exactly_one_verdict_for_every_number_of_escapes",
    ),
    "a minimum crew that is off by one": (
        "bot/test_room_promises.py::test_a_crew_of_exactly_the_minimum_goes_and_one_fewer_gets_every_stake_back",
        "games/heist/test_lobby.py::test_a_crew_of_exactly_the_least_goes_on",
    ),
    "saving settings during a lobby empties it": (
        "bot/test_room_promises.py::test_saving_a_setting_during_a_lobby_changes_nothing_for_that_table",
        "bot/test_faults_of_others.py::test_no_command_of_a_keeper_during_a_lobby_touches_crew_or_stakes",
    ),
    "two quick joins take two stakes, or the second overwrites the first": (
        "bot/test_room_promises.py::test_two_quick_heists_from_one_person_take_one_stake",
    ),
    "a message prints a placeholder raw": (
        "bot/test_lines.py::test_nothing_that_is_said_shows_a_raw_placeholder",
    ),
    "a crew lives in memory, and a restart eats its stakes": (
        "bot/tables/test_restart.py::test_wherever_a_heist_is_cut_off_it_ends_as_if_it_had_not_been",
    ),
    "the role of the starter decides everybody's chance": (
        "bot/test_faults_of_others.py::test_who_opens_a_heist_changes_nobodys_chance",
    ),
    "rounding makes small bets profitable for ever": (
        "games/heist/test_odds.py::test_no_small_stake_brings_more_than_is_published",
    ),
    "moderators skip every cooldown": (
        "bot/test_room_promises.py::test_moderators_wait_for_the_cooldown_like_everybody_and_are_told_how_long",
        "bot/commands/test_cooldowns.py::test_nobody_skips_a_cooldown",
    ),
    "a balance is read and then written: two bets at once lose one": (
        "ledger/test_races.py::test_of_200_concurrent_stakes_of_10_a_wallet_of_100_pays_10",
        "bot/community/test_giving.py::test_gifts_at_once_never_give_more_than_there_is",
    ),
    "going from wallets of one server to shared ones wipes both": (
        "bot/community/test_linking.py::test_a_yes_moves_the_purse_and_says_so",
        "bot/community/test_linking.py::test_unlinking_leaves_the_purse_where_it_is_and_begins_another_with_nothing",
    ),
    "a gift credits first and debits later, and what is beyond a limit is clipped in silence": (
        "bot/test_faults_of_others.py::test_a_gift_is_whole_or_refused_and_never_clipped",
        "bot/community/test_giving.py::test_what_a_day_lets_one_give_is_named_with_what_is_left_and_never_clipped",
    ),
    "a command that somebody cannot afford starts the cooldown for everybody": (
        "bot/commands/test_cooldowns.py::test_what_was_refused_or_cannot_be_paid_costs_no_cooldown_and_no_use",
    ),
    "an entry fee is kept when no game ran": (
        "bot/test_faults_of_others.py::test_an_entry_comes_back_when_no_game_ran",
    ),
    "a new name, or two people of one name, moves money": (
        "bot/test_room_promises.py::test_whoever_takes_the_name_of_another_does_not_get_their_wallet",
        "ledger/test_members.py::test_a_name_of_two_finds_both",
    ),
    "`all` uses the balance of somebody else with that name": (
        "bot/test_room_promises.py::test_all_is_the_purse_of_the_seat_and_not_of_a_namesake",
    ),
    "one lock, or one slow channel, stops every channel": (
        "bot/test_lines.py::test_one_room_does_not_wait_for_another",
        "bot/speech/test_outbox_adapters.py::test_one_persons_slow_line_holds_up_nobody_elses",
    ),
}


@pytest.mark.parametrize("named", [test for tests in PROVEN.values() for test in tests])
def test_each_fault_of_others_has_its_test(named: str) -> None:
    path, _, name = named.partition("::")
    assert re.search(rf"^(async )?def {name}\(", (TESTS / path).read_text(encoding="utf-8"), re.MULTILINE)


# Chances and verdicts


async def heist(stage: Stage, *people: str) -> list[str]:
    for who in people:
        await stage.say(who, "!heist 5")
    return await stage.turn(WHOLE)


def escaped_of_27(told: str) -> int:
    """Read how many got away, in whichever of its texts the verdict is told."""
    some = re.search(r"(\d+) of 27|Of 27 who ran from the [^,]*, (\d+) ran", told)
    if some is not None:
        return int(some[1] or some[2])
    if re.search(r"[Nn]one of the 27|27 in, none out\.", told):
        return 0
    assert re.search(r"all 27|27 went in, 27 came out", told), told
    return 27


@pytest.mark.parametrize("run", [f"run{number}" for number in range(4)])
async def test_the_verdict_agrees_with_who_is_paid(store: Store, run: str) -> None:
    stage = await Stage(store, run=run).open()
    for setting in ("rabble 0", "payday no"):
        await stage.say(MO, f"!set heist {setting}")
    told = " ".join(await heist(stage, *(f"fan{number}" for number in range(27))))
    outcomes = stage.table.view(None).outcomes
    won = sum(each.received > 0 for each in outcomes)
    assert len(outcomes) == 27
    assert escaped_of_27(told) == won, told
    paid = [await stage.credits(f"fan{number}") > 240 - 5 for number in range(27)]
    assert sum(paid) == won


async def test_who_opens_a_heist_changes_nobodys_chance(tmp_path: Path) -> None:
    crew, told = [f"fan{number}" for number in range(12)], []
    for starter in ("fan0", "fan0(broadcaster)"):
        store = await store_at(tmp_path / f"{starter}.db")
        stage = await Stage(store).open()
        await stage.say(MO, "!set heist rabble 0")
        told.append(await heist(stage, starter, *crew[1:]))
        await store.close()
    assert any("Results:" in line for line in told[0])
    assert told[0] == told[1]


# Money that stays whose it is


@pytest.mark.parametrize(
    "line",
    [
        "!set heist max_stake 3",
        "!set heist min_crew 5",
        "!preset heist classic",
        "!set games heist no",
        "!pause",
        "!set credits start 1",
        "!cooldown heist 600/600/1",
        "!set room only_live yes",
    ],
)
async def test_no_command_of_a_keeper_during_a_lobby_touches_crew_or_stakes(stage: Stage, line: str) -> None:
    for who in ("ann", "bob"):
        await stage.say(who, "!heist 69")
    await stage.say("owner(broadcaster)", line)
    assert [each.seat for each in stage.table.view(None).crew] == [seat("ann"), seat("bob")]
    assert await stage.pot() == 2 * 69
    assert any("Results:" in told for told in await stage.turn(WHOLE))


async def test_a_gift_is_whole_or_refused_and_never_clipped(stage: Stage) -> None:
    await stage.endow("ann", 500)
    await stage.say("bob", "hello")
    for amount in ("501", "1k", "1000000000000000"):
        assert "only 500" in (await stage.say("ann", f"!give bob {amount}"))[0]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (500, 240)
    await stage.say("ann", "!give bob 100")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (400, 340)


@pytest.mark.parametrize("end", ["!sixcard decline", "time", "!cancel sixcard"])
async def test_an_entry_comes_back_when_no_game_ran(stage: Stage, end: str) -> None:
    """Too few came, or whoever was challenged does not want to, or is gone."""
    await stage.say("bob", "hello")
    await stage.say("ann", "!sixcard @bob 50")
    assert await stage.credits("ann") == 190
    if end == "time":
        await stage.turn(600)
    else:
        await stage.say("bob(moderator)", end)
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)


async def test_a_stake_comes_back_when_too_few_came(stage: Stage) -> None:
    await stage.say(MO, "!set heist min_crew 2")
    await stage.say(MO, "!set heist payday no")
    await stage.say("ann", "!heist 50")
    await stage.turn(WHOLE)
    assert await stage.credits("ann") == 240
