"""Records the events of tables that people play in a real house, for overlays to draw.

`python -m tests.web.recording` writes those that are kept in `tests/web/recordings`, so that what is drawn of
them stays the same whatever becomes of draws. With `--labels` their events stay as they are, and only the
texts for drawings are those of today. With `--samples` it writes the heist that Set up plays, in each
language that has one. Tests record others as they need them.
"""

from __future__ import annotations

import asyncio
import copy
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chatbot.games import kits
from tests.bot.sources import SEED
from tests.bot.stage import Stage
from tests.template import store_at

STEP = 0.5  # seconds by which the clock of the house is turned while nobody speaks
LONGEST = 1200  # seconds, after which a table that is not over is a mistake in a script
MO = "mo(moderator)"


@dataclass(frozen=True)
class Script:
    """Who says what at a table; a line is `name: text`, `name> text` in private, or `+ seconds`."""

    game: str
    lines: Sequence[str]
    credits: Mapping[str, int] = field(default_factory=dict)  # of those who own something else than newcomers
    settings: Sequence[str] = ()
    seed: bytes = SEED


CREW = ("Mina", "joon", "Bibi_", "Rook", "캔디", "otto", "Zephyr", "lulu")
_RICH = {name: 3000 + 777 * place for place, name in enumerate(CREW)}


def _heist() -> Script:
    joins = [f"{name}: !heist {200 + 90 * place}" for place, name in enumerate(CREW)]
    return Script("heist", [*joins, "+61", "Mina> !doublecross", "Bibi_> !backout", "+5"], _RICH)


def _crowd(count: int) -> Script:
    names = [f"viewer{number:02}" for number in range(count)]
    joins = [f"{name}: !heist {60 + 3 * number}" for number, name in enumerate(names)]
    return Script("heist", [*joins, "+61", *[f"{name}> !backout" for name in names[:4]], "+5"])


SCRIPTS = {
    "heist": _heist(),
    "crowd": _crowd(26),
    "alone": Script("heist", ["Mina: !heist 200", "+61"], {"Mina": 3000}),
    "chickenpoker": Script(
        "chickenpoker",
        [
            *["Mina: !chicken 4 50", "joon: !chicken", "Bibi_: !chicken", "Rook: !chicken", "+61"],
            *["Mina> !play 4", "joon> !play 4", "Bibi_> !play 2", "Rook> !play 3", "+1"],
            *["Mina> !play 3", "joon> !play 2", "Bibi_> !play 4", "Rook> !play 4"],
        ],
    ),
    "sixcardpoker": Script("sixcardpoker", ["Mina: !sixcard 50", "+3"]),
    "duel": Script(
        "sixcardpoker",
        ["joon: hello", "Mina: !sixcard @joon 50", "+3", "joon: !sixcard accept", "+5", "Mina> !set auto"],
    ),
    "highshow": Script(
        "highshow",
        [
            *["Mina: !highshow 6 2 linear=1 50", "+3", "Mina: !another", "+3", "Mina: !cashout", "+3"],
            *["Mina: !cashout", "+3", "Mina: !guess 5 20"],
        ],
    ),
    "pokermarket": Script("pokermarket", ["Mina: !market 1 10", "joon: !market", "Bibi_: !market"]),
}
THEMES = ("bank", "space")
KEPT = Path(__file__).parent / "recordings"
MOST_SEEDS = 200


def _fates(table: dict[str, Any]) -> list[str]:
    return [each["fate"] for each in table["view"]["outcomes"]]


WANTED: dict[str, Callable[[dict[str, Any]], bool]] = {
    "heist": lambda table: _fates(table).count("escaped") >= 3 and "ran" in _fates(table),
    "crowd": lambda table: 5 <= _fates(table).count("escaped") <= 12,
    "sixcardpoker": lambda table: table["seats"][0]["mark"] == "won",
    "highshow": lambda table: table["seats"][0]["mark"] == "won",
}
"""What a kept recording shows when its table is over, where that is left to chance."""


_PLAYED: dict[tuple[str, str], list[dict[str, Any]]] = {}


def kept(name: str, theme: str = "bank") -> list[dict[str, Any]]:
    """Return the events of a recording that is kept; only Bank Heist is told in several themes."""
    recorded: list[dict[str, Any]] = json.loads(_path_of(name, theme).read_text(encoding="utf-8"))
    return recorded


def _path_of(name: str, theme: str) -> Path:
    return KEPT / (f"{name}-{theme}.json" if SCRIPTS[name].game == "heist" else f"{name}.json")


