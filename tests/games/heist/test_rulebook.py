"""A referee that was written from the rulebook alone agrees with ours, game by game."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games.heist.contest.situation import ANSWERS, STAKING, WORDS, Situation, read
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.kernel.contest import Entrant
from docs.rulebooks.heist_settlements import SETTLEMENTS, settled
from tests.documentation import page
from tests.games.heist.rulebook_referee import Record, RulebookReferee

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.contest import Strategy
    from tests.games.heist.rulebook_referee import Asked

TOLD = ("game", "round", "players", "acted", "heisters", "staked", "committed", "bank", "credits", "stake",
        "salary", "employed", "rank", "most", "accounts", "chances", "odds")  # fmt: skip


class Character:
    """Answers by what it is told and by chance, and notes what it is told: the same for both referees."""

    def __init__(self, seed: str, number: int, words: Sequence[str], share: float) -> None:
        self._seed, self._number, self._words, self._share = seed, number, words, share
        self.heard: list[tuple[object, ...]] = []

    def __call__(self, told: Asked) -> Any:
        self.heard.append(tuple(told[each] for each in TOLD))
        draws = random.Random(f"{self._seed}/{self._number}/{told['game']}/{told['round']}")
        if told["round"] == STAKING:
            wealth = told["credits"]
            bold = int(wealth * draws.random() * self._share)
            return draws.choice((0, 1, 69, bold, bold, bold, wealth, wealth + 1))
        return draws.choice(self._words)


EVERYTHING = [*ANSWERS, "what?"]
LINE_UPS: dict[str, Callable[[str], list[Character]]] = {
    "one of each": lambda seed: [Character(seed, at, [word], 0.3) for at, word in enumerate(ANSWERS)],
    "anything": lambda seed: [Character(seed, at, EVERYTHING, 0.5) for at in range(6)],
    "crossers and snitches": lambda seed: [
        Character(seed, at, ["double cross", "finger", "finger", "withdraw", "!guncheck"], 0.2)
        for at in range(14)
    ],
    "two crossers in twenty": lambda seed: [
        Character(seed, at, ["double cross"] if at < 2 else ["finger"] if at < 4 else ["!guncheck"], 0.1)
        for at in range(24)
    ],
    "guards": lambda seed: [
        Character(seed, at, ["buy guard", "buy guard", "change jobs"], 1.0) for at in range(3)
    ],
    "alone": lambda seed: [Character(seed, 0, EVERYTHING, 1.0)],
}  # fmt: skip


def entrant(number: int, character: Character) -> Entrant:
    def answer(told: Situation, menu: Sequence[object], rng: object) -> object:
        said = character({**told._asdict()})
        return read(told, menu, said)

    strategy: Strategy = answer
    return Entrant(f"contestant {number}", strategy)


def ours(people: Sequence[Character], rabble: int, seed: str, games: int) -> Iterator[Record]:
    entrants = [entrant(number, each) for number, each in enumerate(people)]
    for game in Tournament(entrants, rabble, seed).play(games):
        answers = [(who, WORDS[act]) for who, act in game.answers]
        yield Record(game.players, list(game.bets), answers, list(game.credits))


def first_difference(line_up: str, rabble: int, seed: str, games: int) -> str:
    """Return what is different first, or "" where nothing is."""
    people, others = LINE_UPS[line_up](seed), LINE_UPS[line_up](seed)
    referee = RulebookReferee(others, rabble, seed)
    for number, game in enumerate(ours(people, rabble, seed, games)):
        other = referee.play()
        if game != other:
            return f"{line_up}, rabble {rabble}, seed {seed}, game {number}: {game} and {other}"
    heard = [each.heard for each in people]
    return "" if heard == [each.heard for each in others] else f"{line_up}, seed {seed}: was told differently"


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_some_games_are_those_of_the_rulebook(line_up: str) -> None:
    assert first_difference(line_up, 30, "rulebook", 25) == ""


@pytest.mark.slow
@pytest.mark.parametrize("rabble", [0, 3, 60, 500, 1500])
@pytest.mark.parametrize("line_up", LINE_UPS)
def test_thousands_of_games_are_those_of_the_rulebook(line_up: str, rabble: int) -> None:
    games = 100 if rabble < 1000 else 20
    for seed in ("one", "two"):
        assert first_difference(line_up, rabble, f"{line_up}/{seed}", games) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("line_up", LINE_UPS)
def test_hundred_tournaments_are_those_of_the_rulebook(line_up: str) -> None:
    for number in range(100):
        assert first_difference(line_up, 120, f"night {number}", 100) == ""


def test_the_referee_from_the_rulebook_imports_nothing_of_the_program() -> None:
    from tests.games.heist import rulebook_referee  # noqa: PLC0415

    with open(rulebook_referee.__file__, encoding="utf-8") as source:  # noqa: PTH123
        imported = re.findall(r"^\s*(?:from|import) (\w+)", source.read(), re.MULTILINE)
    assert set(imported) == {"__future__", "hashlib", "dataclasses", "typing", "numpy", "collections"}


# The worked settlements


ROW = re.compile(r"^\| ([A-Z]|rabble) \| (.*) \|$", re.MULTILINE)


class GivenDraws:
    """Stands for the draws of the referee."""

    def __init__(self, draws: Sequence[float]) -> None:
        self._draws = list(draws)

    def one(self) -> float:
        return self._draws.pop(0)

    def place(self, count: int) -> int:
        return int(self.one() * count)


def cells(row: str) -> list[str]:
    return [each.strip() for each in row.split("|")]


@pytest.mark.parametrize("number", range(1, len(SETTLEMENTS) + 1))
def test_the_referee_from_the_rulebook_settles_the_pages_games_as_the_page_says(number: int) -> None:
    section = re.split(r"^### |^## ", page("program/contest-heist"), flags=re.MULTILINE)
    (text,) = [each for each in section if each.startswith(f"{number}. ")]
    before, _, after = text.partition("| after, bank ")
    settles(before, after)


def settles(before: str, after: str) -> None:
    """Read a settlement from the page, have the other referee settle it, and compare it with the page."""
    rows = [(name, cells(rest)) for name, rest in ROW.findall(before)]
    people = [(name, row) for name, row in rows if name != "rabble"]
    rabble = [row for name, row in rows if name == "rabble"]
    bank = int(after[0])
    referee = RulebookReferee([lambda told: None] * len(people), len(rabble), "")
    dice, looks = [], []
    for someone, (_, row) in zip(referee.people, people, strict=True):
        someone.credits, someone.stake, someone.answer = int(row[0]), int(row[3]), row[4].strip("`")
        someone.accounts[bank], someone.guards[bank] = int(row[1]), int(row[2])
        for _ in range(int(row[2])):
            someone.probabilities[bank] += 0.01 * (1 - someone.probabilities[bank])
        dice += [float(row[5])] if row[5] else []
        looks += [float(each) for each in row[6].split()]
    paydays = re.search(r"^Draws at the payday: (.*)\.$", before, re.MULTILINE)
    draws = [*dice, *(float(row[5]) for row in rabble), *looks]
    draws += [float(each) for each in paydays[1].split()] if paydays else []
    given: Any = GivenDraws(draws)
    referee.draws = given
    followers = referee_followers(len(rabble))
    referee._settle(referee.people, followers, bank)
    for someone in referee.people:
        referee._payday(someone)
    assert draws is not given._draws
    assert given._draws == []
    for someone, (name, row) in zip(
        referee.people, [each for each in after_rows(after) if each[0] != "rabble"], strict=True
    ):
        job = "yes" if someone.job else "no"
        odds = repr(someone.odds[bank] / 100_000)
        told = [someone.credits, someone.salary, job, someone.accounts[bank], someone.guards[bank]]
        told += [repr(someone.probabilities[bank]), odds]
        assert [str(each) for each in told] == row, name
    assert referee.rabble == [int(row[0]) for name, row in after_rows(after) if name == "rabble"]


def after_rows(after: str) -> list[tuple[str, list[str]]]:
    return [(name, cells(rest)) for name, rest in ROW.findall(after)]


def referee_followers(count: int) -> list[Any]:
    from tests.games.heist.rulebook_referee import Follower  # noqa: PLC0415

    return [Follower(number, 69) for number in range(count)]


def test_all_draws_of_a_settlement_are_used() -> None:
    for each in SETTLEMENTS:
        bank, crew, purses = settled(each)
        assert 0 <= bank < 5
        assert len(crew) == len(each.crew)
        assert len(purses) == len(each.rabble)
