"""The options are those of the source's command line, and whatever is wrong is told in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.commands.chickp.options import MOST_GAMES, Options, read
from arena.commands.chickp.players import MOST_REMEMBERED, seat
from chatbot import __version__
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chickp.conftest import Chickp

TWO = ("random", "linear 1 1")
WRONG = (
    (),
    ("-n", "5", *TWO),
    ("-g", "1", *TWO),
    ("-g", "1", "-s", "1", "-n", "5", *TWO),
    ("-g", "1", "-n", "5"),
    ("-g", "1", "-n", "5", "random"),
    ("-g", "0", "-n", "5", *TWO),
    ("-g", "1.5", "-n", "5", *TWO),
    ("-g", "-1", "-n", "5", *TWO),
    ("-g", "1", "-n", "0", *TWO),
    ("-g", "1", "-n", "5", "-n", "6", *TWO),
    ("-g", "1", "-n", "five", *TWO),
    ("-g", "1", *TWO, "-n"),
    ("-g", "1", "-n", "5", "-x", *TWO),
    ("-g", "1", "-n", "5", "--quieter", *TWO),
    ("-g", "1", "-n", "5", "--quiet=yes", *TWO),
    ("-g", "1", "-n", "5", "--seed", "a\nb", *TWO),
    ("-g", "1", "-n", "5", "", "random"),
    ("-g", "1", "-n", "5", "random", "random 5"),
    ("-g", "1", "-n", "5", "random", "linear"),
    ("-g", "1", "-n", "5", "random", "linear 1"),
    ("-g", "1", "-n", "5", "random", "linear 0 1"),
    ("-g", "1", "-n", "5", "random", "linear 6 1"),
    ("-g", "1", "-n", "5", "random", "linear 1 5"),
    ("-g", "1", "-n", "5", "random", "linear 1 one"),
    ("-g", "1", "-n", "10", "random", "linear 1 4"),
    ("-g", "1", "-n", "1001", "random", "adaptive"),
    ("-g", "1", "-n", "5", "random", "no-such-program-anywhere"),
    ("-g", "1", "-n", "5", "random", "python3 no_such_script.py"),
    ("-g", "1", "-n", "5", "random", "x" * 300),
    ("-g", "1", "-n", "5", "random", f"./{'x' * 300}"),
)


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_command_line_ends_with_2_and_one_sentence(words: tuple[str, ...], chickp: Chickp) -> None:
    typed = chickp(*words)
    assert (typed.code, typed.out) == (2, "")
    assert typed.err.count("\n") == 1
    assert typed.err.endswith("\n")


def ordered(*words: str) -> Options:
    options = read(words)
    assert isinstance(options, Options)
    return options


@pytest.mark.parametrize(
    "words",
    [
        ("-s", "50", "-n", "10", "-q", "-t", *TWO),
        ("--sets", "50", "--bets", "10", "--quiet", "--timeout", *TWO),
        ("--sets=50", "-n10", "-qt", *TWO),
        (*TWO, "-tq", "-s", "50", "-n", "10"),
        ("random", "-g", "100", "-qt", "-n", "10", "--", "linear 1 1"),
        ("-g", "100", "-qt", "-n", "10", "--ignore_rest", *TWO),
    ],
)
def test_options_have_a_short_name_and_a_long_one_and_stand_anywhere(words: tuple[str, ...]) -> None:
    options = ordered(*words)
    assert (options.games, options.cards, options.commands) == (
        100,
        10,
        TWO,
    )  # a set of two players is 2 games
    assert (options.quiet, options.unlimited, options.verbose, options.debug) == (True, True, False, False)


def test_a_set_is_as_many_games_as_there_are_players() -> None:
    assert ordered("-s", "7", "-n", "5", "a", "b", "c").games == 21


def test_sets_come_to_no_more_games_than_may_be_ordered() -> None:
    most = MOST_GAMES // 3
    three = ("-n", "5", "a", "b", "c")
    assert ordered("-s", str(most), *three).games <= MOST_GAMES
    with pytest.raises(Failure, match=f"from 1 to {most}, not"):
        read(("-s", str(most + 1), *three))


def test_adaptive_may_hold_as_many_cards_as_it_remembers(tmp_path: Path) -> None:
    assert seat("adaptive", MOST_REMEMBERED, tmp_path).word == "adaptive"
    with pytest.raises(Failure, match=f"up to {MOST_REMEMBERED} cards, not -n {MOST_REMEMBERED + 1}"):
        seat("adaptive", MOST_REMEMBERED + 1, tmp_path)


def test_what_follows_two_dashes_is_commands_even_if_it_looks_like_options() -> None:
    assert ordered("-g", "1", "-n", "5", "--", "-q", "-h").commands == ("-q", "-h")


@pytest.mark.parametrize("empty", ["-n=", "--bets="])
def test_an_equals_sign_without_a_value_takes_no_other_option_for_it(empty: str, chickp: Chickp) -> None:
    typed = chickp(empty, "-g", "1", *TWO)
    assert (typed.code, typed.out) == (2, "")
    assert typed.err == "-n takes a whole number from 1 to 100000, not ''.\n"


def test_quiet_wins_over_verbose_and_debug_and_debug_shows_rounds_too() -> None:
    quiet = ordered("-qvd", "-g", "1", "-n", "5", *TWO)
    assert (quiet.quiet, quiet.verbose, quiet.debug) == (True, False, False)
    assert ordered("-d", "-g", "1", "-n", "5", *TWO).verbose


def test_a_linear_player_may_step_backwards(chickp: Chickp) -> None:
    # From 2 by -1 within 1..3: 2, 1, 3. From 1 by 4, which is 1: 1, 2, 3.
    typed = chickp("-v", "-g", "1", "-n", "3", "linear 2 -1", "linear 1 4")
    assert [line.split(" winner")[0] for line in typed.out.splitlines()[:3]] == [
        "game 1 round 1 shown 1 2 2 1",
        "game 1 round 2 shown 1 1 2 2",
        "game 1 round 3 shown 1 3 2 3",
    ]


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_shows_every_option_and_exits_with_0(word: str, chickp: Chickp) -> None:
    typed = chickp(word)
    assert (typed.code, typed.err) == (0, "")
    for short, name in (
        ("-g", "--games"), ("-s", "--sets"), ("-n", "--bets"), ("-q", "--quiet"), ("-v", "--verbose"),
        ("-d", "--debug"), ("-t", "--timeout"), ("--", "--ignore_rest"), ("-h", "--help"),
    ):  # fmt: skip
        assert f"   {short}" in typed.out
        assert name in typed.out
    assert "--version" in typed.out


def test_the_version_is_the_programs(chickp: Chickp) -> None:
    assert chickp("--version").out == f"chickp, Rabble {__version__}\n"
