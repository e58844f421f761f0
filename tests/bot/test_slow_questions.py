"""What nobody can do to others by asking for much that takes long to work out."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.games.highshow.chat.commands import read_open
from chatbot.games.highshow.rules.moves import HintAsked
from chatbot.kernel.say import Message, Say
from chatbot.runtime import limits
from chatbot.runtime.clock import HandWatch
from chatbot.runtime.limits import Allowances
from chatbot.tables import background, replay
from tests.bot.stage import Stage, seat
from tests.bot.tables.test_restart import restarted

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

TERMS = "5 2 linear=1"  # of a game that is quickly solved, and so takes stakes
HARD = 2.0  # seconds of a processor that reading a command takes here


class Effort:
    """Pretends that all that is worked out takes so long: the time of a thread is asked before and after."""

    def __init__(self) -> None:
        self.spent, self.working = 0.0, False

    def __call__(self) -> float:
        if self.working:
            self.spent += HARD
        self.working = not self.working
        return self.spent


@pytest.mark.slow
async def test_what_one_has_others_work_out_is_limited_but_comes_back_with_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "thread_time", Effort())
    stage = await Stage(store).open()
    wrong = "!highshow 5 2 linear=1 50 60"  # also what is refused has been read
    # 5 seconds at once: 3 and 1 are left, then -1, which at a tenth of a second a second takes 10 seconds.
    for _ in range(3):
        assert "try again in" not in (await stage.say("ann", wrong))[0]
    (told,) = await stage.say("ann", f"!highshow {TERMS}")
    assert told.endswith("try again in 10 seconds.")
    assert not stage.room.tables
    assert "bob plays" in (await stage.say("bob", f"!highshow {TERMS}"))[0]
    await stage.turn(10.5)
    assert "ann plays" in (await stage.say("ann", f"!highshow {TERMS}"))[0]
    assert "> ann: " not in (await stage.say("ann", "!cashout"))[0], "what is quick is never refused for it"


@pytest.mark.slow
async def test_only_so_many_thoughts_of_a_room_wait_and_whoever_asks_for_more_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "MOST_PENDING", 2)
    word = Say(Message("word", {"word": "a thought"}))
    games = {
        "highshow": replace(
            kits()["highshow"], chat=replace(kits()["highshow"].chat, analyses={HintAsked: lambda _: [word]})
        )
    }
    stage = await Stage(store, games).open()
    await stage.bot.open(stage.new_room("other"))
    for who in ("ann", "bob", "cid"):
        await stage.say(who, f"!highshow {TERMS}")
    await stage.bot.converse(stage.line("dan", f"!highshow {TERMS}", room="other"))
    await stage.turn(0)
    heard = len(stage.adapter.deliveries)
    for who in ("ann", "bob"):
        await stage.bot.converse(stage.line(who, "!hint"))
    replies = await stage.bot.hear(stage.line("cid", "!hint"))
    assert not replies.more
    assert [say.message.id for each in replies.deliveries for say in each.says][-1] == "thoughts-full"
    await stage.bot.converse(stage.line("dan", "!hint", room="other"))
    await stage.turn(0)
    told = stage.said(heard)
    assert told.count("a thought") == 3, "ann's, bob's, and that of the other room"
    await stage.say("cid", "!another")
    assert (await stage.say("cid", "!hint"))[-1] == "a thought", "there is room for more again"


@pytest.mark.slow
async def test_a_restart_replays_beside_the_loop(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """For par is worked out again, a second for each table."""
    before = await Stage(store).open()
    for who in ("ann", "bob"):
        await before.say(who, f"!highshow {TERMS} 50")
    await before.say("bob", "!another")
    threads: list[int] = []
    usual = replay.version_of

    def noted(*args: Any) -> Any:
        threads.append(threading.get_ident())
        return usual(*args)

    monkeypatch.setattr(replay, "version_of", noted)
    after = await restarted(before)
    assert len(threads) == 2
    assert threading.get_ident() not in threads
    assert sorted(after.room.tables) == [f"highshow {seat(who)}" for who in ("ann", "bob")]


async def test_a_house_that_closes_waits_for_what_is_worked_out_but_for_nothing_behind_it(
    store: Store,
) -> None:
    begun, going = threading.Event(), threading.Event()
    asked: list[str] = []

    def slowly(game: Any, request: Any) -> Any:
        asked.append(request.seat)
        begun.set()
        assert going.wait(20), "it was never let go"
        return read_open(game, request)

    usual = kits()["highshow"]
    commands = (replace(usual.chat.commands[0], read=slowly), *usual.chat.commands[1:])
    stage = await Stage(
        store, {"highshow": replace(usual, chat=replace(usual.chat, commands=commands))}
    ).open()
    await stage.bot.open(stage.new_room("other"))
    lines = stage.line("ann", f"!highshow {TERMS}"), stage.line("bob", f"!highshow {TERMS}", room="other")
    first = asyncio.ensure_future(stage.bot.converse(lines[0]))
    assert await asyncio.to_thread(begun.wait, 20)
    second = asyncio.ensure_future(stage.bot.converse(lines[1]))
    closing = asyncio.ensure_future(stage.bot.close())
    await asyncio.sleep(0)
    going.set()
    await asyncio.gather(first, second, closing)
    await stage.turn(0)
    assert asked == [seat("ann")]
    assert f"highshow {seat('ann')}" in stage.room.tables
    assert "> bob: That did not work just now and nothing has changed; please try again." in stage.said()


def test_an_allowance_is_full_at_first_and_grows_to_that_again() -> None:
    watch = HandWatch()
    each = Allowances(watch, burst=5.0, rate=0.5)
    each.spend(seat("ann"), 6.0)
    assert (each.left(seat("ann")), each.until(seat("ann"))) == (-1.0, 2.0)
    assert (each.left(seat("bob")), each.until(seat("bob"))) == (5.0, 0.0)
    asyncio.run(watch.turn(4))
    assert each.left(seat("ann")) == 1.0
    asyncio.run(watch.turn(60))
    assert each.left(seat("ann")) == 5.0


def test_only_the_latest_allowances_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 2)
    each = Allowances(HandWatch(), burst=5.0, rate=0.5)
    people = [seat(who) for who in ("ann", "bob", "cid")]
    for who in people:
        each.spend(who, 1.0)
    assert [each.left(who) for who in people] == [5.0, 4.0, 4.0]
