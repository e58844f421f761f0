"""What a contestant is told in each round, how its answer is read, and the players of the contest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chatbot.games.sixcardpoker.rules.cards import Arrangement, SixCards, arrange
from chatbot.games.sixcardpoker.solver.policies import PLANS, draw
from chatbot.games.sixcardpoker.solver.solver import best_response
from chatbot.kernel.contest import WireFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.games.sixcardpoker.solver.policies import ArrangementPolicy
    from chatbot.kernel.fair import Rng

SECONDS = 3.0  # for an answer, by the contest that the game comes from
_SHOWN = 40  # characters of a wrong answer
_HAND = re.compile(r"\s*[1-4](?:\s*[1-4])*\s*", re.ASCII)


class Situation(NamedTuple):
    """All that a contestant knows; nothing comes back to it from one round to the next."""

    game: int  # from 0
    cards: SixCards


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a WireFormat's shape)
    """Name everything for a program that reads JSON."""
    return situation._asdict()


def line(situation: Situation, menu: object = None) -> str:  # noqa: ARG001
    """Write the cards for a program that reads text."""
    return " ".join(map(str, situation.cards))


def read(situation: Situation, menu: object, answer: object) -> Arrangement:  # noqa: ARG001
    """Read what a program answered: `1 4 4 | 2 3 | 1`, `144 23 1`, or a list of three lists.

    Raises:
        ValueError: it is no arrangement of its cards.
    """
    try:
        arrangement = _arranged(answer)
    except (TypeError, ValueError):
        raise ValueError(f"expected three hands such as 1 4 4 | 2 3 | 1, got {_shorten(answer)}") from None
    if arrangement.held != situation.cards:
        raise ValueError(f"expected hands of the cards {line(situation)}, got {_shorten(answer)}")
    return arrangement


def _arranged(answer: object) -> Arrangement:
    if isinstance(answer, list):
        return arrange(*_read_lists(answer))
    return (
        _read_text(answer) if isinstance(answer, str) and len(answer) <= _SHOWN else arrange(*_typed(answer))
    )


@lru_cache(maxsize=4096)
def _read_text(answer: str) -> Arrangement:
    """Read a text, of which a program has few; one that is wrong is read again each time."""
    return arrange(*_typed(answer))


def _typed(answer: object) -> Sequence[Sequence[int]]:
    text = answer if isinstance(answer, str) else ""
    hands = text.split("|") if "|" in text else text.split()
    if not all(map(_HAND.fullmatch, hands)):
        raise ValueError("there is something else than cards")
    return [[int(card) for card in "".join(hand.split())] for hand in hands]


def _read_lists(answer: Sequence[object]) -> Sequence[Sequence[int]]:
    """Make sure that it is lists of whole numbers; what numbers these are is seen to later."""
    hands = [hand if isinstance(hand, list) else [None] for hand in answer]
    cards = [[card for card in hand if type(card) is int] for hand in hands]
    if list(map(len, cards)) != list(map(len, hands)):
        raise ValueError("there is something else than cards")
    return cards


def _shorten(answer: object) -> str:
    return repr(answer)[: _SHOWN + 2]


WIRE_FORMAT = WireFormat(ask=question, read=read, line=line, seconds=SECONDS)


# Players of the contest: each plays a policy, and nothing that happens makes a difference to it.
BEST_RESPONSE = "best-response:"  # in front of the player that it is the best reply to


@dataclass(frozen=True, slots=True)
class Planned:
    """Plays a policy by its name, which is worked out when it is needed first."""

    name: str

    def __call__(self, situation: Situation, menu: Sequence[Arrangement], rng: Rng) -> Arrangement:  # noqa: ARG002
        return draw(policy(self.name)[situation.cards], rng)


@cache
def policy(name: str) -> ArrangementPolicy:
    """Return the policy of a player."""
    if name in PLANS:
        return PLANS[name]()
    return best_response(policy(name.removeprefix(BEST_RESPONSE)))


CONTESTANTS = {
    name: Planned(name) for name in (*PLANS, *(f"{BEST_RESPONSE}{replied_to}" for replied_to in PLANS))
}
