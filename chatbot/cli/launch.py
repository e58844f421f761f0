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
        with collector.importing():
            _import_structlog_alone()
            from chatbot.cli import entry  # noqa: PLC0415  (what takes long)

        getattr(entry, command)()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _import_structlog_alone() -> None:
    """Import structlog without rich and pygments: `chatbot.log` writes tracebacks without their help.

    They take 3 MB and a twentieth of a second. Commands that draw tables import rich later as ever.
    """
    if "rich" in sys.modules or "structlog" in sys.modules:
        return
    sys.modules["rich"] = None  # type: ignore[assignment]  # how Python notes that there is none
    try:
        import structlog  # noqa: F401, PLC0415
    finally:
        del sys.modules["rich"]
