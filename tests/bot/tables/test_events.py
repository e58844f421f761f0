"""What a room publishes: a picture first, then every change once, in order, and nothing that is a secret."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

import chatbot.games
from chatbot.bot.room_control import FORESHOWN
from chatbot.bot.table_reports import LINGER
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.tables.events import feeds
from chatbot.tables.events.models import (
    EVENTS,
    Changed,
    Halted,
    Opened,
    Person,
    Picture,
    PublicTable,
    RoomEvent,
    Said,
    Told,
    schema,
)
from tests.bot.platforms import DISCORD, TWITCH
from tests.bot.sources import SEED
from tests.bot.stage import Stage
from tests.documentation import page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.store.store import Store
    from chatbot.tables.events.feeds import Feed
    from tests.bot.platforms import Platforms

ROOT = Path(__file__).parents[3]
FAKES = ROOT / "tests" / "fakes"
MO = "mo(moderator)"
GAMES = {
    "heist": ["ann: !heist 50", "bob: !heist 20"],
    "highshow": ["ann: !highshow 5 2 10"],
    "chickenpoker": ["ann: !chicken 3 10", "bob: !chicken"],
    "sixcardpoker": ["ann: !sixcard 50"],
    "pokermarket": ["ann: !market 1 10", "bob: !market"],
}


def drained(feed: Feed) -> list[RoomEvent]:
    """Read all that waits."""
    read = []
    while (news := feed._next()) is not None:
        assert news.event.kind == news.kind
        read.append(news.event)
    return read


def kinds(events: list[RoomEvent]) -> list[str]:
    return [each.kind for each in events]


def table_of(event: RoomEvent) -> PublicTable:
    assert isinstance(event, Opened | Changed)
    return event.table


def followed(stage: Stage) -> Feed:
    """Subscribe, and read the picture of a room in which nothing has happened."""
    feed = stage.bot.events.follow("room:chat")
    (picture,) = drained(feed)
    assert isinstance(picture, Picture)
    assert picture.tables == ()
    return feed


def assert_gapless(events: list[RoomEvent]) -> None:
    first = events[0].number
    assert [each.number for each in events] == list(range(first, first + len(events)))


# The format


def test_the_schema_that_is_checked_in_is_what_the_models_generate() -> None:
    written = (ROOT / "data/schemas/rabble.events-1.json").read_text(encoding="utf-8")
    assert written == schema(), "uv run python -m chatbot.tables.events > data/schemas/rabble.events-1.json"


def test_every_event_must_name_its_format_and_nothing_may_have_a_field_more() -> None:
    made = json.loads(schema())
    shapes = [each for name, each in made["$defs"].items() if name != "JsonValue"]
    assert all(each["additionalProperties"] is False for each in shapes)
    events = [made["$defs"][each["$ref"].rpartition("/")[2]] for each in made["oneOf"]]
    described = [event["properties"]["kind"]["const"] for event in events]
    assert sorted(described) == sorted(get_args(feeds.EventKind))
    assert all({"format", "room", "number", "at", "kind"} <= set(each["required"]) for each in events)


@pytest.mark.slow
def test_the_schema_that_is_checked_in_is_what_the_program_prints() -> None:
    command = [sys.executable, "-m", "chatbot.tables.events"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert printed == (ROOT / "data/schemas/rabble.events-1.json").read_bytes()


async def test_the_example_of_the_page_is_what_a_room_publishes(stage: Stage) -> None:
    example = page("program/events").partition("```json\n")[2].partition("```")[0]
    feed = followed(stage)
    await stage.say("ann", "!chicken 3 10")
    published = [each.model_dump(mode="json") for each in drained(feed)][:2]
    assert json.loads(f"[{example.replace(chr(10) + '{', ',{')}]") == published


def test_the_page_tells_of_every_kind_of_event() -> None:
    described = page("program/events")
    table = described.partition("| --- | --- |\n")[2].partition("\n\n")[0]
    told = [kind for row in table.splitlines() for kind in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(told) == sorted(get_args(feeds.EventKind))
    assert f"{feeds.BACKLOG} events behind".replace(" ", "") in "".join(described.split())


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [SEED, b"another", b"third"])
async def test_every_event_of_a_table_fits_the_format_and_its_pot_is_that_of_the_books(
    store: Store, game: str, seed: bytes
) -> None:
    stage = await Stage(store, seed=seed).open()
    feed, events = followed(stage), list[RoomEvent]()
    for line in GAMES[game]:
        who, _, text = line.partition(": ")
        await stage.say(who, text)
    (table,) = stage.room.tables.values()
    shown = None
    while shown is None or not shown.over:
        await stage.turn(0 if table.clock is None else table.clock.seconds / 2)
        events += drained(feed)
        shown = [each for each in events if isinstance(each, Opened | Changed)][-1].table
        assert shown.pot == await stage.bot.ledger.balance(table.pot)
    assert_gapless(events)
    for each in events:
        assert EVENTS.validate_json(each.model_dump_json()) == each
    assert kinds(events)[0] == "opened"
    assert {"changed", "told", "settled"} <= set(kinds(events))
    assert (shown.id, shown.game, shown.over, shown.phase) == (table.id, game, True, None)


@pytest.mark.parametrize("setting", ["room language ko", "heist theme space"])
async def test_other_words_of_a_room_are_drawn_at_once_and_again_when_they_are_taken_back(
    stage: Stage, setting: str
) -> None:
    feed = stage.bot.events.follow("room:chat")
    (before,) = drained(feed)
    assert isinstance(before, Picture)
    await stage.say("ann", "!heist 50")
    table = drained(feed)[-1]

    async def repainted(line: str) -> list[Picture]:
        await stage.say(MO, line)
        return [each for each in drained(feed) if isinstance(each, Picture)]

    (picture,) = await repainted(f"!set {setting}")
    assert picture.labels != before.labels
    assert [each.id for each in picture.tables] == ["a-table-1"]
    assert picture.number >= table.number
    (back,) = await repainted("!undo")
    assert back.labels == before.labels
    assert await repainted("!set heist lobby 90") == []


async def test_a_table_is_told_with_its_phase_its_pot_and_who_plays(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("ann", "!heist 50")
    opened, told, *_ = drained(feed)
    table = table_of(opened)
    assert (opened.room, opened.number, table.id, table.game) == ("room", 1, "a-table-1", "heist")
    assert table.phase is not None
    assert table.phase.name == "lobby"
    assert table.phase.ends is not None
    assert (table.phase.ends - opened.at).total_seconds() == table.phase.seconds
    assert table.pot == 50
    assert [(each.seat, each.name, each.house) for each in table.seats] == [("test:ann", "ann", False)]
    assert table.view["crew"] == [{"seat": "test:ann", "stake": 50, "answered": False}]
    assert isinstance(told, Told)
    assert (told.table, told.game, told.about, told.fine) == ("a-table-1", "heist", "Opened", False)
    assert "ann" in told.message.words
    assert told.message.arguments["who"] == Person(seat="test:ann", name="ann")


@pytest.fixture
def flip(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyKit]:
    """A game that nothing but its own folder knows."""
    chatbot.games.own()  # found before the fakes stand among them, which are no games
    monkeypatch.setattr(chatbot.games, "__path__", [*chatbot.games.__path__, str(FAKES)])
    module: Any = importlib.import_module("chatbot.games.coinflip")
    yield module.KIT
    for name in [each for each in sys.modules if each.startswith("chatbot.games.coinflip")]:
        del sys.modules[name]
    delattr(chatbot.games, "coinflip")


async def test_a_game_without_a_drawing_is_shown_by_its_view_in_words(store: Store, flip: AnyKit) -> None:
    stage = await Stage(store, {"coinflip": flip}).open()
    feed = followed(stage)
    await stage.say("ann", "!flip 10")
    table = table_of(drained(feed)[0])
    assert table.pot is None
    assert table.view == {"stakes": {"test:ann": 10}, "called": [], "own_call": None, "landed": None}
    assert table.lines == ("Coin Flip: In the air", "ann: 10 credits")


# Nothing that is a secret


async def test_a_whispered_answer_is_known_to_have_been_given_and_nothing_more(stage: Stage) -> None:
    feed = followed(stage)
    for who in ("ann", "bob"):
        await stage.say(who, "!heist 20")
    await stage.turn(stage.table.clock.seconds if stage.table.clock else 0)
    before = drained(feed)
    assert await stage.say("ann", "!backout", private=True) != []
    (changed,) = drained(feed)
    former, present = table_of([each for each in before if each.kind == "changed"][-1]), table_of(changed)
    assert [each.mark for each in former.seats] == ["waiting", "waiting"]
    assert [each.mark for each in present.seats] == ["ready", "waiting"]
    assert present.view["own"] is None
    assert "back" not in present.model_dump_json()
    same = {"view", "seats", "lines"}
    assert present.model_dump(exclude=same) == former.model_dump(exclude=same)


async def test_what_two_hold_in_a_duel_is_in_no_event_before_it_is_shown(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("bob", "hello")
    await stage.say("ann", "!sixcard @bob 50")
    await stage.say("bob", "!sixcard accept")
    await stage.say("ann", "!set auto", private=True)
    events = drained(feed)
    assert table_of([each for each in events if each.kind == "changed"][-1]).pot == 100
    shown = [each for each in events if isinstance(each, Opened | Changed)]
    assert all(each.table.view["held"] == {} and each.table.view["revealed"] is None for each in shown)
    secrets = [say.message for each in stage.adapter.deliveries for say in each.says if say.secret]
    assert len(secrets) >= 2
    words = {stage.bot.outbox.text(each) for each in secrets}
    assert words.isdisjoint(each.message.words for each in events if isinstance(each, Told))
    await stage.turn(60)
    assert len(table_of([each for each in drained(feed) if each.kind == "changed"][-1]).view["held"]) == 2  # type: ignore[arg-type]


async def test_of_what_a_message_knows_only_that_is_told_of_which_its_words_speak(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("ann", "!heist 50")
    said = [each.message for each in drained(feed) if isinstance(each, Told)]
    known = stage.bot.outbox.words.placeholders
    for each in said:
        assert set(each.arguments) <= set(known(each.id))


async def test_an_answer_to_one_is_not_published(stage: Stage) -> None:
    feed = followed(stage)
    assert await stage.say("ann", "!heist rules") != []
    assert await stage.say("ann", "!credits") != []
    assert await stage.say("ann", "!guess 1") != []
    assert drained(feed) == []


# After the commit


async def test_a_picture_that_is_asked_for_during_a_commit_shows_nothing_of_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, seen = UnitOfWork.commit, list[RoomEvent]()

    async def looked_at(unit: UnitOfWork) -> None:
        seen.extend(drained(stage.bot.events.follow("room:chat")))
        await commit(unit)

    monkeypatch.setattr(UnitOfWork, "commit", looked_at)
    await stage.say("ann", "hello")
    await stage.say("ann", "!heist 50")
    assert seen
    assert all(isinstance(each, Picture) and each.tables == () for each in seen)
    (picture,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(picture, Picture)
    assert [each.id for each in picture.tables] == [stage.table.id]


async def test_what_could_not_be_written_is_not_published(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = followed(stage)
    await stage.say("ann", "hello")
    drained(feed)

    async def fail(*_: object) -> bool:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "commit", fail)
        assert await stage.say("ann", "!heist 50") != []
    assert drained(feed) == []


# Subscribers


async def test_a_subscriber_that_falls_behind_gets_a_fresh_picture_and_goes_on_from_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "BACKLOG", 4)
    slow, quick, read = followed(stage), followed(stage), list[RoomEvent]()
    for who in ("ann", "bob", "cat", "dan"):
        await stage.say(who, "!heist 20")
        read += drained(quick)
    assert_gapless(read)
    (picture,) = drained(slow)
    assert isinstance(picture, Picture)
    assert picture.number == read[-1].number
    assert [each.name for each in picture.tables[0].seats] == ["ann", "bob", "cat", "dan"]
    await stage.say("eve", "!heist 20")
    assert drained(slow)[0].number == picture.number + 1


async def test_a_new_subscriber_gets_a_picture_of_all_that_stands(stage: Stage) -> None:
    await stage.say("ann", "!heist 20")
    await stage.say("bob", "!highshow 5 2")
    (picture,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(picture, Picture)
    assert [each.game for each in picture.tables] == ["heist", "highshow"]
    assert picture.halted is None


async def test_a_picture_brings_the_texts_of_drawings_in_the_language_of_the_room(stage: Stage) -> None:
    (picture,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(picture, Picture)
    assert picture.language == "en"
    assert picture.labels["overlay-count-of"] == "{count} of {all}"
    assert all(each.startswith("overlay-") and text for each, text in picture.labels.items())
    await stage.say(MO, "!set heist theme space")
    (themed,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(themed, Picture)
    banks = [each.labels["overlay-heist-bank-4"] for each in (picture, themed)]
    assert banks == ["Federal Reserve", "Galactic Reserve"]
    await stage.say(MO, "!set room language ko")
    (korean,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(korean, Picture)
    assert korean.language == "ko"
    assert korean.labels["overlay-count-of"] == "{all}명 중 {count}명"
    assert set(korean.labels) == set(picture.labels)


async def test_after_a_restart_the_tables_that_go_on_are_in_the_picture(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 20")
    after = await Stage(store, run="b").open()
    (picture,) = drained(after.bot.events.follow("room:chat"))
    assert isinstance(picture, Picture)
    assert [(each.id, each.pot) for each in picture.tables] == [("a-table-1", 20)]


async def test_a_room_whose_platform_is_not_connected_is_shown_as_it_was_left(store: Store) -> None:
    before = await Stage(store).open()
    await before.say("ann", "!heist 20")
    await before.say(MO, "!set room language ko")
    after = Stage(store, run="b")
    feed = after.bot.events.follow(before.room.id)
    assert drained(feed) == []
    await after.bot.control.foreshow()
    (picture,) = drained(feed)
    assert isinstance(picture, Picture)
    assert (picture.language, [(each.id, each.pot) for each in picture.tables]) == ("ko", [("a-table-1", 20)])
    assert picture.tables[0].phase is not None
    assert picture.tables[0].phase.ends is None
    await after.open()
    events = drained(feed)
    assert [each.number for each in events] == [*range(1, len(events) + 1)]
    (changed,) = [each for each in events if isinstance(each, Changed)]
    assert changed.table.id == "a-table-1"
    assert changed.table.phase is not None
    assert changed.table.phase.ends is not None
    await after.say("bob", "!heist 20")
    assert [each.name for each in table_of(drained(feed)[0]).seats] == ["ann", "bob"]


async def test_a_room_that_is_open_is_not_shown_as_it_was_left(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 20")
    feed = followed_anew(stage)
    await stage.bot.control.foreshow()
    await stage.say("bob", "!heist 20")
    assert [len(table_of(each).seats) for each in drained(feed) if each.kind == "changed"] == [2]


async def test_what_was_left_of_a_room_that_never_opens_is_cleared_again(store: Store) -> None:
    before, after, feed = await left_open(store)
    await after.watch.turn(FORESHOWN)
    assert kinds(drained(feed)) == ["cleared"]
    assert drained(after.bot.events.follow(before.room.id)) == []  # as of a room that nobody has heard of
    await after.open()
    assert [each.table.id for each in drained(feed) if isinstance(each, Opened)] == ["a-table-1"]


async def test_what_was_left_of_a_room_and_has_ended_since_is_cleared_when_the_room_opens(
    store: Store,
) -> None:
    before, after, feed = await left_open(store)
    await before.say(MO, "!cancel heist")
    await after.open()
    assert kinds(drained(feed)) == ["cleared"]


async def left_open(store: Store) -> tuple[Stage, Stage, Feed]:
    """A stage where a heist is open, and the next one, which has shown it before its room is open."""
    before = await Stage(store).open()
    await before.say("ann", "!heist 20")
    after = Stage(store, run="b")
    feed = after.bot.events.follow(before.room.id)
    await after.bot.control.foreshow()
    assert kinds(drained(feed)) == ["picture"]
    return before, after, feed


def followed_anew(stage: Stage) -> Feed:
    feed = stage.bot.events.follow("room:chat")
    drained(feed)
    return feed


async def test_a_reader_that_fails_is_told_of_the_next_event(stage: Stage) -> None:
    heard: list[str] = []

    def heed(news: feeds.News) -> None:
        heard.append(news.kind)
        raise RuntimeError("broken")

    stage.bot.events.attend("room:chat", heed)
    await stage.say("ann", "!heist 20")
    await stage.say("bob", "!heist 20")
    await stage.bot.close()
    assert heard[0] == "picture"
    assert heard.count("changed") == 1


async def test_a_feed_that_is_handed_back_ends(stage: Stage) -> None:
    feed = followed(stage)
    stage.bot.events.leave(feed)
    assert [each async for each in feed] == []


async def test_whoever_waits_for_events_is_told_when_there_will_be_no_more(stage: Stage) -> None:
    feed = followed(stage)
    waiting = asyncio.ensure_future(anext(feed, None))
    await asyncio.sleep(0)
    stage.bot.events.close()
    assert await asyncio.wait_for(waiting, 1) is None


async def test_an_event_that_was_missed_comes_as_a_picture_to_who_waits_already(stage: Stage) -> None:
    feed = followed(stage)
    waiting = asyncio.ensure_future(anext(feed))
    await asyncio.sleep(0)
    feed.lose()
    news = await asyncio.wait_for(waiting, 1)
    assert news.kind == "picture"


async def test_a_reader_who_waits_hears_that_the_feed_has_ended(stage: Stage) -> None:
    feed = followed(stage)
    reader = asyncio.ensure_future(anext(feed, None))
    await asyncio.sleep(0)
    assert not reader.done()
    stage.bot.events.leave(feed)
    assert await asyncio.wait_for(reader, 1) is None


@pytest.mark.slow
async def test_who_follows_a_chat_that_joins_another_room_is_shown_that_room(both: Platforms) -> None:
    feed = both.bot.events.follow(TWITCH)
    assert [each.room for each in drained(feed)] == [TWITCH]
    await both.say("discord:ann", "!heist 20")
    assert drained(feed) == []
    await both.bridge()
    (picture,) = drained(feed)
    assert isinstance(picture, Picture)
    assert (picture.room, [each.game for each in picture.tables]) == (DISCORD, ["heist"])


# What happens to tables


async def test_a_table_that_is_called_off_is_over_then_told_then_void(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say(MO, "hello")
    await stage.say("ann", "!heist 20")
    drained(feed)
    await stage.say(MO, "!cancel heist")
    events = drained(feed)
    assert kinds(events) == ["changed", "told", "told", "voided"]
    assert (table_of(events[0]).over, table_of(events[0]).phase) == (True, None)


async def test_the_next_table_takes_the_place_of_the_former(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("ann", "!heist 20")
    await stage.say(MO, "!cancel heist")
    drained(feed)
    await stage.say("ann", "!heist 20")
    cleared, opened, *_ = drained(feed)
    assert (cleared.kind, opened.kind) == ("cleared", "opened")
    assert EVENTS.dump_python(cleared)["table"] == "a-table-1"
    assert table_of(opened).id == "a-table-2"


async def test_the_end_of_a_game_for_one_is_cleared_when_it_was_seen(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("ann", "!highshow 2 1")
    while stage.room.playing("highshow"):
        await stage.turn(10)
    assert kinds(drained(feed))[-1] in {"settled", "told"}
    await stage.turn(LINGER)
    assert "cleared" in kinds(drained(feed))
    assert drained(stage.bot.events.follow("room:chat"))[0].model_dump()["tables"] == ()


async def test_games_that_are_stopped_are_halted_and_those_that_go_on_resumed(stage: Stage) -> None:
    feed = followed(stage)
    await stage.say("ann", "!heist 20")
    drained(feed)
    await stage.bot.control.doubt(["town"])
    (halted,) = drained(feed)
    assert isinstance(halted, Halted)
    (picture,) = drained(stage.bot.events.follow("room:chat"))
    assert isinstance(picture, Picture)
    assert isinstance(picture.halted, Said)
    assert picture.halted == halted.reason
    phase = picture.tables[0].phase
    assert phase is not None
    assert (phase.name, phase.ends) == ("lobby", None)  # null, as if it were over, it is not
    await stage.bot.control.doubt([])
    events = drained(feed)
    assert kinds(events)[0] == "changed"
    resumed = table_of(events[0]).phase
    assert resumed is not None
    assert resumed.ends is not None
    assert kinds(events)[-1] == "resumed"
    assert_gapless([halted, *events])
