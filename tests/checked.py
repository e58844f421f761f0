"""A store of a test's own, whose books must be sound when the test ends."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.dialects import sqlite

from chatbot.ledger.audit import checks, guards
from chatbot.ledger.audit.checks import breaches
from tests.template import store_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    path = tmp_path / "rabble.db"
    store = await store_at(path)
    try:
        yield store
        assert sound(path) or await breaches(store) == []
    finally:
        await store.close()


def sound(path: Path) -> bool:
    """Whether nothing is found by the queries of an audit: in a fifth of the time, without what is wrong."""
    with closing(sqlite3.connect(path)) as connection:
        if dict(connection.execute(guards._TRIGGERS)) != guards._ON_SQLITE:
            return False
        if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            return False
        return not any(connection.execute(query).fetchone() for query in _queries())


@cache
def _queries() -> tuple[str, ...]:
    """Write down the checks of an audit as SQL, once for all tests."""
    statements = [checks._statement(query, checks.ALL) for query in checks._CHECKS.values()]
    compiled = [
        each.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}) for each in statements
    ]
    return "PRAGMA foreign_key_check", *map(str, compiled)
