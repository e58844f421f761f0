"""Viewers bet on a heist: what they are asked is locked in time, and Twitch is told once how it came out."""

from __future__ import annotations

import itertools
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.bot.room_control import DOUBTED
from chatbot.games import kits
from chatbot.kernel.say import Message
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words, languages
from chatbot.tables.phase_timer import MOST_KEPT_OPEN
from cogs.twitch.authority import BROADCASTER_SCOPES, PREDICTIONS_SCOPES
from cogs.twitch.muted import PREDICTIONS, RefusedChats
from cogs.twitch.predictions import LOCKED_BEFORE
from tests.adapters.twitch.chatting import everything
from tests.adapters.twitch.stage import Stage
from tests.fakes.twitch_predictions import OUTCOME as LONGEST_OUTCOME
from tests.fakes.twitch_predictions import TITLE as LONGEST_TITLE
from tests.fakes.twitch_server import Twitch
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from pathlib import Path

    from tests.fakes.twitch_predictions import Bookmaker, Prediction

LOBBY, GETAWAY, SUSPENSE = 60, 30, 6  # seconds
TITLE = "Will half of the crew be lucky at the doors?"
YES, NO = "Yes, half or more", "No, fewer"
MOVES: tuple[Mapping[str, str], ...] = (
    {},
    {"ann2": "!backout"},
    {"ann0": "!backout", "ann1": "!backout", "ann2": "!doublecross"},
    {"ann0": "!allin", "ann1": "!backout"},
)
"""What a crew of three can do when nobody can bet any more: each changes who of them gets away."""
NUMBERS = itertools.count()  # of databases
OTHERS = range(4001, 4009)  # ids of lines from which other heists are played
AWAY = 5.0  # seconds from the end of the bot to its next start
LOOK = 1.0  # seconds between two looks of the bot


@pytest.fixture
def betting(stage: Stage) -> Stage:
    """Let the viewers of ada bet, too."""
    stage.connect("ada", (*BROADCASTER_SCOPES, *PREDICTIONS_SCOPES), "broadcaster", "predictions")
    bookmaker(stage).affiliates.add(stage.fake.world.user("ada").id)
    return stage


def bookmaker(stage: Stage) -> Bookmaker:
    return stage.fake.helix.bookmaker


async def ask(stage: Stage) -> None:
    """Open the adapter, and let the room want predictions."""
    await stage.open()
    await stage.say("ada", "ada", "!set heist prediction on", ["broadcaster"])


async def begin(stage: Stage, crew: int = 1) -> None:
    """Let people join a heist, until the bank is named."""
    for number in range(crew):
        await stage.say(f"ann{number}", "ada", "!heist 69")
    await to_the_end_of(stage, "lobby")


async def to_the_end_of(stage: Stage, phase: str) -> None:
    while (clock := stage.table("ada").clock) is not None and clock.phase == phase:
        await stage.watch.turn(LOOK)


async def put(stage: Stage, crew: int = 1) -> Prediction:
    """Play until a question is put, and give it."""
    await begin(stage, crew)
    await stage.watch.turn(2 * LOOK)
    [prediction] = bookmaker(stage).made
    return prediction


async def finish(stage: Stage) -> None:
    await stage.watch.turn(GETAWAY + SUSPENSE + 2 * LOOK)
    if not stage.table("ada").over:  # a prediction that could not be locked has kept it open
        await stage.watch.turn(MOST_KEPT_OPEN)
    assert stage.table("ada").over


async def restarted(stage: Stage, folder: Path, run: str = "b") -> Stage:
    """Kill the bot, and start it again some seconds later; the alarms of the former never ring."""
    await stage.close()
    watch = HandWatch(stage.watch.date() + timedelta(seconds=AWAY))
    stage.fake.world.clock = bookmaker(stage).clock = partial(since, watch, stage.watch.now() + AWAY)
    return await Stage(stage.fake, stage.store, folder, watch, run).open()


def since(watch: HandWatch, before: float) -> float:
    return watch.now() + before


