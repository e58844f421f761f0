"""Verifiable draws by commitments: the secret of a table is fixed before it opens and published at its end.

The head of each hash chain of a room is published when the chain is made, and whenever somebody asks, with
the commitments of the open tables, the next and the last one, and how many tables were voided. A finished
table is replayed for whoever asks, who sees all secrets that belong to its commitments.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import structlog

from chatbot.kernel import fair
from chatbot.kernel.fair import CHAIN_LENGTH
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import HiddenChoice, no_hidden_choices
from chatbot.kernel.say import Listing, Message, Name, Quote, Say, Talk
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.chains import KEY
from chatbot.ledger.people import numbered
from chatbot.runtime.limits import remember
from chatbot.tables.proof import ProofError, check, hashes, terms_and_record
from chatbot.tables.replay import OtherRules, replay, version_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.books.journal import Journal, TableRecord
    from chatbot.ledger.chains import Chains, Secret
    from chatbot.rooms.batch import Batch
    from chatbot.rooms.room import Room
    from chatbot.rooms.table_protocol import Table

log = structlog.get_logger(__name__)

MOST_CHOICES = 12  # hidden choices that fit into one answer; of a game with more, a round must be given
MOST_MODERATORS = 5  # who voided tables, by name
CACHED_VERDICTS = 100  # so that repeated requests do not replay a table each time
SHORT_DIGITS = 8  # hexadecimal digits of a head that name a chain whose full head was published before


def _random() -> bytes:
    return secrets.token_bytes(KEY)


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of random values and keys.

    What is sealed with `key` can only be opened by a bot that has the same key: without it, the tables that
    were open are voided.
    """

    key: bytes = field(default_factory=_random, repr=False)
    seed: Callable[[], bytes] = _random  # makes the secret of a chain, which all its seeds are derived from
    table_id: Callable[[], str] = lambda: secrets.token_hex(5)
    links: int = CHAIN_LENGTH  # number of links of a chain
    seat: Callable[[int, str], Seat] = numbered  # makes the seat of a new person


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The answer about a finished table, and the hidden choices of the house in it."""

    messages: tuple[Message, ...]
    hidden: tuple[HiddenChoice, ...] = ()


class Fairness:
    """Publishes the commitments and secrets of tables, and answers questions about them."""

    def __init__(
        self,
        kits: Mapping[str, AnyKit],
        journal: Journal,
        outbox: Outbox,
        chains: Chains,
        table_id: Callable[[], str],
    ) -> None:
        self._kits, self._journal, self._outbox = kits, journal, outbox
        self._chains, self._table_id = chains, table_id
        self._names: dict[str, str] = {}  # id of the next table, by room
        self._verdicts: OrderedDict[str, _Verdict] = OrderedDict()  # by table
        self._last: dict[tuple[str, str], Message | None] = {}  # about the last table, by room and game

    # The chains of a room

    async def load(self, room: Room) -> bool:
        """Read the chains of a room, and return whether there are any that cannot be unsealed."""
        self.forget(room)
        for key in [key for key in self._last if key[0] == room.id]:
            del self._last[key]
        return await self._chains.load(room.id)

    async def begin_anew(self, room: Room, void: Sequence[Message]) -> None:
        """Publish that the secrets of a room are lost, which games were voided for it, and the new head."""
        heads = await self._chains.provide(room.id)
        args: Arguments = {"head": "; ".join(head for head, _ in heads), "games": Listing(tuple(void))}
        message = Message("chain-lost-void" if void else "chain-lost", args)
        self._outbox.say(room, [Say(message, event="ChainLost")])

    async def coming(self, room: Room) -> tuple[str, Secret]:
        """Return the id and secret of the room's next table; the database is used only to make a chain."""
        secret = self._chains.coming(room.id)
        # Again, because another table may take the chain while it is written.
        while secret is None:
            await self.provide(room)
            secret = self._chains.coming(room.id)
        if room.id not in self._names:
            self._names[room.id] = self._table_id()
        return self._names[room.id], secret

    def forget(self, room: Room) -> None:
        """Give the next table of a room another id, as this one is used or cannot be opened."""
        self._names.pop(room.id, None)

    async def provide(self, room: Room) -> None:
        """Ensure that the next table has a secret; publish the head of a chain that is made for that."""
        for head, length in await self._chains.provide(room.id):
            self._say_made(room, head, length)

    async def provide_next(self, batch: Batch, room: Room, secret: Secret) -> None:
        """Ensure, as a part of a batch, that there is a secret after one that is taken."""
        draft = await self._chains.prepare(room.id, secret)
        if draft is not None:
            batch.undo(draft.drop)
            batch.unit.additions.provide(draft.row)
            batch.then(partial(self._say_made, room, draft.row.head, draft.row.length))

    def _say_made(self, room: Room, head: str, length: int) -> None:
        self._outbox.say(room, [_fine(Message("chain-made", {"head": head, "length": length}), "ChainMade")])

    def seed(self, table: str) -> bytes | None:
        """Return the seed of an open table, or None if it cannot be unsealed."""
        return self._chains.seed(table)

    # Publishing

    async def opened(self, table: Table) -> None:
        """Publish the commitment of a table, and ensure that the table after it has a secret."""
        room, secret = table.room, table.secret
        # Before the chain after it is ensured, which would else find this one free.
        self._chains.took(room.id, table.id, secret)
        self.forget(room)
        self._outbox.say(room, [table.says(_fine(Message("table-bound", _binding(table)), "TableBound"))])
        await self.provide(room)

    async def ended(self, room: Room, table: str) -> None:
        """Publish the seed of a table that is over, settled or void."""
        table_record = await self._journal.of(table)
        if table_record is None or table_record.state == OPEN:
            return
        # Only now that the database has closed it, which refuses the next link of its chain until then.
        self._chains.over(room.id, table)
        self._last[room.id, table_record.game] = _last(table_record)
        message = "table-revealed" if table_record.seed is not None else "table-unrevealed"
        say = _fine(Message(message, _opening(table_record)), "SeedTold")
        self._outbox.say(room, [replace(say, game=table_record.game, table=table)])

    # Answers

    async def overview(self, room: Room) -> Message:
        """Return how many tables of a room were settled, and how many voided by whom."""
        states = await self._journal.states(room.id)
        words = tuple(Message("word", {"word": f"!fair {name}"}) for name in self._kits)
        void = states.get(VOID, 0)
        by = _called_off(void, await self._journal.callers_off(room.id)) if void else Message("nothing")
        args: Arguments = {"settled": states.get(SETTLED, 0), "void": void, "by": by, "words": Listing(words)}
        return Message("fair-overview", args)

    async def commitments(self, room: Room, kit: AnyKit, seats: Collection[Seat]) -> Sequence[Message]:
        """Return the commitments of the open tables, those of these seats first, the next and the last."""
        tables = sorted(room.playing(kit.name), key=lambda each: each.seated.isdisjoint(seats))
        messages = [each for table in tables for each in _bound(table)]
        messages.append(await self.following(room))
        last = await self._ended_last(room, kit)
        return [*messages, last] if last is not None else messages

    def published(self, room: Room) -> Sequence[Message]:
        """Return the commitments of all open tables of a room, and of the next; nothing is made for it."""
        messages = [each for table in room.tables.values() if not table.over for each in _bound(table)]
        secret = None if room.lost or room.stopped else self._chains.coming(room.id)
        if secret is not None:
            messages.append(Message("fair-next", {"head": secret.chain, "link": secret.link}))
        return messages

    async def following(self, room: Room) -> Message:
        """Return the commitment of the next table of a room, whichever game it is of.

        While its chains are not read, none is made: the next table would take another one all the same.
        """
        if room.lost or (room.stopped and self._chains.coming(room.id) is None):
            return Message(room.stopped or "try-again")
        _, secret = await self.coming(room)
        return Message("fair-next", {"head": secret.chain, "link": secret.link})

    async def _ended_last(self, room: Room, kit: AnyKit) -> Message | None:
        """Return the message about the last finished table; one from before the start is looked up once."""
        key = room.id, kit.name
        if key not in self._last:
            table = await self._journal.last_over(*key)
            self._last[key] = None if table is None else await self._recalled(table)
        return self._last[key]

    async def _recalled(self, table: str) -> Message | None:
        try:
            table_record = await self._journal.of(table)
        except ValueError:
            return Message("verify-broken", {"table": table})
        return None if table_record is None else _last(table_record)

    async def verify(self, room: Room, text: str, number: int | None) -> Sequence[Message]:
        """Replay the finished table of an id; show its secrets, or the choices of one round alone.

        Raises:
            Refusal: there is no such table in the room, or it is open or corrupt.
        """
        table_record = await self._finished(room, text)
        if table_record.id not in self._verdicts:
            verdict = await asyncio.to_thread(self._verdict, table_record)
            remember(self._verdicts, table_record.id, verdict, CACHED_VERDICTS)
        verdict = self._verdicts[table_record.id]
        messages = verdict.messages if number is None else ()
        return [*messages, *_opened(table_record.id, verdict.hidden, number)]

    def _verdict(self, table_record: TableRecord) -> _Verdict:
        """Replay a finished table, which takes up to seconds if it had many players."""
        try:
            kit = version_of(self._kits.get(table_record.game), table_record)
            sound = all(each.holds for each in check(table_record, hashes(table_record), self._kits))
        except OtherRules:
            return _Verdict((Message("verify-other-rules", {"table": table_record.id}),))
        except ProofError:
            return _Verdict((Message("verify-lost", {"table": table_record.id}),))
        except ValueError:
            return _Verdict((Message("verify-broken", {"table": table_record.id}),))
        if not sound:
            return _Verdict((Message("verify-broken", {"table": table_record.id}),))
        args: Arguments = {
            "table": table_record.id,
            "turns": sum(len(step.turns) for step in table_record.steps),
            "transfers": sum(len(step.entries) for step in table_record.steps) + len(table_record.others),
            "end": Message(f"verify-{table_record.state}"),
        }
        messages = Message("verify-sound", args), Message("verify-hashes", _opening(table_record))
        if kit.rules.hidden_choices is no_hidden_choices:
            return _Verdict(messages)
        return _Verdict(messages, tuple(kit.rules.hidden_choices(replay(kit, table_record).state)))

    async def _finished(self, room: Room, text: str) -> TableRecord:
        """Return the record of a finished table of this room; open ones are secret.

        Raises:
            Refusal: there is no such table, or it is open or corrupt.
        """
        try:
            table_record = await self._journal.of(text.lower())
        except ValueError:
            raise Refusal(Message("verify-broken", {"table": text.lower()})) from None
        if table_record is None or table_record.room != room.id:
            raise Refusal(Message("verify-unknown", {"text": Quote(text)}))
        if table_record.state == OPEN:
            raise Refusal(Message("verify-open", {"table": table_record.id}))
        return table_record


