"""A change that is asked for again by its key is done once, and answered as the first time."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, func, select, update

from chatbot.ledger import api_answers
from chatbot.ledger.store import schema
from chatbot.rooms.line import OPERATOR_ACCOUNT

if TYPE_CHECKING:
    from tests.web.desk.site import Program, Site


@pytest.fixture
async def program(site: Site) -> Program:
    """A program of whoever runs the bot, in the room of Twitch, where bob has been."""
    await site.both.chat("bob", "!credits")
    return await site.program(await site.operator(), site.twitch_room)


async def grants(site: Site) -> int:
    async with site.bot.parts.store.reading() as connection:
        query = select(func.count()).select_from(schema.transfer).where(schema.transfer.c.why == "grant")
        return int((await connection.execute(query)).scalar() or 0)


async def answers(site: Site) -> Any:
    async with site.bot.parts.store.reading() as connection:
        return (await connection.execute(select(schema.api_answer))).all()


async def test_five_grants_at_once_under_one_key_are_one_grant(site: Site, program: Program) -> None:
    asked = (program.use("grant", "bob 50 for a race", key="one") for _ in range(5))
    given = await asyncio.gather(*asked)
    assert await grants(site) == 1
    assert {status for status, _ in given} <= {200, 409}
    done = [body for status, body in given if status == 200]
    assert done
    assert all(each == done[0] and each["done"] for each in done)
    assert {body["id"] for status, body in given if status == 409} <= {"key-in-use"}
    assert await program.use("grant", "bob 50 for a race", key="one") == (200, done[0])
    assert await grants(site) == 1


async def test_another_key_is_another_change(site: Site, program: Program) -> None:
    for key in ("one", "two"):
        assert (await program.use("grant", "bob 50 for a race", key=key))[1]["done"]
    assert await grants(site) == 2


async def test_the_same_key_of_another_caller_is_another_change(site: Site, program: Program) -> None:
    other = await site.program(await site.operator(), site.twitch_room)
    for each in (program, other):
        assert (await each.use("grant", "bob 50 for a race", key="one"))[1]["done"]
    assert await grants(site) == 2


async def test_a_key_of_another_request_is_refused_and_does_nothing(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 for a race", key="one")
    status, answer = await program.use("grant", "bob 51 for a race", key="one")
    assert (status, answer["id"]) == (409, "key-of-another")
    assert (await program.use("take", "bob 50 for a race", key="one"))[0] == 409
    assert await grants(site) == 1


async def test_a_refusal_is_an_answer_too(site: Site, program: Program) -> None:
    first = await program.use("grant", "nobody 50", key="one")
    assert not first[1]["done"]
    await site.both.chat("nobody", "!credits")
    assert await program.use("grant", "nobody 50", key="one") == first
    unknown = await program.use("nonsense", "", key="two")
    assert (unknown[0], unknown[1]["id"]) == (422, "command-unknown")
    assert await program.use("nonsense", "", key="two") == unknown


async def test_an_answer_that_was_not_stored_before_a_crash_is_lost_and_nothing_happens_again(
    site: Site, program: Program
) -> None:
    await program.use("grant", "bob 50 for a race", key="one")
    await lose(site)
    for _ in range(2):
        status, answer = await program.use("grant", "bob 50 for a race", key="one")
        assert (status, answer["id"]) == (409, "answer-lost")
    site.bot.parts.deduplication._recent.clear()  # as after a start
    assert (await program.use("grant", "bob 50 for a race", key="one"))[0] == 409
    await erase_keys(site)  # and even if the key is not known any more
    assert (await program.use("grant", "bob 50 for a race", key="one"))[1]["id"] == "answer-lost"
    assert await grants(site) == 1


async def test_what_was_begun_and_not_done_before_a_crash_is_done(
    site: Site, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = site.bot.ask
    monkeypatch.setattr(site.bot, "ask", killed)
    assert (await program.use("grant", "bob 50 for a race", key="one"))[0] == 500
    assert (await grants(site), [each.status for each in await answers(site)]) == (0, [None])
    monkeypatch.setattr(site.bot, "ask", ask)
    assert (await program.use("grant", "bob 50 for a race", key="one"))[1]["done"]
    assert await grants(site) == 1


async def test_a_token_is_not_made_again_where_the_answer_to_the_first_is_lost(site: Site) -> None:
    desk, path = await site.operator(), f"/api/1/rooms/{site.twitch_room}/tokens"
    wanted, key = {"label": "deck", "scopes": ["read"]}, {"Idempotency-Key": "one"}
    first = await desk.post(path, wanted, **key)
    assert first[0] == 200
    assert await desk.post(path, wanted, **key) == first
    assert len((await desk.get(path))[1]) == 1
    await lose(site)
    assert (await desk.post(path, wanted, **key))[1]["id"] == "answer-lost"
    assert len((await desk.get(path))[1]) == 1


async def test_a_flood_leaves_no_trace_so_that_the_same_key_works_later(site: Site, program: Program) -> None:
    site.bot.parts.flood_limit._allowances.spend(OPERATOR_ACCOUNT, 25)
    status, answer = await program.use("grant", "bob 50 for a race", key="one")
    assert (status, answer["id"], program.headers["Retry-After"]) == (503, "not-heard", "1")
    assert await grants(site) == 0
    await site.both.discord.turn(20)
    status, answer = await program.use("grant", "bob 50 for a race", key="one")
    assert (status, answer["done"]) == (200, True)
    assert await grants(site) == 1


@pytest.mark.parametrize("key", ["", "with space", "x" * 101, "\u00fc"])
async def test_a_program_must_give_a_key_that_is_one(site: Site, program: Program, key: str) -> None:
    assert (await program.use("grant", "bob 50 for a race", key=key))[0] == 400
    assert await grants(site) == 0


async def test_a_page_may_do_without_a_key_and_may_give_one(site: Site, program: Program) -> None:
    browser = await site.operator()
    for _ in range(2):
        assert (await browser.use(site.twitch_room, "grant", "bob 50 for a race"))[1]["done"]
    assert await grants(site) == 2
    for _ in range(2):
        keyed = await browser.use(
            site.twitch_room, "grant", "bob 50 for a race", **{"Idempotency-Key": "mine"}
        )
        assert keyed[1]["done"]
    assert await grants(site) == 3


async def test_stored_answers_can_be_read_in_no_backup_and_are_gone_after_a_day(
    site: Site, program: Program
) -> None:
    await program.use("grant", "bob 50 for a race", key="one")
    (row,) = await answers(site)
    assert "Bob" not in row.body
    assert "race" not in row.body
    await site.both.discord.turn((api_answers.KEPT + timedelta(seconds=1)).total_seconds())
    await program.use("top", key="two")
    assert [each.key for each in await answers(site)] == ["two"]


async def test_a_caller_has_a_bounded_number_of_answers(
    site: Site, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_answers, "MOST_ANSWERS", 3)
    for each in range(5):
        await site.both.discord.turn(1)
        await program.use("top", key=f"key-{each}")
    assert {each.key for each in await answers(site)} == {"key-2", "key-3", "key-4"}


async def test_a_token_that_was_revoked_reads_no_stored_answer(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 for a race", key="one")
    await revoke_all(site)
    assert (await program.use("grant", "bob 50 for a race", key="one"))[0] == 401


async def killed(_: object) -> None:
    raise RuntimeError("the process ends here")


async def lose(site: Site) -> None:
    """Leave the keys as a crash does before their answers are stored."""
    await site.bot.parts.store.write(
        lambda connection: connection.execute(update(schema.api_answer).values(status=None, body=None)),
        homes=(),
    )


async def erase_keys(site: Site) -> None:
    await site.bot.parts.store.write(
        lambda connection: connection.execute(delete(schema.api_answer)), homes=()
    )


async def revoke_all(site: Site) -> None:
    await site.bot.parts.store.write(
        lambda connection: connection.execute(delete(schema.api_token)), homes=()
    )
