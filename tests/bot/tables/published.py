"""What the subscribers of a room are sent of tables that are played at random, with marks in secrets."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.delivery.outbox import ChannelSelector, Outbox
from chatbot.games.chickenpoker.rules import states as chicken
from chatbot.games.heist.rules import states as heist
from chatbot.games.heist.rules.crew import Crew
from chatbot.games.highshow.rules import states as highshow
from chatbot.games.sixcardpoker.rules import states as sixcard
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Clock
from chatbot.kernel.kit import AnyKit
from chatbot.rooms.channel import Channel
from chatbot.rooms.registry import Rooms
from chatbot.rooms.room import Room
from chatbot.runtime.clock import HandWatch
from chatbot.settings.room import HABITS
from chatbot.speech.words import Words
from chatbot.tables.events.publisher import Publisher
from tests.bot.stage import Notebook
from tests.games.play import PEOPLE, RandomTable, Row, apply, is_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chatbot.kernel.game import Seat

MARK: Any = "canary"  # `Any`: it stands in the place of values of any type
NONCE = "c0ffee" * 6
"""Stand in everything that is secret, and in nothing else; a nonce has hexadecimal digits."""

WORDS = Words("en")
SEED = b"the seed of draws that are not made"


class Answer(Enum):
    """An answer of the getaway that nobody may see."""

    SECRET = MARK


ANSWER: Any = Answer.SECRET


class Strangers:
    """A directory in which nobody is."""

    def met(self, account: Any) -> bool:
        return False

    def known_as(self, seat: Any, platform: str) -> None:
        return None

    def home(self, account: Any) -> Any:
        raise AssertionError


@dataclass
class ShownTable:
    """As much of a table as is published."""

    kit: AnyKit
    game: Any
    state: Any
    clock: Clock | None
    room: Room
    watch: HandWatch
    id: str = "table"
    spot: str = "spot"

    @property
    def over(self) -> bool:
        return self.clock is None

    @property
    def public_deadline(self) -> float | None:
        hidden = self.clock is None or self.clock.hidden
        return None if hidden or self.clock is None else self.watch.now() + self.clock.seconds


class Stream:
    """The events of a room with one table, as the JSON that is sent."""

    def __init__(self, kit: AnyKit, game: Any, name: Callable[[Seat], str] = str) -> None:
        self._kit, self._game, self._watch, rooms = kit, game, HandWatch(), Rooms()
        self._room = Room("room", "town", (Channel("room:chat", "test", Notebook()),))
        self._room.chosen["room"] = HABITS.read({"talk": "full"})
        outbox = Outbox(WORDS, self._watch, name, ChannelSelector(Strangers()))
        self._publisher = Publisher(outbox, rooms, self._watch)
        rooms.open(self._room)
        self._feed = self._publisher.feeds.follow("room:chat")
        self._frames()

    def show(self, state: Any, clock: Clock | None) -> list[str]:
        """Publish what a table is now, and a picture; `clock` is that of its phase."""
        self._publisher.stands(
            ShownTable(self._kit, self._game, state, clock, self._room, self._watch)  # type: ignore[arg-type]
        )
        frames = self._frames()
        self._feed.lose()
        return frames + self._frames()

    def tell(self, events: Iterable[Any]) -> list[str]:
        """Publish what is said of events of a game, to everybody and to one."""
        for each in events:
            for say in self._kit.chat.narrate(each):
                self._publisher._told(self._room, replace(say, table="table"))
        return self._frames()

    def _frames(self) -> list[str]:
        return [each.json for each in iter(self._feed._next, None)]


def watched(table: RandomTable, look: Callable[[RandomTable, tuple[Any, ...]], None]) -> None:
    """Play a table to its end; look at it after each step, with the events of that step."""
    take = table.take

    def taken(action: Any) -> Any:
        step = take(action)
        look(table, step.events)
        return step

    table.take = taken  # type: ignore[method-assign]
    table.play()


def leaks(kit: AnyKit, table: RandomTable, shown: Any = None, told: AnyKit | None = None) -> list[str]:
    """Play a table, and list what its subscribers are sent of what only some may know.

    `shown` is a game that is shown in the place of the table's own, and `told` a kit that tells of it.
    """
    found: list[str] = []
    stream = Stream(told or kit, shown or table.game)

    def look(table: RandomTable, events: tuple[Any, ...]) -> None:
        clock = table.game.clock(table.state)
        try:
            frames = stream.show(marked(table.state), clock)
        except LookupError as error:  # a mark was to be put into words
            frames = [str(error)]
        found.extend(each for each in frames if MARK in each or NONCE in each)
        frames = stream.tell(events)
        for event in events:
            private = {WORDS.text(say.message, str) for say in kit.chat.narrate(event) if say.secret}
            found.extend(each for each in frames for text in private if _quoted(text) in each)
        if clock is not None:
            found.extend(_differences(kit, table, partial(Stream, told or kit, shown or table.game)))

    watched(table, look)
    return found


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _differences(kit: AnyKit, table: RandomTable, stream: Callable[[], Stream]) -> Iterator[str]:
    """Take two secret actions of one player, and list what is sent of one of them alone."""
    seat = table.rng.choice(PEOPLE)
    if seat not in table.seated:
        return
    menu = table.game.menu(table.state, seat, table.purses[seat])
    secrets = [each for each in menu if is_secret(kit, table.state, each)]
    if len(secrets) < 2:
        return
    sent = []
    for action in Rng.of(str(len(table.journal))).sample(secrets, 2):
        row = Row(action, {who: table.purses[who] for who in table.game.needs(table.state, action)})
        step = apply(table.game, table.state, row, table.seed, len(table.journal) + 1)
        if table.game.clock(step.state) != table.game.clock(table.state):
            return  # it has ended the phase, which shows what was chosen
        fresh = stream()
        sent.append([*fresh.show(step.state, table.game.clock(step.state)), *fresh.tell(step.events)])
    one, two = sent
    yield from (each for each in one if each not in two)
    yield from (each for each in two if each not in one)


# Marks in the place of secrets


def marked(state: Any, own: Seat | None = None) -> Any:
    """Return a state in which everything that is not for everybody is a mark, but what is for the seat `own`.

    The secrets are listed by hand, and not taken from what a game shows to whom, which is what is tried.
    """
    match state:
        case heist.Lobby() | heist.Getaway() | heist.Storming():
            crew = Crew(
                each if each.seat == own else replace(each, act=ANSWER) for each in state.company.crew
            )
            hidden = replace(state, company=replace(_careers(state.company, own), crew=crew))
            return hidden if isinstance(hidden, heist.Lobby) else replace(hidden, luck=(MARK,) * len(crew))
        case heist.Over():
            return replace(state, company=_careers(state.company, own))
        case chicken.Playing():
            fixed = {
                seat: each if seat == own else replace(each, card=MARK, nonce=NONCE)
                for seat, each in state.fixed.items()
            }
            chosen = {seat: each if seat == own else MARK for seat, each in state.chosen.items()}
            return replace(state, chosen=chosen, fixed=fixed)
        case sixcard.Playing():
            public = {own} if state.duel else {state.player, own}
            held = {seat: cards if seat in public else (MARK,) * 6 for seat, cards in state.held.items()}
            settings = {
                seat: each
                if seat == own
                else replace(each, arrangement=MARK, nonce=NONCE if each.nonce else "")
                for seat, each in state.settings.items()
            }
            return replace(state, held=held, settings=settings)
        case highshow.Playing() | highshow.Guessing():
            seen = len(state.seen) + isinstance(state, highshow.Playing)
            deck = (*state.show.deck[:seen], *(MARK for _ in state.show.deck[seen:]))
            return replace(state, show=replace(state.show, deck=deck))
    return state


def _careers(company: heist.Company, own: Seat | None = None) -> Any:
    careers = {seat: each if seat == own else MARK for seat, each in company.careers.items()}
    return replace(company, careers=careers)
