"""The pictures of seats, of the board and of a replay in the documentation, and the command that makes them.

`python -m tests.web.seat.seat_pictures` plays the games of the tests on phones, with a board and replays of
them, keeps what these pages show, and lays some of it beside each other in `data/pictures`. With a folder it
keeps all of them there instead: look at them before you commit a change of these pages.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[3]
SHOWN = ROOT / "data" / "pictures"
TESTS = [
    f"tests/web/{each}.py"
    for each in ("seat/test_seat_page", "seat/test_seat_games", "board/test_replay", "board/test_board")
]
GAP, GROUND = 24, "#767d8c"
SHEETS = {
    "seat.png": ((390, 844), ("duel-hand", "duel-over-bob", "heist-crossed", "market-chosen")),
    "board.png": ((800, 576), ("board-1280-dark", "replay-heist-1280-light-end")),
}
"""Pictures of the documentation: the size of each part, and the pages whose upper part they are."""


def keep(folder: Path) -> None:
    """Play, and keep all pages that the tests look at in a folder.

    Raises:
        CalledProcessError: a test has failed.
    """
    names = dict.fromkeys(("SEAT_PICTURES", "BOARD_PICTURES"), str(folder))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "slow and not nightly", *TESTS]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **names}, check=True)


def sheet(folder: Path, size: tuple[int, int], names: tuple[str, ...]) -> Image.Image:
    """Lay the upper parts of pages beside each other."""
    laid = Image.new("RGB", (len(names) * (size[0] + GAP) - GAP, size[1]), GROUND)
    for number, name in enumerate(names):
        page = Image.open(folder / f"{name}.png").convert("RGB")
        height = round(page.width * size[1] / size[0])
        part = page.crop((0, 0, page.width, height)).resize(size, Image.Resampling.LANCZOS)
        laid.paste(part, (number * (size[0] + GAP), 0))
    return laid


def main() -> None:
    """Make them."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.seat.seat_pictures", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where all of them are kept instead")
    folder = parser.parse_args().folder
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        keep(folder.resolve())
        return
    with tempfile.TemporaryDirectory() as name:
        keep(Path(name))
        for file, (size, names) in SHEETS.items():
            sheet(Path(name), size, names).save(SHOWN / file, optimize=True)


if __name__ == "__main__":
    main()
