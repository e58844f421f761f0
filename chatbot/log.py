"""The program's log, on standard error. No secret gets there, whoever logs, warns or breaks.

Tracebacks show no variables, and whatever is written goes through a discretion first.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from typing import TYPE_CHECKING

import structlog

from chatbot.invocation import spelled
from chatbot.keys.discretion import Discretion

if TYPE_CHECKING:
    from types import TracebackType

    from structlog.typing import EventDict, WrappedLogger

RESTRAINED = ("aiohttp", "aiosqlite", "discord", "twitchio")
"""Libraries that tell tokens, payloads, or the values of statements (such as a table's secret) in DEBUG."""


def configure(level: str, discretion: Discretion | None = None) -> None:
    """Log our events, and those of libraries, from this level on, and hide what must not be told."""
    discretion = discretion or Discretion()
    logging.basicConfig(level=level.upper(), stream=sys.stderr, force=True)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_Discreet(discretion))
    for name in RESTRAINED:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
    logging.captureWarnings(capture=True)
    _tell_ends(discretion)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
            _Clean(discretion),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


class _Discreet(logging.Formatter):
    """Writes a record of any library, its arguments and its traceback."""

    def __init__(self, discretion: Discretion) -> None:
        super().__init__(logging.BASIC_FORMAT)
        self._discretion = discretion

    def format(self, record: logging.LogRecord) -> str:
        return self._discretion.clean(super().format(record))


class _Clean:
    """The last step of our own events, which are text by then, and tell commands that can be typed."""

    def __init__(self, discretion: Discretion) -> None:
        self._discretion = discretion

    def __call__(self, _: WrappedLogger, __: str, event: EventDict | str) -> str:
        return spelled(self._discretion.clean(str(event)))


def _tell_ends(discretion: Discretion) -> None:
    """Have the program, its threads and its destructors break discreetly.

    A hook that somebody else has set stays: a test runner's, which would miss what breaks.
    """

    def broken(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if sys.meta_path is None:  # the interpreter is ending, and nothing can be put into words any more
            return
        told = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(discretion.clean(told))

    sys.excepthook = broken
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = lambda end: broken(end.exc_type, end.exc_value, end.exc_traceback)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = lambda end: broken(end.exc_type, end.exc_value, end.exc_traceback)
