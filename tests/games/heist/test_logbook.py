"""The log of a tournament, line by line, and the whole log of a seed.

To write `tournament.log` anew after a change of rules: `uv run python -m tests.games.heist.test_logbook`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.games.heist.contest.contest import HeistContest, game_log
from chatbot.games.heist.contest.referee import Referee
from chatbot.games.heist.contest.situation import STAKING, Played, Situation
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import Entrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

GOLDEN = Path(__file__).with_name("tournament.log")
SEED, GAMES, RABBLE = "golden", 6, 60


def always(stake: int, act: Act) -> Strategy:
    def strategy(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
        return stake if told.round == STAKING else act

    return strategy


def whim(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
    return rng.below(told.credits + 1) if told.round == STAKING else rng.choice(tuple(Act))


ENTRANTS = [
    Entrant("Nessa", always(0, Act.GUNCHECK)),
    Entrant("Bolt69", always(69, Act.GUNCHECK)),
    Entrant("a'Quill", always(30, Act.DEPOSIT)),
    Entrant("Weasel", always(1, Act.DOUBLE_CROSS)),
    Entrant("Sparrow", always(5, Act.FINGER)),
    Entrant("MadamLuck", always(1, Act.ALL_IN)),
    Entrant("Whim", whim),
]
NAMES = [each.name for each in ENTRANTS]


def log_of(kind: type[Referee | Tournament]) -> str:
    return "".join(game_log(each, NAMES) for each in kind(ENTRANTS, RABBLE, SEED).play(GAMES))


# The form


def test_a_game_is_written_in_the_form_of_the_contest_s_example() -> None:
    played = Played(
        number=13,
        players=16,
        bets=[(2, 0), (0, 69), (1, 1), (3, 28), (4, 1)],
        answers=[(1, Act.DOUBLE_CROSS), (3, Act.DEPOSIT), (0, Act.GUNCHECK), (4, Act.BACK_OUT)],
        results=[(0, False, 0), (1, True, 1), (3, True, 0)],
        credits=[2634, 2496, 3600, 255, 3600],
    )
    assert game_log(played, ["Bolt69", "Weasel", "Nessa", "a'Quill", "Early"]) == (
        "#####GAME 13: 16 players######\n"
        "Round 1:\n"
        "Nessa bet 0.\n"
        "Bolt69 bet 69.\n"
        "Weasel bet 1.\n"
        "a'Quill bet 28.\n"
        "Early bet 1.\n"
        "Round 2\n"
        "Weasel decided to double cross.\n"
        "a'Quill decided to deposit.\n"
        "Bolt69 decided to !guncheck.\n"
        "Early decided to back out.\n"
        "Results\n"
        "Bolt69 failed. :(\n"
        "Weasel was successful, and may gain ¥1\n"
        "a'Quill was successful, and may gain ¥0\n"
        "Results:\n"
        "0. Early: 3600\n"
        "1. Nessa: 3600\n"
        "2. Bolt69: 2634\n"
        "3. Weasel: 2496\n"
        "4. a'Quill: 255\n"
    )


@pytest.mark.parametrize(
    ("act", "word"),
    [
        (Act.GUNCHECK, "!guncheck"), (Act.BACK_OUT, "back out"), (Act.ALL_IN, "all in"),
        (Act.CHANGE_JOBS, "change jobs"), (Act.INTEL, "acquire intel"), (Act.GUARD, "buy guard"),
        (Act.DEPOSIT, "deposit"), (Act.WITHDRAW, "withdraw"), (Act.DOUBLE_CROSS, "double cross"),
        (Act.FINGER, "finger"),
    ],
)  # fmt: skip
def test_each_answer_is_written_in_the_contest_s_words(act: Act, word: str) -> None:
    played = Played(0, 1, bets=[(0, 1)], answers=[(0, act)], results=[], credits=[240])
    assert f"\nRound 2\nNessa decided to {word}.\nResults\n" in game_log(played, ["Nessa"])


def test_a_game_that_nobody_joined_is_written_too() -> None:
    played = Played(0, 2, bets=[(1, 0), (0, 0)], answers=[], results=[], credits=[480, 480])
    assert game_log(played, ["b", "B"]) == (
        "#####GAME 0: 2 players######\nRound 1:\nB bet 0.\nb bet 0.\n"
        "Round 2\nResults\nResults:\n0. B: 480\n1. b: 480\n"
    )


# The whole of a seed


@pytest.mark.parametrize("kind", [Referee, Tournament])
def test_a_seed_has_the_same_log_for_good(kind: type[Referee | Tournament]) -> None:
    assert log_of(kind) == GOLDEN.read_text(encoding="utf-8")


def test_a_contest_s_log_is_that_of_its_games() -> None:
    contest, log = HeistContest(rabble=RABBLE), list[str]()
    (match,) = contest.matches(len(ENTRANTS), GAMES, "word")
    standings = list(contest.play(match, ENTRANTS, log.append))
    played = list(Tournament(ENTRANTS, RABBLE, match.seed).play(GAMES))
    assert log == [game_log(each, NAMES) for each in played]
    assert [(each.games, list(each.scores)) for each in standings] == [
        (number + 1, each.credits) for number, each in enumerate(played)
    ]


def test_a_match_seats_its_own_entrants_in_its_own_order() -> None:
    contest = HeistContest(rabble=0)
    (match,) = contest.matches(3, 4, "seats")
    log: list[str] = []
    turned = type(match)(match.number, (2, 0), match.games, match.seed)
    last = list(contest.play(turned, ENTRANTS, log.append))[-1]
    assert len(last.scores) == 2
    assert all("a'Quill bet 30." in each and "Nessa bet 0." in each for each in log)


if __name__ == "__main__":
    GOLDEN.write_text(log_of(Referee), encoding="utf-8", newline="\n")
