"""For all tests: the program logs as it does when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot import log

if TYPE_CHECKING:
    from collections.abc import Iterator

log.configure("critical")


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A test that runs a command in this process leaves its log behind, and a stream that is closed."""
    yield
    log.configure("critical")
