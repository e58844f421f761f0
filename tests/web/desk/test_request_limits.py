"""Whoever asks too often is told when to ask again, and nobody else waits for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.runtime.clock import HandWatch
from chatbot.web.api.request_limits import OF_CALLER, OF_STRANGER, WINDOW, RequestLimit

if TYPE_CHECKING:
    from tests.web.desk.site import Program, Site


@pytest.fixture
async def program(site: Site) -> Program:
    return await site.program(await site.operator(), site.twitch_room)


async def test_each_answer_says_how_many_requests_are_left(site: Site, program: Program) -> None:
    await program.get("/tables")
    assert program.headers["RateLimit-Policy"] == f'"caller";q={OF_CALLER};w={WINDOW}'
    assert program.headers["RateLimit"] == f'"caller";r={OF_CALLER - 1};t=1'
    assert (await program.get("/members", count=0))[0] == 400
    assert program.headers["RateLimit"] == f'"caller";r={OF_CALLER - 2};t=1'
    assert "Retry-After" not in program.headers


async def test_a_program_that_asks_too_often_waits_as_long_as_it_is_told(
    site: Site, program: Program
) -> None:
    other = await site.program(await site.operator(), site.twitch_room)
    while (await program.get("/tables"))[0] == 200:
        pass
    status, answer = await program.get("/tables")
    assert (status, answer["error"]) == (429, "That is asked too often; try again in 1 s.")
    assert program.headers["RateLimit"] == f'"caller";r=0;t={WINDOW}'
    assert (await program.use("grant", "nobody 5"))[0] == 429
    assert (await other.get("/tables"))[0] == 200
    await site.both.discord.turn(int(program.headers["Retry-After"]))
    assert (await program.get("/tables"))[0] == 200


async def test_who_guesses_tokens_is_stopped_and_programs_of_the_same_address_are_not(
    site: Site, program: Program
) -> None:
    guess = await site.program(await site.operator(), site.twitch_room)
    guess.token = "rabble_guess"  # noqa: S105  (none)
    statuses = [(await guess.get("/tables"))[0] for _ in range(OF_STRANGER + 1)]
    assert statuses == [401] * OF_STRANGER + [429]
    assert guess.headers["RateLimit-Policy"] == f'"stranger";q={OF_STRANGER};w={WINDOW}'
    assert (await program.get("/tables"))[0] == 200


async def test_a_bucket_tells_when_it_is_full_again() -> None:
    watch = HandWatch()
    limit = RequestLimit(watch, "caller", 120)  # two are gained in a second
    quota = [limit.take("ann") for _ in range(10)][-1]
    assert (quota.left, quota.full_in, quota.retry_after) == (110, 5, 0)
    await watch.turn(2)
    assert (limit.take("ann").left, limit.take("bob").left) == (113, 119)
