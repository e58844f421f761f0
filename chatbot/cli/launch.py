"""Starts the command line: Ctrl-C ends it quietly from the first moment, while most is still imported."""

from __future__ import annotations

import sys

from chatbot import collector

INTERRUPTED = 130


def main() -> None:
    """Run `chatbot`."""
    _start("main")


def chickp() -> None:
    """Run `chickp`."""
    _start("chickp")


def bankheist() -> None:
    """Run `bankheist`."""
    _start("bankheist")


def _start(command: str) -> None:
    try:
        collector.relax()
        from chatbot.cli import entry  # noqa: PLC0415  (what takes long)

        getattr(entry, command)()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
