"""Unrequested hints: how a game works for a new player, and corrections of mistyped commands.

Which hints somebody has had is in the database; memory saves a look there. Corrections and the rest is of the
process that runs the room: after another one has taken it over, somebody may be corrected once more.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.commands import Kind
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Quote, Say, Talk
from chatbot.kernel.suggestions import foreign, near
from chatbot.ledger import members
from chatbot.ledger.books import purses
from chatbot.rooms.channel import Privacy
from chatbot.runtime.limits import remember
from chatbot.settings.room import HABITS
from chatbot.tables.seating import has_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import AnyKit
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch

REMEMBERED = 20_000  # hints that were given, in memory; for others the database is queried
DELAY = 1.0  # seconds after the command
PUBLIC_INTERVAL = 60.0  # seconds in which one public hint is given in a room
MOST_PRIVATE = 10  # and so many where hints are private: in a raid of newcomers the others see how it goes
HINT = "Hint"
STAKE = "stake"
HINT_STAKE = "hint-stake"
_NUMBER = re.compile(r"!([0-9]?[a-z]+)\s*[0-9]+\s*", re.IGNORECASE)  # a word and a number, nothing else

log = structlog.get_logger(__name__)


class NewcomerHints:
    """Gives hints; `usable_words(room, line)` maps words that the sender may use now to their commands."""

    def __init__(
        self,
        ledger: Ledger,
        outbox: Outbox,
        watch: Watch,
        usable_words: Callable[[Room, Line], Mapping[str, str]],
    ) -> None:
        self._ledger, self._watch = ledger, watch
        self._outbox = outbox
        self._usable_words = usable_words
        self._given_hints: OrderedDict[tuple[str, str, str], None] = OrderedDict()  # community, seat, hint
        self._recent: dict[str, list[float]] = {}  # by room id: when hints were given lately, on the watch

    def mistyped(self, room: Room, line: Line, word: str) -> Sequence[Say]:
        """Return the command that may have been meant, or that there is none.

        Where other bots are present, a word that resembles no command is probably for one of them.
        """
        sole = next(each.manner.sole for each in room.channels if each.id == line.channel)
        if not HABITS.of(room).suggestions or not any(map(str.isalpha, word)) or (foreign(word) and not sole):
            return []
        words = self._usable_words(room, line)
        close = near(word, words)
        if not close and not sole:
            return []
        message = Message("help-unknown", {"text": Quote(word)})
        if close:
            message = Message("did-you-mean", {"word": f"!{words.get(close)}"})
        return [Say(message, line.seat, secret=line.private, event="Refusal")]

    def expected(self, room: Room, seats: Iterable[Seat], games: Iterable[str]) -> list[str]:
        """Return the keys of the hints that `joined` will look up for these members, to be read at once."""
        if not _wants_hints(room) or not self._may_hint(room):
            return []
        keys = ((room.community, seat, game) for game in games for seat in seats)
        return [members.hint_key(*each) for each in keys if each not in self._given_hints]

    async def joined(self, batch: Batch, room: Room, line: Line, kit: AnyKit) -> None:
        """Tell a member who joins a game for the first time their balance, and where it is explained.

        The hint is sent a moment later, so that on every platform the answer to the command comes first.
        """
        table = room.playing_at(kit, line.seat)
        if table is None or not _wants_hints(room):
            return
        # No search in the list of a shared table: in a raid it is long.
        if not kit.seating.shared and line.seat not in table.players():
            return  # declining a duel is not playing
        talk, hints = self._talk(room), await self._take_due(batch, room, line, table)
        if hints:
            batch.then(partial(self._send_later, room, line, kit, hints, talk))

    async def _take_due(self, batch: Batch, room: Room, line: Line, table: Table) -> list[str]:
        """Return the hints to give to a member now, and mark them as given."""
        kit, hints = table.kit, list[str]()
        if self._may_hint(room) and await self._first(batch, room, line.seat, kit.name):
            before, now = self._recent.get(room.id, []), self._watch.now()
            batch.undo(partial(self._recent.__setitem__, room.id, before))
            self._recent[room.id] = [*(at for at in before if now < at + PUBLIC_INTERVAL), now]
            hints.append("hint-whispered" if has_secrets(table) else "hint-game")
        mistaken = _looks_like_stake(kit, line.text) and _has_opened(table, line.seat)
        if mistaken and await self._first(batch, room, line.seat, f"{kit.name} {STAKE}"):
            hints.append(HINT_STAKE)
        return hints

    async def _first(self, batch: Batch, room: Room, seat: Seat, what: str) -> bool:
        """Whether a hint was not given to a member yet; mark it as given."""
        key = (room.community, seat, what)
        if key in self._given_hints:
            return False
        first = await batch.unit.hint(*key)
        batch.undo(partial(self._given_hints.pop, key, None))
        remember(self._given_hints, key, None, REMEMBERED)
        return first

    def _send_later(self, room: Room, line: Line, kit: AnyKit, hints: Sequence[str], talk: Talk) -> None:
        self._watch.ring(DELAY, lambda: self._send(room, line, kit, hints, talk))

    def _may_hint(self, room: Room) -> bool:
        """Whether a hint about a game may be given now, or too many were given lately."""
        return self._given_lately(room) < (MOST_PRIVATE if _is_private(room) else 1)

    def _talk(self, room: Room) -> Talk:
        """Return how talkative a room must be for a hint to be a public reply, where it could be one.

        A platform that tells members alone still replies in public to what they type in public.
        """
        return Talk.FULL if self._given_lately(room) else Talk.NORMAL

    def _given_lately(self, room: Room) -> int:
        recent = self._recent.get(room.id, ())
        return len(recent) - bisect_right(recent, self._watch.now() - PUBLIC_INTERVAL)

    async def _send(self, room: Room, line: Line, kit: AnyKit, hints: Sequence[str], talk: Talk) -> None:
        wallet = purses.wallet(room.community, line.seat)
        try:
            balance = await self._ledger.balance(wallet)
        except (SQLAlchemyError, OSError):
            log.exception("a newcomer could not be told how a game goes", room=room.id, line=line.id)
            return
        args: Arguments = {"game": Message(f"game-{kit.name}"), "balance": Credits(balance), "word": kit.word}
        hint = Message("word", {"word": Listing(tuple(Message(each, args) for each in hints), separator=" ")})
        talk = Talk.NORMAL if HINT_STAKE in hints else talk
        say = Say(hint, line.seat, talk, secret=line.private, event=HINT)
        self._outbox.say(room, [say])


def _wants_hints(room: Room) -> bool:
    """Whether hints are enabled in a room, and would be sent at its level of talk."""
    habits = HABITS.of(room)
    return habits.hints and (habits.talk.includes(Talk.NORMAL) or _is_private(room))


def _is_private(room: Room) -> bool:
    """Whether messages to one member are private in all channels of a room."""
    return all(each.manner.private is Privacy.ALL for each in room.channels)


def _has_opened(table: Table, seat: Seat) -> bool:
    """Whether a seat is the first player of a table: those who join cannot choose the stake."""
    return seat in table.players()[:1]


def _looks_like_stake(kit: AnyKit, text: str) -> bool:
    """Whether a text is the word of a game with one number that is no stake, though it looks like one."""
    opening, match = kit.chat.commands[0], _NUMBER.fullmatch(text)
    if match is None or match[1].lower() not in {opening.word, *opening.aliases}:
        return False
    keyed = any(each.kind is Kind.AMOUNT and each.key for each in opening.options)
    return keyed and opening.options[0].kind is Kind.WHOLE