def over(events: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the first event in which the table is over."""
    return next(each for each in events if each["kind"] == "changed" and each["table"]["over"])


async def keep(name: str) -> None:
    """Record a table in each theme, by the first seed that shows what is wanted, and write it down."""
    for number in range(MOST_SEEDS):
        script = replace(SCRIPTS[name], seed=b"%d" % number, settings=("!set heist theme bank",))
        events = await record(script)
        if name not in WANTED or WANTED[name](over(events)["table"]):
            break
    else:
        raise AssertionError(f"no seed shows what is wanted of {name}")
    KEPT.mkdir(exist_ok=True)
    for theme in THEMES if script.game == "heist" else THEMES[:1]:
        events = await record(replace(script, settings=(f"!set heist theme {theme}",)))
        _write(events, _path_of(name, theme))


def _write(events: Sequence[dict[str, Any]], path: Path) -> None:
    text = "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in events) + "\n]\n"
    path.write_text(text, encoding="utf-8")


async def recording(name: str, language: str = "en") -> list[dict[str, Any]]:
    """Return the events of a table, which is played once."""
    if (name, language) not in _PLAYED:
        _PLAYED[name, language] = await record(SCRIPTS[name], language)
    return copy.deepcopy(_PLAYED[name, language])


async def record(script: Script, language: str = "en") -> list[dict[str, Any]]:
    """Play a table to its end and beyond, and return its events, from the picture of an empty room on."""
    with tempfile.TemporaryDirectory() as folder:
        store = await store_at(Path(folder) / "rabble.db")
        try:
            stage = await Stage(store, kits(), seed=script.seed).open()
            return await _recorded(stage, script, language)
        finally:
            await store.close()


async def _recorded(stage: Stage, script: Script, language: str) -> list[dict[str, Any]]:
    await stage.say(MO, f"!set room language {language}")
    for setting in script.settings:
        await stage.say(MO, setting)
    for who, amount in script.credits.items():
        await stage.endow(who, amount)
    feed, events = stage.bot.events.follow("room:chat"), list[dict[str, Any]]()

    def drain() -> None:
        while (news := feed._next()) is not None:
            events.append(news.event.model_dump(mode="json"))

    drain()
    for line in script.lines:
        await _perform(stage, line)
        drain()
    for _ in range(round(LONGEST / STEP)):
        if any(each["kind"] in {"settled", "voided"} for each in events):
            break
        await stage.turn(STEP)
        drain()
    else:
        raise AssertionError(f"a table of {script.game} does not end")
    stage.bot.events.leave(feed)
    return events


async def _perform(stage: Stage, line: str) -> None:
    if line.startswith("+"):
        for _ in range(round(float(line[1:]) / STEP)):
            await stage.turn(STEP)
        return
    private = "> " in line and (": " not in line or line.index("> ") < line.index(": "))
    who, _, text = line.partition("> " if private else ": ")
    await stage.turn(STEP)
    await stage.say(who, text, private=private)


async def relabel(name: str, theme: str) -> None:
    """Put the texts for drawings of today into a recording that is kept."""
    events = kept(name, theme)
    script = Script("highshow", ["Mina: !highshow 6 2 linear=1"], settings=(f"!set heist theme {theme}",))
    labels = (await record(script))[0]["labels"]
    for each in events:
        if each["kind"] == "picture":
            each["labels"] = labels
    _write(events, _path_of(name, theme))


SAMPLE = Path(__file__).parents[2] / "chatbot" / "web" / "static" / "overlay"


async def keep_samples() -> None:
    """Record the heist that Set up plays, by the first seed that shows what is wanted of one."""
    for number in range(MOST_SEEDS):
        script = replace(SCRIPTS["heist"], seed=b"%d" % number, settings=("!set heist theme bank",))
        if WANTED["heist"](over(await record(script))["table"]):
            for language in ("en", "ko"):
                _write(await record(script, language), SAMPLE / f"sample-{language}.json")
            return
    raise AssertionError("no seed shows what is wanted of a sample")


async def main() -> None:
    if "--samples" in sys.argv:
        await keep_samples()
        return
    asked = [each for each in sys.argv[1:] if each != "--labels"]
    for name in asked or sorted(
        {path.stem.partition("-")[0] for path in KEPT.glob("*.json")} & SCRIPTS.keys()
    ):
        if "--labels" not in sys.argv:
            await keep(name)
            continue
        for theme in THEMES if SCRIPTS[name].game == "heist" else THEMES[:1]:
            await relabel(name, theme)


if __name__ == "__main__":
    asyncio.run(main())
