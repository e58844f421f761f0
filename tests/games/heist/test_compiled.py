"""Compiled tournaments are those of the plain path, game by game, whoever plays and however much is held."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine import preparation
from arena.engine.competition import Order, RunOutcome, carry_out
from arena.engine.players import Competitor
from arena.engine.preparation import begin, claimed, prepare_now
from chatbot.games.heist.contest import contest
from chatbot.games.heist.contest.compiled import arrays, draws, loop, machine_code
from chatbot.games.heist.contest.compiled import tournament as compiled_tournament
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
def code(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the games compiled, and loaded from the first game on."""
    pytest.importorskip("numba")
    prepare_now(HeistContest(), print)
    monkeypatch.setattr(compiled_tournament, "LOAD_GAMES", 1)
    path = machine_code.file()
    assert path is not None
    return path


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
    return [max(game.credits) for game in tournament.play(games)]


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
    balances = []
    for game in fast.play(300):
        balances.append(game.credits)
        if game.number % 70 == 69 and fast._has_code and game.number % fast._batch == 0:
            fast._unload()
    assert balances == plain


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
    assert [each.credits for each in fast.play(50)] == [each.credits for each in plain.play(50)]
    assert plainly[0] == 0


# The contest


def heists(tournaments: int, games: int) -> Order:
    players = tuple(Competitor(name, name) for name in ("kelly", "champion", "snitch", "turncoat"))
    return Order("heist", HeistContest(tournaments, 50), players, games, "seed")


def plainly(monkeypatch: pytest.MonkeyPatch, made: Order) -> RunOutcome:
    """Play a run without compiled code."""
    with monkeypatch.context() as patch:
        patch.setattr(machine_code, "loaded", lambda: None)
        return carried_out(made)


def test_runs_have_the_same_bytes_with_compiled_code_and_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordered = heists(3, 400)
    plain = plainly(monkeypatch, replace(ordered, log=tmp_path / "plain"))
    fast = carried_out(replace(ordered, log=tmp_path / "fast"))
    assert told(fast) == told(plain) == told(carried_out(ordered)) == told(plainly(monkeypatch, ordered))
    assert (tmp_path / "fast").read_bytes() == (tmp_path / "plain").read_bytes()


@pytest.mark.parametrize("logged", [False, True])
def test_a_run_changes_over_between_two_games_when_the_code_comes(
    logged: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordered = replace(heists(1, 1500), log=tmp_path / "log" if logged else None)
    plain = plainly(monkeypatch, ordered)
    log = (tmp_path / "log").read_bytes() if logged else b""
    loads, code, compiled_games = list[int](), machine_code.loaded, list[int]()
    run = CompiledTournament._run

    def late() -> object:
        loads.append(1)
        return code() if len(loads) == 3 else None

    def counted(self: CompiledTournament, start: int, until: int) -> int:
        compiled_games.append(until)
        return run(self, start, until)

    monkeypatch.setattr(machine_code, "loaded", late)
    monkeypatch.setattr(CompiledTournament, "_run", counted)
    assert told(carried_out(ordered)) == told(plain)
    assert len(loads) == 3
    assert compiled_games[0] > 2 * compiled_tournament.LOOKS_AFTER  # plain before
    assert compiled_games[-1] == 1500
    assert not logged or (tmp_path / "log").read_bytes() == log


def test_few_games_do_not_load_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "loaded", None)  # so that it raises
    few = 30
    monkeypatch.setattr(compiled_tournament, "LOAD_GAMES", few + 1)
    assert [played for played, _ in CompiledTournament(BUILT_IN[:2], 5, "few").scores(few)][-1] == few


def test_processes_play_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    made = heists(4, 1000)
    assert told(carried_out(replace(made, jobs=2))) == told(plainly(monkeypatch, made))


def test_without_numba_all_is_played_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "file", lambda: None)
    monkeypatch.setattr(machine_code, "_entries", [])
    monkeypatch.setattr(CompiledTournament, "_run", None)  # so that it raises
    match = Match(0, (0, 1), 5, "plain")
    assert len(list(HeistContest().play(match, BUILT_IN[:2], None))) == 5