def _fine(message: Message, event: str) -> Say:
    return Say(message, talk=Talk.NORMAL, game="", event=event, fine=True)


def _binding(table: Table) -> Arguments:
    """Return the commitment of a table: its link of a chain, and the hash of its terms."""
    kit, secret = table.kit, table.secret
    return {
        "game": Message(f"game-{kit.name}"),
        "table": table.id,
        "head": secret.chain,
        "chain": secret.chain[:SHORT_DIGITS],
        "link": secret.link,
        "terms": fair.terms(table.id, kit.name, kit.rules.version, table.settings, secret.chain, secret.link),
    }


def _opening(table_record: TableRecord) -> Arguments:
    """Return all hashes of a table that is over, and the seed that belongs to them."""
    try:
        terms, record = terms_and_record(table_record)
    except ValueError:  # a corrupt row, for which the table was voided
        terms = record = "-"
    head, seed = table_record.chain or "-", "-" if table_record.seed is None else table_record.seed.hex()
    return {
        "table": table_record.id,
        "head": head,
        "chain": head[:SHORT_DIGITS],
        "link": table_record.link or 0,
        "seed": seed,
        "terms": terms,
        "record": record,
    }


def _last(table_record: TableRecord) -> Message:
    return Message("fair-last", {**_opening(table_record), "game": Message(f"game-{table_record.game}")})


