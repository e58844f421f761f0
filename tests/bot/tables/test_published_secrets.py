"""Nothing that only some may know leaves the program in an event, at any step of any game; names are data."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.kernel.fair import Rng
from chatbot.settings.fields import of_game
from chatbot.speech.safe import safe_text
from chatbot.tables.events.models import EVENTS
from docs import generate
from tests.bot.hostile import HOSTILE
from tests.bot.tables.published import Stream, leaks, marked
from tests.bot.tables.test_events import GAMES, drained
from tests.games.play import PEOPLE, RandomTable, apply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from tests.bot.stage import Stage

OWN = sorted(generate.own_games())
FEW, QUICK, ALL = 4, 20, 200  # tables of each game
HIDING = [name for name in OWN if name != "pokermarket"]
"""The games with secrets: in a market all cards lie open."""


def table_of(kit: AnyKit, seed: str) -> RandomTable:
    """Set up a table with one of the presets of its game."""
    rng = Rng.of(f"secrets {kit.name} {seed}")
    preset = rng.choice(list(kit.rules.presets) or [""])
    game = of_game(kit).read({"preset": preset} if preset else {}).value
    return RandomTable(kit, game, rng, Counter({seat: rng.choice((68, 240, 5000)) for seat in PEOPLE}))


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_no_event_of_a_few_tables_contains_a_secret(name: str) -> None:
    for number in range(FEW):
        assert leaks(kits()[name], table_of(kits()[name], str(number))) == [], number


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_no_event_of_twenty_tables_contains_a_secret(name: str) -> None:
    for number in range(FEW, QUICK):
        assert leaks(kits()[name], table_of(kits()[name], str(number))) == [], number


@pytest.mark.nightly
@pytest.mark.parametrize("name", OWN)
def test_no_event_of_a_thousand_tables_contains_a_secret(name: str) -> None:
    for number in range(QUICK, ALL):
        assert leaks(kits()[name], table_of(kits()[name], str(number))) == [], number


class Careless:
    """A game that shows to everybody what a player may see."""

    def __init__(self, game: Any, seat: Seat) -> None:
        self._game, self._seat = game, seat

    def view(self, state: Any, seat: Seat | None) -> Any:
        seen = self._game.view(state, self._seat if seat is None else seat)
        deck = getattr(getattr(state, "show", None), "deck", None)
        return seen if deck is None else replace(seen, rest=deck)


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDING)
def test_a_game_that_shows_too_much_is_caught(name: str) -> None:
    kit, found = kits()[name], list[str]()
    for number in range(ALL):
        table = table_of(kit, str(number))
        found += leaks(kit, table, shown=Careless(table.game, PEOPLE[number % len(PEOPLE)]))
        if found:
            return
    pytest.fail("nobody has noticed")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["heist", "chickenpoker", "sixcardpoker"])
def test_a_game_that_tells_everybody_what_is_for_one_is_caught(name: str) -> None:
    kit, found = kits()[name], list[str]()

    def loud(event: Any) -> Any:
        return (replace(say, to=None, secret=False) for say in kit.chat.narrate(event))

    for number in range(QUICK):
        found += leaks(
            kit, table_of(kit, str(number)), told=replace(kit, chat=replace(kit.chat, narrate=loud))
        )
    assert found


@pytest.mark.parametrize("name", HIDING)
def test_what_is_secret_is_marked_at_some_step_of_every_game_that_has_secrets(name: str) -> None:
    """Otherwise nothing would be tried."""
    changed = 0
    for number in range(QUICK):
        table = table_of(kits()[name], str(number))
        changed += sum(marked(state) != state for state, _ in steps(table.play()))
    assert changed >= QUICK // 2


@pytest.mark.parametrize("game", GAMES)
async def test_the_seed_of_a_table_is_in_no_event_while_it_is_open(stage: Stage, game: str) -> None:
    feed = stage.bot.events.follow("room:chat")
    await stage.want_proofs()
    for line in GAMES[game]:
        who, _, text = line.partition(": ")
        await stage.say(who, text)
    (table,) = stage.room.tables.values()
    seed, frames = table.seed.hex(), list[str]()
    for _ in range(200):
        feed.lose()
        frames += [each.model_dump_json() for each in drained(feed)]
        if table.over or table.clock is None:
            break
        assert not any(seed in each for each in frames)
        await stage.turn(table.clock.seconds)
    assert table.over
    assert len(frames) >= 2


# Names


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["heist", "chickenpoker"])
def test_two_hundred_hostile_names_go_through_as_data(name: str) -> None:
    assert len(HOSTILE) >= 200
    kit, shown = kits()[name], set[str]()
    for first in range(0, len(HOSTILE), len(PEOPLE)):
        chosen = dict(zip(PEOPLE, HOSTILE[first:], strict=False))
        table = table_of(kit, str(first))
        stream = Stream(kit, table.game, partial(_called, chosen))
        allowed = {safe_text(each) for each in (*chosen.values(), "ann")}
        for state, events in steps(table.play()):
            for frame in (*stream.show(state, table.game.clock(state)), *stream.tell(events)):
                EVENTS.validate_json(frame)
                named = set(_names(json.loads(frame)))
                assert named <= allowed
                shown |= named
    assert len(shown) >= 100


def _called(names: dict[Seat, str], seat: Seat) -> str:
    return names.get(seat, "ann")


def steps(table: RandomTable) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield the state and the events after each step of a table that was played."""
    state = table.game.start()
    for turn, row in enumerate(table.journal, 1):
        step = apply(table.game, state, row, table.seed, turn)
        state = step.state
        yield state, step.events


def _names(value: Any) -> list[str]:
    """List the names of people in an event."""
    if isinstance(value, dict):
        own = [value["name"]] if {"seat", "name"} <= value.keys() else []
        return own + [name for each in value.values() for name in _names(each)]
    return [name for each in value for name in _names(each)] if isinstance(value, list) else []
