"""Compiled tournaments are those of the plain path, game by game, whoever plays and however much is held."""

from __future__ import annotations

import functools
import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.competition import Order
from arena.engine.players import Competitor
from chatbot.games.heist.contest import contest
from chatbot.games.heist.contest.compiled import arrays, compilation, draws, loop
from chatbot.games.heist.contest.compiled.tournament import CompiledTournament
from chatbot.games.heist.contest.contest import HeistContest
from chatbot.games.heist.contest.contestants import CONTESTANTS, BuiltIn
from chatbot.games.heist.contest.luck import Luck
from chatbot.games.heist.contest.situation import STAKING, Situation, left_by, logarithm, reaches, standing
from chatbot.games.heist.contest.tournament import Tournament
from chatbot.games.heist.rules.arithmetic import gain
from chatbot.games.heist.rules.moves import Act
from chatbot.kernel.contest import Entrant, Match
from tests.arena.contests import carried_out, told
from tests.games.heist.test_tournament import erratic, kinds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chatbot.games.heist.contest.situation import Played
    from chatbot.kernel.contest import Strategy
    from chatbot.kernel.fair import Rng

pytestmark = pytest.mark.slow
"""The first test that plays waits for the compiler, some 15 seconds where nothing is kept of a run before."""

BUILT_IN = [Entrant(name, strategy) for name, strategy in CONTESTANTS.items()]


def asked(strategy: Strategy) -> Strategy:
    """Hide what is built in, so that it is asked."""

    def ask(told: Situation, menu: Sequence[object], rng: Rng) -> object:
        return strategy(told, menu, rng)

    return ask


ASKED = [Entrant(each.name, asked(each.strategy)) for each in BUILT_IN]


def feeder(told: Situation, menu: Sequence[object], rng: Rng) -> int | Act:
    """Have guards first, then odds and credits that multiply each other."""
    if told.round == STAKING:
        return 1 if told.game < 120 else told.credits // 2
    if told.game < 120:
        return Act.GUARD
    return Act.INTEL if told.odds[told.bank] < told.credits else Act.GUNCHECK


@pytest.fixture(autouse=True)
def _needs_numba() -> None:
    pytest.importorskip("numba")


def first_difference(
    entrants: Sequence[Entrant], rabble: int, seed: str, games: int
) -> tuple[Played | None, Played | None] | None:
    """Return the first game in which both paths differ, in a value or in a type."""
    plain, fast = Tournament(entrants, rabble, seed), CompiledTournament(entrants, rabble, seed)
    for one, other in zip(plain.play(games), fast.play(games), strict=True):
        if one != other or kinds(one) != kinds(other):
            return one, other
    return None


def enrich(tournament: Tournament, credits_held: int, odds: tuple[int, ...]) -> None:
    """Let the first contestant hold so much, with such odds, and a chance of 0.9."""
    first = tournament.rivals[0]
    first.credits, first.odds, first.chances = credits_held, odds, (0.9,) * 5
    tournament.balances[0] = credits_held


def held(tournament: CompiledTournament, games: int) -> list[int]:
    return [max(scores) for _, scores in tournament.scores(games)]


# Game by game


@pytest.mark.parametrize("rabble", [0, 1, 60, 500])
def test_those_of_the_house_have_the_same_games(rabble: int) -> None:
    assert first_difference(BUILT_IN, rabble, f"house {rabble}", 300) is None


