"""How long until the page listens, and how much memory then: beside a bare import of the same libraries."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 5
LIBRARIES = "import aiohttp.web, aiosqlite, fluent.runtime, pydantic_settings, sqlalchemy.ext.asyncio"
BARE = [sys.executable, "-c", f"{LIBRARIES}, structlog, typer\nprint('ready', flush=True)\ninput()"]
OURS = [sys.executable, "-m", "chatbot"]
HELP = [*OURS, "--help"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bare = [measure(BARE, folder) for _ in range(ROUNDS)]
        first = measure(OURS, folder)
        ours = [measure(OURS, folder) for _ in range(ROUNDS)]
    seconds, bare_seconds = (median(each[0] for each in rows) for rows in (ours, bare))
    memory, bare_memory = (median(each[1] for each in rows) for rows in (ours, bare))
    print(f"{'':24}{'ours':>9}{'bare':>9}{'ratio':>7}")
    print(f"{'start to listening, s':24}{seconds:9.2f}{bare_seconds:9.2f}{seconds / bare_seconds:7.2f}")
    print(f"{'  on a new database, s':24}{first[0]:9.2f}")
    print(f"{'idle memory, MB':24}{memory:9.1f}{bare_memory:9.1f}{memory / bare_memory:7.2f}")
    helped, empty = timed(HELP), timed([sys.executable, "-c", "import typer"])
    print(f"{'chatbot --help, s':24}{helped:9.2f}{empty:9.2f}{helped / empty:7.2f}")


def measure(command: list[str], folder: str) -> tuple[float, float]:
    """Start a process, and measure seconds to its first line and megabytes a second later."""
    environment = {**os.environ, "CHATBOT_PORT": "0"}
    environment["PYTHONPATH"] = str(Path(__file__).parent.parent)
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - began
        time.sleep(1)
        memory = resident(process.pid)
        process.terminate()
    return seconds, memory


def resident(process: int) -> float:
    """Read a process's resident memory in MB; not a number where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return float("nan")
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def timed(command: list[str]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return median(times)


if __name__ == "__main__":
    main()
