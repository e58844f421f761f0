"""What a contestant is told, how its answer is read, and the strategies: `(told, menu, rng) -> choice`."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from chatbot.games.pokermarket.contest.champion import Insight, Minds
from chatbot.games.pokermarket.contest.position import Position, deal_of
from chatbot.games.pokermarket.contest.search import Beliefs, Outlook
from chatbot.games.pokermarket.rules.market import Swap
from chatbot.kernel.cards import parse, written
from chatbot.kernel.contest import Learner, WireFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.games.pokermarket.contest.position import Deal
    from chatbot.games.pokermarket.rules.market import Market
    from chatbot.games.pokermarket.rules.states import Done
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

Word: TypeAlias = Literal["pass", "accept", "decline"]
TurnChoice: TypeAlias = "Swap | Word"
PASS: Word = "pass"  # noqa: S105
ACCEPT: Word = "accept"
DECLINE: Word = "decline"
ANSWERS: dict[str, Word] = {ACCEPT: ACCEPT, DECLINE: DECLINE}

_LONGEST = 40  # characters of an answer that are told back


class Situation(NamedTuple):
    """All that a contestant knows, which is everything; seats are numbers in the order of turns, from 0."""

    game: int  # from 0
    own: int  # the contestant's seat
    players: tuple[int, ...]  # who has each seat, as numbers from 0 that last as long as the match
    market: Market
    proposed: Swap | None  # to the contestant; None: it is to propose something
    history: tuple[Done, ...]  # the turns of this deal so far


def question(situation: Situation, menu: object = None) -> dict[str, object]:  # noqa: ARG001  (a WireFormat's shape)
    """Name everything for a program that reads JSON."""
    market, proposed = situation.market, situation.proposed
    return {
        "game": situation.game,
        "own": situation.own,
        "players": situation.players,
        "hands": [[written(card) for card in hand] for hand in market.hands],
        "round": market.round + 1,
        "rounds": market.rounds,
        "seat": market.seat,
        "left": market.left,
        "proposal": None if proposed is None else [written(proposed.give), written(proposed.take)],
        "history": [_turn(each) for each in situation.history],
    }


def read(situation: Situation, menu: object, answer: object) -> TurnChoice:  # noqa: ARG001
    """Read what a program answered: a word, `swap JS 3D`, or {"swap": ["JS", "3D"]}.

    Raises:
        ValueError: it says nothing that could be done.
    """
    text = _text(answer)
    if situation.proposed is not None:
        if text not in ANSWERS:
            raise ValueError(f"expected accept or decline, got {text[:_LONGEST]!r}")
        return ANSWERS[text]
    return PASS if text == PASS else _swap(situation, text)


def _text(answer: object) -> str:
    """Write an answer in words, in whatever form it came."""
    match answer:
        case {"swap": [str(give), str(take)]} if isinstance(answer, dict) and len(answer) == 1:
            return f"swap {give} {take}"
        case str():
            return " ".join(answer.lower().split()).removeprefix("!")
        case _:
            return json.dumps(answer)


def _swap(situation: Situation, text: str) -> Swap:
    match = _SWAP.fullmatch(text)
    if match is None:
        raise ValueError(f'expected {{"swap": ["JS", "3D"]}} or pass, got {text[:_LONGEST]!r}')
    give, take = parse(match["give"]), parse(match["take"])
    if give not in situation.market.hands[situation.own]:
        raise ValueError(f"{written(give)} is no card of your hand")
    partner = situation.market.holder(take)
    if partner is None or partner == situation.own:
        raise ValueError(f"{written(take)} is no card of another player")
    return Swap(situation.own, give, partner, take)


def _turn(turn: Done) -> dict[str, object]:
    swap = turn.proposed
    if swap is None:
        return {"seat": turn.market.seat, "swap": None, "partner": None, "accepted": False}
    cards = [written(swap.give), written(swap.take)]
    return {"seat": swap.seat, "swap": cards, "partner": swap.partner, "accepted": turn.accepted}


_SWAP = re.compile(r"swap (?P<give>\S{2,4}) (?P<take>\S{2,4})", re.IGNORECASE)

WIRE_FORMAT = WireFormat(ask=question, read=read)


# Strategies of the contest: `(situation, menu, rng) -> choice`.


def passive(situation: Situation, menu: object, rng: Rng) -> TurnChoice:  # noqa: ARG001
    """Pass, and decline everything."""
    return PASS if situation.proposed is None else DECLINE


def random(situation: Situation, menu: object, rng: Rng) -> TurnChoice:  # noqa: ARG001
    """Propose any swap or pass, and toss a coin for each answer."""
    if situation.proposed is not None:
        return _word(rng.chance(0.5))
    return rng.choice([PASS, *situation.market.swaps(situation.own)])


def greedy(situation: Situation, menu: object, rng: Rng) -> TurnChoice:  # noqa: ARG001
    """Do what makes its place, and then its hand, best at once."""
    position = Position.of(situation.market)
    if situation.proposed is not None:
        return _word(position.accepts(deal_of(situation.proposed, position)))
    return _proposed(position.choice(situation.own))


class Searcher:
    """Looks ahead, and remembers what others have done: in this deal, or as long as the match lasts."""

    def __init__(self, *, remembers: bool = False, shrewd: bool = False) -> None:
        self._remembers, self._shrewd = remembers, shrewd
        self._game: int | None = None
        self._noticed = 0  # turns of this deal
        self._beliefs = Beliefs()

    def __call__(self, situation: Situation, menu: object, rng: Rng) -> TurnChoice:  # noqa: ARG002
        self._notice(situation)
        market, position = situation.market, Position.of(situation.market)
        turns = market.rounds * market.players
        outlook = Outlook(situation.own, market.turn, turns, situation.players, self._beliefs, self._shrewd)
        if situation.proposed is not None:
            return _word(outlook.accepts(position, deal_of(situation.proposed, position)))
        return _proposed(outlook.proposal(position))

    def _notice(self, situation: Situation) -> None:
        """Learn from what has happened since it was asked last.

        What came after its last decision of a deal that is over it has never been told.
        """
        if situation.game != self._game:
            self._game, self._noticed = situation.game, 0
            self._beliefs = self._beliefs if self._remembers else Beliefs()
        for turn in situation.history[self._noticed :]:
            swap = turn.proposed
            partner = None if swap is None else situation.players[swap.partner]
            self._beliefs.notice(turn, situation.players[turn.market.seat], partner)
        self._noticed = len(situation.history)


class Champion:
    """Searches as `broker` does, and works out what the one who is asked would answer."""

    def __init__(self) -> None:
        self._beliefs, self._minds = Beliefs(), Minds()
        self._game: int | None = None
        self._insight: Insight | None = None
        self._noticed = 0  # turns of this deal

    def __call__(self, situation: Situation, menu: object, rng: Rng) -> TurnChoice:  # noqa: ARG002
        insight, market = self._notice(situation), situation.market
        position, turn = Position.of(market), market.turn
        if situation.proposed is not None:
            return _word(insight.outlook(turn).accepts(position, deal_of(situation.proposed, position)))
        return _proposed(insight.proposal(position, turn))

    def _notice(self, situation: Situation) -> Insight:
        """Learn from what has happened in this deal since it was asked last."""
        if self._insight is None or situation.game != self._game:
            turns = situation.market.rounds * situation.market.players
            self._insight = Insight(situation.own, turns, situation.players, self._beliefs, self._minds)
            self._game, self._noticed = situation.game, 0
        for turn in situation.history[self._noticed :]:
            self._insight.notice(turn)
        self._noticed = len(situation.history)
        return self._insight


def _word(accepted: bool) -> Word:
    return ACCEPT if accepted else DECLINE


def _proposed(deal: Deal | None) -> TurnChoice:
    return PASS if deal is None else deal.swap


CONTESTANTS: Mapping[str, Strategy | Learner] = {
    "passive": passive,
    "random": random,
    "greedy": greedy,
    "search": Learner(Searcher),
    "broker": Learner(partial(Searcher, remembers=True, shrewd=True)),
    "champion": Learner(Champion),
}
