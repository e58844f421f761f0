"""Whoever is alone in a lobby may begin at once, and everything is as at the end of its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.bot.routing import COMPANY
from chatbot.kernel.game import Seat
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.lobby import Start
from chatbot.tables.phase_timer import GRACE
from tests.bot.hosting import MO, hosted, restarted
from tests.bot.platforms import TWITCH, on_one_server
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.table_protocol import Table

LOBBY, START = 60, 240
WORDS = ("heist", "chicken", "market")


async def stage_of(store: Store) -> Stage:
    return await Stage(store).open()


def table(stage: Stage) -> Table:
    (only,) = stage.room.tables.values()
    return only


def phase(stage: Stage) -> str:
    clock = table(stage).clock
    return "" if clock is None else clock.phase


@pytest.mark.parametrize("text", ["!start", "!{word} start", "!START"])
@pytest.mark.parametrize("word", WORDS)
async def test_whoever_is_alone_begins_two_seconds_after_they_say_so(
    store: Store, word: str, text: str
) -> None:
    stage = await stage_of(store)
    await stage.say("ann", f"!{word}")
    await stage.say("ann", text.format(word=word))
    assert phase(stage) == "lobby"
    await stage.turn(GRACE)
    assert phase(stage) in {"getaway", "round 1", "turn 1"}


@pytest.mark.parametrize("word", WORDS)
async def test_with_company_nobody_can_begin(store: Store, word: str) -> None:
    stage = await stage_of(store)
    await stage.say("ann", f"!{word}")
    assert Start(seat("ann")) in table(stage).menu(seat("ann"), START)
    await stage.say("bob", f"!{word}")
    assert Start(seat("ann")) not in table(stage).menu(seat("ann"), START)
    (said,) = await stage.say("ann", f"!{word} start")
    assert said == "> ann: You are not alone in it: it starts by itself when the time is up."
    (said,) = await stage.say("kim", f"!{word} start")
    assert said == "> kim: Only those who are in can start it: join first."
    await stage.turn(LOBBY - 1)
    assert phase(stage) == "lobby"


@pytest.mark.parametrize("word", WORDS)
async def test_whoever_joins_in_these_two_seconds_has_the_lobby_go_on(store: Store, word: str) -> None:
    """With company it closes by its clock, so that a third one is not shut out."""
    stage = await stage_of(store)
    await stage.say("ann", f"!{word}")
    await stage.say("ann", "!start")
    await stage.turn(GRACE / 2)
    await stage.say("bob", f"!{word}")
    await stage.turn(GRACE)
    assert phase(stage) == "lobby"
    await stage.say("kim", f"!{word}")
    await stage.turn(LOBBY)
    assert phase(stage) != "lobby"
    people = {each for each in table(stage).players() if not of_house(each)}
    assert people == {seat("ann"), seat("bob"), seat("kim")}


@pytest.mark.parametrize("word", WORDS)
async def test_whoever_starts_and_leaves_begins_nothing_for_others(store: Store, word: str) -> None:
    stage = await stage_of(store)
    await stage.say("ann", f"!{word}")
    await stage.say("ann", "!start")
    await stage.say("bob", f"!{word}")
    await stage.say("ann", f"!{word} leave")
    await stage.turn(GRACE * 3)
    assert phase(stage) == "lobby"


@pytest.mark.parametrize("word", WORDS)
async def test_while_others_are_there_nobody_shuts_them_out(store: Store, word: str) -> None:
    """One member could open, start and end a heist alone, and have it rest for five minutes for all."""
    stage = await stage_of(store)
    await stage.say("kim", "hello")
    await stage.say("ann", f"!{word}")
    (said,) = await stage.say("ann", "!start")
    assert said == "> ann: Others are here who may want to join: the lobby closes by its clock."
    await stage.turn(GRACE * 2)
    assert phase(stage) == "lobby"


async def test_two_accounts_of_one_person_are_no_company(store: Store) -> None:
    both = await on_one_server(store)
    for who in ("discord:ann", "twitch:anna"):
        await both.say(who, "hello")
    await both.link("twitch:anna", "discord:ann")
    await both.say("twitch:anna", "!heist")
    spoken = set(both.room(TWITCH).active(0))
    assert spoken == {Seat("discord:ann"), Seat("twitch:anna")}
    assert await both.say("twitch:anna", "!start") == []
    await both.turn(GRACE)
    (table,) = both.room(TWITCH).tables.values()
    assert table.clock is not None
    assert table.clock.phase == "getaway"


@pytest.mark.parametrize("word", WORDS)
async def test_after_a_restart_a_lobby_that_was_started_begins_all_the_same(store: Store, word: str) -> None:
    stage = await stage_of(store)
    await stage.say("ann", f"!{word}")
    await stage.say("ann", "!start")
    after = await restarted(stage, "b")
    await after.turn(GRACE * 2)
    assert phase(after) != "lobby"


async def test_for_a_stake_the_house_sits_down_as_at_the_end_of_a_lobby(store: Store) -> None:
    stage = await stage_of(store)
    await stage.say("ann", "!chicken 3 50")
    await stage.say("ann", "!start")
    assert table(stage).players() == (seat("ann"),)
    await stage.turn(GRACE)
    assert set(table(stage).players()) == {seat("ann"), "house:nash"}
    assert await stage.credits("ann") == START - 50


async def test_players_of_the_house_that_were_to_come_later_come_at_once(store: Store) -> None:
    stage = await hosted(store, 3, "guardsman")
    await stage.turn(COMPANY + 1)  # who has set that is gone
    await stage.say("ann", "!heist 69")
    await stage.say("ann", "!start")
    await stage.turn(GRACE)
    assert len(stage.table.players()) == 4


async def test_where_nobody_would_play_along_it_is_refused(store: Store) -> None:
    stage = await stage_of(store)
    await stage.say(MO, "!set chicken house_fills 0")
    await stage.say(MO, "!set heist min_crew 2")
    await stage.turn(COMPANY + 1)
    await stage.say("ann", "!chicken 3")
    (said,) = await stage.say("ann", "!chicken start")
    assert said == "> ann: It takes one more to play; somebody has to join first."
    await stage.turn(COMPANY + 1)
    await stage.say("bob", "!heist 69")
    (said,) = await stage.say("bob", "!heist start")
    assert said == "> bob: It takes 2 people here: others have to join first."


async def test_without_a_lobby_there_is_nothing_to_start(store: Store) -> None:
    stage = await stage_of(store)
    (said,) = await stage.say("ann", "!start")
    assert said == "> ann: There is nothing to start: !start is for whoever waits alone for others to join."
    await stage.say("ann", "!heist 69")
    await stage.turn(LOBBY)
    (said,) = await stage.say("ann", "!heist start")
    assert said == "> ann: It has begun already."


@pytest.mark.parametrize("word", WORDS)
async def test_a_table_that_was_started_can_be_checked(store: Store, word: str) -> None:
    stage = await stage_of(store)
    await stage.say("ann", f"!{word} {20 if word == 'heist' else 2}")
    await stage.say("ann", "!start")
    await stage.turn(600)
    assert table(stage).over
    said = " ".join(await stage.say("ann", f"!verify {table(stage).id}"))
    assert "checks out" in said
