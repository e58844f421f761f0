"""Leagues for tests: what a ladder writes, by hand; and a real ladder of ten programs beside the bot."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

EXAMPLES = Path(__file__).parents[2] / "data" / "examples" / "ladder"
HOUSE = ("champion", "random", "adaptive", "nash", "linear")
# What a stranger might call a program of theirs: a ladder takes any name without blanks.
IMAGE = "<img/src=x/onerror=alert(1)>"
TURNED = "מקרי-וזריז"
LONG = "TheQuickBrownFoxJumpsOverTheLazyDogAndThenPlaysAnotherCard"
STRANGERS = {"image": IMAGE, "turned": TURNED, "long": LONG}


def player(name: str, author: str = "Ann") -> dict[str, Any]:
    return {"key": f"key-{name}", "name": name, "author": author}


def house(name: str) -> dict[str, Any]:
    return player(f"builtin:{name}", "")


def content(*names: str, **changes: Any) -> dict[str, Any]:
    """Return what a ladder of these programs and one of the house says while the first two play."""
    players = [*map(player, names), house("random")]
    ratings = [
        {
            **each,
            "rank": place,
            "rating": 1700 - 50 * place,
            "error": 60,
            "won": 9 - place,
            "drawn": 1,
            "lost": place,
        }
        for place, each in enumerate(players, 1)
    ]
    result = {
        "duel": 4,
        "players": players[-2:],
        "scores": ["60.500", "49.500"],
        "winner": 0,
        "failures": [0, 0],
    }
    return {
        "version": 1, "game": "chickenpoker", "title": "Chicken Poker", "round": 2, "over": False, "duels": 4,
        "playing": players[:2], "next": [players[-2:]], "results": [result], "ratings": ratings,
    } | changes  # fmt: skip


def write(folder: Path, league: object) -> None:
    """Replace the file as a ladder does."""
    folder.mkdir(exist_ok=True)
    part = folder / "live.json.part"
    text = league if isinstance(league, str) else json.dumps(league, ensure_ascii=False)
    part.write_text(text, encoding="utf-8")
    part.replace(folder / "live.json")


def enter_programs(folder: Path, strangers: Mapping[str, str] = STRANGERS) -> Path:
    """Write programs: two examples, and those of strangers, whose names are by their folders."""
    for place in ("rising", "steady"):
        _enter(
            folder / place, EXAMPLES / place / f"{place}.py", (EXAMPLES / place / "program.toml").read_text()
        )
    for place, name in strangers.items():
        metadata = (
            f'name = "{name}"\nauthor = "Cho"\ngame = "chickenpoker"\ncommand = "json:python3 rising.py"\n'
        )
        _enter(folder / place, EXAMPLES / "rising" / "rising.py", metadata)
    return folder


def _enter(folder: Path, program: Path, metadata: str) -> None:
    folder.mkdir(parents=True)
    (folder / program.name).write_bytes(program.read_bytes())
    (folder / "program.toml").write_text(metadata, encoding="utf-8")


@contextmanager
def ladder_of_ten(programs: Path, to: Path, games: int = 20) -> Iterator[subprocess.Popen[str]]:
    """Play a ladder of five programs and five strategies of the house, until its end or that of the test."""
    options = [
        "--house",
        ",".join(HOUSE),
        "--seed",
        "1",
        "--error",
        "150",
        "--games",
        str(games),
        "--jobs",
        "1",
    ]
    command = [sys.executable, "-m", "chatbot", "ladder", str(programs), "--to", str(to), *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.communicate()