def came_out(stage: Stage, prediction: Prediction) -> str:
    """Return the outcome that a heist of newcomers who stick has: who is lucky gets away, and nobody else."""
    away = [each.away for each in stage.table("ada").state.outcomes]
    answer = YES if 2 * sum(away) >= len(away) else NO
    return next(each for each in prediction.outcomes.values() if each.startswith(answer))


def has_come_out(stage: Stage, prediction: Prediction) -> bool:
    """Whether Twitch was told once how the heist came out."""
    told = prediction.status, prediction.winning, prediction.ended
    return told == ("RESOLVED", came_out(stage, prediction), 1)


@pytest.mark.parametrize("crew", [2, *(pytest.param(each, marks=pytest.mark.nightly) for each in (1, 3, 5))])
async def test_a_heist_is_bet_on_from_the_naming_of_the_bank_and_resolved_by_its_outcome(
    betting: Stage, crew: int
) -> None:
    await ask(betting)
    prediction = await put(betting, crew)
    assert prediction.title == TITLE
    assert prediction.status == "ACTIVE"
    await finish(betting)
    assert has_come_out(betting, prediction)
    assert bookmaker(betting).made == [prediction]


async def test_it_is_locked_before_the_crew_is_seen_to_go_in(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    await to_the_end_of(betting, "getaway")
    stormed = betting.watch.now()
    assert prediction.status == "LOCKED"
    assert prediction.locked is not None
    assert LOCKED_BEFORE - 2 * LOOK <= stormed - prediction.locked <= LOCKED_BEFORE + LOOK


async def test_it_is_off_until_the_room_wants_it(betting: Stage) -> None:
    await betting.open()
    await begin(betting)
    await finish(betting)
    assert bookmaker(betting).made == []


async def test_without_the_permission_twitch_is_asked_for_nothing_and_the_streamer_is_told(
    stage: Stage,
) -> None:
    await stage.open()
    said = " ".join(await stage.say("ada", "ada", "!set heist prediction on", ["broadcaster"]))
    assert "chatbot connect twitch --broadcaster --predictions" in said
    await begin(stage)
    await finish(stage)
    assert not any(each.endswith("predictions") for each in stage.fake.world.requests)


async def test_with_the_permission_nothing_more_is_said(betting: Stage) -> None:
    await ask(betting)
    assert "heist: prediction is on now" in everything(betting)
    assert "--predictions" not in everything(betting)


async def test_the_broadcasters_own_prediction_is_left_alone(betting: Stage) -> None:
    await ask(betting)
    own = bookmaker(betting).put(betting.fake.world.user("ada"), "Will I win?", ["Yes", "No"], 1800)
    await begin(betting)
    await finish(betting)
    assert bookmaker(betting).made == [own]
    assert own.status == "ACTIVE"
    assert not any("predictions" in each for each in betting.fake.world.requests if each.startswith("POST"))


async def test_what_the_streamer_has_ended_is_over(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    prediction.status = "CANCELED"
    await finish(betting)
    assert (prediction.status, prediction.ended) == ("CANCELED", 0)
    assert await running(betting) == 0


async def test_a_heist_that_is_called_off_gives_the_points_back(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    await betting.say("mo", "ada", "!cancel heist", ["moderator"])
    assert betting.table("ada").over
    await betting.watch.turn(2 * LOOK)
    assert (prediction.status, prediction.ended) == ("CANCELED", 1)


@pytest.mark.nightly
async def test_a_heist_called_off_after_the_lock_gives_the_points_back(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    await to_the_end_of(betting, "getaway")
    await betting.say("mo", "ada", "!cancel heist", ["moderator"])
    await betting.watch.turn(2 * LOOK)
    assert (prediction.status, prediction.ended) == ("CANCELED", 1)


@pytest.mark.parametrize("first", [4000, *(pytest.param(each, marks=pytest.mark.nightly) for each in OTHERS)])
async def test_nothing_that_the_crew_does_after_the_lock_moves_what_was_bet_on(
    first: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("cogs.twitch.eventsub.GRACE", 0.05)
    assert len({await winner_of(first, moves, tmp_path) for moves in MOVES}) == 1


async def test_if_everybody_backs_out_the_bets_are_settled_all_the_same(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting, 2)
    likely = sum(each < 0.54 for each in betting.table("ada").state.luck)
    await betting.say("ann0", "ada", "!backout")
    await betting.say("ann1", "ada", "!backout")
    await finish(betting)
    assert (prediction.status, prediction.ended) == ("RESOLVED", 1)
    assert prediction.winning is not None
    assert prediction.winning.startswith(YES if likely else NO)


async def test_the_answers_tell_the_exact_chance_of_each(betting: Stage) -> None:
    await ask(betting)
    await betting.say("ada", "ada", "!set heist levels 1/10/20/30/40", ["broadcaster"])
    prediction = await put(betting, 3)
    # Of three at 54%: .54³ + 3 × .54² × .46 = .5599
    assert [*prediction.outcomes.values()] == [f"{YES} (56%)", f"{NO} (44%)"]
    await finish(betting)


async def test_the_room_is_told_once_how_many_were_lucky_and_how_many_got_away(betting: Stage) -> None:
    await ask(betting)
    await put(betting, 2)
    lucky = sum(each < 0.54 for each in betting.table("ada").state.luck)
    await betting.say("ann0", "ada", "!backout")
    await finish(betting)
    await betting.watch.turn(60)
    away = sum(each.away for each in betting.table("ada").state.outcomes)
    told = everything(betting).count("The prediction: ")
    assert told == 1
    assert f"{lucky} of a crew of 2 w" in everything(betting)
    assert f"{away or 'Nobody'} got away in the end." in everything(betting)


@pytest.mark.parametrize("getaway", [0, 15])
async def test_where_the_getaway_is_too_short_nobody_can_bet_and_the_moderator_is_told(
    betting: Stage, getaway: int
) -> None:
    await ask(betting)
    line = f"!set heist getaway {getaway}"
    said = " ".join(await betting.say("ada", "ada", line, ["broadcaster"]))
    assert "must last at least 20 seconds" in said
    await begin(betting)
    await finish(betting)
    assert bookmaker(betting).made == []


async def test_a_preset_without_a_getaway_has_none_and_whoever_chooses_it_is_told(betting: Stage) -> None:
    await ask(betting)
    said = " ".join(await betting.say("ada", "ada", "!preset heist deepbot", ["broadcaster"]))
    assert "It lasts 0 now." in said
    await betting.say("ann", "ada", "!heist 69")
    await betting.watch.turn(200)
    assert bookmaker(betting).made == []


async def test_in_the_lobby_nothing_is_asked_for_people_can_still_join(betting: Stage) -> None:
    await ask(betting)
    await betting.say("ann", "ada", "!heist 69")
    await betting.watch.turn(LOBBY - 5)
    assert bookmaker(betting).made == []
    await to_the_end_of(betting, "lobby")
    await finish(betting)


@pytest.mark.nightly
async def test_the_question_is_put_in_the_language_of_the_room(betting: Stage) -> None:
    await ask(betting)
    await betting.say("ada", "ada", "!set room language ko", ["broadcaster"])
    prediction = await put(betting)
    assert prediction.title == "크루의 절반 이상이 문 앞에서 운이 좋을까요?"
    await finish(betting)
    assert prediction.status == "RESOLVED"


@pytest.mark.parametrize("language", languages())
def test_every_question_and_answer_is_as_short_as_twitch_wants_it(language: str) -> None:
    forecasts = [kit.forecast for kit in kits().values() if kit.forecast is not None]
    assert forecasts
    for each in forecasts:
        question, yes, no = (
            Words(language).text(Message(id_, {"percent": 100}), str)
            for id_ in (each.question, each.yes, each.no)
        )
        assert len(question) <= LONGEST_TITLE
        assert max(len(yes), len(no)) <= LONGEST_OUTCOME
        assert yes != no


async def test_while_games_are_stopped_nothing_is_told_to_twitch_and_then_it_goes_on(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    room = betting.chat("ada").room
    await betting.bot.control.stop([room], DOUBTED)
    await betting.watch.turn(GETAWAY + SUSPENSE + 2 * LOOK)
    assert (prediction.status, prediction.ended) == ("ACTIVE", 0)
    await betting.bot.control.resume(room)
    await finish(betting)
    assert has_come_out(betting, prediction)


# Answers that are lost


async def test_a_prediction_whose_answer_was_lost_is_found_and_not_made_twice(betting: Stage) -> None:
    await ask(betting)
    bookmaker(betting).lost = ["ACTIVE"]
    prediction = await put(betting)
    await finish(betting)
    assert has_come_out(betting, prediction)
    assert bookmaker(betting).made == [prediction]


async def test_a_lost_lock_is_asked_for_and_counts(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    bookmaker(betting).lost = ["LOCKED"]
    await finish(betting)
    assert (prediction.status, prediction.winning) == ("RESOLVED", came_out(betting, prediction))


async def test_a_lock_of_what_twitch_does_not_find_for_a_moment_is_tried_again(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    betting.fake.world.disturb("predictions", 404, times=1, method="PATCH")
    await finish(betting)
    assert (prediction.status, prediction.winning) == ("RESOLVED", came_out(betting, prediction))


async def test_an_open_prediction_keeps_the_getaway_open_until_it_has_locked(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    betting.fake.world.disturb("predictions", 500, times=8, method="PATCH")
    await betting.watch.turn(GETAWAY)
    assert phase(betting) == "getaway"
    await betting.say("ann0", "ada", "!guncheck")
    await to_the_end_of(betting, "getaway")
    assert prediction.status == "LOCKED"
    await finish(betting)
    assert (prediction.status, prediction.winning) == ("RESOLVED", came_out(betting, prediction))


async def test_though_all_have_answered_the_getaway_goes_on_while_viewers_can_bet(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    await betting.say("ann0", "ada", "!guncheck")
    await betting.watch.turn(GETAWAY / 2)
    clock = betting.table("ada").clock
    assert (prediction.status, clock and clock.phase) == ("ACTIVE", "getaway")
    deadline = betting.table("ada").deadline
    await to_the_end_of(betting, "getaway")
    assert prediction.status == "LOCKED"
    assert deadline is not None
    assert betting.watch.now() <= deadline - LOCKED_BEFORE + 2 * LOOK  # as soon as it was locked


async def test_where_nobody_can_bet_the_getaway_ends_when_all_have_answered(betting: Stage) -> None:
    await betting.open()
    await begin(betting)
    await betting.say("ann0", "ada", "!guncheck")
    await betting.watch.turn(3 * LOOK)
    clock = betting.table("ada").clock
    assert (bookmaker(betting).made, clock and clock.phase) == ([], "storming")


async def test_without_a_confirmed_lock_the_heist_goes_on_in_the_end_and_the_points_go_back(
    betting: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    await ask(betting)
    prediction = await put(betting)
    betting.fake.world.disturb("predictions", 500, times=14, method="PATCH")
    begun = betting.watch.now()
    await to_the_end_of(betting, "getaway")
    assert GETAWAY < betting.watch.now() - begun <= GETAWAY + MOST_KEPT_OPEN
    await finish(betting)
    await betting.watch.turn(600)
    assert (prediction.status, prediction.ended) == ("CANCELED", 1)
    assert any("not locked in time" in each["event"] for each in told)


async def test_a_heist_that_nobody_bets_on_is_not_kept_open(stage: Stage) -> None:
    await stage.open()
    await begin(stage)
    begun = stage.watch.now()
    await to_the_end_of(stage, "getaway")
    assert stage.watch.now() - begun <= GETAWAY


@pytest.mark.parametrize("status", ["RESOLVED", pytest.param("CANCELED", marks=pytest.mark.nightly)])
async def test_an_end_whose_answer_was_lost_is_told_once(betting: Stage, status: str) -> None:
    await ask(betting)
    prediction = await put(betting)
    bookmaker(betting).lost = [status]
    if status == "CANCELED":
        await betting.say("mo", "ada", "!cancel heist", ["moderator"])
        await betting.watch.turn(2 * LOOK)
    else:
        await finish(betting)
    await betting.watch.turn(5 * LOOK)
    assert (prediction.status, prediction.ended) == (status, 1)
    assert await running(betting) == 0


async def test_once_twitch_answers_again_the_bot_looks_as_often_as_before(betting: Stage) -> None:
    await ask(betting)
    betting.fake.world.disturb("predictions", 500, times=8, method="GET")
    await begin(betting)
    await finish(betting)
    await betting.watch.turn(600)
    assert bookmaker(betting).made == []
    assert (await put(betting)).status == "ACTIVE"
    await finish(betting)


async def test_after_a_day_of_trouble_the_bot_looks_on(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    assert betting.adapter is not None
    [predictions] = betting.session.services.predictions.values()
    betting.fake.world.disturb("predictions", 500, times=2, method="PATCH")
    while not predictions._failures:
        await betting.watch.turn(LOOK)
    predictions._failures = 1440  # one in a minute
    await finish(betting)
    await betting.watch.turn(120)
    assert prediction.ended == 1
    assert await running(betting) == 0


@pytest.mark.nightly
async def test_a_prediction_that_was_never_made_is_asked_for_again(betting: Stage) -> None:
    await ask(betting)
    betting.fake.world.disturb("predictions", 500, times=2, method="POST")
    await begin(betting)
    await betting.watch.turn(4 * LOOK)
    [prediction] = bookmaker(betting).made
    await finish(betting)
    assert prediction.status == "RESOLVED"


@pytest.mark.nightly
async def test_a_prediction_that_cannot_be_made_is_given_up_with_the_table(betting: Stage) -> None:
    await ask(betting)
    betting.fake.world.disturb("predictions", 500, times=1000, method="POST")
    await begin(betting)
    await finish(betting)
    await betting.watch.turn(120)
    assert bookmaker(betting).made == []
    assert await running(betting) == 0


# Restarts


async def test_after_a_restart_an_open_prediction_still_keeps_the_getaway_open(
    betting: Stage, tmp_path: Path
) -> None:
    await ask(betting)
    prediction = await put(betting)
    again = await restarted(betting, tmp_path)
    try:
        again.fake.world.disturb("predictions", 500, times=6, method="PATCH")
        await to_the_end_of(again, "getaway")
        assert prediction.status == "LOCKED"
        await finish(again)
        assert (prediction.status, prediction.winning) == ("RESOLVED", came_out(again, prediction))
    finally:
        await again.close()


@pytest.mark.parametrize("phase", ["getaway", pytest.param("storming", marks=pytest.mark.nightly)])
async def test_after_a_restart_a_table_that_goes_on_is_resolved(
    betting: Stage, tmp_path: Path, phase: str
) -> None:
    await ask(betting)
    prediction = await put(betting)
    if phase == "storming":
        await to_the_end_of(betting, "getaway")
    again = await restarted(betting, tmp_path)
    try:
        await finish(again)
        assert has_come_out(again, prediction)
        assert bookmaker(again).made == [prediction]
    finally:
        await again.close()


async def test_after_a_restart_a_prediction_whose_answer_was_lost_is_found(
    betting: Stage, tmp_path: Path
) -> None:
    await ask(betting)
    bookmaker(betting).lost = ["ACTIVE"]
    await begin(betting)
    await betting.watch.turn(LOOK)
    [prediction] = bookmaker(betting).made
    again = await restarted(betting, tmp_path)
    try:
        await finish(again)
        assert has_come_out(again, prediction)
        assert bookmaker(again).made == [prediction]
    finally:
        await again.close()


@pytest.mark.nightly
async def test_after_a_restart_an_end_whose_answer_was_lost_is_not_told_again(
    betting: Stage, tmp_path: Path
) -> None:
    await ask(betting)
    prediction = await put(betting)
    betting.fake.world.disturb("predictions", 500, times=1000, method="GET")
    bookmaker(betting).lost = ["RESOLVED"]
    await finish(betting)
    betting.fake.world.faults.clear()
    again = await restarted(betting, tmp_path)
    try:
        await again.watch.turn(3 * LOOK)
        assert (prediction.status, prediction.ended) == ("RESOLVED", 1)
        assert await running(again) == 0
    finally:
        await again.close()


async def test_after_a_restart_the_prediction_of_a_table_that_is_gone_is_cancelled(
    betting: Stage, tmp_path: Path
) -> None:
    await ask(betting)
    prediction = await put(betting)
    await to_the_end_of(betting, "getaway")
    table = betting.table("ada").id
    await betting.bot.ledger.void(table, betting.watch.date(), betting.table("ada").seed)
    again = await restarted(betting, tmp_path)
    try:
        await again.watch.turn(3 * LOOK)
        assert (prediction.status, prediction.ended) == ("CANCELED", 1)
    finally:
        await again.close()


@pytest.mark.nightly
async def test_after_a_restart_a_table_that_ended_meanwhile_is_resolved(
    betting: Stage, tmp_path: Path
) -> None:
    await ask(betting)
    prediction = await put(betting)
    await to_the_end_of(betting, "getaway")
    assert betting.adapter is not None
    for each in betting.session.services.predictions.values():
        each.stop()
    await finish(betting)
    expected = came_out(betting, prediction)
    assert prediction.status == "LOCKED"
    again = await restarted(betting, tmp_path)
    try:
        await again.watch.turn(3 * LOOK)
        assert (prediction.status, prediction.winning, prediction.ended) == ("RESOLVED", expected, 1)
    finally:
        await again.close()


# Refusals


async def test_who_is_no_affiliate_is_told_of_and_remembered_until_it_is_one(
    betting: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    await ask(betting)
    affiliates = bookmaker(betting).affiliates
    ada = affiliates.pop()
    await begin(betting)
    await finish(betting)
    assert bookmaker(betting).made == []
    refused = RefusedChats(betting.ring.path, PREDICTIONS)
    assert refused.load() == {ada: ("ada", "only affiliates and partners of Twitch have predictions")}
    assert len([each for each in told if "prediction" in each["event"]]) == 1
    affiliates.add(ada)
    await betting.watch.turn(300)
    await put(betting)
    assert refused.load() == {}


async def test_a_refusal_to_end_a_prediction_is_forgotten_once_it_has_ended(betting: Stage) -> None:
    await ask(betting)
    prediction = await put(betting)
    betting.fake.world.disturb("predictions", 403, times=1, method="PATCH")
    refused = RefusedChats(betting.ring.path, PREDICTIONS)
    while not refused.load():
        await betting.watch.turn(LOOK)
    await finish(betting)
    assert prediction.status == "RESOLVED"
    assert refused.load() == {}


@pytest.mark.nightly
async def test_a_question_that_twitch_finds_wrong_is_not_put_again(
    betting: Stage, told: list[MutableMapping[str, Any]]
) -> None:
    await ask(betting)
    betting.fake.world.disturb(
        "predictions", 400, times=1, method="POST", message="not compliant with content guidelines"
    )
    await begin(betting)
    await finish(betting)
    assert bookmaker(betting).made == []
    assert await running(betting) == 0
    assert any("content guidelines" in each.get("reason", "") for each in told)


async def running(stage: Stage) -> int:
    return len(await stage.bot.parts.predictions.running(stage.chat("ada").channel.id))


def phase(stage: Stage) -> str:
    clock = stage.table("ada").clock
    return "" if clock is None else clock.phase


async def winner_of(first: int, moves: Mapping[str, str], folder: Path) -> str | None:
    """Play a heist of three with these moves after the lock, and return the outcome that has won.

    The ids of lines enter every draw. They are counted from the first one, so that the lines until the lock
    are the same in every heist that begins so.
    """
    watch = HandWatch()
    fake, store = Twitch(watch.now), await store_at(folder / f"{next(NUMBERS)}.db")
    fake.world.numbers = itertools.count(first)
    await fake.start()
    stage = Stage(fake, store, folder, watch)
    try:
        stage.connect_bot()
        stage.connect("ada", (*BROADCASTER_SCOPES, *PREDICTIONS_SCOPES), "broadcaster", "predictions")
        bookmaker(stage).affiliates.add(fake.world.user("ada").id)
        await ask(stage)
        await stage.say("ada", "ada", "!set heist levels 1/10/20/30/40", ["broadcaster"])
        prediction = await put(stage, 3)
        while prediction.status == "ACTIVE":
            await watch.turn(LOOK)
        assert phase(stage) == "getaway"
        for who, move in moves.items():
            await stage.say(who, "ada", move)
        await finish(stage)
        assert prediction.status == "RESOLVED"
        return prediction.winning
    finally:
        await stage.close()
        await store.close()
        await fake.stop()
