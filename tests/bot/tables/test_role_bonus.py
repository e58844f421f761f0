"""A role that brings a bonus is read where somebody joins, paid after a restart too, and proven."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Role
from tests.bot.hosting import MO, actions, restarted

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

LOBBY, SUSPENSE = 120, 6
SUB = "sue(subscriber)"


@pytest.fixture
async def room(stage: Stage) -> Stage:
    """Let heists have one round, with a bank that all but always pays the stake back."""
    await stage.say(MO, "!preset heist deepbot")
    sure = "/".join(["80"] * 5)
    await stage.say(MO, f"!set heist chances {sure} odds 0/0/0/0/0 subscriber_bonus 25 regular_bonus 10")
    return stage


async def test_the_role_is_written_with_the_stake_and_paid(room: Stage, store: Store) -> None:
    await room.say("ann", "!heist 100")
    await room.say(SUB, "!heist 100")
    badges = frozenset({Role.SUBSCRIBER})  # a moderator who subscribes as well
    await room.bot.converse(replace(room.line("kim(moderator)", "!heist 100"), badges=badges))
    after = await restarted(room, "b")
    await after.turn(LOBBY + SUSPENSE)
    written = await actions(store)
    assert [each for each in written if each.startswith('{"Join"')] == [
        '{"Join":{"seat":"test:ann","credits":100}}'
    ]
    for who in ("sue", "kim"):
        row = f'{{"JoinAs":{{"seat":"test:{who}","credits":100,"role":"subscriber"}}}}'
        assert row in written
    held = {who: await after.credits(who) for who in ("ann", "sue", "kim")}
    assert held["ann"] in {140, 240}  # 240 − 100, and + 100
    assert {held["sue"], held["kim"]} <= {140, 265}  # + 125
    assert 265 in {held["sue"], held["kim"]}
    proof = (await after.say("ann", "!verify a-table-1"))[0]
    assert proof.startswith("Table a-table-1 checks out: ")


async def test_a_regular_of_the_room_has_the_bonus_of_regulars(room: Stage, store: Store) -> None:
    await room.say("bob", "hello")
    await room.say(MO, "!regular @bob")
    await room.say("bob", "!heist 100")
    assert '"role":"regular"' in (await actions(store))[-1]


async def test_a_bonus_that_is_too_high_is_refused_with_what_would_come_back(room: Stage) -> None:
    before = dict(room.room.settings("heist"))
    (told,) = await room.say(MO, "!set heist vip_bonus 26")
    assert told.startswith(
        "> mo: With this bonus up to 100.8% of a stake could come back, and at most 100% may"
    )
    await room.say(MO, "!preset heist contest")
    await room.say(MO, "!confirm")
    assert room.room.settings("heist") != before  # the preset resets bonuses
    assert (
        "needs a limit on what guards and intel can add" in (await room.say(MO, "!set heist vip_bonus 1"))[0]
    )


async def test_the_odds_name_the_bonuses(room: Stage) -> None:
    told = " ".join(await room.say("ann", "!odds heist"))
    assert "in percent of the stake: subscribers 25%, regulars 10%." in told
