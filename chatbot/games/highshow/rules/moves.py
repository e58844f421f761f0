"""What players of High Show do, and what happens: actions are imperatives, events past participles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, get_args

from chatbot.games.highshow.rules.par import Par
from chatbot.games.highshow.rules.terms import Terms
from chatbot.kernel.game import Seat

# Actions


@dataclass(frozen=True, slots=True)
class Open:
    """Begin a game. The penalty is written as `str(Penalty)` writes it; 0 credits are for honour."""

    seat: Seat
    cards: int
    keep: int
    penalty: str
    credits: int = 0


@dataclass(frozen=True, slots=True)
class CashOut:
    """Keep the card that is shown."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeeAnother:
    """Reject the card that is shown."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask what the best play would do with the card that is shown."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Guess:
    """Estimate K and the own profit; None skips one. The profit is a text of `terms.number_text`."""

    seat: Seat
    lowest: int | None = None
    profit: str | None = None


# Parts of events


@dataclass(frozen=True, slots=True)
class Seen:
    """A card that has been decided on; one that was needed in any case was not chosen."""

    card: int
    kept: bool
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a game stands, as everybody may know it: nothing here depends on K but the cards seen."""

    seat: Seat
    terms: Terms
    seen: tuple[Seen, ...]
    shown: int | None  # the card to decide on

    @property
    def kept(self) -> tuple[int, ...]:
        """The cards kept, in their order."""
        return tuple(each.card for each in self.seen if each.kept)

    @property
    def rejected(self) -> tuple[int, ...]:
        """The cards rejected, in their order."""
        return tuple(each.card for each in self.seen if not each.kept)

    @property
    def needed(self) -> int:
        """How many are still to be kept, the one shown included if it will be."""
        return self.terms.keep - len(self.kept)

    @property
    def left(self) -> int:
        """How many have not been shown yet."""
        return self.terms.cards - len(self.seen) - (self.shown is not None)


@dataclass(frozen=True, slots=True)
class Result:
    """What comes out in the end."""

    lowest: int  # K
    gain: int
    penalty: Fraction
    payout: int  # credits

    @property
    def profit(self) -> Fraction:
        """What was kept, less the penalty."""
        return self.gain - self.penalty


# Events


@dataclass(frozen=True, slots=True)
class Opened:
    """A game has begun: its first card is shown."""

    progress: Progress
    stake: int
    par: Par | None
    seconds: int


@dataclass(frozen=True, slots=True)
class Kept:
    """`late`: the time was up."""

    progress: Progress
    late: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A card was rejected, and the next one is shown."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class Forced:
    """Every card that was left was needed, and taken."""

    progress: Progress
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Away:
    """The time was up for the `late`-th card in a row; it and all `cards` that were still needed are kept."""

    progress: Progress
    late: int
    cards: tuple[int, ...]  # those behind it


@dataclass(frozen=True, slots=True)
class HintAsked:
    """A hint is to be worked out for the card that is shown."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class Completed:
    """All that are needed are kept; now estimates are asked for."""

    progress: Progress
    seconds: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The end: K, the deck and what came of it."""

    progress: Progress
    deck: tuple[int, ...]  # all of it, in the order in which it lay
    stake: int
    par: Par | None
    result: Result
    guess: Guess


Action: TypeAlias = Open | CashOut | SeeAnother | AskHint | Guess
Event: TypeAlias = Opened | Kept | Rejected | Forced | Away | HintAsked | Completed | Revealed

ACTIONS: tuple[type, ...] = get_args(Action)
EVENTS: tuple[type, ...] = get_args(Event)
