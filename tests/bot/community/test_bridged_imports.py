"""What was imported before two chats joined can be taken back while they are joined, and after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bot.platforms import DISCORD, START, Platforms
from tests.ledger import importing
from tests.ledger.importing import taken_back

pytestmark = pytest.mark.slow

BOB = "twitch:bob"
TWITCH_OWNER = "twitch:owner(broadcaster)"


async def bring(both: Platforms, login: str, amount: int) -> None:
    at = both.watch.date()
    await importing.bring(both.store, {login: amount}, "channel", name="import:one", at=at)


async def appear(both: Platforms, who: str, login: str) -> None:
    await both.turn(61)
    await both.bot.converse(replace(both.line(who, "hello"), login=login))
    await both.watch.turn()


@pytest.mark.parametrize("parted", [False, True])
async def test_an_import_that_was_handed_on_in_a_union_can_be_taken_back(
    both: Platforms, *, parted: bool
) -> None:
    await both.endow(BOB, 100)
    await bring(both, "bobby", 500)
    await both.bridge()
    await appear(both, BOB, "bobby")
    assert await both.credits(BOB, "guild") == 600
    if parted:
        await both.say(TWITCH_OWNER, "!bridge end")
        assert (await both.credits(BOB), await both.credits(BOB, "guild")) == (600, 0)
    taken = await taken_back(both.store, "import:one", both.watch.date())
    assert (taken.taken, taken.given, taken.missing) == (500, 0, {})
    assert await both.credits(BOB) == 100
    assert await both.sound()


async def test_an_import_that_still_waits_in_a_union_can_be_taken_back(both: Platforms) -> None:
    await bring(both, "bobby", 500)
    await both.bridge()
    taken = await taken_back(both.store, "import:one", both.watch.date())
    assert (taken.taken, taken.missing) == (500, {})
    await appear(both, BOB, "bobby")
    assert await both.credits(BOB, "guild") == START
    assert await both.sound()


async def test_what_an_heir_of_a_union_has_spent_is_told_as_missing(both: Platforms) -> None:
    await both.endow(BOB, 100)
    await bring(both, "bobby", 500)
    await both.bridge()
    await appear(both, BOB, "bobby")
    await both.endow(BOB, 150, DISCORD)
    taken = await taken_back(both.store, "import:one", both.watch.date())
    assert (taken.taken, taken.missing) == (150, {"twitch:bob": 350})
    assert await both.credits(BOB, "guild") == 0
    assert await both.sound()
