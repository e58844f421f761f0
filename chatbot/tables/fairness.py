"""Lets anybody check the draws: secrets that are settled before a table opens, and told when it is over.

The head of each hash chain of a room is told when the chain is made, and by `!fair`, which also tells what
binds the tables that stand, the next and the last one, and how many were called off; `!verify` plays a
finished table again, and tells all that opens what was hidden.
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
from chatbot.kernel.amounts import read_whole
from chatbot.kernel.chain import LENGTH
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.kit import HiddenChoice, Kind, Option, free
from chatbot.kernel.say import Listing, Message, Name, Quote, Say, Talk
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.chains import KEY
from chatbot.ledger.people import numbered
from chatbot.rooms.limits import remember
from chatbot.rooms.request import Request, Service, game_named, game_option, usage
from chatbot.tables.proof import ProofError, check, hashes, told
from chatbot.tables.replay import OtherRules, replay, version_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.kernel.kit import AnyKit
    from chatbot.kernel.say import Arguments
    from chatbot.ledger.books.journal import Journal, TableRecord
    from chatbot.ledger.chains import Chains, Secret
    from chatbot.rooms.inbox import Batch
    from chatbot.rooms.room import Room
    from chatbot.speech.outbox import Outbox
    from chatbot.tables.table import Table

log = structlog.get_logger(__name__)

MOST_ROUNDS = 1000
OPENED = 12  # choices of the house that are opened in one answer; of a game with more, a round is asked for
CALLERS = 5  # who called tables off, by name
REMEMBERED = 100  # verdicts: whoever asks again and again costs nothing
SHORT = 8  # digits of a head that name a chain where it was told in full before
VERIFY = "TABLE [ROUND]"
_WHICH = Option("table", Kind.WORD, required=True), Option("round", Kind.WHOLE, least=1, most=MOST_ROUNDS)


def _random() -> bytes:
    return secrets.token_bytes(KEY)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a house gets what nobody may guess or repeat.

    What is sealed with `key` can be read again by a house that has the same one: without it, the tables that
    stood are void.
    """

    key: bytes = field(default_factory=_random, repr=False)
    seed: Callable[[], bytes] = _random  # the secret of a chain, from which the luck of its tables comes
    table_id: Callable[[], str] = lambda: secrets.token_hex(5)
    links: int = LENGTH  # of a chain
    seat: Callable[[int, str], Seat] = numbered  # what tables call a new person


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is said of a finished table, and what the house had hidden at it."""

    told: tuple[Message, ...]
    hidden: tuple[HiddenChoice, ...] = ()


class Fairness:
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
        self._names: dict[str, str] = {}  # of the next table, by room
        self._verdicts: OrderedDict[str, _Verdict] = OrderedDict()  # by table
        self._last: dict[tuple[str, str], Message | None] = {}  # what is told of the last table, by its game
        self.services = (
            Service("fair", self._fair, "[GAME]", options=(game_option(kits),), reads=True),
            Service("verify", self._verify, VERIFY, options=_WHICH, reads=True),
        )

    # The chains of a room

    async def load(self, room: Room) -> bool:
        """Read the chains of a room again; whether there are any that nobody can unseal."""
        self.forget(room)
        for key in [key for key in self._last if key[0] == room.id]:
            del self._last[key]
        return await self._chains.load(room.id)

    async def begin_anew(self, room: Room, void: Sequence[Message]) -> None:
        """Say that the secrets of a room are lost, which games were called off for it, and the new head."""
        made = await self._chains.provide(room.id)
        args: Arguments = {"head": "; ".join(head for head, _ in made), "games": Listing(tuple(void))}
        told = Message("chain-lost-void" if void else "chain-lost", args)
        self._outbox.say(room, [Say(told, event="ChainLost")])

    async def coming(self, room: Room) -> tuple[str, Secret]:
        """Give the name and the secret of the room's next table: in memory, unless a chain must be made."""
        secret = self._chains.coming(room.id)
        while secret is None:
            await self.provide(room)
            secret = self._chains.coming(room.id)
        if room.id not in self._names:
            self._names[room.id] = self._table_id()
        return self._names[room.id], secret

    def forget(self, room: Room) -> None:
        """Give the next table of a room another name: what had this one cannot be opened."""
        self._names.pop(room.id, None)

    async def provide(self, room: Room) -> None:
        """See to it that the next table has a secret; tell the head of a chain that is made for that."""
        for head, length in await self._chains.provide(room.id):
            await self._say_made(room, head, length)

    async def provide_with(self, batch: Batch, room: Room, taken: Secret) -> None:
        """See to it that there is a secret after the one that is taken, in what is committed together."""
        draft = await self._chains.prepare(room.id, taken)
        if draft is not None:
            batch.undo(draft.drop)
            batch.unit.provide(draft.row)
            batch.then(partial(self._say_made, room, draft.row.head, draft.row.length))

    async def _say_made(self, room: Room, head: str, length: int) -> None:
        self._outbox.say(room, [_fine(Message("chain-made", {"head": head, "length": length}), "ChainMade")])

    def seed(self, table: str) -> bytes | None:
        """Give the seed of a table that stands, if it can be had."""
        return self._chains.seed(table)

    # What is told of each table

    async def opened(self, table: Table) -> None:
        """Tell what binds a table, and see to it that the one after it has a secret too."""
        room, secret = table.room, table.secret
        self._chains.took(room.id, table.id, secret)
        self.forget(room)
        self._outbox.say(room, [table.says(_fine(Message("table-bound", _binding(table)), "TableBound"))])
        await self.provide(room)

    async def ended(self, room: Room, table: str) -> None:
        """Tell the seed of a table that is over, settled or void."""
        story = await self._journal.of(table)
        if story is None or story.state == OPEN:
            return
        self._chains.over(room.id, table)
        self._last[room.id, story.game] = _last(story)
        message = "table-revealed" if story.seed is not None else "table-unrevealed"
        told = _fine(Message(message, _opening(story)), "SeedTold")
        self._outbox.say(room, [replace(told, game=story.game, table=table)])

    # What members ask

    async def _fair(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("fair", "[GAME]")
        if not asked.words:
            following = await self._next(asked.room)
            return [asked.answer(each) for each in (await self._overview(asked.room), following)]
        kit = game_named(self._kits, asked.words[0])
        return [asked.answer(each) for each in await self._known(asked.room, kit, asked.line.linked_accounts)]

    async def _overview(self, room: Room) -> Message:
        states = await self._journal.states(room.id)
        words = tuple(Message("word", {"word": f"!fair {name}"}) for name in self._kits)
        void = states.get(VOID, 0)
        by = _called_off(void, await self._journal.callers_off(room.id)) if void else Message("nothing")
        args: Arguments = {"settled": states.get(SETTLED, 0), "void": void, "by": by, "words": Listing(words)}
        return Message("fair-overview", args)

    async def _known(self, room: Room, kit: AnyKit, seats: Collection[Seat]) -> Sequence[Message]:
        """Tell what binds the tables that stand, those of these seats first, the next one and the last."""
        tables = sorted(room.playing(kit.name), key=lambda each: each.seated.isdisjoint(seats))
        told = [each for table in tables for each in _bound(table)]
        told.append(await self._next(room))
        last = await self._ended_last(room, kit)
        return [*told, last] if last is not None else told

    async def _next(self, room: Room) -> Message:
        """Tell what binds the next table of a room, whichever game it is of."""
        _, secret = await self.coming(room)
        return Message("fair-next", {"head": secret.chain, "link": secret.link})

    async def _ended_last(self, room: Room, kit: AnyKit) -> Message | None:
        """Tell of the table that ended last; what ended before the program started is looked up once."""
        key = room.id, kit.name
        if key not in self._last:
            table = await self._journal.last_over(*key)
            self._last[key] = None if table is None else await self._recalled(table)
        return self._last[key]

    async def _recalled(self, table: str) -> Message | None:
        try:
            story = await self._journal.of(table)
        except ValueError:
            return Message("verify-broken", {"table": table})
        return None if story is None else _last(story)

    async def _verify(self, asked: Request) -> Sequence[Say]:
        if len(asked.words) not in {1, 2}:
            raise usage("verify", VERIFY)
        number = read_whole(asked.words[1], 1, MOST_ROUNDS) if asked.words[1:] else None
        story = await self._story(asked.room, asked.words[0])
        if story.id not in self._verdicts:
            found = await asyncio.to_thread(self._verdict, story)
            remember(self._verdicts, story.id, found, REMEMBERED)
        verdict = self._verdicts[story.id]
        told = verdict.told if number is None else ()
        return [asked.answer(each) for each in (*told, *_opened(story.id, verdict.hidden, number))]

    def _verdict(self, story: TableRecord) -> _Verdict:
        """Play a finished table again, which takes a while if many were at it."""
        try:
            kit = version_of(self._kits.get(story.game), story)
            sound = all(each.holds for each in check(story, hashes(story), self._kits))
        except OtherRules:
            return _Verdict((Message("verify-other-rules", {"table": story.id}),))
        except ProofError:
            return _Verdict((Message("verify-lost", {"table": story.id}),))
        except ValueError:
            return _Verdict((Message("verify-broken", {"table": story.id}),))
        if not sound:
            return _Verdict((Message("verify-broken", {"table": story.id}),))
        args: Arguments = {
            "table": story.id,
            "turns": sum(len(step.turns) for step in story.steps),
            "transfers": sum(len(step.entries) for step in story.steps) + len(story.others),
            "end": Message(f"verify-{story.state}"),
        }
        told = Message("verify-sound", args), Message("verify-hashes", _opening(story))
        hidden = () if kit.committed is free else tuple(kit.committed(replay(kit, story).state))
        return _Verdict(told, hidden)

    async def _story(self, room: Room, text: str) -> TableRecord:
        """Find a finished table of this room: what is still secret is told to nobody."""
        try:
            story = await self._journal.of(text.lower())
        except ValueError:
            raise Refusal(Message("verify-broken", {"table": text.lower()})) from None
        if story is None or story.room != room.id:
            raise Refusal(Message("verify-unknown", {"text": Quote(text)}))
        if story.state == OPEN:
            raise Refusal(Message("verify-open", {"table": story.id}))
        return story


def _fine(message: Message, event: str) -> Say:
    return Say(message, talk=Talk.NORMAL, game="", event=event, fine=True)


def _binding(table: Table) -> Arguments:
    """Give what a table is bound by: its link of a chain, and the terms that it was opened with."""
    kit, secret = table.kit, table.secret
    return {
        "game": Message(f"game-{kit.name}"),
        "table": table.id,
        "head": secret.chain,
        "chain": secret.chain[:SHORT],
        "link": secret.link,
        "terms": fair.terms(table.id, kit.name, kit.version, table.settings, secret.chain, secret.link),
    }


def _opening(story: TableRecord) -> Arguments:
    """Give all the hashes of a table that is over, and the seed that opens them."""
    try:
        terms, record = told(story)
    except ValueError:  # a corrupt row, for which it was called off
        terms = record = "-"
    head, seed = story.chain or "-", "-" if story.seed is None else story.seed.hex()
    bound: Arguments = {"table": story.id, "head": head, "chain": head[:SHORT], "link": story.link or 0}
    return {**bound, "seed": seed, "terms": terms, "record": record}


def _last(story: TableRecord) -> Message:
    return Message("fair-last", {**_opening(story), "game": Message(f"game-{story.game}")})


def _called_off(void: int, moderators: Sequence[tuple[str, int]]) -> Message:
    """Tell who called tables off: what no moderator did, the bot has done where it could not go on."""
    rows = [Message("fair-void-by", {"count": count, "who": Quote(name)}) for name, count in moderators]
    rest = void - sum(count for _, count in moderators)
    if rest > 0:
        rows.append(Message("fair-void-by-bot", {"count": rest}))
    return Message("fair-void", {"rows": Listing(tuple(rows), most=CALLERS)})


def _bound(table: Table) -> Iterator[Message]:
    """Tell what a table that stands is bound by: its link, its terms and what the house has fixed."""
    yield Message("fair-standing", _binding(table))
    rows = [
        Message("fair-hidden", {"who": Name(each.seat), "digest": each.digest})
        for each in table.kit.committed(table.state)
        if not each.shown
    ]
    if rows:
        yield Message("fair-fixed", {"table": table.id, "rows": _listed(rows)})


def _opened(table: str, hidden: Sequence[HiddenChoice], number: int | None) -> Iterator[Message]:
    """Open what the house had fixed, of one round or of all; of too many, say how to ask for a round."""
    wanted = [each for each in hidden if number in {None, each.round}]
    if number is None and len(wanted) > OPENED:
        args: Arguments = {"table": table, "count": len(wanted), "last": wanted[-1].round}
        yield Message("verify-many", args)
    elif wanted:
        yield Message("verify-opened", {"table": table, "rows": _listed([_row(each) for each in wanted])})
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
