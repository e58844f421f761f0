"""A link logs in once; the database knows no secret of links and browsers; sessions end."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.ledger.web_sessions import (
    DESK,
    GUEST,
    INVITATION_LASTS,
    LASTS,
    LINK_LASTS,
    MOST_SESSIONS,
    OPERATOR,
    Login,
    WebSessions,
)

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
HOST = Login(OPERATOR, Account("operator", "operator"), "operator")
ANN = Login(DESK, Account("discord", "1"), "Ann")
VISITORS = Login(GUEST, Account("operator", "operator"), "guest")


@pytest.fixture
def sessions(store: Store) -> WebSessions:
    return WebSessions(store)


async def test_a_link_opens_one_session_however_often_it_is_opened_at_once(sessions: WebSessions) -> None:
    link = await sessions.invite(HOST, NOW)
    opened = await asyncio.gather(*(sessions.redeem(link, NOW) for _ in range(5)))
    (found,) = [each for each in opened if each is not None]
    held, session = found
    assert session.kind == OPERATOR
    assert await sessions.find(held, NOW) == session
    assert await sessions.redeem(link, NOW) is None


async def test_a_link_that_is_old_or_made_up_opens_nothing(sessions: WebSessions) -> None:
    link = await sessions.invite(HOST, NOW)
    assert await sessions.redeem(link, NOW + LINK_LASTS + timedelta(seconds=1)) is None
    for made_up in ("", "x", "\ud800", "a" * 5000):
        assert await sessions.redeem(made_up, NOW) is None
        assert await sessions.find(made_up, NOW) is None


async def test_a_session_ends_by_itself_by_a_word_and_everywhere(sessions: WebSessions) -> None:
    found = [await sessions.redeem(await sessions.invite(HOST, NOW), NOW) for _ in range(3)]
    (one, first), (other, _), (third, _) = [each for each in found if each is not None]
    assert await sessions.find(one, NOW + LASTS[OPERATOR] + timedelta(seconds=1)) is None
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
        opened.append(await sessions.redeem(await sessions.invite(HOST, at), at))
    async with store.reading() as connection:
        assert len((await connection.execute(select(schema.web_session))).all()) == MOST_SESSIONS
    held = [each[0] for each in opened if each is not None]
    assert await sessions.find(held[0], NOW) is None
    assert await sessions.find(held[-1], NOW) is not None


async def test_what_is_stored_opens_nothing(store: Store, sessions: WebSessions) -> None:
    link = await sessions.invite(HOST, NOW)
    async with store.reading() as connection:
        (stored,) = (await connection.execute(select(schema.one_time_link.c.id))).scalars()
    assert stored != link
    assert await sessions.redeem(stored, NOW) is None


async def test_logging_out_everywhere_ends_the_sessions_and_links_of_one_account_alone(
    sessions: WebSessions,
) -> None:
    unused = await sessions.invite(ANN, NOW)
    mine, session = await sessions.open(ANN, NOW)
    other, _ = await sessions.open(Login(DESK, Account("discord", "2"), "Bo"), NOW)
    await sessions.end(session, everywhere=True)
    assert await sessions.find(mine, NOW) is None
    assert await sessions.redeem(unused, NOW) is None
    assert await sessions.find(other, NOW) is not None


async def test_whoever_may_do_more_holds_another_cookie_and_the_former_one_opens_nothing(
    sessions: WebSessions,
) -> None:
    first, session = await sessions.open(ANN, NOW)
    second, raised = await sessions.open(ANN, NOW, instead=session.id)
    assert await sessions.find(first, NOW) is None
    assert await sessions.find(second, NOW) == raised
    assert session.csrf != raised.csrf


async def test_the_invitation_of_guests_opens_several_sessions_for_half_a_day(sessions: WebSessions) -> None:
    link = await sessions.invite(VISITORS, NOW)
    opened = [await sessions.redeem(link, NOW) for _ in range(3)]
    assert [each[1].kind for each in opened if each is not None] == [GUEST] * 3
    assert await sessions.redeem(link, NOW + INVITATION_LASTS + timedelta(seconds=1)) is None


async def test_a_link_of_a_kind_that_is_not_taken_there_remains_for_where_it_is(
    sessions: WebSessions,
) -> None:
    link = await sessions.invite(HOST, NOW)
    assert await sessions.redeem(link, NOW, kinds={DESK}) is None
    assert await sessions.redeem(link, NOW) is not None
