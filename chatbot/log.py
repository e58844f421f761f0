"""The program's log, on standard error. Tracebacks show no variables: those may hold secrets."""

from __future__ import annotations

import logging
import sys

import structlog


def configure(level: str) -> None:
    """Log our events, and those of libraries, from this level on."""
    logging.basicConfig(level=level.upper(), stream=sys.stderr, force=True)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
