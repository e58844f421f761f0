"""The crowd plays along, is marked, and starts a game itself when nobody does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.bot.bot import Bot
from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.store.store import Store
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from chatbot.tables.phase_timer import GRACE
from chatbot.web.crowd import MAX_SOLO_TABLES, OPENING_INTERVAL, TOGETHER, Crowd
from cogs.local.adapter import FIRST_LOBBY, GONE_AFTER, LocalChat
from tests.ledger.samples import readable
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from chatbot.kernel.game import Seat
    from chatbot.rooms.table_protocol import Table
    from cogs.local.adapter import Viewer


SHARED = {f"!{kit.word}" for kit in kits().values() if kit.seating.shared}


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[LocalChat]:
    store = await Store.open(f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}")
    chat = LocalChat(Bot(kits(), store, Words("en"), HandWatch(), Sources(seat=readable)), "run")
    await chat.bot.open(chat.room)
    yield chat
    found = await breaches(store)
    await store.close()
    assert found == []


async def turn(chat: LocalChat, seconds: float) -> None:
    watch = chat.bot.watch
    assert isinstance(watch, HandWatch)
    await watch.turn(seconds)


def said(chat: LocalChat) -> list[str]:
    return [line["text"] for line in chat.history if line["simulated"]]


async def test_most_of_the_crowd_join_what_somebody_opens_and_answer_in_private(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("a"))
    await crowd.resize(20)
    await chat.say(viewer_of("Mo", "moderator"), "!set heist lobby 59", private=False)
    await chat.say(viewer_of("Ann", "viewer"), "!heist 69", private=False)
    await turn(chat, 30)
    table = chat.room.tables["heist"]
    crew = [each for each in table.view(None).crew if each.seat.startswith("crowd:")]
    assert 10 <= len(crew) < 20  # who stays out is not asked again
    assert len(said(chat)) == len(crew)
    await turn(chat, 55)
    assert sum(each.answered for each in table.view(None).crew) > 5
    assert all(line.startswith("!heist") for line in said(chat))


@pytest.mark.parametrize(("lobby", "longest"), [(5, 3), (60, 10)])
async def test_a_crowd_comes_one_by_one_in_most_of_a_short_lobby_or_ten_seconds_of_a_long_one(
    chat: LocalChat, lobby: int, longest: float
) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(30)
    await chat.say(viewer_of("Mo", "moderator"), f"!set heist lobby {lobby}", private=False)
    await chat.say(viewer_of("Ann", "viewer"), "!heist 20", private=False)
    joined = []
    for _ in range(4):
        await turn(chat, longest / 4)
        joined.append(len(said(chat)))
    assert 0 < joined[0] < joined[1] < joined[2] < joined[3]
    await turn(chat, lobby - longest - 0.1)
    assert len(said(chat)) == joined[3]


async def test_nobody_waits_for_a_crowd_that_is_asked_together_with_them(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(30)
    ann = viewer_of("Ann", "viewer")
    await chat.say(ann, "!heist 20", private=False)
    await turn(chat, FIRST_LOBBY)
    table = chat.room.tables["heist"]
    assert table.clock is not None
    assert table.clock.phase == "getaway"
    await turn(chat, TOGETHER)
    crew = table.view(None).crew
    assert len(crew) > 20
    assert [each.seat for each in crew if not each.answered] == [ann.seat]
    await chat.say(ann, "!guncheck", private=True)
    await turn(chat, GRACE)
    assert table.clock.phase == "storming"


async def test_a_bored_crowd_opens_a_game_and_waits_while_one_is_played(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(3)
    await turn(chat, OPENING_INTERVAL - 1)
    assert said(chat) == []
    await turn(chat, 1)
    assert said(chat)[0] in SHARED
    await turn(chat, 50)
    openings = [
        line["text"]
        for line in chat.history
        if "!heist and an amount" in line["text"] or "opens" in line["text"]
    ]
    assert len(openings) == 1


async def test_a_crowd_that_was_sent_away_does_nothing_any_more(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(5)
    await crowd.resize(0)
    await turn(chat, 10 * OPENING_INTERVAL)
    assert said(chat) == []
    assert chat.room.tables == {}


async def test_the_same_viewers_come_back_with_their_wallets(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(5)
    first = crowd.viewers
    await crowd.resize(2)
    await crowd.resize(5)
    assert crowd.viewers == first


async def test_two_who_want_a_crowd_at_once_get_one(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await asyncio.gather(crowd.resize(30), crowd.resize(30))
    assert len(crowd.viewers) == len(set(crowd.viewers)) == 30
    await asyncio.gather(crowd.resize(60), crowd.resize(0))
    assert crowd.viewers == ()


def apart(chat: LocalChat) -> list[Table]:
    """List the games of High Show that are being played."""
    return chat.room.playing("highshow")


async def test_a_crowd_plays_a_few_games_of_its_own_each_by_its_own_viewer_and_to_the_end(
    chat: LocalChat,
) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    moderator = viewer_of("Mo", "moderator")
    await chat.say(
        moderator, "!set sixcardpoker starters moderator", private=True
    )  # too short to meet others
    await crowd.resize(6)
    most, ended = 0, set()
    for _ in range(240):
        await turn(chat, 10)
        most = max(most, len(apart(chat)))
        ended |= {
            table.id for table in chat.room.tables.values() if table.kit.name == "highshow" and table.over
        }
    assert most == MAX_SOLO_TABLES
    assert ended
    lines = [line for line in chat.history if line["simulated"] and "heist" not in line["text"]]
    assert {line["text"].split()[0] for line in lines} >= {"!highshow", "!another", "!cashout"}
    assert not any("plays this one" in line["text"] for line in chat.history)


async def test_a_viewer_of_the_crowd_decides_at_a_human_pace_and_never_lets_the_clock_decide(
    chat: LocalChat,
) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(1)
    await chat.say(crowd.viewers[0], "!highshow 30 3", private=False)
    (table,) = apart(chat)
    decisions = 30 + 1  # at most one a card, and the guesses
    for _ in range(decisions):
        shown = table.turn
        await turn(chat, 10)
        if table.over:
            break
        assert table.turn > shown
    assert table.over
    assert not any(line["text"].startswith("Time is up") for line in chat.history)


async def test_while_people_rob_a_bank_nobody_of_the_crowd_turns_to_another_game(chat: LocalChat) -> None:
    await chat.say(viewer_of("Mo", "moderator"), "!set heist lobby 600", private=False)
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(8)
    await chat.say(viewer_of("Ann", "viewer"), "!heist 20", private=False)
    await turn(chat, 590)
    assert not chat.room.tables["heist"].over
    assert said(chat)
    assert all(line.startswith("!heist") for line in said(chat))


async def test_a_crowd_leaves_a_table_to_people(chat: LocalChat) -> None:
    await chat.say(viewer_of("Mo", "moderator"), "!set highshow games 2", private=False)
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(6)
    most = 0
    for _ in range(40):
        await turn(chat, 10)
        most = max(most, len(apart(chat)))
    assert most == 1
    await chat.say(viewer_of("Ann", "viewer"), "!highshow", private=False)
    assert chat.room.tables["highshow local:ann"].view(None).player == "local:ann"


async def test_a_crowd_that_is_sent_away_keeps_no_table_waiting(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("a"))
    await crowd.resize(5)
    await chat.say(crowd.viewers[0], "!market", private=False)
    await turn(chat, 60)
    table = chat.room.tables["pokermarket"]
    assert len(table.players()) > 2
    assert not table.over
    await crowd.resize(0)
    await turn(chat, 0)
    assert table.over


class Closing:
    """A page that holds one viewer until it is closed."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer

    def holds(self, seat: Seat) -> bool:
        return seat == self.viewer.seat

    def tell(self, message: Mapping[str, object]) -> None: ...

    def stale(self) -> None: ...


