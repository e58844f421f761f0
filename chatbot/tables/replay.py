"""Replays a table from its record by the rules, and requires the same result.

The same actions with the same draws must move the same credits. So a table can be resumed after a crash,
and anybody can verify one that is over.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import AnyGame, Clock, Moment, Refusal, Seat, Sit, SystemPurse
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.settings import make
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.books.posting import LINKED, Entry, instalments
from chatbot.ledger.books.purses import MINT, PERSON, PLAYER, house, mint
from chatbot.ledger.vouchers import VOUCHER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Transfer
    from chatbot.kernel.game import TransferParty as Named
    from chatbot.ledger.books.journal import Journal, JournalStep, TableRecord
    from chatbot.ledger.books.posting import Turn
    from chatbot.ledger.books.purses import Purse

ALLOWANCE = "allowance"  # the reason of transfers by which the house lends its players what they stake
BANKROLL = "bankroll"  # the reason of transfers by which the ledger, not a rule, funds the house
_PERSONAL = {PERSON, MINT}  # kinds of purses between which the ledger moves credits by itself


def booked(table: str, community: str, transfers: Iterable[Transfer]) -> Iterator[Entry]:
    """Yield the ledger entries of the transfers of a step."""
    for each in transfers:
        source, target = (_purse(table, community, purse) for purse in (each.source, each.target))
        yield from instalments(source, target, each.credits, each.why)


def _purse(table: str, community: str, purse: Named) -> Purse:
    match purse:
        case SystemPurse.POT:
            return purses.pot(community, table)
        case SystemPurse.HOUSE:
            return purses.house(community)
        case SystemPurse.MINT:
            return purses.mint(community)
        case _:
            return purses.wallet(community, purse)


class Unreplayable(Exception):  # noqa: N818  (a property of the record)
    """A record does not agree with the rules; the message says where."""


class Reopened(Unreplayable):
    """By the rules the game is over, but the table is open: somebody has modified the database."""


class OtherRules(Unreplayable):
    """A table was played by rules that are not available, so it cannot be checked."""


class SecretLost(Unreplayable):
    """The seed of a table is not available, so it cannot be resumed or checked."""


DrawSource: TypeAlias = "Callable[[Callable[[], bytes]], Rng]"
"""Makes the stream of draws of a turn, of a key that is worked out when something is drawn."""


def moment(
    seed: bytes, turn: int, ids: Sequence[str], purses: Mapping[Seat, int], stream: DrawSource = Rng.later
) -> Moment:
    """Return the source of draws and the balances for one turn; `ids` are those of the lines so far.

    The ids are only hashed when the game draws, which a join does not do: otherwise the cost of many joins
    would be quadratic.
    """
    return Moment(stream(partial(turn_key, seed, turn, ids)), purses)


@dataclass(slots=True)
class Replay:
    """The state that a replay has reached. `since` is when the present phase began."""

    kit: AnyKit
    game: AnyGame
    state: Any  # `Any`: each game has a type of its own
    seed: bytes = field(repr=False)
    stream: DrawSource = Rng.later
    turn: int = 0
    ids: list[str] = field(default_factory=list)
    seated: set[Seat] = field(default_factory=set)
    invited: set[Seat] = field(default_factory=set)  # who was invited to play, whether they did or not
    first: Seat | None = None  # who was seated first
    clock: Clock | None = None
    since: datetime | None = None
    events: list[tuple[int, tuple[object, ...]]] = field(default_factory=list)  # by the last turn of a step

    def __post_init__(self) -> None:
        self.clock = self.game.clock(self.state)

    @property
    def spot(self) -> str:
        """Its key in the tables of the room, see `Kit.spot`."""
        return self.kit.spot(self.first or Seat(""))

    def left(self, now: datetime) -> float:
        """Return how many seconds its phase has left; a system clock that was set back adds none."""
        if self.clock is None:
            return 0.0
        elapsed = (now - self.since).total_seconds() if self.since else 0.0
        return min(self.clock.seconds - elapsed, self.clock.seconds)


Reread: TypeAlias = "tuple[TableRecord, Replay] | Unreplayable | None"
"""A table as it is in the database now, replayed, or why it cannot be; None if it is not there, or void."""


async def reread_all(
    journal: Journal, tables: Collection[str], kits: Mapping[str, AnyKit]
) -> dict[str, Reread]:
    """Replay several tables, which are read from the database together."""
    records = await journal.records(tables)

    def replayed() -> dict[str, Reread]:
        return {table: _replayed(record, kits) for table, record in records.items()}

    # In a thread, as `reread`.
    return await asyncio.to_thread(replayed) if records else {}


def _replayed(record: TableRecord | ValueError | None, kits: Mapping[str, AnyKit]) -> Reread:
    if record is None or isinstance(record, ValueError):
        return None if record is None else _corrupt(record)
    try:
        return None if record.state == VOID else (record, replay(kits.get(record.game), record))
    except Unreplayable as error:
        return error


def _corrupt(error: ValueError) -> Unreplayable:
    return Unreplayable(f"a row of it is corrupt: {error}")


async def reread(
    journal: Journal,
    table: str,
    kits: Mapping[str, AnyKit],
    look: Callable[[Replay], None] | None = None,
) -> tuple[TableRecord, Replay] | None:
    """Replay a table as it is in the database now; None if it is not there, or was voided.

    `look` is called after each step, in another thread.

    Raises:
        Unreplayable: see `replay`.
    """
    try:
        table_record = await journal.of(table)
    except ValueError as error:
        raise _corrupt(error) from None
    if table_record is None or table_record.state == VOID:
        return None
    # In a thread, as a replay repeats all computations of the game, some of which take long.
    return table_record, await asyncio.to_thread(replay, kits.get(table_record.game), table_record, look)


def replay(
    kit: AnyKit | None,
    table_record: TableRecord,
    look: Callable[[Replay], None] | None = None,
    stream: DrawSource = Rng.later,
) -> Replay:
    """Replay a record from its opening to its last step; `look` is called after each.

    `stream` makes what its turns draw from.

    Raises:
        Unreplayable: the rules are different, a row is missing or changed, or other credits were moved.
    """
    replay = _begin(version_of(kit, table_record), table_record, stream)
    for number, step in enumerate(table_record.steps, 1):
        try:
            _play(replay, table_record, step)
        except Unreplayable as error:
            raise Unreplayable(f"step {number} (posting {step.posting}): {error}") from None
        if look is not None:
            look(replay)
    _require_complete(replay, table_record)
    return replay


def version_of(kit: AnyKit | None, table_record: TableRecord) -> AnyKit:
    """Return the kit if its rules are those that a table was played by.

    Raises:
        OtherRules: they are not, or there is no kit.
    """
    if kit is None:
        raise OtherRules(f"there is no game called {table_record.game!r} here")
    if kit.rules.version != table_record.version:
        raise OtherRules(
            f"it was played by version {table_record.version} of the rules; these are {kit.rules.version}"
        )
    return kit


def _begin(kit: AnyKit, table_record: TableRecord, stream: DrawSource) -> Replay:
    if table_record.seed is None:
        raise SecretLost("its seed is lost")
    try:
        game: Any = make(kit.rules.game, _settings(table_record))  # `Any`: each game is a type
        return Replay(kit, game, game.start(), table_record.seed, stream)
    except (Refusal, ValueError, TypeError, RecursionError) as error:
        raise Unreplayable(f"its settings cannot be read: {error}") from None


def _settings(table_record: TableRecord) -> dict[str, object]:
    """Read the settings that a table was opened with.

    Raises:
        ValueError, TypeError: they are no JSON object.
    """
    settings = json.loads(table_record.settings)
    if not isinstance(settings, dict):
        raise TypeError("they are no JSON object")
    return settings


def _play(replay: Replay, table_record: TableRecord, step: JournalStep) -> None:
    if replay.clock is None:
        raise Unreplayable("the game was over before it")
    if not step.turns:
        raise Unreplayable("its turns are missing")
    ids = [*replay.ids, step.line] if step.line else replay.ids
    events: list[object] = []
    entries: list[Entry] = []
    for turn in step.turns:
        events += _turn(replay, table_record, turn, ids, entries)
    _require_same(entries, step.entries, table_record.community)
    replay.ids = ids
    clock = replay.game.clock(replay.state)
    if clock is None or clock.phase != replay.clock.phase or replay.since is None:
        replay.since = step.turns[-1].at
    replay.clock = clock
    replay.events.append((replay.turn, tuple(events)))


def _turn(
    replay: Replay, table_record: TableRecord, turn: Turn, ids: Sequence[str], entries: list[Entry]
) -> tuple[object, ...]:
    """Replay one turn, add its transfers to `entries`, and return its events."""
    if turn.turn != replay.turn + 1 or turn.line != (ids[-1] if turn.line else ""):
        raise Unreplayable(f"turn {replay.turn + 1} was expected here, not turn {turn.turn}")
    try:
        action = replay.kit.codec.load(turn.action)
        purses = {Seat(seat): int(balance) for seat, balance in json.loads(turn.purses).items()}
        step = replay.game.apply(
            replay.state, action, moment(replay.seed, turn.turn, ids, purses, replay.stream)
        )
        entries += booked(table_record.id, table_record.community, step.transfers)
    except Refusal as refusal:
        raise Unreplayable(f"the rules refuse turn {turn.turn} ({refusal.message.id})") from None
    except Exception as error:  # noqa: BLE001  (the rules may fail in any way on a row that was changed)
        raise Unreplayable(f"turn {turn.turn} cannot be played: {error!r}") from None
    replay.state, replay.turn = step.state, turn.turn
    replay.invited.update(replay.kit.seating.invited(step.state))
    if isinstance(action, Sit):
        replay.seated.add(action.seat)
        replay.first = replay.first or action.seat
    return tuple(step.events)


def _require_same(expected: Sequence[Entry], ledger_entries: Sequence[Entry], community: str) -> None:
    """Compare the transfers of the rules with those of the ledger."""
    transfers = [each for each in ledger_entries if not of_ledger(each, community)]
    # Not strict: the first pair that differs says more than that there are more of one side.
    for by_rules, in_books in zip(expected, transfers, strict=False):
        if by_rules != in_books:
            raise Unreplayable(f"by the rules {_shown(by_rules)}, but the books say {_shown(in_books)}")
    if len(expected) != len(transfers):
        raise Unreplayable(
            f"by the rules {len(expected)} transfers are made, but the books have {len(transfers)}"
        )


def of_ledger(entry: Entry, community: str) -> bool:
    """Whether no rule made an entry: it funds the house, its players or a voucher, or links wallets."""
    backing = mint(community), house(community)
    if entry.why == BANKROLL:
        return (entry.source, entry.target) == backing
    if entry.why == ALLOWANCE:
        return entry.source == house(community) and entry.target.kind == PLAYER
    if entry.why == VOUCHER:
        return {entry.source.kind, entry.target.kind} == _PERSONAL
    return entry.why == LINKED and {entry.source.kind, entry.target.kind} <= _PERSONAL


def _shown(entry: Entry) -> str:
    return f"{entry.source} pays {entry.credits} to {entry.target} ({entry.why})"


def _require_complete(replay: Replay, table_record: TableRecord) -> None:
    """Require that no row is left over, and that the table is closed exactly if the rules say so."""
    if table_record.strays:
        raise Unreplayable(f"turn {table_record.strays[0]} belongs to no step")
    if not table_record.steps:
        raise Unreplayable("its journal is empty")
    if replay.clock is None and table_record.state == OPEN:
        raise Reopened("by the rules the game is over, but the table is open")
    if (replay.clock is None) != (table_record.state == SETTLED):
        over = "over" if replay.clock is None else "not over"
        raise Unreplayable(f"by the rules the game is {over}, but the table is {table_record.state}")
    if table_record.others and table_record.state != VOID:
        raise Unreplayable(f"something outside of any turn was moved: {_shown(table_record.others[0])}")
