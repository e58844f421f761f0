"""Two players meet: built-in ones many games at a time, all others game by game, on the same deals.

Whoever plays a policy draws from a stream of its own, by its name, and one by one or many at a time comes
to the same. Whoever gives no arrangement has a random one, from its own stream as well.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from chatbot.games.sixcardpoker.contest.contestants import Planned, policy
from chatbot.games.sixcardpoker.contest.drawing import Draws, Luck, Sampler, deal
from chatbot.games.sixcardpoker.contest.score import GAMES, OUTCOMES, Score, code, rows
from chatbot.games.sixcardpoker.contest.situation import Situation
from chatbot.games.sixcardpoker.rules.cards import Arrangement, arrangements, compare, types
from chatbot.games.sixcardpoker.solver.tables import tables
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from chatbot.games.sixcardpoker.rules.cards import Held, Outcome
    from chatbot.games.sixcardpoker.solver.tables import Places
    from chatbot.kernel.contest import Entrant, Log, Strategy

_MANY, _FEW = 1 << 13, 1 << 6  # deals at a time: what fits into a processor's cache, and what is soon played
_SUBSTITUTE = "random"

Pair: TypeAlias = "tuple[Entrant, Entrant]"


class Block(NamedTuple):
    """Some deals in a row: for each player two rows of places, one for each of a deal's games."""

    held: tuple[Places, Places]
    chosen: tuple[Places, Places]


def meet(players: Pair, deals: int, seed: str, log: Log | None) -> Iterator[Score]:
    """Play so many deals, and tell the score again and again; it is always the same one."""
    planned = all(isinstance(each.strategy, Planned) for each in players)
    names = [each.name for each in players]
    dealer, *lucks = (Luck(f"{seed}/{names}/{name}") for name in ("", *names))
    score, at_once = Score(), planned and log is None
    table = MeetingTable(players, [Rng.of(f"{seed}/{names}/{name}") for name in names], log)
    left = deals
    while left:
        count = min(left, _MANY if at_once else _FEW)
        block = _drawn(players, deal(dealer, count), [luck.draw(count, GAMES) for luck in lucks])
        left -= count
        if at_once:
            score.add_all(count, _counted(block.chosen))
            yield score
        else:
            yield from table.play(block, score)


class MeetingTable:
    """Where games are played one by one."""

    def __init__(self, players: Pair, rngs: Sequence[Rng], log: Log | None) -> None:
        self._players, self._rngs, self._log = players, rngs, log
        self._game = 0

    def play(self, block: Block, score: Score) -> Iterator[Score]:
        """Play the deals of a block, and tell the score after each."""
        known, listed = types(), tables().arrangements
        for place in range(block.held[0].shape[1]):
            codes = []
            for game in range(GAMES):
                held = [known[each[game, place]] for each in block.held]
                drawn = [listed[each[game, place]] for each in block.chosen]
                codes.append(code(self._one(held, drawn)))
            score.add(codes[0], codes[1])
            yield score

    def _one(self, held: Sequence[Held], drawn: Sequence[Arrangement]) -> Outcome:
        """Play one game; `drawn` is what policies chose, and what is played without an answer."""
        sets = [self._set(place, held[place], drawn[place]) for place in range(2)]
        outcome = compare(sets[0], sets[1])
        if self._log is not None:
            names = [each.name for each in self._players]
            self._log(_written(self._game, names, sets, outcome))
        self._game += 1
        return outcome

    def _set(self, place: int, held: Held, drawn: Arrangement) -> Arrangement:
        strategy = self._players[place].strategy
        if isinstance(strategy, Planned):
            return drawn
        answer = strategy(Situation(self._game, held), arrangements(held), self._rngs[place])
        legal = isinstance(answer, Arrangement) and answer in arrangements(held)
        return answer if legal else drawn


def _drawn(players: Pair, cards: Places, draws: Sequence[Draws]) -> Block:
    """Have policies choose; in the second game the cards are exchanged."""
    held = (cards, cards[::-1])
    first, second = (
        _sampler(_plan(each.strategy)).choose(own, drawn.T)
        for each, own, drawn in zip(players, held, draws, strict=True)
    )
    return Block(held, (first, second))


def _plan(strategy: Strategy) -> str:
    return strategy.name if isinstance(strategy, Planned) else _SUBSTITUTE


def _counted(chosen: tuple[Places, Places]) -> Sequence[int]:
    """Add up the rows of all that came of these games."""
    first, second = _codes()[chosen[0], chosen[1]].astype(np.int64)
    counts = np.bincount(first * OUTCOMES + second, minlength=OUTCOMES**GAMES)
    totals: list[int] = (counts @ _rows()).tolist()
    return totals


@cache
def _sampler(name: str) -> Sampler:
    return Sampler.of(policy(name))


@cache
def _codes() -> NDArray[np.uint8]:
    """Number what comes of each arrangement (row) against each."""
    high, middle, low = tables().hands.astype(np.int16) + 1
    codes: NDArray[np.uint8] = ((high * 3 + middle) * 3 + low).astype(np.uint8)
    return codes


@cache
def _rows() -> Draws:
    return np.array(rows(), dtype=np.int64)


def _written(game: int, names: Sequence[str], sets: Sequence[Arrangement], outcome: Outcome) -> str:
    """Write down a game: what was set, the points by hand, and who won."""
    winner = {1: names[0], 0: "nobody", -1: names[1]}[outcome.round]
    lines = [f"#####GAME {game}: {winner} wins######"]
    for name, arrangement, sign in zip(names, sets, (1, -1), strict=True):
        points = " ".join(("0", "½", "1")[sign * hand + 1] for hand in outcome.hands)
        lines.append(f"{name}: {arrangement}, points {points}")
    return "".join(f"{each}\n" for each in lines)