def test_the_chat_does_not_load_the_compiler() -> None:
    code = "import sys, chatbot.games, chatbot.app; chatbot.games.kits(); assert 'numba' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_compiled_code_is_loaded_without_the_compiler() -> None:
    code = (
        "import sys; from chatbot.games.heist.contest.compiled import machine_code as code;"
        " assert code.loaded() is not None; assert 'numba' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# Who compiles


@pytest.fixture
def empty_cache(code: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let nothing be kept."""
    assert code.exists()
    monkeypatch.setattr(machine_code, "file", lambda: tmp_path / "kept.code")
    monkeypatch.setattr(machine_code, "_entries", [])
    return tmp_path / "kept.code"


@dataclass
class Compiler:
    """Stands for the process that compiles."""

    module: str
    claim: Path
    last: bool
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True


def test_a_long_run_has_the_game_compiled_beside_it_and_says_so_once(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "Preparing", Compiler)
    lines = list[str]()
    few, many, most = contest.COMPILED_FROM - 1, contest.COMPILED_FROM, contest.EAGER_FROM
    claim = empty_cache.with_suffix(".claim")
    assert begin(HeistContest(), few, lines.append) is None
    assert not lines
    begun: list[object] = [begin(HeistContest(), games, lines.append) for games in (many, most)]
    assert begun == [Compiler(contest.COMPILATION, claim, last) for last in (True, False)]
    assert lines == [contest.COMPILING] * 2
    empty_cache.touch()
    assert begin(HeistContest(), most, lines.append) is None
    assert len(lines) == 2


def test_an_interrupted_run_stops_what_compiles(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compilers = list[Compiler]()

    def compiler(module: str, claim: Path, last: bool) -> Compiler:
        compilers.append(Compiler(module, claim, last))
        return compilers[-1]

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation, "Preparing", compiler)
    monkeypatch.setattr(HeistContest, "play", interrupt)
    outcome = carried_out(heists(1, contest.COMPILED_FROM))
    assert outcome.interrupted
    assert [each.stopped for each in compilers] == [True]


def test_a_process_that_compiles_can_be_stopped_and_leaves_no_claim(tmp_path: Path) -> None:
    claim = tmp_path / "claim"
    preparing = preparation.Preparing(contest.COMPILATION, claim, last=True)
    while not claim.exists():
        time.sleep(0.01)
    preparing.stop()
    preparing.stop()
    assert not claim.exists()
    claim.write_text("1")  # of another process
    preparing.stop()
    assert claim.exists()


def test_two_processes_do_not_compile_at_a_time_and_a_killed_one_is_forgotten(tmp_path: Path) -> None:
    claim = tmp_path / "claim"
    with claimed(claim) as first, claimed(claim) as second:
        assert (first, second) == (True, False)
        os.utime(claim, (0, time.time() - preparation.STALE_SECONDS - 5))
        with claimed(claim) as third:
            assert third
    assert not claim.exists()


def test_code_that_is_damaged_is_deleted(code: Path, empty_cache: Path) -> None:
    whole = code.read_bytes()
    empty_cache.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert machine_code.loaded() is None
    assert not empty_cache.exists()
    empty_cache.write_bytes(whole)
    assert machine_code.loaded() is not None


def test_what_cannot_be_compiled_is_told_and_not_tried_again(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "Preparing", None)  # so that it raises
    machine_code.give_up("TypingError: no such type")
    lines = list[str]()
    assert begin(HeistContest(), contest.EAGER_FROM, lines.append) is None
    assert len(lines) == 1
    assert "no such type" in lines[0]
    assert str(empty_cache.with_suffix(".failed")) in lines[0]


def test_games_that_differ_are_not_kept(
    code: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(entrants: Sequence[Entrant], rabble: int, seed: str) -> Tournament:
        return Tournament(entrants, rabble, f"another {seed}")

    compilation = pytest.importorskip("chatbot.games.heist.contest.compiled.compilation")
    symbol, _, linkable = code.read_bytes()[32:].partition(b"\n")  # behind the digest
    monkeypatch.setattr(compilation, "compiled", lambda: machine_code.Code(symbol.decode(), linkable))
    monkeypatch.setattr(compilation, "Tournament", other)
    compilation.prepare()
    assert not empty_cache.exists()
    failure = machine_code.failure()
    assert failure is not None
    assert "not those of the plain tournament" in failure[0]


def test_where_nothing_can_be_kept_it_says_which_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(machine_code, "file", lambda: tmp_path / "file" / "kept.code")
    monkeypatch.setattr(preparation, "Preparing", None)  # so that it raises
    lines = list[str]()
    assert begin(HeistContest(), contest.EAGER_FROM, lines.append) is None
    assert len(lines) == 1
    assert repr(str(tmp_path / "file")) in lines[0]


def test_a_cluster_says_which_workers_compile(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(preparation, "Preparing", Compiler)
    monkeypatch.setattr(contest, "COMPILED_FROM", 10)
    lines = list[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
        ) as cluster:
            made = replace(heists(2, 10), scheduler=cluster.scheduler_address)
            carry_out(made, lambda games: lambda played: None, lines.append)
    assert lines == [f"On 2 workers: {contest.COMPILING}"]


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
