"""Whoever farms credits by a script earns no more than somebody who is simply there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.community.earning.settings import Earnings
from chatbot.kernel.game import Role
from chatbot.rooms.line import Happening, Occasion
from tests.bot.earners import SLOT, START, choose, happens, live, restarted, talk, watch

if TYPE_CHECKING:
    from tests.bot.stage import Stage

pytestmark = pytest.mark.slow

HOUR, DAY = 3600, 86_400


async def test_accounts_that_only_lurk_earn_what_each_honest_viewer_does(stage: Stage) -> None:
    await live(stage)
    farm = [f"bot{number}" for number in range(20)]
    await watch(stage, 6 * SLOT, "ann", *farm)
    assert await stage.credits("ann") == 6
    assert {await stage.credits(each) for each in farm} == {6}


async def test_an_account_that_talks_all_the_time_earns_what_a_talker_does(stage: Stage) -> None:
    await live(stage, "watch 0")
    for number in range(300):  # a nonsense a second, against one message every half minute
        await stage.bot.converse(stage.line("bot", f"nonsense {number}"))
        if not number % 30:
            await stage.bot.converse(stage.line("ann", f"a thought {number}"))
        await stage.watch.turn(1)
    assert await stage.credits("ann") == START + 2  # ten messages
    assert await stage.credits("bot") == START + 2


async def test_an_account_that_repeats_itself_or_sends_commands_earns_nothing(stage: Stage) -> None:
    await live(stage, "watch 0")
    for number in range(40):
        await stage.bot.converse(stage.line("parrot", "gg" if number % 2 else " GG  "))
        await stage.bot.converse(stage.line("clerk", f"!credits {number}"))
        await stage.watch.turn(30)
    assert (await stage.credits("parrot"), await stage.credits("clerk")) == (START, START)


async def test_a_day_of_it_all_ends_at_the_most_of_a_day(stage: Stage) -> None:
    await live(stage, "talk 100", "watch 50")
    await talk(stage, "bot", 60)
    await watch(stage, 4 * SLOT, "bot")
    for _ in range(5):
        await happens(stage, Happening.RAID, "bot", 1000)
    assert await stage.credits("bot") == START + 500


async def test_welcomes_of_fresh_accounts_do_not_end_in_one_purse(stage: Stage) -> None:
    for number in range(20):
        await stage.say(f"bot{number}", f"!give @main {START}")
        await stage.say("main", "hello")
        await stage.say(f"bot{number}", f"!give @main {START}")
    assert await stage.credits("main") == START


async def test_a_chain_of_gifts_makes_nobody_richer_together(stage: Stage) -> None:
    people = "ann", "bob", "cat"
    for each in people:
        await stage.say(each, "!claim")
    for giver, taker in (("ann", "bob"), ("bob", "cat"), ("cat", "ann")) * 4:
        await stage.say(giver, f"!give @{taker} 100")
    assert sum([await stage.credits(each) for each in people]) == 3 * (START + 120)


def test_many_small_cheers_never_earn_more_than_one_large_one() -> None:
    for percent in (100, 150, 333):
        earnings, vip = Earnings(vip=percent, cheer=3), {Role.VIP}
        for parts in ((1,) * 100, (33, 33, 34), (99, 1)):
            small = sum(earnings.share(earnings.cheer, vip, bits, 100) for bits in parts)
            assert small <= earnings.share(earnings.cheer, vip, 100, 100)
    assert Earnings(cheer=1).share(1, set(), 1, 100) == 0  # one bit of a credit for a hundred


def test_a_percentage_of_one_credit_is_rounded_down() -> None:
    assert Earnings(vip=150).share(1, {Role.VIP}) == 1
    assert Earnings(vip=199).share(1, {Role.VIP}) == 1
    assert Earnings(vip=99).share(1, {Role.VIP}) == 0


@pytest.mark.parametrize("kind", [Happening.FOLLOW, Happening.SUBSCRIBE, Happening.CHEER, Happening.RAID])
async def test_an_occasion_that_is_told_again_is_paid_once_even_after_a_restart(
    stage: Stage, kind: Happening
) -> None:
    await happens(stage, kind, "ann", 100, occasion="e1")
    earned = await stage.credits("ann")
    assert earned > 0
    await happens(stage, kind, "ann", 100, occasion="e1")
    after = await restarted(stage)
    assert await happens(after, kind, "ann", 100, occasion="e1") == []
    await after.turn(2 * DAY)  # by then nobody remembers what was heard
    last = await restarted(after, "c")
    await last.bot.notice(Occasion("e0", "room:chat", kind))
    await happens(last, kind, "ann", 100, occasion="e1")
    assert await last.credits("ann") == earned


async def test_a_follow_is_paid_once_ever_however_often_somebody_comes_back(stage: Stage) -> None:
    for number in range(3):
        await happens(stage, Happening.FOLLOW, "ann", occasion=f"follow {number}")
    assert await stage.credits("ann") == 20


async def test_a_line_that_comes_again_is_counted_once_even_after_a_restart(stage: Stage) -> None:
    await live(stage, "watch 0", "talk_gap 0")
    for _ in range(2):
        for number in range(5):
            await stage.say("ann", f"thought {number}", line=f"line {number}")
    assert await stage.credits("ann") == START + 1
    after = await live(await restarted(stage))
    for number in range(5):
        await after.say("ann", f"thought {number}", line=f"line {number}")
    assert await after.credits("ann") == START + 1


async def test_a_clock_that_is_set_back_and_forth_pays_no_slot_and_no_period_twice(stage: Stage) -> None:
    await live(stage)
    await watch(stage, 2 * SLOT, "ann")
    await stage.say("ann", "!claim")
    for _ in range(3):  # twenty minutes back, the same slots again, and a restart on top
        stage.watch.set_calendar(-2 * SLOT)
        await watch(stage, 2 * SLOT, "ann")
        assert "claimed already" in (await stage.say("ann", "!claim"))[0]
    assert await stage.credits("ann") == START + 120 + 2
    stage.watch.set_calendar(12 * HOUR)
    assert "ann claims" in (await stage.say("ann", "!claim"))[0]
    for hours in (-12, 12):
        stage.watch.set_calendar(hours * HOUR)
        assert "claimed already" in (await stage.say("ann", "!claim"))[0]
    assert await stage.credits("ann") == START + 240 + 2


async def test_a_restart_pays_no_slot_twice(stage: Stage) -> None:
    await live(stage)
    await watch(stage, SLOT, "ann")
    after = await live(await restarted(stage))
    after.watch.set_calendar(-SLOT)
    await watch(after, SLOT, "ann")
    assert await after.credits("ann") == 1


async def test_who_is_in_two_rooms_of_a_community_earns_once(stage: Stage) -> None:
    await live(stage, "watch_active 0")
    await stage.bot.open(stage.new_room("other"))
    for _ in range(11):
        await watch(stage, 0, "ann")
        await watch(stage, 0, "ann", room="other")
        await talk(stage, "bob", 1, gap=0)
        await talk(stage, "bob", 1, room="other", gap=0)
        await stage.watch.turn(60)
    assert await stage.credits("ann") == 1
    await stage.turn(120)
    assert await stage.credits("bob") == START + 2 + 1  # eleven messages that count, and ten minutes


async def test_a_name_that_is_equal_to_a_bots_earns_nothing_and_one_that_is_alike_earns(stage: Stage) -> None:
    for name, earns in (
        ("NIGHTBOT", False),
        ("nightbot2", True),
        ("\N{FULLWIDTH LATIN SMALL LETTER N}ightbot", True),
    ):
        told = (await stage.say(name, "!claim"))[0]
        assert ("claims" in told) == earns


async def test_changing_a_setting_back_and_forth_pays_no_period_twice(stage: Stage) -> None:
    for hours in (12, 12, 12):
        await choose(stage, f"claim_hours {hours}")
        await stage.say("ann", "!claim")
    assert await stage.credits("ann") == START + 120


async def test_another_length_of_periods_pays_none_twice(stage: Stage) -> None:
    await stage.turn(HOUR)
    for hours in (12, 6, 24, 12):
        await choose(stage, f"claim_hours {hours}")
        await stage.say("ann", "!claim")
    assert await stage.credits("ann") == START + 120
