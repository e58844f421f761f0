"""Credits are earned by being there: as much as the settings say, to the credit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.community.earning.settings import Earnings, Stacking
from chatbot.kernel.game import Role
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.rooms.line import Happening, Occasion
from tests.bot.earners import MO, SLOT, START, away, choose, happens, live, restarted, talk, watch
from tests.bot.stage import Stage, account, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow


async def test_ten_minutes_of_watching_earn_one_credit(stage: Stage) -> None:
    await live(stage)
    await watch(stage, 2 * SLOT + SLOT - 120, "ann")  # into the third slot: two were watched
    assert await stage.credits("ann") == 2
    assert stage.said() == []


async def test_who_watches_gets_the_welcome_with_the_first_word_and_is_known_before(stage: Stage) -> None:
    await live(stage)
    await watch(stage, SLOT, "ann")
    assert await stage.say("bob", "!credits ann") == ["ann has 1 credit."]
    await stage.say("ann", "hello")
    assert await stage.credits("ann") == START + 1


async def test_a_glance_at_a_stream_earns_nothing(stage: Stage) -> None:
    await live(stage)
    for _ in range(3):
        await watch(stage, 0, "ann")
        await stage.watch.turn(2 * SLOT)  # gone for all of the next slot
    assert await stage.credits("ann") == 0


async def test_nothing_is_earned_by_watching_and_talk_without_a_stream(stage: Stage) -> None:
    await watch(stage, 2 * SLOT, "ann")
    await talk(stage, "ann", 20)
    assert await stage.credits("ann") == START


async def test_offline_rates_are_settings_of_their_own(stage: Stage) -> None:
    await choose(stage, "watch_offline 7", "talk_offline 3", "watch 0", "talk 0")
    await talk(stage, "ann", 5)  # two and a half minutes: of the first slot
    assert await stage.credits("ann") == START + 3
    await stage.turn(SLOT - 150)
    await talk(stage, "ann", 4)  # and two minutes of the second, in which she is looked for
    assert await stage.credits("ann") == START + 3 + 7


async def test_without_a_list_whoever_talks_in_each_slot_watches(stage: Stage) -> None:
    await live(stage, "talk 0")
    for _ in range(3):
        await stage.say("ann", "hello")
        await stage.turn(SLOT)
    await stage.say("bob", "once")
    await stage.turn(SLOT)
    assert (await stage.credits("ann"), await stage.credits("bob")) == (START + 2, START)


async def test_a_word_at_the_very_end_of_a_slot_counts_for_that_slot(stage: Stage) -> None:
    await live(stage, "talk 0")
    await stage.turn(SLOT - 5)
    await stage.say("ann", "hello")
    await stage.turn(10)
    await stage.say("ann", "hello")
    await stage.turn(SLOT - 10)
    assert await stage.credits("ann") == START + 1


async def test_who_is_silent_for_too_long_watches_no_more_where_the_room_wants_a_word(stage: Stage) -> None:
    await live(stage, "watch_active 15", "talk 0")
    await stage.say("ann", "hello")
    await watch(stage, 6 * SLOT, "ann", "bob")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (START + 1, 0)


async def test_five_messages_earn_one_credit_while_the_stream_is_on(stage: Stage) -> None:
    await live(stage, "watch 0")
    await talk(stage, "ann", 4)
    assert await stage.credits("ann") == START
    await talk(stage, "ann", 1)
    assert await stage.credits("ann") == START + 1


@pytest.mark.parametrize(
    ("kind", "amount", "earned", "said"),
    [
        (Happening.FOLLOW, 0, 20, "Thank you for the follow, ann: 20 credits for you."),
        (Happening.SUBSCRIBE, 3, 500, "Thank you for subscribing, ann: 500 credits for you."),
        (Happening.CHEER, 250, 250, "Thank you for the bits, ann: 250 credits for you."),
        (Happening.RAID, 25, 50 + 25, "Thank you for the raid, ann: 75 credits for you."),
    ],
)
async def test_what_somebody_does_for_the_channel_earns_and_is_thanked_for(
    stage: Stage, kind: Happening, amount: int, earned: int, said: str
) -> None:
    assert (await happens(stage, kind, "ann", amount))[-1] == said
    assert await stage.credits("ann") == earned


async def test_a_cheer_without_a_name_earns_nobody_anything(stage: Stage) -> None:
    assert await happens(stage, Happening.CHEER, None, 100) == []


async def test_what_earns_nothing_is_not_thanked_for(stage: Stage) -> None:
    await choose(stage, "follow 0")
    assert await happens(stage, Happening.FOLLOW, "ann") == []


@pytest.mark.parametrize(
    ("stacking", "roles", "percent"),
    [
        (Stacking.HIGHEST, set(), 100),
        (Stacking.HIGHEST, {Role.SUBSCRIBER, Role.VIP}, 150),
        (Stacking.STACKED, {Role.SUBSCRIBER, Role.VIP}, 170),  # 100 + 50 + 20
        (Stacking.STACKED, {Role.VIP, Role.BROADCASTER}, 20),  # 100 + 20 - 100
        (Stacking.HIGHEST, {Role.BROADCASTER}, 0),
        (Stacking.STACKED, {Role.BROADCASTER, Role.MODERATOR}, 0),  # 100 - 100 - 50, and never below nothing
    ],
)
def test_of_several_roles_the_highest_counts_or_what_all_add(
    stacking: Stacking, roles: set[Role], percent: int
) -> None:
    earnings = Earnings(stacking=stacking, subscriber=150, vip=120, broadcaster=0, moderator=50)
    assert earnings.percent(roles | {Role.VIEWER}) == percent


def test_the_viewers_of_a_raid_are_counted_before_anything_is_rounded() -> None:
    assert Earnings(raid=0, raid_viewers=1, vip=200).raided({Role.VIP}, viewers=25) == 5  # 25 / 10 × 2


async def test_roles_are_those_with_which_somebody_spoke_last(stage: Stage) -> None:
    await live(stage, "watch 2", "talk 0", "subscriber 150", "regular 300")
    await stage.say("ann(subscriber)", "hello")
    await stage.say("bob", "hello")
    await stage.say(MO, "!regular @bob")
    await watch(stage, SLOT, "ann", "bob")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (START + 3, START + 6)
    again = await live(await restarted(stage))
    await watch(again, SLOT, "ann", "bob")
    assert (await again.credits("ann"), await again.credits("bob")) == (START + 6, START + 12)


async def test_what_is_whispered_earns_nothing_for_talk(stage: Stage) -> None:
    await live(stage, "talk_messages 1")
    await stage.say("ann", "so much to tell", private=True)
    assert await stage.credits("ann") == START
    await stage.say("ann", "so much to tell all")
    assert await stage.credits("ann") == START + 1


async def test_a_day_has_a_most_that_watching_talk_and_raids_earn_together(stage: Stage) -> None:
    await live(stage, "daily_most 60", "watch 30", "talk_messages 1", "talk 25")
    await watch(stage, SLOT, "ann")
    await talk(stage, "ann", 1)
    await happens(stage, Happening.RAID, "ann", 100)  # 150, of which 5 are left
    assert await stage.credits("ann") == START + 60
    await happens(stage, Happening.SUBSCRIBE, "ann")
    assert await stage.credits("ann") == START + 560
    later = await live(await restarted(stage))
    await talk(later, "ann", 3)
    assert await later.credits("ann") == START + 560
    await later.turn(86_400)
    await talk(later, "ann", 1)
    assert await later.credits("ann") == START + 585


async def test_what_the_database_could_not_take_is_paid_when_it_is_back(stage: Stage, store: Store) -> None:
    await stage.say("ann", "hello")
    with away(store):
        assert await happens(stage, Happening.SUBSCRIBE, "ann") == []
        await stage.turn(120)
    assert await stage.turn(60) == ["Thank you for subscribing, ann: 500 credits for you."]
    assert await stage.credits("ann") == START + 500


async def test_a_payment_that_failed_behind_a_noted_occasion_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> bool:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "post", refuse)
        assert await happens(stage, Happening.CHEER, "ann", 100) == []
    assert await stage.turn(60) == ["Thank you for the bits, ann: 100 credits for you."]


async def test_a_line_is_answered_though_its_talk_could_not_be_paid(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await live(stage, "talk_messages 1")

    async def refuse(*_: object) -> bool:
        raise OSError("the disk is gone")

    await stage.say("ann", "hello")
    monkeypatch.setattr(UnitOfWork, "post", refuse)
    await stage.turn(60)
    assert await stage.say("ann", "hello again") == []
    assert await stage.say("ann", "!credits") == [f"ann has {START + 1} credits."]


async def test_a_thousand_who_watch_are_paid_in_few_transactions(stage: Stage, store: Store) -> None:
    await live(stage)
    crowd = {account(f"v{number}"): f"v{number}" for number in range(1000)}
    await stage.bot.watching("room:chat", crowd)
    await stage.watch.turn(SLOT)
    before = store.written
    await stage.bot.watching("room:chat", crowd)
    assert store.written - before <= 10
    assert await stage.credits("v999") == 1


async def test_minutes_messages_and_the_first_day_are_remembered(stage: Stage) -> None:
    await live(stage)
    await stage.say("ann(vip)", "hello")
    await stage.say("ann(vip)", "!credits")
    await watch(stage, SLOT, "ann")
    await stage.bot.close()
    found = (await stage.bot.parts.earning.presence.several("town", [seat("ann")])).get(seat("ann"))
    assert found is not None
    assert (found.minutes, found.messages, found.roles) == (10, 2, frozenset({Role.VIP}))
    assert found.first_at.isoformat() == "2026-01-01T00:00:00+00:00"


async def test_a_role_counts_at_once_though_another_is_stored(stage: Stage) -> None:
    await live(stage, "watch 2", "talk 0", "subscriber 150", "vip 300", "cheer 2")
    await stage.say("ann(subscriber)", "hello")
    await stage.bot.parts.earning.close()
    await stage.say("ann(vip)", "hello again")
    before = await stage.credits("ann")
    await happens(stage, Happening.CHEER, "ann", 100)
    assert await stage.credits("ann") == before + 6  # 2, and 300% of it for a VIP
    await stage.bot.parts.earning.close()
    await happens(stage, Happening.CHEER, "ann", 100)
    assert await stage.credits("ann") == before + 12


async def test_a_room_without_a_stream_follows_its_community(stage: Stage) -> None:
    await stage.bot.open(stage.new_room("stream"))
    await stage.bot.notice(Occasion("on", "stream:chat", Happening.ONLINE))
    await talk(stage, "ann", 5)
    assert await stage.credits("ann") == START + 1


async def test_upkeep_is_taken_once_a_day_of_what_is_above_a_thousand(stage: Stage) -> None:
    await stage.endow("ann", 3000)
    await stage.say("ann", "!claim")
    # 3,000 and the 120 claimed; 3% of 2,120 are 63.6, and the rest of a credit is not taken.
    assert await stage.credits("ann") == 3120 - 63
    await happens(stage, Happening.FOLLOW, "ann")
    assert await stage.credits("ann") == 3120 - 63 + 20
    after = await restarted(stage)
    await happens(after, Happening.SUBSCRIBE, "ann")
    assert await after.credits("ann") == 3120 - 63 + 20 + 500
    await after.watch.turn(24 * 3600)
    await after.say("ann", "!claim")
    held = 3577 + 120
    assert await after.credits("ann") == held - (held - 1000) * 3 // 100
    assert "upkeep" in (await after.say("ann", "!history"))[0]


async def test_upkeep_costs_nothing_up_to_a_thousand_nor_who_stays_away_nor_where_it_is_off(
    stage: Stage,
) -> None:
    for name, amount in (("ann", 880), ("bob", 50_000), ("cat", 50_000)):
        await stage.endow(name, amount)
    await stage.say("ann", "!claim")
    await stage.say("bob", "hello")
    await choose(stage, "upkeep 0")
    await stage.say("cat", "!claim")
    assert [await stage.credits(each) for each in ("ann", "bob", "cat")] == [1000, 50_000, 50_120]


async def test_what_is_paid_and_the_upkeep_of_the_day_are_written_together(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.endow("ann", 3000)
    await stage.say("bob", "!claim")  # the first command forgets old messages, too
    before = stage.store.written
    assert any("ann claims 120 credits" in each for each in await stage.say("ann", "!claim"))
    assert stage.store.written == before + 1
    assert await stage.credits("ann") == 3120 - 63  # 3% of 2,120 are 63.6


async def test_upkeep_is_told_to_who_pays_it_alone(stage: Stage) -> None:
    await stage.endow("ann", 3000)
    told = [each for each in await stage.say("ann", "!claim") if "Upkeep" in each]
    assert all(each.startswith("> ann") for each in told)


@pytest.mark.parametrize("lead", [15, 45, 60, 75, 105])
async def test_whoever_is_listed_and_talks_has_watched_no_longer_than_that(stage: Stage, lead: int) -> None:
    """Lines are looked through every two minutes, and the list comes so many seconds after that."""
    stage.room.live = True
    await stage.say("ann", "hello")
    await stage.turn(120 + lead)
    for _ in range(30):
        await stage.bot.watching("room:chat", {account("ann"): "ann"})
        await stage.turn(60)
        await stage.say("ann", "hello again")
        await stage.turn(60)
    assert "Watched 1 h 0 min" in (await stage.say("ann", "!rank"))[0]
