"""Start the bot on a new database, load its page, stop it, play a heist: what must work on every system."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PATIENCE = 120.0  # seconds, on a machine that is busy with other things
STORY = "ann: !heist 69\nbob: !heist half\n+200\nann: !credits\n"
PROGRAM = (sys.executable, "-m", "chatbot")


def main() -> None:
    """Try it, or exit with 1 and say what does not work."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        _check_page(Path(folder) / "rabble.db")
    _check_heist()


def _check_page(database: Path) -> None:
    settings = {"CHATBOT_PORT": "0", "CHATBOT_DATABASE": f"sqlite:///{database.as_posix()}"}
    with subprocess.Popen(
        PROGRAM, env={**os.environ, **settings}, stdout=subprocess.PIPE, encoding="utf-8"
    ) as bot:
        assert bot.stdout is not None  # it is a pipe  # noqa: S101
        try:
            line = bot.stdout.readline()
            if not (address := re.search(r"http://[0-9.:]+", line)):
                sys.exit(f"The bot does not listen, but says: {line!r}")
            with urllib.request.urlopen(address[0], timeout=PATIENCE) as page:  # noqa: S310  (its own)
                if b"Rabble" not in page.read():
                    sys.exit(f"{address[0]} does not serve the page.")
        finally:
            bot.terminate()
            with suppress(subprocess.TimeoutExpired):
                bot.wait(PATIENCE)
    if os.name == "posix" and bot.returncode != 0:  # Windows ends a program without asking it
        sys.exit(f"The bot stopped with status {bot.returncode}.")
    print(f"The page was served at {address[0]}.")


def _check_heist() -> None:
    process = subprocess.run(
        [*PROGRAM, "rehearse", "--seed", "1"],
        input=STORY, stdout=subprocess.PIPE, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip
    print(process.stdout, end="")
    if process.returncode or "Results: " not in process.stdout:
        sys.exit("The heist did not come to its results.")


if __name__ == "__main__":
    main()
