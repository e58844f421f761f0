"""A link logs in once; the database knows no secret of links and browsers; sessions end."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.ledger.store import schema
from chatbot.ledger.web_sessions import LINK_LASTS, MOST_SESSIONS, OPERATOR, SESSION_LASTS, WebSessions

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)


@pytest.fixture
def sessions(store: Store) -> WebSessions:
    return WebSessions(store)


async def test_a_link_opens_one_session_however_often_it_is_opened_at_once(sessions: WebSessions) -> None:
    link = await sessions.invite(OPERATOR, NOW)
    opened = await asyncio.gather(*(sessions.redeem(link, NOW) for _ in range(5)))
    (found,) = [each for each in opened if each is not None]
    held, session = found
    assert session.kind == OPERATOR
    assert await sessions.find(held, NOW) == session
    assert await sessions.redeem(link, NOW) is None


async def test_a_link_that_is_old_or_made_up_opens_nothing(sessions: WebSessions) -> None:
    link = await sessions.invite(OPERATOR, NOW)
    assert await sessions.redeem(link, NOW + LINK_LASTS + timedelta(seconds=1)) is None
    for made_up in ("", "x", "\ud800", "a" * 5000):
        assert await sessions.redeem(made_up, NOW) is None
        assert await sessions.find(made_up, NOW) is None


async def test_a_session_ends_by_itself_by_a_word_and_everywhere(sessions: WebSessions) -> None:
    found = [await sessions.redeem(await sessions.invite(OPERATOR, NOW), NOW) for _ in range(3)]
    (one, first), (other, _), (third, _) = [each for each in found if each is not None]
    assert await sessions.find(one, NOW + SESSION_LASTS + timedelta(seconds=1)) is None
    await sessions.end(first)
    assert await sessions.find(one, NOW) is None
    session = await sessions.find(other, NOW)
    assert session is not None
    await sessions.end(session, everywhere=True)
    assert await sessions.find(third, NOW) is None


async def test_there_are_so_many_sessions_at_once_and_no_more(store: Store, sessions: WebSessions) -> None:
    opened = []
    for number in range(MOST_SESSIONS + 2):
        at = NOW + timedelta(seconds=number)
        opened.append(await sessions.redeem(await sessions.invite(OPERATOR, at), at))
    async with store.reading() as connection:
        assert len((await connection.execute(select(schema.web_session))).all()) == MOST_SESSIONS
    held = [each[0] for each in opened if each is not None]
    assert await sessions.find(held[0], NOW) is None
    assert await sessions.find(held[-1], NOW) is not None


async def test_what_is_stored_opens_nothing(store: Store, sessions: WebSessions) -> None:
    link = await sessions.invite(OPERATOR, NOW)
    async with store.reading() as connection:
        (stored,) = (await connection.execute(select(schema.one_time_link.c.id))).scalars()
    assert stored != link
    assert await sessions.redeem(stored, NOW) is None
