"""The program's log, on standard error, without secrets.

Tracebacks show no variables, and all output, including warnings and uncaught exceptions, is cleaned by a
`Discretion` first. What the database could not do (its disk is full, its server is away) is told in one line
without a traceback, for there is nothing to look up in the code; at the level `debug` it has one. A log that
cannot be written, because its own disk is full or its terminal is gone, is lost, and stops nothing. Control
characters that a library or an error quotes are escaped, so that no terminal obeys them.
"""

from __future__ import annotations

import io
import json
import logging
import re
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from chatbot.invocation import with_invocations
from chatbot.keys.discretion import Discretion
from chatbot.runtime.trace_ids import trace_of

if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO

    from structlog.typing import EventDict, ExcInfo, WrappedLogger

AT_LEAST_INFO = ("aiohttp", "aiosqlite", "asyncio", "discord", "twitchio")
"""Libraries whose DEBUG messages contain tokens, payloads or values of SQL, or are no news to anybody."""

# Control characters but line feeds and tabs, and what turns the direction of writing.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def configure(
    level: str, discretion: Discretion | None = None, *, quiet: bool = False, as_json: bool = False
) -> None:
    """Log the events of the program and of libraries from a level on, without secrets.

    With `as_json`, each is a JSON object in a line. With `quiet`, libraries log errors only, unless the level
    is `debug`: for a command that somebody reads, and who runs it can do nothing with advice to programmers.
    """
    discretion, stream = discretion or Discretion(), sys.stderr
    library_level = "error" if quiet and level != "debug" else level
    logging.basicConfig(level=library_level.upper(), stream=stream, force=True)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_CleaningFormatter(discretion, as_json=as_json))
    for name in AT_LEAST_INFO:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
    logging.captureWarnings(capture=True)
    _install_exception_hooks(discretion)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if level == "debug" else [_without_traceback]),
            *([_with_trace] if as_json else []),
            *(
                [
                    structlog.processors.format_exc_info,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ]
                if as_json
                else [
                    structlog.dev.ConsoleRenderer(
                        colors=stream.isatty(), exception_formatter=_write_traceback
                    )
                ]
            ),
            _CleaningProcessor(discretion),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _LossyLogger(stream),
        cache_logger_on_first_use=False,
    )


class _CleaningFormatter(logging.Formatter):
    """Formats the records of libraries, with arguments and traceback, and cleans the text.

    They look like our own events: a time in UTC, the level, what it is, and which library says so.
    """

    converter = staticmethod(time.gmtime)
    default_time_format, default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"

    def __init__(self, discretion: Discretion, *, as_json: bool = False) -> None:
        super().__init__("%(asctime)s %(message)s")
        self._discretion, self._as_json = discretion, as_json

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the name in the base class)
        level = f"[{record.levelname.lower():<9}]"
        return f"{record.asctime} {level} {record.message} library={record.name}"

    def format(self, record: logging.LogRecord) -> str:
        if self._as_json:
            values = {
                "event": record.getMessage(),
                "library": record.name,
                "level": record.levelname.lower(),
                "timestamp": self.formatTime(record),
            }
            if record.exc_info:
                values["exception"] = self.formatException(record.exc_info)
            return self._discretion.clean(json.dumps(values, ensure_ascii=False))
        return self._discretion.clean(_escaped(super().format(record)))


def _escaped(text: str) -> str:
    """Escape what a terminal would obey; structlog does so with the values of our own events."""
    return _CONTROL.sub(lambda each: ascii(each[0])[1:-1], text)


def _write_traceback(stream: TextIO, error: ExcInfo) -> None:
    """Write a traceback as structlog does, escaped."""
    plain = io.StringIO()
    structlog.dev.plain_traceback(plain, error)
    stream.write(_escaped(plain.getvalue()))


class _LossyLogger(structlog.PrintLogger):
    """Prints events, and loses those that cannot be printed: whoever logs in an emergency has to go on."""

    def msg(self, message: str) -> None:
        with suppress(OSError, ValueError):  # ValueError: the stream is closed
            super().msg(message)

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg


def _with_trace(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the trace of the line that an event is about."""
    line = event.get("line")
    if isinstance(line, str):
        event["trace_id"] = trace_of(line)
    return event


def _without_traceback(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace the traceback of an error of the database itself by what the driver says."""
    exc_info = event.get("exc_info")
    error = exc_info if isinstance(exc_info, BaseException) else sys.exc_info()[1] if exc_info else None
    reason = None if error is None else _reason(error)
    if reason is not None:
        del event["exc_info"]
        event["why"] = reason
    return event


def _reason(error: BaseException) -> str | None:
    """Return why the database could not do something; None if the error is another one."""
    from chatbot.ledger.books.posting import LostAnswer  # noqa: PLC0415  (slow, and rarely needed)
    from chatbot.ledger.store import engines, leases  # noqa: PLC0415

    if isinstance(error, LostAnswer) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, leases.NotOwner):
        return str(error)
    reason = engines.trouble(error)
    return None if reason is None else f"the database: {reason}"


class _CleaningProcessor:
    """The last processor of structlog: cleans the rendered event, and puts in how programs are started."""

    def __init__(self, discretion: Discretion) -> None:
        self._discretion = discretion

    def __call__(self, _: WrappedLogger, __: str, event: EventDict | str) -> str:
        return with_invocations(self._discretion.clean(str(event)))


def _install_exception_hooks(discretion: Discretion) -> None:
    """Clean the tracebacks of exceptions that the program, its threads or its destructors do not catch.

    A hook of threads or destructors that is not Python's own is kept: a test runner's would miss exceptions.
    """

    def write(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if sys.meta_path is None:  # the interpreter is shutting down, and tracebacks cannot be formatted
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        with suppress(OSError, ValueError):  # as above
            sys.stderr.write(discretion.clean(_escaped(text)))

    sys.excepthook = write
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = lambda args: write(args.exc_type, args.exc_value, args.exc_traceback)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = lambda args: write(args.exc_type, args.exc_value, args.exc_traceback)
