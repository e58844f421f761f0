"""For all tests: the program logs as it does when it runs, and no example is timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from chatbot import log

if TYPE_CHECKING:
    from collections.abc import Iterator

log.configure("critical")

settings.register_profile("any machine", deadline=None)  # how long an example takes is no promise
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A test that runs a command in this process leaves its log behind, and a stream that is closed."""
    yield
    log.configure("critical")
