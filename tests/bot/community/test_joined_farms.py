"""Links and bridges let nobody earn twice, however often they are made and undone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.people import Account
from chatbot.rooms.line import Happening, Occasion
from tests.bot.earners import MO, SLOT, START, choose, happens, live, talk, watch
from tests.bot.platforms import Platforms, on_one_server
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

HOUR = 3600


async def test_two_accounts_that_were_ever_linked_earn_as_one(stage: Stage) -> None:
    await live(stage, "watch 10", "daily_most 100")
    await stage.say("main", "hello")
    await stage.say("alt", "hello")
    before = await stage.credits("main") + await stage.credits("alt")
    await stage.say("main", "!claim")
    stage.tie(seat("alt"), seat("main"), linked=False)  # linked, and taken back
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


async def test_who_is_excluded_earns_nothing_by_an_account_that_was_linked(stage: Stage) -> None:
    await stage.say("main", "hello")
    await stage.say(MO, "!exclude @main")
    stage.tie(seat("alt"), seat("main"), linked=False)
    assert "who earn nothing here" in (await stage.say("alt", "!claim"))[0]


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
    await both.bot.open(other)
    told = [await both.say("twitch:ann", "!claim", channel) for channel in ("twitch:7", "twitch:8")]
    assert "claims 120" in told[0][-1]
    assert "claimed already" in told[1][-1]


async def united(store: Store, *settings: str) -> Platforms:
    """Unite a server with a channel of two rooms, one of them apart, whose moderators chose these."""
    both = await Platforms(store).open()
    await both.bot.open(both.own_room("twitch:8", "channel"))
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
    people = {Account("twitch", "ann"): "ann-t"}
    await both.say("twitch:ann", "hello")
    for _ in range(11):
        for channel in ("twitch:7", "twitch:8"):
            await both.bot.watching(channel, people)
        await both.watch.turn(120)
    assert await both.credits("twitch:ann") == START + 2 * 7


async def test_what_was_earned_before_linking_or_bridging_is_not_earned_again(store: Store) -> None:
    both = await Platforms(store).open()
    for before in (None, both.bridge, partial(both.link, "twitch:anna", "discord:ann")):
        if before is not None:
            await before()
        for number, who in enumerate(("twitch:anna", "discord:ann")):
            await both.say(who, "!claim", "twitch:7")
            name = f"{before} {number}"
            followed = Occasion(name, "twitch:7", Happening.FOLLOW, Account("twitch", "anna"), "anna-t")
            await both.bot.notice(followed)
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
            heard = len(both.adapter.deliveries)
            anna = Account("twitch", "anna")
            if step == "follow":
                name = f"{number} {root} {heard}"
                await both.bot.notice(Occasion(name, "twitch:7", Happening.FOLLOW, anna, "anna-t"))
                await both.watch.turn()
            paid += sum("20 credits" in each for each in both.said(heard))
    assert paid == 1
    # Under the seat that the account had, not under "discord:a", which it was linked with: two deliveries
    # at the same time, before and after a link, have one id.
    assert len(await both.bot.ledger.moved("follow:twitch-7:twitch:anna")) == 1