def _called_off(void: int, moderators: Sequence[tuple[str, int]]) -> Message:
    """Say who voided tables: those that no moderator voided, the bot did because it could not go on."""
    rows = [Message("fair-void-by", {"count": count, "who": Quote(name)}) for name, count in moderators]
    rest = void - sum(count for _, count in moderators)
    if rest > 0:
        rows.append(Message("fair-void-by-bot", {"count": rest}))
    return Message("fair-void", {"rows": Listing(tuple(rows), most=MOST_MODERATORS)})


def _bound(table: Table) -> Iterator[Message]:
    """Return the commitments of an open table: its link, its terms and the choices of the house."""
    yield Message("fair-standing", _binding(table))
    rows = [
        Message("fair-hidden", {"who": Name(each.seat), "digest": each.digest})
        for each in table.kit.rules.hidden_choices(table.state)
        if not each.shown
    ]
    if rows:
        yield Message("fair-fixed", {"table": table.id, "rows": _listed(rows)})


def _opened(table: str, hidden: Sequence[HiddenChoice], number: int | None) -> Iterator[Message]:
    """Show the hidden choices of one round or of all; if they are too many, say how to ask for a round."""
    choices = [each for each in hidden if number in {None, each.round}]
    if number is None and len(choices) > MOST_CHOICES:
        args: Arguments = {"table": table, "count": len(choices), "last": choices[-1].round}
        yield Message("verify-many", args)
    elif choices:
        yield Message("verify-opened", {"table": table, "rows": _listed([_row(each) for each in choices])})
    elif number is not None:
        yield Message("verify-nothing-fixed", {"table": table, "number": number})


def _row(hidden: HiddenChoice) -> Message:
    args: Arguments = {
        "number": hidden.round,
        "who": Name(hidden.seat),
        "nonce": hidden.nonce,
        "choice": hidden.choice,
    }
    return Message("verify-choice", args)


def _listed(rows: Sequence[Message]) -> Listing:
    return Listing(tuple(rows), most=len(rows), separator="; ")
