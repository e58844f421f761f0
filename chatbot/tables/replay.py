"""Plays a table again from its story, by the rules, and demands that it comes out the same.

The same actions with the same luck must move the same credits. So a table can go on where a crash cut
it off, and anybody can check one that is over.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.kernel.fair import Rng, turn_key
from chatbot.kernel.game import AnyGame, Clock, Moment, Refusal, Seat, Sit, Till
from chatbot.kernel.kit import AnyKit
from chatbot.kernel.settings import make
from chatbot.ledger.books import purses
from chatbot.ledger.books.journal import OPEN, SETTLED, VOID
from chatbot.ledger.books.posting import LINKED, Entry, instalments
from chatbot.ledger.books.purses import MINT, PERSON, house, mint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Purse as Named
    from chatbot.kernel.game import Transfer
    from chatbot.ledger.books.journal import Journal, JournalStep, TableRecord
    from chatbot.ledger.books.posting import Turn
    from chatbot.ledger.books.purses import Purse

BANKROLL = "bankroll"  # why the mint made up what the house lacked: no rule, but the ledger, decides that
_PERSONAL = {PERSON, MINT}  # between which the ledger carries credits by itself


def booked(table: str, community: str, transfers: Iterable[Transfer]) -> Iterator[Entry]:
    """Make the entries of what a step moves."""
    for each in transfers:
        source, target = (_purse(table, community, purse) for purse in (each.source, each.target))
        yield from instalments(source, target, each.credits, each.why)


def _purse(table: str, community: str, purse: Named) -> Purse:
    match purse:
        case Till.POT:
            return purses.pot(community, table)
        case Till.HOUSE:
            return purses.house(community)
        case Till.MINT:
            return purses.mint(community)
        case _:
            return purses.wallet(community, purse)


class Unreplayable(Exception):  # noqa: N818  (what it is)
    """A story does not come out as it is told; the sentence says where."""


class Reopened(Unreplayable):
    """By the rules the game is over, but the books have the table open: somebody has been at them."""


class OtherRules(Unreplayable):
    """A story was played by rules that are not here: nothing can be said of it."""


class SecretLost(Unreplayable):
    """The seed of a story cannot be had: nobody can go on with it, or check it."""


def moment(seed: bytes, turn: int, ids: Sequence[str], purses: Mapping[Seat, int]) -> Moment:
    """Make the luck of one turn; `ids` are those of the messages so far, the present one included.

    The ids are hashed when the game draws, which a join does not: of a raid, each would hash all before it.
    """
    return Moment(Rng.later(partial(turn_key, seed, turn, ids)), purses)


@dataclass(slots=True)
class Replay:
    """Where a story has come to. `since` is when the present phase began."""

    kit: AnyKit
    game: AnyGame
    state: Any
    seed: bytes = field(repr=False)
    turn: int = 0
    ids: list[str] = field(default_factory=list)
    seated: set[Seat] = field(default_factory=set)
    invited: set[Seat] = field(default_factory=set)  # who was asked to play, whether they did or not
    first: Seat | None = None  # who sat down first
    clock: Clock | None = None
    since: datetime | None = None
    told: list[tuple[int, tuple[object, ...]]] = field(default_factory=list)  # events by the turn they end at

    def __post_init__(self) -> None:
        self.clock = self.game.clock(self.state)

    @property
    def spot(self) -> str:
        """Say where in the room it stands."""
        return self.kit.spot(self.first or Seat(""))

    def since_turn(self, turn: int) -> tuple[object, ...]:
        """Give the events after that turn."""
        return tuple(event for last, events in self.told if last > turn for event in events)

    def left(self, now: datetime) -> float:
        """Tell how many seconds its phase has left; a calendar that was set back gives no time."""
        if self.clock is None:
            return 0.0
        gone = (now - self.since).total_seconds() if self.since else 0.0
        return min(self.clock.seconds - gone, self.clock.seconds)


async def reread(
    journal: Journal, table: str, kits: Mapping[str, AnyKit]
) -> tuple[TableRecord, Replay] | None:
    """Replay a table as the books have it now; None if they have none, or it was called off.

    Raises:
        Unreplayable: see `replay`.
    """
    try:
        story = await journal.of(table)
    except ValueError as error:
        raise Unreplayable(f"a row of it is corrupt: {error}") from None
    if story is None or story.state == VOID:
        return None
    # What was worked out beside all else when it was played would hold all else up now.
    return story, await asyncio.to_thread(replay, kits.get(story.game), story)


def replay(kit: AnyKit | None, story: TableRecord) -> Replay:
    """Play a story from its opening to where it has come.

    Raises:
        Unreplayable: the rules are others, a row is missing or changed, or credits went elsewhere.
    """
    played = _begin(version_of(kit, story), story)
    for number, step in enumerate(story.steps, 1):
        try:
            _play(played, story, step)
        except Unreplayable as error:
            raise Unreplayable(f"step {number} (posting {step.posting}): {error}") from None
    _require_whole(played, story)
    return played


def version_of(kit: AnyKit | None, story: TableRecord) -> AnyKit:
    """Demand the rules that a story was played by.

    Raises:
        OtherRules: these are others, or none.
    """
    if kit is None:
        raise OtherRules(f"there is no game called {story.game!r} here")
    if kit.version != story.version:
        raise OtherRules(f"it was played by version {story.version} of the rules; these are {kit.version}")
    return kit


def _begin(kit: AnyKit, story: TableRecord) -> Replay:
    if story.seed is None:
        raise SecretLost("its seed is lost")
    try:
        game: Any = make(kit.game, json.loads(story.settings))
        return Replay(kit, game, game.start(), story.seed)
    except (Refusal, ValueError, TypeError, RecursionError) as error:
        raise Unreplayable(f"its settings cannot be read: {error}") from None


def _play(played: Replay, story: TableRecord, step: JournalStep) -> None:
    if played.clock is None:
        raise Unreplayable("the game was over before it")
    if not step.turns:
        raise Unreplayable("its turns are missing")
    ids = [*played.ids, step.line] if step.line else played.ids
    events: list[object] = []
    entries: list[Entry] = []
    for turn in step.turns:
        events += _turn(played, story, turn, ids, entries)
    _require_same(entries, step.entries, story.community)
    played.ids = ids
    clock = played.game.clock(played.state)
    if clock is None or clock.phase != played.clock.phase or played.since is None:
        played.since = step.turns[-1].at
    played.clock = clock
    played.told.append((played.turn, tuple(events)))


def _turn(
    played: Replay, story: TableRecord, turn: Turn, ids: Sequence[str], entries: list[Entry]
) -> tuple[object, ...]:
    """Play one turn, add what it moves, and give its events."""
    if turn.turn != played.turn + 1 or turn.line != (ids[-1] if turn.line else ""):
        raise Unreplayable(f"turn {played.turn + 1} was expected here, not turn {turn.turn}")
    try:
        action = played.kit.codec.load(turn.action)
        purses = {Seat(seat): int(held) for seat, held in json.loads(turn.purses).items()}
        step = played.game.apply(played.state, action, moment(played.seed, turn.turn, ids, purses))
        entries += booked(story.id, story.community, step.transfers)
    except Refusal as refusal:
        raise Unreplayable(f"the rules refuse turn {turn.turn} ({refusal.message.id})") from None
    except Exception as error:  # noqa: BLE001  (whatever the rules make of a row that was changed)
        raise Unreplayable(f"turn {turn.turn} cannot be played: {error!r}") from None
    played.state, played.turn = step.state, turn.turn
    played.invited.update(played.kit.invited(step.state))
    if isinstance(action, Sit):
        played.seated.add(action.seat)
        played.first = played.first or action.seat
    return tuple(step.events)


def _require_same(expected: Sequence[Entry], found: Sequence[Entry], community: str) -> None:
    """Compare what the rules move with what was moved."""
    moved = [each for each in found if not of_ledger(each, community)]
    for by_rules, in_books in zip(expected, moved, strict=False):
        if by_rules != in_books:
            raise Unreplayable(f"by the rules {_shown(by_rules)}, but the books say {_shown(in_books)}")
    if len(expected) != len(moved):
        raise Unreplayable(
            f"by the rules {len(expected)} transfers are made, but the books have {len(moved)}"
        )


def of_ledger(entry: Entry, community: str) -> bool:
    """Whether the ledger itself moved this: to back the house, or between wallets that stand for another."""
    backing = mint(community), house(community)
    if entry.why == BANKROLL:
        return (entry.source, entry.target) == backing
    return entry.why == LINKED and {entry.source.kind, entry.target.kind} <= _PERSONAL


def _shown(entry: Entry) -> str:
    return f"{entry.source} pays {entry.credits} to {entry.target} ({entry.why})"


def _require_whole(played: Replay, story: TableRecord) -> None:
    """Demand that nothing is left over, and that the end is told where the rules have it."""
    if story.strays:
        raise Unreplayable(f"turn {story.strays[0]} belongs to no step")
    if not story.steps:
        raise Unreplayable("its journal is empty")
    if played.clock is None and story.state == OPEN:
        raise Reopened("by the rules the game is over, but the table is open")
    if (played.clock is None) != (story.state == SETTLED):
        over = "over" if played.clock is None else "not over"
        raise Unreplayable(f"by the rules the game is {over}, but the table is {story.state}")
    if story.others and story.state != VOID:
        raise Unreplayable(f"something outside of any turn was moved: {_shown(story.others[0])}")
