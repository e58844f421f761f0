"""What keepers let be made beyond what ships is agreed to, counted, listed, and reaches them a day later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import audit
from chatbot.ledger.books import purses
from chatbot.rooms.line import Happening
from tests.bot.earners import SLOT, happens, live, restarted, talk, watch
from tests.bot.platforms import Platforms

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

MO, KIM, LEE = "mo(moderator)", "kim(moderator)", "lee(moderator)"
SAM = "sam(broadcaster)"
SURE = "!set heist chances 100/100/100/100/100"
DAY = 86_400  # seconds
START = 240
TOMORROW = (
    "What pays more by this reaches you from tomorrow (UTC) on; "
    "today you get what you got before, or what is usual if that is less."
)


@pytest.fixture
async def room(stage: Stage) -> Stage:
    for who in ("ann", MO, KIM, LEE, SAM):
        await stage.say(who, "hello")
    return stage


async def listed(room: Stage) -> str:
    (told,) = await room.say("bob", "!audit mint 5")
    return told


async def value(room: Stage, key: str, group: str = "earning") -> object:
    return room.room.settings(group).get(key)


# Who agrees


async def test_a_million_a_claim_is_nothing_that_moderators_can_choose_alone_or_together(room: Stage) -> None:
    (told,) = await room.say(MO, "!set earning claim 1000000")
    # ten members at least, two claims of 999,880 more each: 19,997,600, told upwards by two digits
    assert told == (
        "> mo: This would make about 20,000,000 credits a day more than usual, if 10 members come. "
        "More than 1,000,000 credits a day only the broadcaster can let be made."
    )
    assert await room.say(KIM, "!confirm") == ["> kim: There is nothing to confirm, or not any more."]
    await room.say(MO, "!claim")
    assert await room.credits("mo") == START + 120


async def test_up_to_the_bound_a_keeper_needs_nobody_and_above_it_another_one(room: Stage) -> None:
    # 10 members, two claims a day: 500 more each are 10,000 a day
    assert "and is now 620" in "".join(await room.say(MO, "!set earning claim 620"))
    (asked,) = await room.say(MO, "!set earning claim 621")
    assert asked == (
        "mo wants to change earning claim: 620 → 621. This would make about 11,000 credits a day more than "
        "usual, if 10 members come. Another moderator can say !confirm within 60 seconds."
    )
    assert await value(room, "claim") == "620"
    assert await room.say(MO, "!confirm") == ["> mo: Another moderator has to confirm that."]
    assert await room.say("ann", "!confirm") == ["> ann: That is for moderators or above."]
    told = await room.say(KIM, "!confirm")
    assert told[-2:] == [
        "earning: claim was 620 and is now 621.",
        "kim has confirmed that; !audit mint lists it.",
    ]
    assert await value(room, "claim") == "621"


async def test_many_small_changes_by_several_keepers_are_one_large_one(room: Stage) -> None:
    for who, change in ((MO, "claim 400"), (KIM, "follow 1000"), (LEE, "subscribe 1500")):
        assert "and is now" in "".join(await room.say(who, f"!set earning {change}"))
    # 5,600 by claims, two followers of 980 more each, and 1,000 for one subscription: 8,560
    assert "and is now 1000" not in "".join(await room.say(MO, "!set earning watch 20"))
    assert await value(room, "watch") is None


async def test_a_source_that_pays_less_makes_up_for_none_that_pays_more(room: Stage) -> None:
    for key in ("watch", "talk", "follow", "subscribe", "cheer", "raid", "raid_viewers"):
        await room.say(MO, f"!set earning {key} 0")
    assert "wants to change" in (await room.say(MO, "!set earning claim 700"))[0]


@pytest.mark.parametrize(
    "command",
    [
        "!set earning claim_hours 1 claim 120",
        "!set earning moderator 1000 stacking stacked claim 1000",
        "!set earning watch 200 daily_most 0",
        "!set earning talk 50 talk_gap 0 talk_messages 1 daily_most 0",
        "!set earning watch_offline 50 daily_most 100000",
        "!set earning subscribe 20000",
        "!set earning cheer 2000",
        "!set earning raid 100 raid_viewers 2000 daily_most 0",
        "!set earning follow 9000",
        "!set credits start 9000",
        "!set credits house_daily 2000",
    ],
)
async def test_whatever_setting_makes_much_is_asked_about(room: Stage, command: str) -> None:
    assert "Another moderator can say !confirm" in "".join(await room.say(MO, command))


async def test_upkeep_that_is_switched_off_counts_as_what_it_would_have_taken(room: Stage) -> None:
    await room.endow("ann", 1000 + 10_000)  # of which 3% are 300 a day
    assert "and is now 0" in "".join(await room.say(MO, "!set earning upkeep 0"))
    await room.say(MO, "!set earning upkeep default")
    await room.endow("ann", 1000 + 400_000)  # 12,000 a day
    assert (
        "wants to change earning upkeep: its default → 0" in (await room.say(MO, "!set earning upkeep 0"))[0]
    )
    assert "upkeep_above" in (await room.say(KIM, "!set earning upkeep_above 1000000"))[0]


async def test_who_comes_counts_and_not_only_a_number_that_is_assumed(room: Stage) -> None:
    for number in range(35):
        await room.say(f"viewer{number}", "hello")
    (asked,) = await room.say(MO, "!set earning claim 260")  # 40 members, two claims of 140 more
    assert "about 12,000 credits a day more than usual, if 40 members come" in asked


async def test_no_undo_preset_default_or_regular_goes_past_it(room: Stage) -> None:
    await room.say(SAM, "!set earning claim 1000")
    await room.turn(11)
    assert "and is now 1000" in "".join(await room.say(SAM, "!confirm"))
    await room.say(MO, "!set earning claim default")
    (asked,) = await room.say(KIM, "!undo")
    assert asked.startswith("kim wants to change earning claim: its default → 1000.")
    assert "confirmed that" in (await room.say(MO, "!confirm @kim"))[-1]
    await room.turn(80)
    await room.say(MO, "!set earning claim 0")
    assert "wants to change" in (await room.say(MO, "!undo"))[0]
    assert await value(room, "claim") == "0"


async def test_a_list_of_regulars_makes_more_where_they_get_more(room: Stage) -> None:
    await room.say(SAM, "!set earning regular 1000 claim 300")
    for who in ("mo", "kim", "lee"):
        await room.say(LEE, f"!regular @{who}")
    assert len(room.room.settings("regulars")) == 0


async def test_what_was_asked_is_what_is_confirmed(room: Stage) -> None:
    await room.say(MO, "!set earning claim 700")
    await room.say(LEE, "!set earning watch 2")
    (refused,) = await room.say(KIM, "!confirm")
    assert refused == "> kim: Something else has changed meanwhile, so nothing was changed."
    assert await value(room, "claim") is None


async def test_no_word_of_a_moderator_raises_anything_unknowingly(room: Stage) -> None:
    for old in ("set earning claim 200", "set credits start 300", "SET EARNING claim 5"):
        assert "can stand for !set" in (await room.say(MO, f"!alias hug {old}"))[0]
    await room.say(MO, "!alias fast set heist lobby 30")
    assert "lobby was 60 and is now 30" in (await room.say(KIM, "!fast"))[0]


async def test_rooms_of_a_community_count_together(room: Stage) -> None:
    await room.bot.open(room.new_room("second"))
    await room.say(MO, "!set earning claim 600")
    await room.bot.converse(room.line(KIM, "!set earning claim 640", room="second"))
    assert await value(room, "claim") == "600"
    await room.bot.converse(room.line(LEE, "!confirm", room="second"))
    assert await value(room, "claim") == "640"


async def test_a_game_that_gives_credits_away_is_asked_about(room: Stage) -> None:
    (asked,) = await room.say(MO, SURE)
    assert "wants to change heist chances" in asked
    assert "kim has confirmed that; !audit mint lists it." in await room.say(KIM, "!confirm")
    for who in (MO, KIM):
        assert "You have raised what this game pays today" in (await room.say(who, "!heist 69"))[0]
    await room.say("ann", "!heist 69")
    assert room.room.tables


async def test_a_moderator_alone_cannot_let_everybody_win_each_heist(room: Stage) -> None:
    (asked,) = await room.say(MO, SURE)
    # 2.95 credits come back of each, and 1.02555 did; five stakes of 5,000 of each of 10 members: 481,112.5
    assert asked == (
        "mo wants to change heist chances: its default → 100/100/100/100/100. "
        "This would make about 490,000 credits a day more than usual, if 10 members come. "
        "Another moderator can say !confirm within 60 seconds."
    )
    assert await room.say(MO, "!confirm") == ["> mo: Another moderator has to confirm that."]
    assert await value(room, "chances", "heist") is None
    await room.say(KIM, "!confirm")
    assert await value(room, "chances", "heist") is not None


async def test_a_surplus_is_reckoned_with_the_largest_stake_that_a_game_allows(room: Stage) -> None:
    # 1.92445 of each credit beyond what is usual, and 50 stakes a day: 9,910.9 at 103 credits, 10,007 at 104
    await room.say(MO, "!set heist max_stake 103")
    assert "and is now 100/100/100/100/100" in " ".join(await room.say(MO, SURE))
    assert (
        "wants to change heist max_stake: 103 → 104." in (await room.say(MO, "!set heist max_stake 104"))[0]
    )
    await room.turn(80)
    for most in ("6000", "0"):  # no limit counts as 5,000, and one above it too
        assert "about 490,000 credits a day" in (await room.say(MO, f"!set heist max_stake {most}"))[0]
        await room.turn(80)


async def test_what_is_staked_where_nothing_is_said_counts_even_above_the_largest_stake_that_is_assumed(
    room: Stage,
) -> None:
    await room.say(SAM, "!set heist default_stake 10000")
    assert "about 970,000 credits a day" in (await room.say(MO, SURE))[0]  # twice 481,112.5


async def test_more_than_a_million_a_day_by_a_game_is_for_the_broadcaster_alone(room: Stage) -> None:
    (told,) = await room.say(MO, f"{SURE} odds 9/9/9/9/9")
    assert told.endswith("More than 1,000,000 credits a day only the broadcaster can let be made.")
    assert room.room.settings("heist").get("odds") is None
    await room.say(SAM, f"{SURE} odds 9/9/9/9/9")
    await room.turn(10)
    assert "sam is the broadcaster, so this pays them more at once." in await room.say(SAM, "!confirm")
    assert room.room.settings("heist").get("odds") == "9/9/9/9/9"


async def test_who_has_raised_what_the_house_may_lose_does_not_play_for_it_on_that_day(room: Stage) -> None:
    await room.say(MO, "!set credits house_daily 600")
    assert "You have raised what this game pays today" in (await room.say(MO, "!chicken 3 20"))[0]
    assert "opens a table" in (await room.say("ann", "!chicken 3 20"))[0]
    assert "You have raised" not in (await room.say(MO, "!heist 20"))[0]


# Whom it reaches when


async def test_what_a_keeper_raises_reaches_others_at_once_and_them_tomorrow(room: Stage) -> None:
    told = await room.say(MO, "!set earning claim 500")
    assert f"> mo: {TOMORROW}" in told
    assert f"> mo: {TOMORROW}" not in await room.say(MO, "!set earning claim 600")  # once a day
    for who in ("mo", "ann"):
        await room.say(who, "!claim")
    assert [await room.credits(who) for who in ("mo", "ann")] == [START + 120, START + 600]
    await room.turn(DAY)
    await room.say("mo", "!claim")
    assert await room.credits("mo") == START + 120 + 600


async def test_two_who_confirm_each_other_both_wait_and_the_list_names_them(room: Stage) -> None:
    await room.say(MO, "!set earning claim 1000")
    told = await room.say(KIM, "!confirm")
    assert {f"> {who}: {TOMORROW}" for who in ("mo", "kim")} <= set(told)
    for who in ("mo", "kim", "lee"):
        await room.say(who, "!claim")
    assert [await room.credits(who) for who in ("mo", "kim", "lee")] == [360, 360, 1233]  # upkeep: 7
    assert await listed(room) == (
        "What makes credits here by somebody’s choice, newest first: #1 mo, 0 s ago: earning claim: "
        "its default → 1000, confirmed by kim, has made 880 credits (lee 880)"
    )


async def test_less_than_usual_before_is_what_they_get_on_that_day(room: Stage) -> None:
    await room.say(SAM, "!set earning claim 50")
    await room.say(MO, "!set earning claim 500")
    await room.say("mo", "!claim")
    assert await room.credits("mo") == START + 50


async def test_the_rule_of_the_day_survives_a_restart_and_setting_it_back(room: Stage) -> None:
    await room.say(MO, "!set earning claim_hours 1")
    await room.say(KIM, "!confirm")
    again = await restarted(room)
    for _ in range(3):
        await again.say("mo", "!claim")
        await again.say("ann", "!claim")
        await again.turn(3600)
    assert [await again.credits(who) for who in ("mo", "ann")] == [START + 120, START + 3 * 120]


async def test_shorter_waits_are_beyond_what_ships_from_the_second_payment_on(room: Stage) -> None:
    await room.say(MO, "!set earning claim_hours 1")
    await room.say(KIM, "!confirm")
    for _ in range(3):
        await room.say("ann", "!claim")
        await room.turn(3600)
    assert "has made 240 credits (ann 240)" in await listed(room)


async def test_a_broadcaster_raises_alone_at_once_and_in_public(room: Stage) -> None:
    (asked,) = await room.say(SAM, "!set earning claim 1000000")
    assert asked.endswith("Wait 10 seconds, then say !confirm; after 60 seconds it is too late.")
    assert await room.say(SAM, "!confirm") == ["> sam: You can confirm that in 10 seconds."]
    await room.turn(10)
    told = await room.say(SAM, "!confirm")
    assert "sam is the broadcaster, so this pays them more at once." in told
    await room.say("sam", "!claim")
    assert "#1 sam (broadcaster), 0 s ago" in await listed(room)
    assert "has made 999,880 credits (sam 999,880)" in await listed(room)


async def test_a_linked_account_of_a_keeper_is_the_same_person(store: Store) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    for who in ("discord:ann", "twitch:anna"):
        await both.say(who, "hello")
    await both.link("twitch:anna", "discord:ann")
    await both.say("discord:ann(moderator)", "!set earning claim 500")
    before = await both.credits("twitch:anna", "guild")
    told = await both.say("twitch:anna", "!claim")
    assert "claims 120" in "".join(told)
    assert await both.credits("twitch:anna", "guild") == before + 120


async def test_watching_talking_and_occasions_of_a_keeper_wait_too(stage: Stage) -> None:
    await live(stage)
    for who in ("ann", MO):
        await stage.say(who, "hello")
    await stage.say(MO, "!set earning watch 3 talk 4 subscribe 600")
    await watch(stage, 2 * SLOT, "ann", "mo")
    for who in ("ann", "mo"):
        await talk(stage, who, 6)
        await happens(stage, Happening.SUBSCRIBE, who)
    ann, mo = [await stage.credits(who) for who in ("ann", "mo")]
    assert ann - START == 3 + 4 + 600 or ann - START == 2 * 3 + 4 + 600
    assert mo - START in {1 + 1 + 500, 2 + 1 + 500}
    assert ann - mo in {2 + 3 + 100, 2 * 2 + 3 + 100}


# What is counted


async def test_a_raise_that_was_taken_back_still_says_what_it_made(room: Stage) -> None:
    await room.say(MO, "!set earning claim 500")
    await room.say("ann", "!claim")
    await room.turn(60)
    await room.say(MO, "!undo")
    await room.turn(60)
    await room.say("bob", "!claim")
    assert (
        "#1 mo, 2 min ago: earning claim: its default → 500, taken back, "
        "has made 380 credits (ann 380), until it was changed 1 min ago" in await listed(room)
    )


async def test_start_credits_are_counted_for_new_accounts(room: Stage) -> None:
    await room.say(MO, "!set credits start 1000")
    for who in ("alt1", "alt2"):
        await room.say(who, "hello")
    assert await room.credits("alt1") == 1000
    told = await listed(room)
    assert "credits start: its default → 1000" in told
    assert "has made 2,280 credits (" in told  # 760 for each of the two, and for who asks


async def test_waived_upkeep_is_paid_by_the_mint_and_listed(room: Stage) -> None:
    await room.endow("ann", 11_000)
    await room.say(MO, "!set earning upkeep 0")
    await room.turn(DAY)
    await room.say("ann", "!claim")
    assert await room.credits("ann") == 11_120
    # 3% of what is above 1,000 credits after the claim: 10,120
    assert "has made 303 credits (ann 303)" in await listed(room)
    assert (await audit(room.store)).breaches == []
    house = purses.house("town")
    assert (await room.bot.ledger.balances([house]))[house] == 303


async def test_a_keeper_who_switches_upkeep_off_pays_it_on_that_day(room: Stage) -> None:
    await room.endow("mo", 11_000)
    await room.say(MO, "!set earning upkeep 0")
    await room.say("mo", "!claim")
    assert await room.credits("mo") == 11_120 - 303


async def test_nobody_who_chose_nothing_is_listed(room: Stage) -> None:
    assert await listed(room) == "Nobody has chosen anything here that makes credits."
    await room.say(MO, "!set earning claim 60")
    await room.say("ann", "!claim")
    await room.say(MO, "!set earning claim 120")
    assert await listed(room) == "Nobody has chosen anything here that makes credits."


async def test_a_daily_limit_that_is_raised_is_beyond_what_ships(stage: Stage) -> None:
    await live(stage)
    await stage.say("ann", "hello")
    await stage.say(SAM, "hello")
    await stage.say(SAM, "!set earning raid 1500 daily_most 2000")
    await stage.turn(11)
    await stage.say(SAM, "!confirm")
    await happens(stage, Happening.RAID, "ann", 0)
    # 50 as it ships, and 1,450 beyond it
    assert "has made 1,450 credits (ann 1,450)" in await listed(stage)


async def test_korean_tells_all_of_it_too(room: Stage) -> None:
    await room.say(SAM, "!set room language ko")
    assert "하루에 평소보다 약" in (await room.say(MO, "!set earning claim 700"))[0]
    await room.say(KIM, "!confirm")
    await room.say("ann", "!claim")
    assert "kim님 확인" in await listed(room)
