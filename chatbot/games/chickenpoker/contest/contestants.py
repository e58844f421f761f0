"""What a contestant is told, how its answer is read, and the strategies: `(situation, hand, rng) -> card`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from math import gcd, sqrt
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.chickenpoker.contest.adaptive import Adaptive
from chatbot.games.chickenpoker.contest.champion import Champion
from chatbot.games.chickenpoker.contest.session import Start, StepPlayer
from chatbot.games.chickenpoker.solver.equilibrium import evenly
from chatbot.games.chickenpoker.solver.equilibrium import nash as equilibrium
from chatbot.kernel.contest import Learner, WireFormat
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

_DIGITS = re.compile(r"[0-9]{1,9}", re.ASCII)


class Situation(NamedTuple):
    """All that a contestant knows; rows have an entry for each of the ids 1, 2, … in this order."""

    game: int  # from 0
    round: int  # from 1
    cards: int  # n
    own: int  # the contestant's id
    players: tuple[int, ...]  # who has each id, as numbers from 0 that last as long as the match
    hands: tuple[tuple[int, ...], ...]  # ascending; of who has forfeited the game none
    shown: tuple[tuple[int, ...], ...]  # round by round of this game; 0: forfeited
    totals: tuple[int, ...]  # points of this game

    @property
    def hand(self) -> tuple[int, ...]:
        """The contestant's own."""
        return self.hands[self.own - 1]

    @property
    def opponents(self) -> Sequence[int]:
        """The other ids that have not forfeited."""
        return [each for each, hand in enumerate(self.hands, 1) if hand and each != self.own]


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a WireFormat's shape)
    """Name everything for a program that reads JSON."""
    return situation._asdict()


def read(situation: Situation, menu: object, answer: object) -> int:  # noqa: ARG001
    """Read what a program answered.

    Raises:
        ValueError: it is no card of its hand.
    """
    text = str(answer).strip()
    card = int(text) if _DIGITS.fullmatch(text) else 0
    if card not in situation.hand:
        raise ValueError(f"expected one of the cards {_hand_text(situation.hand)}, got {text[:40]!r}")
    return card


def _hand_text(hand: Sequence[int]) -> str:
    return " ".join(map(str, hand))


WIRE_FORMAT = WireFormat(ask=question, read=read)


# Strategies of the contest: `(situation, hand, rng) -> card`; who learns is made anew for each match.
RANDOM, LINEAR, NASH, ADAPTIVE, CHAMPION = NAMES = ("random", "linear", "nash", "adaptive", "champion")
_STEPS = re.compile(r"linear +([0-9]{1,9}) +([0-9]{1,9})", re.ASCII)
_GOLDEN = (sqrt(5) - 1) / 2


class Contestants(Mapping[str, "Strategy | Learner"]):
    """The players of the house; beside the names there is any `linear START STEP` that fits the cards."""

    def __init__(self, cards: int) -> None:
        self._cards = cards

    def __getitem__(self, name: str) -> Strategy | Learner:
        """Find a player.

        Raises:
            KeyError: there is none of that name.
            Failure: it is a `linear` that cannot play all cards.
        """
        if name in _FIXED:
            return _FIXED[name]
        if name == LINEAR:
            return partial(linear, usual_steps(self._cards))
        if name.split(" ", 1)[0] != LINEAR:
            raise KeyError(name)
        return partial(linear, read_steps(name, self._cards))

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


def random(situation: Situation, hand: Sequence[int], rng: Rng) -> int:  # noqa: ARG001
    """Play any card of the hand."""
    return rng.choice(hand)


def linear(steps: StepPlayer, situation: Situation, hand: Sequence[int], rng: Rng) -> int:  # noqa: ARG001
    """Play the same order in every game."""
    return steps.order(situation.cards)[situation.round - 1]


def nash(situation: Situation, hand: Sequence[int], rng: Rng) -> int:
    """Play the equilibrium: that of two where one opponent is left."""
    opponents = situation.opponents
    if len(opponents) != 1:
        return evenly(hand, rng)
    (other,) = opponents
    return equilibrium(hand, situation.hands[other - 1], situation.own < other, rng)


class Remembering:
    """Has `adaptive` or `champion` play, and tells it each round as a session would."""

    def __init__(self, kind: type[Adaptive]) -> None:
        self._kind = kind
        self._player: Adaptive | None = None

    def __call__(self, situation: Situation, hand: Sequence[int], rng: Rng) -> int:  # noqa: ARG002
        if self._player is None:
            self._player = self._kind(rng)
        if situation.round == 1:
            self._player.begin(
                Start(situation.own, situation.cards, tuple(range(1, len(situation.hands) + 1)))
            )
        last = situation.shown[-1] if situation.shown else ()
        return self._player.choose({number: card for number, card in enumerate(last, 1) if card})


def usual_steps(cards: int) -> StepPlayer:
    """Return steps that come back to neighbouring cards late: as near to the golden section as fits."""
    golden_step = cards * _GOLDEN
    step = min(
        (each for each in range(1, cards + 1) if gcd(each, cards) == 1),
        key=lambda each: abs(each - golden_step),
    )
    return StepPlayer(step, step)


def read_steps(words: str, cards: int) -> StepPlayer:
    """Read `linear START STEP`.

    Raises:
        Failure: it is something else, or would not play each card once.
    """
    match = _STEPS.fullmatch(words)
    steps = StepPlayer(int(match[1]), int(match[2])) if match else None
    if steps is None or not steps.fits(cards):
        raise Failure(
            f"linear takes a START from 1 to {cards} and a STEP that has no divisor in common with {cards},"
            f" not {words.partition(' ')[2][:80]!r}."
        )
    return steps


_FIXED: Mapping[str, Strategy | Learner] = {
    RANDOM: random,
    NASH: nash,
    ADAPTIVE: Learner(partial(Remembering, Adaptive)),
    CHAMPION: Learner(partial(Remembering, Champion)),
}
