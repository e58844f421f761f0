"""The policy that ships, and those who play it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from math import comb
from typing import TYPE_CHECKING

import pytest

from chatbot.games.chickenpoker.solver import equilibrium
from chatbot.kernel.fair import Rng
from tests.games.chickenpoker import brute

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHIPPED = range(1, equilibrium.SHIPPED_CARDS + 1)


def digits(hands: brute.Pair) -> equilibrium.Hands:
    lower, higher = ("".join(map(str, hand)) for hand in hands)
    return lower, higher


def weights(player: int) -> Callable[[brute.Pair], Sequence[int]]:
    """Look up how an id plays by the shipped policy."""
    return lambda hands: equilibrium.shipped()[digits(hands)].mixes[player - 1]


@pytest.mark.slow
def test_no_response_gains_on_the_shipped_policy_for_any_n_it_serves() -> None:
    most = brute.best_response(equilibrium.SHIPPED_CARDS, weights(2), 1)
    least = brute.best_response(equilibrium.SHIPPED_CARDS, weights(1), 2)
    for cards in SHIPPED:
        everything = tuple(range(1, cards + 1))
        value = 1 if cards % 2 == 0 else -(cards + 1) / cards
        assert float(most[everything, everything]) <= value + 1e-9
        assert float(least[everything, everything]) >= value - 1e-9
    for hands in brute.pairs(equilibrium.SHIPPED_CARDS):
        assert most[hands] == least[hands] == equilibrium.shipped()[digits(hands)].value


def test_the_shipped_policy_has_every_pair_of_hands_and_nothing_else() -> None:
    assert set(equilibrium.shipped()) == {digits(hands) for hands in brute.pairs(equilibrium.SHIPPED_CARDS)}
    assert len(equilibrium.shipped()) == comb(14, 7) - 1


@pytest.mark.parametrize("cards", range(1, 5))
def test_what_is_worked_out_afresh_is_what_ships(cards: int) -> None:
    rebuilt = equilibrium.read(equilibrium.write(cards))
    everything = set(map(str, range(1, cards + 1)))
    assert rebuilt == {
        hands: entry for hands, entry in equilibrium.shipped().items() if set("".join(hands)) <= everything
    }


def test_the_command_prints_the_file_that_ships() -> None:
    written = "\n".join(equilibrium.write(equilibrium.SHIPPED_CARDS)) + "\n"
    assert equilibrium._file().read_text(encoding="utf-8") == written
    assert len(written) < 300_000


@pytest.mark.parametrize(
    "line", ["12 34", "12 34 0 11 1", "12 34 0 11 11 11", "12 34 one 11 11", "1 2 0 1 x"]
)
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"line of a policy|[Ii]nvalid literal"):
        equilibrium.read([line])


@pytest.mark.parametrize("cards", [0, 10])
def test_a_policy_that_cannot_be_written_is_refused(cards: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 9 cards"):
        list(equilibrium.write(cards))


def test_weights_are_probabilities() -> None:
    """Draw with weights 0, 3 and 1: a quarter and three quarters of 4000, ± 5 standard errors of 27."""
    rng = Rng.of("weights")
    drawn = Counter(equilibrium._drawn((2, 5, 6), (0, 3, 1), rng) for _ in range(4000))
    assert set(drawn) == {5, 6}
    assert abs(drawn[5] - 3000) < 5 * 28


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ((1, 4, 6), (2, 3, 7)),
        ((4,), (5,)),
        ((3, 9, 12), (1, 2, 3)),
        ((1, 2, 3), (3, 10, 12)),
        ((5, 50), (1, 2)),
    ],
)
def test_nash_draws_every_card_it_holds_equally_often(own: tuple[int, ...], other: tuple[int, ...]) -> None:
    rng = Rng.of("nash")
    for lower in (True, False):
        drawn = Counter(equilibrium.nash(own, other, lower, rng) for _ in range(3000))
        assert set(drawn) == set(own)
        # A count is binomial; its standard error is below √(3000 / 4) = 28.
        assert all(abs(count - 3000 / len(own)) < 5 * 28 for count in drawn.values())


def test_nash_plays_the_mix_of_its_own_id(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = equilibrium.PolicyEntry(equilibrium.value((1, 2), (3, 4)), ((1, 0), (0, 1)))
    monkeypatch.setattr(equilibrium, "shipped", lambda: {("12", "34"): entry})
    rng = Rng.of("ids")
    assert {equilibrium.nash([2, 1], [4, 3], True, rng) for _ in range(20)} == {1}
    assert {equilibrium.nash({4, 3}, {1, 2}, False, rng) for _ in range(20)} == {4}
    assert {equilibrium.nash([3, 4], [1, 2], True, rng) for _ in range(20)} == {3, 4}  # is not written there


def test_the_same_luck_draws_the_same_card() -> None:
    first, again = (
        [equilibrium.nash(range(1, n + 1), range(1, n + 1), True, rng) for n in range(1, 15)]
        for rng in (Rng.of("same"), Rng.of("same"))
    )
    assert first == again


@pytest.mark.slow
def test_playing_needs_no_numpy() -> None:
    code = (
        "import sys\nfrom chatbot.kernel.fair import Rng\n"
        "from chatbot.games.chickenpoker.solver.equilibrium import nash\n"
        "assert nash([2], [1], True, Rng.of('x')) == 2\nassert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
