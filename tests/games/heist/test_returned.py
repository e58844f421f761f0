"""What is published of each answer is what the rules make of every draw, and what a hand reckons."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import pytest

from chatbot.games.heist.chat.odds import odds
from chatbot.games.heist.rules import answers, arithmetic
from chatbot.games.heist.rules.answers import CrewAtBank, comes_back, enumerable, prospect
from chatbot.games.heist.rules.career import Career
from chatbot.games.heist.rules.crew import Crew, Heister
from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist
from chatbot.games.heist.rules.settings import PRESETS
from chatbot.games.heist.rules.states import Company, Over, Storming
from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Clock, Moment, Seat, Timeout
from chatbot.kernel.say import Listing, Message
from chatbot.kernel.settings import make
from tests.games.heist.luck import Undrawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STREAM = make(Heist, PRESETS["stream"])
STAKE, ME = 100, Seat("people:me")
FEW_LOOKS = 2  # of a snitch, so that all of them can be played through

T = TypeVar("T")


class Tree(Rng):
    """Takes one way through all draws there are, and tells how likely it was and which is next."""

    def __init__(self, path: Sequence[int]) -> None:
        super().__init__(b"")
        self.taken, self.sides, self.likely = list(path), list[int](), Fraction(1)

    def draw(self, chances: Sequence[Fraction]) -> int:
        if len(self.sides) == len(self.taken):
            self.taken.append(0)
        side = self.taken[len(self.sides)]
        self.sides.append(len(chances))
        self.likely *= chances[side]
        return side

    def chance(self, probability: float) -> bool:
        exact = Fraction(str(round(probability, 9)))
        return not self.draw([exact, 1 - exact])

    def choice(self, items: Sequence[T]) -> T:
        return items[self.draw([Fraction(1, len(items))] * len(items))]

    def next(self) -> list[int] | None:
        """Return the way that comes after this one, if any does."""
        for place in reversed(range(len(self.sides))):
            if self.taken[place] + 1 < self.sides[place]:
                return [*self.taken[:place], self.taken[place] + 1]
        return None


def ways(game: Heist, at: CrewAtBank, act: Act, other: Act) -> Iterator[tuple[int, Fraction]]:
    """Play a heist in all ways there are: what it brings, and how likely that way is."""
    seats = [ME, *(Seat(f"people:{place}") for place in range(1, at.crew))]
    acts = (act, other, *[Act.GUNCHECK] * at.crew)
    crew = Crew(Heister(seat, at.stake, acts[place]) for place, seat in enumerate(seats))
    company = Company(dict.fromkeys(seats, Career()), crew, active=at.crew)
    purses = dict.fromkeys(seats, 5 * at.stake) | ({ME: 0} if act is Act.ALL_IN else {})
    path: list[int] | None = []
    clock = Clock("storming", game.suspense)
    while path is not None:
        tree = Tree(path)
        state = Storming(company, at.bank, (), tuple(Undrawn.of(tree) for _ in crew))
        step = game.apply(state, Timeout(clock), Moment(tree, purses))
        assert isinstance(step.state, Over)
        changed = sum(each.credits * ((each.target == ME) - (each.source == ME)) for each in step.transfers)
        (put_by,) = [each.put_by for each in step.state.outcomes if each.seat == ME]
        yield changed + put_by - at.stake, tree.likely
        path = tree.next()


PAIRS = [
    *((act, Act.GUNCHECK) for act in Act),
    *((act, Act.FINGER) for act in (Act.GUNCHECK, Act.BACK_OUT, Act.DOUBLE_CROSS, Act.DEPOSIT)),
    *((act, Act.DOUBLE_CROSS) for act in (Act.GUNCHECK, Act.DEPOSIT, Act.FINGER, Act.DOUBLE_CROSS)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("act", "other"), PAIRS, ids=lambda act: act.value)
@pytest.mark.parametrize("crew", [2, 3, 4])
def test_each_number_of_credits_is_as_likely_as_all_draws_of_the_rules_make_it(
    act: Act, other: Act, crew: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (answers, arithmetic):
        monkeypatch.setattr(module, "LOOKS", FEW_LOOKS)
    at, found = CrewAtBank(crew, 1, STAKE), defaultdict[int, Fraction](Fraction)
    for change, likely in ways(STREAM, at, act, other):
        found[change] += likely
    assert sum(found.values()) == 1
    assert prospect(STREAM, at, act, other) == found


def test_all_that_may_come_of_an_answer_is_certain() -> None:
    for act, other in PAIRS:
        assert sum(prospect(STREAM, CrewAtBank(10, 2, 69), act, other).values()) == 1


def test_without_anybody_who_crosses_an_answer_returns_what_its_own_dice_do() -> None:
    at, back = CrewAtBank(10, 2, STAKE), Fraction("0.425")  # at the third bank 100 become 200
    wage = Fraction(5, STAKE)
    for act in (Act.GUNCHECK, Act.INTEL, Act.DEPOSIT, Act.WITHDRAW):
        assert comes_back(STREAM, at, act) == back * 2 + wage
    assert comes_back(STREAM, at, Act.GUARD) == back * 2 + wage - Fraction(1, STAKE)  # the bribe
    assert comes_back(STREAM, at, Act.CHANGE_JOBS) == back * 2 + wage / 20  # a new job comes in one of 20
    assert comes_back(STREAM, at, Act.ALL_IN) == back * Fraction(210, STAKE)  # on a loan of 5
    assert comes_back(STREAM, at, Act.BACK_OUT) == 1


def test_a_double_cross_of_two_who_stick_is_as_it_is_reckoned_by_hand() -> None:
    # At the first bank 100 become 150; of each of the two who gets away 30 are taken. The wage is 5.
    at, p = CrewAtBank(3, 0, STAKE), Fraction("0.54")
    sticks = p * 150 + 5
    assert comes_back(STREAM, at, Act.DOUBLE_CROSS) == (sticks + p * 2 * p * 30) / STAKE
    # A snitch who gets away meets the crosser in one of eight looks. That costs 200, all winnings, and the
    # job: one of 20 finds another, which pays floor(5 × 126 / 240) = 2.
    meets = p * (1 - Fraction(2, 3) ** 8)
    named = -200 + Fraction(2, 20)
    # Otherwise the third one adds 30, and the snitch, who has stitches and half of 150 left, adds 15.
    unnamed = (1 - meets) * (sticks + p * p * 30) + (p - meets) * p * 15
    assert comes_back(STREAM, at, Act.DOUBLE_CROSS, Act.FINGER) == (meets * named + unnamed) / STAKE


def test_two_who_stick_beside_one_are_no_double_cross() -> None:
    at = CrewAtBank(2, 0, STAKE)
    assert comes_back(STREAM, at, Act.DOUBLE_CROSS) == comes_back(STREAM, at, Act.GUNCHECK)


def test_two_crossers_of_ten_get_nothing_but_the_wage_of_a_job_found_at_once() -> None:
    # Half a salary and a twentieth of it: floor(5 × 126 / 240) = 2 of 100, in one heist of 20.
    back = comes_back(STREAM, CrewAtBank(10, 2, STAKE), Act.DOUBLE_CROSS, Act.DOUBLE_CROSS)
    assert back == Fraction(2, 20) / STAKE


def test_answers_are_described_where_no_situation_says_enough() -> None:
    contest, small, deepbot = (make(Heist, PRESETS[name]) for name in ("contest", "small", "deepbot"))
    assert [enumerable(each) for each in (STREAM, contest, small, deepbot)] == [True, False, False, False]
    assert odds(STREAM).exact is not None
    assert odds(contest).exact is None
    assert "heist-odds-answers" in {each.id for each in odds(contest).more}
    assert odds(deepbot).more == ()  # it has no answers


def test_the_answers_are_told_best_first_and_those_that_return_the_same_together() -> None:
    exact = odds(replace(STREAM, default_stake=STAKE)).exact
    assert exact is not None
    (told,) = exact()
    rows = told.args["alone"]
    assert isinstance(rows, Listing)
    backs = [float(str(each.args["back"])) for each in rows.items]
    assert backs == sorted(backs, reverse=True)
    by_back = {each.args["back"]: _words(each.args) for each in rows.items}
    assert by_back[90.0] == "!guncheck !intel !deposit !withdraw"  # .425 × 2 and the wage
    assert {word for each in by_back.values() for word in each.split()} == {f"!{act.value}" for act in Act}


def _words(args: Mapping[str, object]) -> str:
    words = args["words"]
    assert isinstance(words, Listing)
    assert all(isinstance(each, Message) for each in words.items)
    return words.separator.join(str(each.args["word"]) for each in words.items)
