"""One deal at a table where nobody watches: turns, proposals and answers, to the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.games.pokermarket.contest.situation import ACCEPT, ANSWERS, PASS, Situation
from chatbot.games.pokermarket.rules.market import Swap
from chatbot.games.pokermarket.rules.states import Done
from chatbot.kernel.cards import written
from chatbot.kernel.contest import Strategy
from chatbot.kernel.fair import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.games.pokermarket.rules.market import Market


@dataclass(frozen=True, slots=True)
class DealTrading:
    """Somebody with a seat: its number lasts as long as the match, and so does its luck."""

    player: int
    name: str
    strategy: Strategy
    rng: Rng


@dataclass(frozen=True, slots=True)
class Traded:
    """A deal that is over: its turns, and what each seat scored."""

    done: tuple[Done, ...]
    points: tuple[int, ...]


def trade(market: Market, sitting: Sequence[DealTrading], game: int) -> Traded:
    """Play a deal; no answer, or one that is not possible, passes or declines."""
    players, done = tuple(each.player for each in sitting), tuple[Done, ...]()
    while not market.over:
        told = Situation(game, market.seat, players, market, None, done)
        swap = _proposed(told, sitting[market.seat])
        accepted = False
        if swap is not None:
            asked = told._replace(own=swap.partner, proposed=swap)
            partner = sitting[swap.partner]
            accepted = partner.strategy(asked, tuple(ANSWERS), partner.rng) == ACCEPT
        done = (*done, Done(market, swap, accepted))
        market = (market.swapped(swap) if swap is not None and accepted else market).next()
    return Traded(done, market.points)


def told_as(game: int, traded: Traded, sitting: Sequence[DealTrading]) -> Iterator[str]:
    """Write a deal down, line by line."""
    names = [each.name for each in sitting]
    yield f"#####GAME {game}: {', '.join(names)}######"
    if traded.done:
        for name, hand in zip(names, traded.done[0].market.hands, strict=True):
            yield f"{name}: {' '.join(map(written, hand))}"
    for each in traded.done:
        yield _line(each, names)
    scored = zip(names, traded.points, strict=True)
    yield f"points: {', '.join(f'{name} {points}' for name, points in scored)}"


def _proposed(told: Situation, sitting: DealTrading) -> Swap | None:
    swap = sitting.strategy(told, (PASS,), sitting.rng)
    hands, own = told.market.hands, told.own
    if not isinstance(swap, Swap) or swap.seat != own or swap.partner not in range(len(hands)):
        return None
    held = swap.partner != own and swap.give in hands[own] and swap.take in hands[swap.partner]
    return swap if held else None


def _line(done: Done, names: Sequence[str]) -> str:
    swap, about = done.proposed, f"round {done.market.round + 1}: {names[done.market.seat]}"
    if swap is None:
        return f"{about} passes"
    answer = "accepts" if done.accepted else "declines"
    return f"{about} offers {written(swap.give)} for {written(swap.take)}, {names[swap.partner]} {answer}"
