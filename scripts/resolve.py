"""Resolve what a host needs for every system and Python that it is made for, from wheels alone.

Whatever had to be compiled there would need a compiler, which a streamer's PC has not.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from scripts.steps import ROOT, arguments

SYSTEMS = {
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "Windows arm64": "aarch64-pc-windows-msvc",
    "macOS x86-64": "x86_64-apple-darwin",
    "macOS arm64": "aarch64-apple-darwin",
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def main(words: list[str] | None = None) -> None:
    """Resolve them all, or exit with 1 and say for which there is no wheel of something."""
    parser = argparse.ArgumentParser(prog="python -m scripts.resolve", description=__doc__)
    parser.add_argument("--extra", default="postgres", help="with this extra, or none for an empty word")
    extra: str = parser.parse_args(words).extra
    cases = [*product(SYSTEMS, PYTHONS)]
    with ThreadPoolExecutor(2) as pool:
        reasons = dict(
            zip(cases, pool.map(lambda case: _reason(case[0], case[1], extra), cases), strict=True)
        )
    print(f"{'':15}{''.join(f'{each:>7}' for each in PYTHONS)}")
    for system in SYSTEMS:
        marks = ("no" if reasons[system, python] else "ok" for python in PYTHONS)
        print(f"{system:15}{''.join(f'{each:>7}' for each in marks)}")
    failed = [f"{' with Python '.join(case)}: {reason}" for case, reason in reasons.items() if reason]
    if failed:
        sys.exit("\n".join(["There is no set of wheels for:", *failed]))


def _reason(system: str, python: str, extra: str) -> str:
    """Return why there is no set of wheels; empty if there is one."""
    command = "uv pip compile --quiet --no-header --only-binary :all: pyproject.toml --output-file -"
    words = ["--python-platform", SYSTEMS[system], "--python-version", python]
    words += ["--extra", extra] if extra else []
    process = subprocess.run(
        [*arguments(command), *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    return process.stderr.strip() if process.returncode else ""


if __name__ == "__main__":
    main()