@pytest.mark.parametrize("back", [True, False])
async def test_a_table_waits_for_a_page_that_is_loaded_again_but_for_no_other(
    chat: LocalChat, *, back: bool
) -> None:
    ann = viewer_of("Ann", "viewer")
    page = Closing(ann)
    chat.pages.add(page)
    await chat.enter(ann)
    await chat.say(ann, "!highshow 6 2", private=False)
    (table,) = chat.room.tables.values()
    chat.pages.discard(page)
    chat.parted([ann])
    await turn(chat, 1)
    if back:
        chat.pages.add(page)
        await chat.enter(ann)
    await turn(chat, GONE_AFTER)
    assert table.over is not back


@pytest.mark.parametrize("word", ["heist", "chicken", "market"])
async def test_the_first_lobby_that_somebody_opens_here_is_short(chat: LocalChat, word: str) -> None:
    ann = viewer_of("Ann", "viewer")
    for seconds in (FIRST_LOBBY, 60):
        await chat.say(ann, f"!{word} 1", private=False)  # no such stake, length or number of cards
        await chat.say(ann, f"!{word}", private=False)
        (table,) = chat.room.tables.values()
        assert table.clock is not None
        assert (table.clock.phase, table.clock.seconds) == ("lobby", seconds)
        await turn(chat, 1200)
        assert table.over
    bob = viewer_of("Bob", "viewer")
    await chat.say(bob, f"!{word}", private=False)
    (table,) = chat.room.tables.values()
    assert table.clock is not None
    assert table.clock.seconds == FIRST_LOBBY


async def test_a_lobby_that_is_set_shorter_stays_so(chat: LocalChat) -> None:
    await chat.say(viewer_of("Mo", "moderator"), "!set heist lobby 10", private=False)
    await chat.say(viewer_of("Ann", "viewer"), "!heist", private=False)
    clock = chat.room.tables["heist"].clock
    assert clock is not None
    assert clock.seconds == 10
