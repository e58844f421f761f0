"""For all tests: the program logs as it does when it runs."""

from __future__ import annotations

from chatbot import log

log.configure("critical")