@pytest.mark.parametrize("entrants", [BUILT_IN, ASKED])
def test_games_that_64_bits_hold_are_all_played_by_compiled_code(
    entrants: Sequence[Entrant], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = CompiledTournament(entrants, 500, "compiled")
    monkeypatch.setattr(fast._plain, "play_one", None)  # so that a plain game raises
    assert max(held(fast, 100)) < 2**61


@pytest.mark.parametrize("times", [1, 4])
def test_each_alone_and_copies_have_the_same_games(times: int) -> None:
    for each in BUILT_IN:
        assert first_difference([each] * times, 30, f"copies {times}", 60) is None, each.name


def test_a_rabble_of_more_than_1024_has_the_same_games() -> None:
    assert first_difference(BUILT_IN, 1500, "crowd", 60) is None


def test_strategies_that_are_asked_have_the_same_games() -> None:
    entrants = [*ASKED[:6], *BUILT_IN[6:], Entrant("erratic", erratic), Entrant("erratic-2", erratic)]
    assert first_difference(entrants, 60, "asked", 300) is None


def test_who_is_asked_is_told_the_same_and_in_the_same_types() -> None:
    lists: list[list[Situation]] = []
    for kind in (Tournament, CompiledTournament):
        seen: list[Situation] = []

        def hears(told: Situation, menu: Sequence[object], rng: Rng, seen: list[Situation] = seen) -> object:
            seen.append(told)
            return erratic(told, menu, rng)

        made = kind([*BUILT_IN, Entrant("hears", hears)], 40, "told")
        plain = made if isinstance(made, Tournament) else made._plain
        enrich(plain, 2**53 - 3000, plain.rivals[0].odds)  # a lurker, so that means pass it by and by
        for _ in made.play(100):
            pass
        lists.append(seen)
    assert lists[0] == lists[1]
    assert [kinds(each) for each in lists[0]] == [kinds(each) for each in lists[1]]
    assert {type(each.mean) for each in lists[0]} == {float, Fraction}


def test_games_that_64_bits_cannot_hold_are_the_same_and_so_is_what_follows() -> None:
    entrants = [*BUILT_IN, Entrant("feeder", feeder)]
    assert first_difference(entrants, 40, "beyond", 260) is None
    assert max(held(CompiledTournament(entrants, 40, "beyond"), 260)) > 2**64


def test_both_end_with_the_same_game() -> None:
    entrants = [Entrant("feeder", feeder), *BUILT_IN[:3]]
    assert first_difference(entrants, 20, "end", 600) is None
    assert len(held(CompiledTournament(entrants, 20, "end"), 600)) < 600


def test_from_one_path_to_the_other_and_back_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [each.credits for each in Tournament(BUILT_IN, 100, "to and fro").play(300)]
    fast = CompiledTournament(BUILT_IN, 100, "to and fro")
    played = 0
    fits = fast._fits

    def now_and_then() -> bool:
        nonlocal played
        played += 1
        return played % 3 == 0 and fits()

    monkeypatch.setattr(fast, "_fits", now_and_then)
    found = []
    for number, scores in fast.scores(300):
        found.append(scores)
        if number % 70 == 69:
            fast._unload()
    assert found == plain


def test_a_game_in_which_too_much_could_be_won_is_taken_back_and_played_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entrants = [Entrant(name, CONTESTANTS[name]) for name in ("kelly", "champion", "snitch")]
    plain = Tournament(entrants, 20, "taken back")
    fast = CompiledTournament(entrants, 20, "taken back")
    for each in (plain, fast._plain):
        enrich(each, 10**14, (10**12,) * 5)  # Kelly's stakes win more than 10^20
    plainly = list[int]()
    play_one = fast._plain.play_one

    def counted(number: int) -> Played:
        plainly.append(number)
        return play_one(number)

    monkeypatch.setattr(fast._plain, "play_one", counted)
    assert fast._fits()
    assert [scores for _, scores in fast.scores(50)] == [each.credits for each in plain.play(50)]
    assert plainly[0] == 0


# The contest


def heists(tournaments: int, games: int) -> Order:
    players = tuple(Competitor(name, name) for name in ("kelly", "champion", "snitch", "turncoat"))
    return Order("heist", HeistContest(tournaments, 50), players, games, "seed")


def test_runs_of_many_games_are_compiled_and_have_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordered = heists(3, 40)
    plain = carried_out(replace(ordered, log=tmp_path / "plain"))
    made = list[int]()
    create = CompiledTournament.__init__

    def counted(self: CompiledTournament, entrants: Sequence[Entrant], rabble: int, seed: str) -> None:
        made.append(rabble)
        create(self, entrants, rabble, seed)

    monkeypatch.setattr(contest, "COMPILED_FROM", 120)
    monkeypatch.setattr(CompiledTournament, "__init__", counted)
    fast = carried_out(replace(ordered, log=tmp_path / "fast"))
    assert told(fast) == told(plain) == told(carried_out(ordered))
    assert (tmp_path / "fast").read_bytes() == (tmp_path / "plain").read_bytes()
    assert len(made) == 6


def test_processes_play_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    made = heists(4, contest.COMPILED_FROM // 4)
    fast = told(carried_out(replace(made, jobs=2)))
    monkeypatch.setattr(compilation, "compiler", lambda: None)
    assert told(carried_out(made)) == fast


def test_without_numba_all_is_played_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "COMPILED_FROM", 1)
    monkeypatch.setattr(compilation, "compiler", lambda: None)
    monkeypatch.setattr(contest, "CompiledTournament", None)
    match = Match(0, (0, 1), 5, "plain")
    assert len(list(HeistContest().play(match, BUILT_IN[:2], None))) == 5


def test_the_chat_does_not_load_the_compiler() -> None:
    code = "import sys, chatbot.games, chatbot.app; chatbot.games.kits(); assert 'numba' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_says_once_that_it_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = list[str]()
    calls = list[object]()

    def made() -> object:
        def advance(*arguments: object) -> int:
            calls.append(arguments)
            (tmp_path / "kept.nbi").touch()
            return arrays.DONE

        return advance

    monkeypatch.setattr(compilation, "folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "advance", made)
    few, many = contest.COMPILED_FROM - 1, contest.COMPILED_FROM
    for games in (few, many, many):
        HeistContest().prepare(games, lines.append)
    assert len(lines) == 1
    assert "Compiling" in lines[0]
    assert len(calls) == 2


def test_what_is_kept_and_damaged_is_told_deleted_and_compiled_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compilation, "folder", lambda: tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "loop.nbi").write_text("garbage")
    lines, calls = list[str](), list[object]()

    @functools.cache
    def made() -> object:
        damaged = any((tmp_path / "kept").rglob("*.nbi"))

        def loaded(*arguments: object) -> int:
            calls.append(arguments)
            if damaged:
                raise ValueError("invalid literal")  # as pickle says
            return arrays.DONE

        return loaded

    monkeypatch.setattr(compilation, "advance", made)
    compilation.compile_once(lines.append)
    assert len(calls) == 2
    assert len(lines) == 1
    assert "is damaged. Compiling" in lines[0]


def test_what_cannot_be_compiled_at_all_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken() -> object:
        raise ValueError("no such type")

    monkeypatch.setattr(compilation, "folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "advance", broken)
    with pytest.raises(ValueError, match="no such type"):
        compilation.compile_once(str)


def test_where_nothing_can_be_kept_it_says_which_folder_and_not_that_it_is_done_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    lines = list[str]()
    monkeypatch.setattr(compilation, "folder", lambda: tmp_path / "file" / "heist" / "digest")
    monkeypatch.setattr(compilation, "advance", lambda: lambda *_: arrays.DONE)
    compilation.compile_once(lines.append)
    assert len(lines) == 1
    assert repr(str(tmp_path / "file")) in lines[0]
    assert "once" not in lines[0]


def test_a_folder_that_cannot_be_written_is_told_from_one_that_can(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not compilation.is_writable(tmp_path / "file" / "below")
    assert compilation.is_writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


# Its parts, which are plain Python too


@given(st.lists(st.integers(0, 2**58), min_size=1, max_size=12))
def test_means_are_the_nearest_doubles(credits_held: list[int]) -> None:
    game = np.zeros(1, arrays.GAME).view(np.recarray)
    own = np.zeros(len(credits_held), arrays.CONTESTANT).view(np.recarray)
    own["credits"] = credits_held
    loop.rank(game[0], own)
    mean, deviation, most = standing(credits_held)
    assert game[0]["mean"] == float(mean)
    assert game[0]["deviation"] == float(deviation)
    assert game[0]["most"] == most
    assert own["rank"].tolist() == [1 + sum(each > mine for each in credits_held) for mine in credits_held]


def test_the_stream_is_that_of_luck() -> None:
    luck = Luck("stream")
    luck.uniforms(100)
    state, increment = luck.position()
    words = [state >> 64, state & (2**64 - 1), increment >> 64, increment & (2**64 - 1)]
    stream = np.array(words, np.uint64)
    with np.errstate(over="ignore"):
        drawn = [draws.uniform(stream) for _ in range(1000)]
    assert drawn == luck.uniforms(1000).tolist()
    other = Luck("stream")
    other.uniforms(5)
    other.move_to(int(stream[0]) << 64 | int(stream[1]))
    assert other.uniforms(20_000).tolist() == luck.uniforms(20_000).tolist()


@given(st.integers(0, 10**30), st.integers(0, 10**30))
def test_winnings_are_rounded_down_exactly(stake: int, odds: int) -> None:
    assert gain(stake, odds) == stake * odds // 100_000


@given(st.integers(0, 2**61), st.integers(0, 2**61), st.integers(-(10**15), 10**15))
def test_what_a_stake_reaches_is_what_it_wins(stake: int, odds: int, wanted: int) -> None:
    if wanted > 0:
        assert reaches(stake, odds, wanted) == (stake > 0 and stake * odds >= wanted * 100_000)


@given(st.integers(1, 10**400))
def test_logarithms_are_a_little_too_small(number: int) -> None:
    exact = math.log(number)
    assert exact - 0.0598 <= logarithm(number) <= exact * (1 + 1e-14) + 1e-14


@pytest.mark.parametrize("guards", [0, 1, 2, 120, 3000])
def test_guards_leave_a_hundredth_less_each(guards: int) -> None:
    assert left_by(guards) == pytest.approx(0.99**guards, rel=1e-12)


def test_the_numbers_of_strategies_are_those_of_compiled_code() -> None:
    names = [each.name for each in CONTESTANTS.values() if isinstance(each, BuiltIn)]
    assert names == list(CONTESTANTS)
    told = Situation(
        5, 1, 100, 50, 30, 9000, 0, 1, 777, 0, 240, True, 3, 300.0, 10.0, 10**6,
        (0, 0, 0, 5, 0), (0.9, 0.9, 0.9, 0.9, 0.9), (80_000, 110_000, 130_000, 165_000, 195_000),
    )  # fmt: skip
    for number, each in enumerate(CONTESTANTS.values()):
        assert isinstance(each, BuiltIn)
        assert loop.stake_of(number, told, Luck("same")) == each.stake(told, Luck("same"))
        acting = told._replace(round=2, stake=1)
        assert loop.answer_of(number, acting, Luck("same")) == each.answer(acting, Luck("same"))
