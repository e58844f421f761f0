"""What the house says unasked to who seems to need it: a first word on a game, and what was perhaps meant."""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.kit import Kind
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say, Talk
from chatbot.kernel.suggestions import foreign, near
from chatbot.ledger import members
from chatbot.ledger.books import purses
from chatbot.ledger.members import Hints
from chatbot.rooms.limits import remember
from chatbot.rooms.room import Privacy, hides
from chatbot.settings.room import HABITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.inbox import Batch
    from chatbot.rooms.room import Line, Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.table import Table

REMEMBERED = 50_000  # who was told what, in memory; of others the database is asked again
PAUSE = 1.0  # seconds
OFTEN = 60.0  # seconds in which one newcomer is told in public how a game goes
HINT = "Hint"
STAKE = "stake"
_NUMBER = re.compile(r"!([0-9]?[a-z]+)\s*[0-9]+\s*", re.IGNORECASE)  # a word and a bare number, nothing else

log = structlog.get_logger(__name__)


class NewcomerHints:
    """`offered(room, line)` lists the words that somebody may use now, each with the one it is known by."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        outbox: Outbox,
        watch: Watch,
        offered: Callable[[Room, Line], Mapping[str, str]],
    ) -> None:
        self._hints, self._ledger, self._watch = Hints(store), ledger, watch
        self._outbox = outbox
        self._offered = offered
        self._told: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._said: dict[str, float] = {}  # room -> when somebody was told in public

    def mistyped(self, room: Room, line: Line, word: str) -> Sequence[Say]:
        """Name the command that may have been meant, or say that there is none.

        Most other words are for other bots, where there are any.
        """
        sole = next(each.manner.sole for each in room.channels if each.id == line.channel)
        if not HABITS.of(room).suggestions or not any(map(str.isalpha, word)) or (foreign(word) and not sole):
            return []
        offered = self._offered(room, line)
        close = near(word, offered)
        if not close and not sole:
            return []
        meant = Message("did-you-mean", {"word": f"!{offered.get(close)}"})
        told = meant if close else Message("help-unknown", {"text": Quote(word)})
        return [Say(told, line.seat, secret=line.private, event="Refusal")]

    def expected(self, room: Room, seats: Iterable[Seat], games: Iterable[str]) -> list[str]:
        """List the hints of which `played` will ask whether these members had them, to be read together."""
        if not _heard(room) or not self._seldom(room):
            return []
        keys = ((room.community, seat, game) for game in games for seat in seats)
        return [members.hint_key(*each) for each in keys if each not in self._told]

    async def played(self, room: Room, line: Line, kit: AnyKit, batch: Batch | None = None) -> None:
        """Tell who plays a game for the first time what they have, and where it is explained.

        It is said a moment later: the answer to the command itself comes first, at every door. That it was
        is written with what the line changes, if that is a part of a `batch`.
        """
        table = room.playing_at(kit, line.seat)
        if table is None or not _heard(room):
            return
        moved = batch is not None and kit.apart is None  # of a raid nobody is looked for among all others
        if not moved and line.seat not in table.players():
            return  # to turn a duel down, or to ask about a game, is not to play
        if batch is not None:
            told = await self._due(room, line, table, batch)
            batch.then(partial(self._tell_later, room, line, kit, told))
            return
        try:
            told = await self._due(room, line, table)
        except (SQLAlchemyError, OSError):
            log.exception("a newcomer could not be told how a game goes", room=room.id, line=line.id)
            return
        await self._tell_later(room, line, kit, told)

    async def _due(self, room: Room, line: Line, table: Table, batch: Batch | None = None) -> list[str]:
        """List what somebody is to be told now, from now on never again."""
        kit, told = table.kit, list[str]()
        if self._seldom(room) and await self._first(room, line.seat, kit.name, batch):
            if batch is not None:
                batch.undo(partial(self._said.pop, room.id, None))
            self._said[room.id] = self._watch.now()
            secret = hides(table) or any(each.secret for each in kit.commands)
            told.append("hint-whispered" if secret else "hint-game")
        asked = _counts_first(kit, line.text) and _opened(table, line.seat)
        if asked and await self._first(room, line.seat, f"{kit.name} {STAKE}", batch):
            told.append("hint-stake")
        return told

    async def _first(self, room: Room, seat: Seat, what: str, batch: Batch | None) -> bool:
        """Whether somebody has not been told this yet; from now on they have."""
        key = (room.community, seat, what)
        if key in self._told:
            return False
        if batch is None:
            first = await self._hints.first(*key)
        else:
            first = await batch.unit.hint(*key)
            batch.undo(partial(self._told.pop, key, None))
        remember(self._told, key, None, REMEMBERED)
        return first

    async def _tell_later(self, room: Room, line: Line, kit: AnyKit, told: Sequence[str]) -> None:
        if told:
            self._watch.ring(PAUSE, lambda: self._hint(room, line, kit, told))

    def _seldom(self, room: Room) -> bool:
        """Whether a newcomer may be told now how a game goes: where all read along, not many in a row."""
        return _alone(room) or self._watch.now() >= self._said.get(room.id, -OFTEN) + OFTEN

    async def _hint(self, room: Room, line: Line, kit: AnyKit, told: Sequence[str]) -> None:
        wallet = purses.wallet(room.community, line.seat)
        balance = await self._ledger.balance(wallet)
        args: Arguments = {"game": Message(f"game-{kit.name}"), "balance": Credits(balance), "word": kit.word}
        hint = Message("word", {"word": Listing(tuple(Message(each, args) for each in told), separator=" ")})
        said = Say(hint, line.seat, Talk.NORMAL, secret=line.private, event=HINT)
        self._outbox.say(room, [said])


def _heard(room: Room) -> bool:
    """Whether hints are wanted, and would be heard now."""
    habits = HABITS.of(room)
    return habits.hints and (_alone(room) or habits.talk.includes(Talk.NORMAL))


def _alone(room: Room) -> bool:
    return all(each.manner.private is Privacy.ALL for each in room.channels)


def _opened(table: Table, seat: Seat) -> bool:
    """Whether somebody sits at a table first: who joins has no stake to name."""
    return seat in table.players()[:1]


def _counts_first(kit: AnyKit, text: str) -> bool:
    """Whether a bare number behind the word of a game, which looks like a stake, is something else."""
    opening, typed = kit.commands[0], _NUMBER.fullmatch(text)
    if typed is None or typed[1].lower() not in {opening.word, *opening.aliases}:
        return False
    keyed = any(each.kind is Kind.AMOUNT and each.key for each in opening.options)
    return keyed and opening.options[0].kind is Kind.WHOLE
