"""Whoever has a name that begins with "@" is found by it, as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

AT_BOB = "@bob"


@pytest.fixture
async def stage(store: Store) -> Stage:
    stage = await Stage(store).open()
    for who in ("ann", AT_BOB):
        await stage.endow(who, 1000)
    return stage


@pytest.mark.parametrize("name", ["@bob", "@@bob", "@BOB"])
async def test_a_member_is_found_by_the_name_that_is_shown(stage: Stage, name: str) -> None:
    assert await stage.say("ann", f"!give {name} 10") == ["ann gives @bob 10 credits."]
    assert await stage.credits(AT_BOB) == 1010


async def test_whose_name_is_without_the_sign_comes_first(stage: Stage) -> None:
    await stage.endow("bob", 500)
    assert await stage.say("ann", "!credits @bob") == ["bob has 500 credits."]
    assert await stage.say("ann", "!credits @@bob") == ["@bob has 1,000 credits."]


async def test_whoever_is_known_by_no_such_name_is_not_found(stage: Stage) -> None:
    (told,) = await stage.say("ann", "!credits bobby")
    assert told == "> ann: Nobody called “bobby” has been here; check the spelling of the name."
    (told,) = await stage.say("ann", "!credits bob")
    assert "Nobody called “bob”" in told


async def test_whoever_sits_at_a_table_is_meant_before_others_of_that_name(stage: Stage) -> None:
    members, guest = stage.bot.members, seat("guest")
    members.meet(guest, AT_BOB)
    request = stage.request("ann", "!trade", [AT_BOB])
    assert await members.mentioned(request, [seat("ann"), guest]) == ((AT_BOB,), {AT_BOB: guest})
