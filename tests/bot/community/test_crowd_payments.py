"""A payment to many is one act: told once, noted once, undone once, and within the limits of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import purses
from chatbot.ledger.changes import MONEY
from tests.bot.hosting import MO
from tests.bot.platforms import DISCORD, on_one_server

if TYPE_CHECKING:
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store
    from tests.bot.stage import Stage

PEOPLE = "ann", "bob", "cat"


async def gathered(stage: Stage) -> None:
    for who in (*PEOPLE, MO):
        await stage.say(who, "hello")


async def newest(stage: Stage) -> ChangeSet:
    return (await stage.bot.parts.settings_changes.changes.newest("room"))[0]


async def held(stage: Stage) -> list[int]:
    return [await stage.credits(who) for who in PEOPLE]


async def minted(stage: Stage) -> int:
    mint = purses.mint("town")
    return -(await stage.bot.ledger.balances([mint]))[mint]


async def test_everybody_present_is_paid_once_and_it_is_one_entry_and_one_undo(stage: Stage) -> None:
    await gathered(stage)
    await stage.say("ann", "hello again")
    before = await minted(stage)
    told = await stage.say(MO, "!grant here 50 for the long night")
    assert told == [
        "mo grants 50 credits each to the 3 who are present (for the long night), 150 credits together."
    ]
    assert (await held(stage), await minted(stage)) == ([290, 290, 290], before + 150)
    (change,) = (await newest(stage)).changes
    assert (change.kind, change.subject, change.key, change.new) == (MONEY, "crowd:here", "3", "+50")
    (undone,) = await stage.say(MO, "!undo")
    assert "150 credits moved back, 3 wallets" in undone
    assert (await held(stage), await minted(stage)) == ([240, 240, 240], before)
    assert await breaches(stage.store) == []


async def test_who_has_gone_long_ago_is_not_present(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.turn(601)
    await stage.say("bob", "hello")
    await stage.say(MO, "!grant here 50")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 290)


async def test_what_is_spent_of_a_payment_to_many_stays_where_it_went(stage: Stage) -> None:
    await gathered(stage)
    await stage.say(MO, "!grant here 50")
    await stage.say(MO, "!take @ann 270")
    told = await stage.say(MO, "!undo 1")
    assert "30 credits of it are spent, and stay where they went." in told
    assert await held(stage) == [0, 240, 240]


async def test_regulars_are_paid_and_nobody_else(stage: Stage) -> None:
    await gathered(stage)
    assert await stage.say(MO, "!grant regulars 20") == [
        "> mo: There is no other regular. Name some with !regular @name."
    ]
    await stage.say(MO, "!regular @bob")
    await stage.say(MO, "!grant regulars 20")
    assert await held(stage) == [240, 260, 240]


async def test_the_rain_of_a_moderator_is_minted_and_counts_as_a_grant(stage: Stage) -> None:
    await gathered(stage)
    before = await minted(stage)
    told = await stage.say(MO, "!rain 500")
    assert told == ["mo grants 166 credits each to the 3 who are present, 498 credits together."]
    assert await minted(stage) == before + 498


async def test_the_rain_of_a_member_is_a_gift_within_the_limits_of_gifts(stage: Stage) -> None:
    await gathered(stage)
    await stage.endow("ann", 2000)
    before = await minted(stage)
    assert await stage.say("ann", "!rain 300") == ["ann lets it rain: 100 credits for each of 3."]
    assert (await held(stage), await minted(stage)) == ([1700, 340, 340], before)
    (refused,) = await stage.say("ann", "!rain 900")
    assert "No more than 1,000 credits" in refused or "1,000 credits" in refused
    assert await held(stage) == [1700, 340, 340]
    (small,) = await stage.say("ann", "!rain 2")
    assert small == "> ann: That is less than one for each of 3."
    assert await breaches(stage.store) == []


async def test_who_may_receive_no_more_is_left_out_of_a_rain(stage: Stage) -> None:
    await gathered(stage)
    for who in ("ann", "cat"):
        await stage.endow(who, 3000)
    await stage.say("cat", "!give @bob 950")
    before = await stage.credits("ann")
    (told,) = await stage.say("ann", "!rain 300")
    assert told == "ann lets it rain: 100 credits for each of 2. 1 may receive no more today."
    assert await stage.credits("ann") == before - 200


async def test_more_than_a_moderator_may_grant_alone_waits_for_another(stage: Stage) -> None:
    await gathered(stage)
    (asked,) = await stage.say(MO, "!grant here 5000")
    assert "mo wants to grant 5,000 credits each to the 3 who are present, 15,000 credits together" in asked
    assert await held(stage) == [240, 240, 240]
    (most,) = await stage.say(MO, "!grant here 500k")
    assert most.startswith("> mo: Together that is 1,500,000 credits")


async def test_all_balances_are_set_after_a_confirmation_and_given_back_by_one_undo(stage: Stage) -> None:
    await gathered(stage)
    await stage.say(MO, "!grant @ann 100")
    (asked,) = await stage.say(MO, "!credits set all 100 -- new season")
    assert "This brings 4 wallets to 100 credits each." in asked
    assert await held(stage) == [340, 240, 240]
    assert await stage.say(MO, "!confirm") == ["mo sets all 4 members to 100 credits each (new season)."]
    assert await held(stage) == [100, 100, 100]
    await stage.say(MO, "!undo")
    assert await held(stage) == [340, 240, 240]
    assert await breaches(stage.store) == []


@pytest.mark.parametrize(
    ("who", "line", "answer"),
    [
        (MO, "!grant here", "> mo: Write it like this: !grant here AMOUNT [REASON]"),
        (MO, "!grant here half", "> mo: “half” is a share, of which there is none here: write 69, 5k or 1m."),
        (MO, "!credits set all", "> mo: Write it like this: !credits set all AMOUNT [-- REASON]"),
        ("ann", "!grant here 5", "> ann: That is for moderators or above."),
        (MO, "!rain 1", "> mo: That is less than one for each of 3."),
    ],
)
async def test_what_is_not_possible_is_one_sentence_and_pays_nobody(
    stage: Stage, who: str, line: str, answer: str
) -> None:
    await gathered(stage)
    assert await stage.say(who, line) == [answer]
    assert await held(stage) == [240, 240, 240]


async def test_whoever_confirms_a_payment_to_many_gets_nothing_of_it(stage: Stage) -> None:
    """Otherwise two moderators who are alone could make credits for each other, as by no other grant."""
    kim = "kim(moderator)"
    await stage.say(kim, "hello")
    await stage.say(MO, "!grant here 20000")
    (refused,) = await stage.say(kim, "!confirm")
    assert refused.startswith("> kim: You would get this yourself")
    await stage.turn(71)
    await stage.say(kim, "hello")
    await gathered(stage)
    await stage.say(MO, "!grant here 4000")
    (told,) = await stage.say(kim, "!confirm")
    assert told == (
        "mo grants 4,000 credits each to the 3 who are present, 12,000 credits together, confirmed by kim."
    )
    assert (await held(stage), await stage.credits("kim")) == ([4240, 4240, 4240], 240)
    assert await breaches(stage.store) == []


async def test_the_list_of_all_that_makes_credits_names_payments_to_many_as_such(stage: Stage) -> None:
    """They were told as imports, without who had confirmed them."""
    await gathered(stage)
    await stage.say("kim(moderator)", "hello")
    await stage.say(MO, "!rain 300")
    await stage.say(MO, "!grant here 4000 a long night")
    await stage.say("kim(moderator)", "!confirm")
    (told,) = await stage.say(MO, "!audit mint")
    assert "#1 mo, 0 s ago: rain of 75 credits each for 4, 300 credits together" in told
    assert (
        "#2 mo, 0 s ago: 4,000 credits each to 3 who were present, 12,000 credits together "
        "(a long night), confirmed by kim"
    ) in told


async def test_wallets_that_were_joined_since_are_one_when_a_payment_is_taken_back(store: Store) -> None:
    both = await on_one_server(store)
    ann, anna, mo = "discord:ann", "twitch:anna", "discord:mo(moderator)"
    await both.say(ann, "hello")
    await both.say(anna, "hello", DISCORD)
    await both.say(mo, "!grant here 50")
    await both.link(anna, ann)
    await both.say(mo, "!credits set @ann-d 60")
    told = await both.say(mo, "!undo 1")
    assert "60 credits moved back" in told[0]
    assert "40 credits of it are spent" in told[1]
    assert await both.credits(ann) == 0
    assert await both.sound()
