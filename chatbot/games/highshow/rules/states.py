"""The states of a game of High Show. The deck lies in its order from the start, and nobody sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from chatbot.games.highshow.rules.moves import Progress, Result, Seen
from chatbot.games.highshow.rules.par import Par
from chatbot.games.highshow.rules.terms import Terms
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Empty:
    """A table at which nothing has been chosen yet; whoever sits down first is its player."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Unused:
    """Nothing was ever chosen: over."""

    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """What does not change while a game lasts."""

    player: Seat
    terms: Terms
    stake: int
    par: Par | None
    deck: tuple[int, ...]

    @property
    def lowest(self) -> int:
        return min(self.deck)

    def progress(self, seen: tuple[Seen, ...], *, shows: bool) -> Progress:
        return Progress(self.player, self.terms, seen, self.deck[len(seen)] if shows else None)

    def result(self, seen: tuple[Seen, ...], payout: int) -> Result:
        gain = sum(each.card for each in seen if each.kept)
        return Result(self.lowest, gain, self.penalty(seen), payout)

    def penalty(self, seen: tuple[Seen, ...]) -> Fraction:
        rejected = [(turn, each.card) for turn, each in enumerate(seen, 1) if not each.kept]
        times = sum(self.terms.penalty.times(turn, card) for turn, card in rejected)
        return self.terms.penalty.rate(self.terms.cards, self.lowest) * times


@dataclass(frozen=True, slots=True)
class Playing:
    """A card is shown, and to be decided on."""

    show: Show
    seen: tuple[Seen, ...] = ()
    hinted: bool = False  # for the card that is shown

    @property
    def player(self) -> Seat:
        return self.show.player

    @property
    def progress(self) -> Progress:
        return self.show.progress(self.seen, shows=True)

    def decided(self, *, kept: bool) -> Playing:
        card = self.show.deck[len(self.seen)]
        return Playing(self.show, (*self.seen, Seen(card, kept)))

    @property
    def forced(self) -> tuple[int, ...]:
        """The cards that are left, if every one of them is needed."""
        needed = self.show.progress(self.seen, shows=False).needed
        rest = self.show.deck[len(self.seen) :]
        return rest if 0 < needed == len(rest) else ()

    def taken(self, cards: tuple[int, ...]) -> Playing:
        """Take cards that nobody was asked about."""
        return replace(self, seen=(*self.seen, *(Seen(card, kept=True, chosen=False) for card in cards)))


@dataclass(frozen=True, slots=True)
class Guessing:
    """All that are needed are kept; estimates are asked for."""

    show: Show
    seen: tuple[Seen, ...]

    @property
    def player(self) -> Seat:
        return self.show.player

    @property
    def progress(self) -> Progress:
        return self.show.progress(self.seen, shows=False)


@dataclass(frozen=True, slots=True)
class Over:
    show: Show
    seen: tuple[Seen, ...]
    result: Result

    @property
    def player(self) -> Seat:
        return self.show.player

    @property
    def progress(self) -> Progress:
        return self.show.progress(self.seen, shows=False)


State: TypeAlias = Empty | Unused | Playing | Guessing | Over
