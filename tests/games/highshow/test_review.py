"""Hints and reviews, worked by hand for two cards and enumerated for four."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.highshow.chat import review as review_module
from chatbot.games.highshow.chat.review import LEAST_COST, BestPlay, hint, review
from chatbot.games.highshow.figures import exactly
from chatbot.games.highshow.rules.moves import AskHint, Revealed
from chatbot.games.highshow.rules.terms import read_penalty
from chatbot.games.highshow.solver.solver import Advice
from chatbot.kernel.say import Listing, Message, Say, Talk
from tests.games.highshow.brute import values
from tests.games.highshow.table import ANN, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# With two cards K is one of 1..6. A 1 is the lowest there is, so a 2 comes behind it. Behind a 4 comes a 3
# or a 5, each as likely: seeing another is worth 4 less what it costs.


TINY = Fraction(1, 10**9)


def said(says: Any) -> Say:
    (only,) = says
    assert isinstance(only, Say)
    return only


def part(say: Say, name: str) -> Message:
    found = say.message.args[name]
    assert isinstance(found, Message)
    return found


def hinted(deck: Sequence[int], penalty: str = "none") -> Message:
    table = Table(deck).open(1, penalty)
    return said(hint(table.act(AskHint(ANN))[0])).message


@pytest.mark.parametrize(
    ("deck", "penalty", "better", "by"),
    [
        ((1, 2), "none", "another", "1"),  # 2 rather than 1
        ((1, 2), "linear=3", "cashout", "2"),  # 1 rather than 2 − 3
        ((4, 3), "none", "either", "0"),
        ((4, 5), "value=1/3", "cashout", "≈ 1.33"),  # 4 rather than 4 − 4/3
        ((7, 6), "none", "cashout", "1"),  # K is at most 6, so 7 is the highest there is
    ],
)
def test_a_hint_says_which_choice_is_better_and_by_how_much(
    deck: tuple[int, int], penalty: str, better: str, by: str
) -> None:
    message = hinted(deck, penalty)
    assert message.id == f"highshow-hint-{better}"
    assert (message.args["card"], message.args["by"]) == (str(deck[0]), by)


@pytest.mark.parametrize(
    ("by", "exact", "better"),
    [
        (LEAST_COST, False, "cashout"),
        (LEAST_COST - TINY, False, "either"),  # less than an approximation can tell
        (TINY, True, "cashout"),
        (Fraction(0), True, "either"),
    ],
)
def test_a_hint_prefers_nothing_by_less_than_is_known(
    monkeypatch: pytest.MonkeyPatch, by: Fraction, exact: bool, better: str
) -> None:
    class Sure:
        def __init__(self, *_: object) -> None: ...

        def advise(self, *_: object) -> Advice:
            return Advice(keep=4 + by, another=Fraction(4), exact=exact)

    monkeypatch.setattr(review_module, "Adviser", Sure)
    assert hinted((4, 3)).id == f"highshow-hint-{better}"


def reviewed(deck: Sequence[int], choices: str, penalty: str = "none", stake: int = 0) -> Say:
    table = Table(deck).open(1, penalty, stake)
    table.play(choices)
    return said(review(table.end()))


def test_a_review_names_the_costly_decision_and_what_best_play_makes_of_the_deck() -> None:
    say = reviewed((1, 2), "k")
    assert (say.message.id, say.talk) == ("highshow-review", Talk.NORMAL)
    assert part(say, "verdict") == Message(
        "highshow-review-costly",
        {
            "lost": "1",
            "costly": 1,
            "decisions": 1,
            "dearest": Listing(
                (Message("highshow-review-kept", {"card": "1", "turn": 1, "cost": "1"}),), separator="; "
            ),
        },
    )
    assert part(say, "ghost") == Message("highshow-ghost-more", {"cards": "2", "profit": "2", "ahead": "1"})


def test_a_review_of_best_play_finds_nothing_and_meets_its_ghost() -> None:
    say = reviewed((1, 2), "r")
    assert part(say, "verdict") == Message("highshow-review-flawless", {"decisions": 1})
    assert part(say, "ghost") == Message("highshow-ghost-same", {"cards": "2", "profit": "2", "ahead": "0"})


def test_luck_is_told_from_skill() -> None:
    # Seeing another at 4 costs the half on average, and got 5 − 1/2 this time; best play keeps the 4.
    say = reviewed((4, 5), "r", "linear=1/2")
    assert part(say, "verdict").args["lost"] == "0.5"
    assert part(say, "ghost") == Message("highshow-ghost-less", {"cards": "4", "profit": "4", "ahead": "0.5"})


def test_at_most_three_decisions_are_named_the_costliest_first() -> None:
    # From 1 on, each card tells that K is 1: seeing another costs 100 and can gain a few points only.
    table = Table((1, 2, 3, 4, 5, 6)).open(1, "linear=100")
    table.play("rrrrr")
    verdict = part(said(review(table.end())), "verdict")
    assert (verdict.args["costly"], verdict.args["decisions"]) == (5, 5)
    dearest = verdict.args["dearest"]
    assert isinstance(dearest, Listing)
    assert len(dearest.items) == 3
    assert dearest.items[0].args["card"] == "5"  # it gains 1 at most, and costs 100


def all_decks(cards: int) -> Iterator[tuple[int, ...]]:
    for lowest in range(1, 3 * cards + 1):
        yield from permutations(range(lowest, lowest + cards))


@pytest.mark.slow
@pytest.mark.parametrize("penalty", ["none", "linear", "turn", "value=1/2", "turnvalue"])
@pytest.mark.parametrize("keep", [1, 2, 3])
def test_over_all_decks_the_ghost_makes_the_policy_value_and_costs_add_up_to_what_others_miss(
    penalty: str, keep: int
) -> None:
    """Whoever plays as they like makes the policy value less what their decisions cost, on average."""
    read = read_penalty(penalty)
    value = values(read.kind.value, read.parameter, 4)(frozenset(), keep)
    ghosts, players, costs = [], [], []
    for deck in all_decks(4):
        revealed = played(deck, keep, penalty)
        best = BestPlay(revealed.progress.terms, deck)
        ghosts.append(made(deck, keep, penalty, best.ghost()))
        players.append(revealed.result.profit)
        costs.append(sum(Fraction(each.cost) for each in best.decisions(revealed.progress)))
    assert sum(ghosts) / len(ghosts) == value
    assert (sum(players) + sum(costs)) / len(players) == value


@pytest.mark.slow
@pytest.mark.parametrize("penalty", ["turn", "value", "turnvalue=1/3"])
def test_what_is_told_of_the_ghost_is_what_the_rules_make_of_its_play(penalty: str) -> None:
    for lowest in range(1, 25):
        deck = tuple(lowest + each for each in (1, 6, 0, 3, 7, 2, 5, 4))
        revealed = played(deck, 2, penalty)
        turns = BestPlay(revealed.progress.terms, deck).ghost()
        told = part(said(review(revealed)), "ghost")
        assert told.args["profit"] == exactly(made(deck, 2, penalty, turns))


def played(deck: tuple[int, ...], keep: int, penalty: str) -> Revealed:
    """Play a whim: keep even cards."""
    table = Table(deck).open(keep, penalty)
    while (shown := table.view().progress) is not None and shown.shown is not None:
        table.play("r" if shown.shown % 2 else "k")
    revealed = table.end()
    assert isinstance(revealed, Revealed)
    return revealed


def made(deck: tuple[int, ...], keep: int, penalty: str, turns: tuple[int, ...]) -> Fraction:
    """Play by turns, as the rules have it: the rest is taken where it must be."""
    table = Table(deck).open(keep, penalty)
    while (shown := table.view().progress) is not None and shown.shown is not None:
        table.play("k" if len(shown.seen) + 1 in turns else "r")
    profit: Fraction = table.end().result.profit
    return profit


def test_the_largest_game_is_reviewed_too() -> None:
    table = Table(range(2999, 1999, -1)).open(1, "value")
    table.play("k")
    assert part(said(review(table.end())), "verdict").args["decisions"] == 1
