"""Records a real ladder of ten programs as overlays show it, for the sample of a league and its pictures.

`python -m tests.web.league_recording` writes the samples in each language that has one, of what is kept of a
ladder in `tests/web/recordings/league.json`. With `--play` it plays the ladder anew first, and keeps
some of what it says: three duels, and its end.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

from chatbot.games import kits
from chatbot.web.league import League
from tests.bot.stage import Stage
from tests.template import store_at
from tests.web.leagues import enter_programs, ladder_of_ten, write
from tests.web.recording import KEPT, MO, SAMPLE

RAW = KEPT / "league.json"
NAMES = {"patient": "patient", "hanbit": "한빛", "bold": "bold-one"}
DUELS = 3  # that are shown, one after another, from the middle of the ladder
PACE = 5.0  # seconds from one to the next, in which a result is seen
LANGUAGES = ("en", "ko")


def path_of(language: str) -> Path:
    return SAMPLE / f"sample-league-{language}.json"


def play() -> None:
    """Play the ladder, and keep what it says of some duels and of its end."""
    texts = list[str]()
    with tempfile.TemporaryDirectory() as name:
        programs, folder = enter_programs(Path(name) / "programs", NAMES), Path(name) / "ladder"
        with ladder_of_ten(programs, folder) as process:
            while not texts or not json.loads(texts[-1])["over"]:
                assert process.poll() is None or texts, "the ladder says nothing"
                text = (folder / "live.json").read_text(encoding="utf-8") if folder.exists() else ""
                if text and text not in texts[-1:]:
                    texts.append(text)
                time.sleep(0.02)
    keep([json.loads(each) for each in texts])


def keep(said: list[dict[str, Any]]) -> None:
    *running, end = said
    numbers = dict[str, str]()
    fresh = count(1)

    def short(found: Any) -> Any:
        """Return the same with short keys: those of a ladder are digests."""
        if isinstance(found, list):
            return [short(each) for each in found]
        if not isinstance(found, dict):
            return found
        return {
            name: numbers.setdefault(each, str(next(fresh))) if name == "key" else short(each)
            for name, each in found.items()
        }

    chosen = [*_duels(running), end]
    rows = [{"seconds": PACE * place, "live": short(each)} for place, each in enumerate(chosen)]
    _write(rows, RAW)


def _duels(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what was said before and after some duels in a row, those in which most programs play."""
    played = [each for each in said if each["playing"] and each["results"]]
    rows = [played[at : at + DUELS + 1] for at in range(len(played) - DUELS)]
    in_a_row = [row for row in rows if row[-1]["duels"] - row[0]["duels"] == DUELS]
    return max(in_a_row, key=lambda row: sum(bool(who["author"]) for each in row for who in each["playing"]))


async def sample(language: str) -> list[dict[str, Any]]:
    """Return what an overlay of a room in this language is told, and after how many seconds."""
    rows = list[dict[str, Any]]()
    with tempfile.TemporaryDirectory() as name:
        store = await store_at(Path(name) / "rabble.db")
        try:
            stage = await Stage(store, kits()).open()
            await stage.say(MO, f"!set room language {language}")
            for number, each in enumerate(json.loads(RAW.read_text(encoding="utf-8"))):
                folder = Path(name) / str(number)
                write(folder, each["live"])
                league = await League(stage.bot.outbox, folder).describe(stage.room)
                rows.append({"seconds": each["seconds"], "league": league})
        finally:
            await store.close()
    return rows


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    text = "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows) + "\n]\n"
    path.write_text(text, encoding="utf-8")


async def main() -> None:
    if "--play" in sys.argv:
        play()
    for language in LANGUAGES:
        _write(await sample(language), path_of(language))


if __name__ == "__main__":
    asyncio.run(main())
