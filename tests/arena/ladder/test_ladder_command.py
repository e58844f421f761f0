"""`chatbot ladder` as it is typed: every game, every option, and one sentence for what is wrong."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from arena.engine.options import default_contest
from chatbot.cli import entry
from chatbot.games import kits
from docs.generate import own_games
from tests.arena.commands import ROOT, Here, here
from tests.arena.ladder.stage import program

if TYPE_CHECKING:
    from tests.arena.commands import Typed

__all__ = ["here"]  # a fixture
QUICK = ("--seed", "1", "--jobs", "1", "--error", "400", "--duels", "2", "--games", "2")


def ladder(here: Here, *words: str) -> Typed:
    return here._type(entry.main, "chatbot", "ladder", *words)


@pytest.mark.slow
@pytest.mark.parametrize("game", own_games())
def test_every_game_has_a_ladder_of_its_strategies(game: str, here: Here) -> None:
    (here.folder / "programs").mkdir()
    first, second, *_ = default_contest(kits()[game]).strategies
    typed = ladder(here, "programs", "--game", game, "--house", f"{first},{second}", *QUICK)
    assert typed.code == 0, typed.err
    assert f"builtin:{first}" in typed.out
    assert f"The site is ladder-{game}/index.html." in typed.out.replace("\\", "/")


@pytest.mark.slow
def test_the_examples_play_where_the_documentation_says(here: Here) -> None:
    shutil.copytree(ROOT / "data" / "examples" / "ladder", here.folder / "examples")
    typed = ladder(here, "examples", "--house", "linear", "--to", "site", *QUICK)
    assert typed.code == 0, typed.err
    for name in ("steady", "rising", "builtin:linear"):
        assert name in typed.out
    assert "left out" not in typed.err
    front = (here.folder / "site" / "index.html").read_text(encoding="utf-8")
    assert "<h1>Chicken Poker ladder</h1>" in front
    assert "<title>Chicken Poker ladder</title>" in front


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("none",), "The folder 'none' cannot be read: No such file or directory."),
        (("programs", "--game", "chess"), "There is no game 'chess'; there are: "),
        (("empty",), "The programs in 'empty' name no game; say which by --game."),
        (("programs",), "The programs in 'programs' are for heist, highshow; say which by --game."),
        (("programs", "--game", "heist", "--house", "nobody"), "heist has no strategy 'nobody'; there are "),
        (("programs", "--game", "heist", "--games", "0"), "--games takes a whole number from 1 to 1000000"),
        (("programs", "--game", "heist", "--error", "0"), "--error takes points from 1 to 1000, not '0'."),
        (("programs", "--game", "heist", "--error", "nan"), "--error takes points from 1 to 1000, not 'nan'"),
        (("programs", "--game", "heist", "--duels", "x"), "--duels takes a whole number from 1 to 1000000"),
        (("programs", "--game", "heist", "--seed", "\n"), "--seed takes up to 200 characters that can be"),
        (
            ("programs", "--game", "heist", "--deadline", "0"),
            "--deadline takes seconds, up to 3600, not '0'.",
        ),
        (
            ("programs", "--game", "heist", "--jobs", "1", "--scheduler", "tcp://a:1"),
            "Give --jobs or --scheduler, not both: a cluster has its own workers.",
        ),
        (("programs", "--game", "heist"), "A ladder takes two players at least; --house adds built-in ones."),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(
    words: tuple[str, ...], sentence: str, here: Here
) -> None:
    program(here.folder / "programs", "a")
    program(here.folder / "programs", "b", game="highshow")
    (here.folder / "empty").mkdir()
    typed = ladder(here, *words)
    assert typed.code == 2
    assert typed.err.startswith(sentence)
    assert typed.err.count("\n") == 1
    assert {each.name for each in here.folder.iterdir()} == {"programs", "empty"}
