"""Whoever farms credits by a script earns no more than somebody who is simply there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Role, Seat
from chatbot.live.earning.earnings import Earnings
from chatbot.live.room import Happening, Occasion
from chatbot.wallets.identities import Tie
from tests.live.earners import MO, SLOT, START, choose, happens, live, restarted, talk, watch
from tests.live.platforms import Platforms, on_one_server
from tests.live.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.wallets.store import Store

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
        await stage.house.hear(stage.line("bot", f"nonsense {number}"))
        if not number % 30:
            await stage.house.hear(stage.line("ann", f"a thought {number}"))
        await stage.watch.turn(1)
    assert await stage.credits("ann") == START + 2  # ten messages
    assert await stage.credits("bot") == START + 2


async def test_an_account_that_repeats_itself_or_sends_commands_earns_nothing(stage: Stage) -> None:
    await live(stage, "watch 0")
    for number in range(40):
        await stage.house.hear(stage.line("parrot", "gg" if number % 2 else " GG  "))
        await stage.house.hear(stage.line("clerk", f"!credits {number}"))
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
    await last.house.notice(Occasion("e0", "room:chat", kind))
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
    await stage.house.open(stage.new_room("other"))
    for _ in range(11):
        await watch(stage, 0, "ann")
        await watch(stage, 0, "ann", room="other")
        await talk(stage, "bob", 1, gap=0)
        await talk(stage, "bob", 1, room="other", gap=0)
        await stage.watch.turn(60)
    assert await stage.credits("ann") == 1
    await stage.turn(120)
    assert await stage.credits("bob") == START + 2 + 1  # eleven messages that count, and ten minutes


async def test_two_accounts_that_were_ever_linked_earn_as_one(stage: Stage) -> None:
    await live(stage, "watch 10", "daily_most 100")
    identities = stage.house.identities
    await stage.say("main", "hello")
    await stage.say("alt", "hello")
    before = await stage.credits("main") + await stage.credits("alt")
    await stage.say("main", "!claim")
    identities.note(Tie(seat("alt"), seat("main"), linked=False))  # linked, and taken back
    assert "claimed already" in (await stage.say("alt", "!claim"))[0]
    await watch(stage, 2 * SLOT, "main", "alt")
    await happens(stage, Happening.FOLLOW, "main")
    await happens(stage, Happening.FOLLOW, "alt")
    earned = await stage.credits("main") + await stage.credits("alt") - before
    assert earned == 120 + 2 * 10 + 20
    await choose(stage, "talk_messages 1", "talk 10")
    await talk(stage, "alt", 9)
    await talk(stage, "main", 9)
    both = await stage.credits("main") + await stage.credits("alt") - before
    assert both == 120 + 20 + 100  # one day's most for both


async def test_a_name_that_is_equal_to_a_bots_earns_nothing_and_one_that_is_alike_earns(stage: Stage) -> None:
    for name, earns in (
        ("NIGHTBOT", False),
        ("nightbot2", True),
        ("\N{FULLWIDTH LATIN SMALL LETTER N}ightbot", True),
    ):
        told = (await stage.say(name, "!claim"))[0]
        assert ("claims" in told) == earns


async def test_who_is_excluded_earns_nothing_by_an_account_that_was_linked(stage: Stage) -> None:
    await stage.say("main", "hello")
    await stage.say(MO, "!exclude @main")
    stage.house.identities.note(Tie(seat("alt"), seat("main"), linked=False))
    assert "who earn nothing here" in (await stage.say("alt", "!claim"))[0]


async def test_changing_a_setting_back_and_forth_pays_no_period_twice(stage: Stage) -> None:
    for hours in (12, 12, 12):
        await choose(stage, f"claim_hours {hours}")
        await stage.say("ann", "!claim")
    assert await stage.credits("ann") == START + 120


async def test_linking_and_parting_again_and_again_earns_as_one(store: Store) -> None:
    both = await on_one_server(store)
    ann, anna = "discord:ann", "twitch:anna"
    for each in (ann, anna):
        await both.say(each, "hello")
    for _ in range(2):
        await both.link(anna, ann)
        await both.say(anna, "!claim")
        await both.say(anna, "!unlink")
        await both.say(anna, "!claim")
        await both.say(ann, "!claim")
    held = [await both.credits(each, "guild") for each in (ann, anna)]
    assert sum(held) <= 2 * START + 120
    assert await both.sound()


async def test_two_communities_that_are_one_pay_one_claim(store: Store) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    other = both.own_room("twitch:8", "channel")
    await both.house.open(other)
    told = [await both.say("twitch:ann", "!claim", channel) for channel in ("twitch:7", "twitch:8")]
    assert "claims 120" in told[0][-1]
    assert "claimed already" in told[1][-1]


async def united(store: Store, *settings: str) -> Platforms:
    """Unite a server with a channel of two rooms, one of them apart, whose keepers chose these settings."""
    both = await Platforms(store).open()
    await both.house.open(both.own_room("twitch:8", "channel"))
    for each in settings:
        await both.say("twitch:mod(moderator)", f"!set earning {each}", "twitch:8")
    await both.bridge()
    return both


async def test_two_rooms_of_a_union_count_their_periods_alike(store: Store) -> None:
    both, told = await united(store, "claim_hours 8"), list[str]()
    for hour in range(24):
        for channel in ("twitch:7", "twitch:8"):
            told += await both.say("twitch:ann", "!claim", channel)
        await both.turn(HOUR - 1 if not hour else HOUR)
    assert sum("claims 120" in each for each in told) == 2  # in twelve hours once, as the server has it


async def test_what_a_keeper_sets_in_a_union_counts_in_all_its_rooms_and_only_there(store: Store) -> None:
    both = await united(store, "claim_hours 8")
    mod = "twitch:mod(moderator)"
    assert "claim_hours is 12:" in (await both.say(mod, "!settings earning claim_hours", "twitch:8"))[0]
    await both.say(mod, "!set earning claim_hours 6", "twitch:8")
    assert "claim_hours is 6:" in (await both.say(mod, "!settings earning claim_hours", "twitch:7"))[0]
    await both.say("twitch:owner(broadcaster)", "!bridge end")
    for channel, hours in (("discord:1", 6), ("twitch:7", 8), ("twitch:8", 8)):
        who = f"{channel.partition(':')[0]}:mod(moderator)"
        (told,) = await both.say(who, "!settings earning claim_hours", channel)
        assert f"claim_hours is {hours}:" in told


async def test_who_watches_in_two_rooms_of_a_union_is_paid_for_one(store: Store) -> None:
    both = await united(store, "watch_minutes 5", "watch_offline 7")
    await both.say("discord:mod(moderator)", "!set earning watch_offline 7")
    people = {Seat("twitch:ann"): "ann-t"}
    await both.say("twitch:ann", "hello")
    for _ in range(11):
        for channel in ("twitch:7", "twitch:8"):
            await both.house.watching(channel, people)
        await both.watch.turn(120)
    assert await both.credits("twitch:ann") == START + 2 * 7


async def test_another_length_of_periods_pays_none_twice(stage: Stage) -> None:
    await stage.turn(HOUR)
    for hours in (12, 6, 24, 12):
        await choose(stage, f"claim_hours {hours}")
        await stage.say("ann", "!claim")
    assert await stage.credits("ann") == START + 120


async def test_what_was_earned_before_linking_or_bridging_is_not_earned_again(store: Store) -> None:
    both = await Platforms(store).open()
    for before in (None, both.bridge, partial(both.link, "twitch:anna", "discord:ann")):
        if before is not None:
            await before()
        for number, who in enumerate(("twitch:anna", "discord:ann")):
            await both.say(who, "!claim", "twitch:7")
            name = f"{before} {number}"
            followed = Occasion(name, "twitch:7", Happening.FOLLOW, Seat("twitch:anna"), "anna-t")
            await both.house.notice(followed)
    held = [await both.credits(each, "guild") for each in ("twitch:anna", "discord:ann")]
    assert held == [START + 2 * 120 + 20] * 2  # two persons had claimed, when they were two


async def test_a_follow_is_paid_once_whomever_one_links_with_and_after_parting(store: Store) -> None:
    both = await Platforms(store).open()
    paid = 0
    for number, root in enumerate(("discord:a", "discord:b", "discord:c")):
        for step in ("link", "follow", "bridge", "follow", "end", "follow", "unlink", "follow"):
            if step == "link":
                await both.link("twitch:anna", root)
            elif step == "bridge":
                await both.bridge()
            elif step == "end":
                await both.say("discord:owner(broadcaster)", "!bridge end")
            elif step == "unlink":
                await both.say("twitch:anna", "!unlink")
            heard = len(both.door.deliveries)
            anna = Seat("twitch:anna")
            if step == "follow":
                name = f"{number} {root} {heard}"
                await both.house.notice(Occasion(name, "twitch:7", Happening.FOLLOW, anna, "anna-t"))
                await both.watch.turn()
            paid += sum("20 credits" in each for each in both.said(heard))
    assert paid == 1
