"""What a moderator grants above a bound on one day waits for another one, and everybody sees all grants."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from chatbot.cli.inspection import changes_in_words
from chatbot.ledger.changes import CONFIRMED, MONEY, Changes
from tests.bot.hosting import MO
from tests.bot.platforms import Platforms
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.changes import Change
    from chatbot.ledger.store.store import Store

SAM, KIM, LEE = "sam(broadcaster)", "kim(moderator)", "lee(moderator)"
DAY = 86_400  # seconds
ASKED = (
    "mo wants to grant ann {}, which makes more than 10,000 credits today. "
    "Another moderator can say !confirm within 60 seconds."
)
NOTHING = "There is nothing to confirm, or not any more."


@pytest.fixture
async def room(stage: Stage) -> Stage:
    for who in ("ann", MO, KIM, LEE, SAM):
        await stage.say(who, "hello")
    return stage


async def rows(store: Store) -> list[tuple[Change, ...]]:
    return [each.changes for each in await Changes(store).newest("room")]


async def test_up_to_the_bound_nobody_else_is_needed(room: Stage) -> None:
    assert await room.say(MO, "!grant @ann 9999") == ["mo grants ann 9,999 credits."]
    assert await room.say(MO, "!grant @ann 1") == ["mo grants ann 1 credit."]
    assert await room.say(MO, "!grant @ann 1") == [ASKED.format("1 credit")]
    assert await room.credits("ann") == 10_240


async def test_above_it_another_moderator_confirms_and_both_are_recorded(room: Stage, store: Store) -> None:
    asked = await room.say(MO, "!grant @ann 20000 for the quiz", line="platform:1")
    assert asked == [ASKED.format("20,000 credits (for the quiz)")]
    assert (await room.credits("ann"), await rows(store)) == (240, [])
    done = "mo grants ann 20,000 credits (for the quiz), confirmed by kim."
    assert await room.say(KIM, "!confirm") == [done]
    assert await room.credits("ann") == 20_240
    (change_set,) = await Changes(store).newest("room")
    assert (change_set.actor, change_set.why) == (seat("mo"), "for the quiz")
    money, confirmed = change_set.changes
    assert (money.kind, money.subject, money.old, money.new) == (MONEY, seat("ann"), "240", "20240")
    assert (confirmed.kind, confirmed.subject) == (CONFIRMED, seat("kim"))
    assert list(changes_in_words([change_set]))[-1] == "  confirmed by test:kim"
    assert "→ 20,240 credits, confirmed by kim" in (await room.say(MO, "!audit"))[0]
    assert await room.say(LEE, "!confirm") == [f"> lee: {NOTHING}"]
    assert await room.credits("ann") == 20_240


@pytest.mark.parametrize(
    ("who", "answer"),
    [
        (MO, "Another moderator has to confirm that."),
        ("bob", "That is for moderators or above."),
        ("ann(moderator)", "You would get this yourself, so somebody else has to confirm what mo wants"),
    ],
)
async def test_who_may_not_confirm_is_told_why_and_the_grant_goes_on_waiting(
    room: Stage, who: str, answer: str
) -> None:
    await room.say(MO, "!grant @ann 20000")
    (told,) = await room.say(who, "!confirm")
    assert answer in told
    assert await room.credits("ann") == 240
    await room.say(KIM, "!confirm")
    assert await room.credits("ann") == 20_240


async def test_who_may_not_grant_may_not_confirm(room: Stage) -> None:
    await room.say(SAM, "!permit grant broadcaster")
    await room.say(SAM, "!grant @ann 20000")
    assert await room.say(KIM, "!confirm") == ["> kim: That is for broadcasters."]
    assert await room.credits("ann") == 240


async def test_a_viewer_who_may_grant_does_not_confirm(room: Stage) -> None:
    await room.say(SAM, "!permit grant viewer")
    await room.say("bob", "!grant @ann 20000")
    assert await room.say("cat", "!confirm") == ["> cat: That is for moderators or above."]
    assert "confirmed by kim" in (await room.say(KIM, "!confirm"))[0]


async def test_after_a_minute_it_is_too_late(room: Stage) -> None:
    await room.say(MO, "!grant @ann 20000")
    await room.turn(61)
    assert await room.say(KIM, "!confirm") == [f"> kim: {NOTHING}"]
    assert await room.credits("ann") == 240


async def test_what_a_moderator_left_unconfirmed_long_ago_is_not_what_they_confirm_now(room: Stage) -> None:
    await room.say(KIM, "!set heist lobby 77")
    assert "overwrites" in (await room.say(KIM, "!preset heist small"))[0]
    await room.turn(61)
    await room.say(MO, "!grant @ann 20000")
    assert "confirmed by kim" in (await room.say(KIM, "!confirm"))[0]
    assert await room.credits("ann") == 20_240


async def test_a_broadcaster_confirms_their_own_but_not_at_once(room: Stage) -> None:
    (asked,) = await room.say(SAM, "!grant @ann 20000")
    assert asked.endswith("Wait 10 seconds, then say !confirm; after 60 seconds it is too late.")
    assert await room.say(SAM, "!confirm") == ["> sam: You can confirm that in 10 seconds."]
    await room.turn(9)
    assert await room.say(SAM, "!confirm") == ["> sam: You can confirm that in 1 second."]
    assert await room.credits("ann") == 240
    await room.turn(1)
    assert await room.say(SAM, "!confirm") == ["sam grants ann 20,000 credits, confirmed by sam."]
    assert await room.credits("ann") == 20_240


async def test_korean_counts_the_minute_of_a_broadcaster_from_the_question_too(room: Stage) -> None:
    await room.say(SAM, "!set room language ko")
    (asked,) = await room.say(SAM, "!grant @ann 20k")
    assert "지금부터 60초가 지나면 늦어요" in asked
    await room.turn(61)
    assert "시간이 지났어요" in (await room.say(SAM, "!confirm"))[0]


async def test_what_was_asked_before_is_not_what_a_broadcaster_confirms_too_soon(room: Stage) -> None:
    await room.say(SAM, "!set heist lobby 77")
    assert "overwrites" in (await room.say(SAM, "!preset heist small"))[0]
    await room.say(SAM, "!grant @ann 20000")
    assert await room.say(SAM, "!confirm") == ["> sam: You can confirm that in 10 seconds."]
    assert "lobby 77" in (await room.say(SAM, "!settings heist"))[0]


@pytest.mark.parametrize("alias", ["gg confirm", "gg !confirm @mo"])
async def test_no_word_of_a_moderator_lets_anybody_confirm_unknowingly(room: Stage, alias: str) -> None:
    (refused,) = await room.say(MO, f"!alias {alias}")
    assert refused.endswith("Nothing can stand for !confirm: whoever gives it must know what they do.")
    await room.say(MO, "!grant @mo 20000")
    await room.say(SAM, "!gg")
    assert await room.credits("mo") == 240


@pytest.mark.parametrize("command", ["grant @mo 10000", "credits set @mo 10000", "take @ann all"])
async def test_no_word_of_a_moderator_lets_others_grant_unknowingly(room: Stage, command: str) -> None:
    (refused,) = await room.say(MO, f"!alias hug {command}")
    assert "can stand for !" in refused
    await room.say(KIM, "!hug")
    assert [await room.credits(who) for who in ("mo", "ann")] == [240, 240]
    await room.say(MO, "!alias gift grant")
    assert await room.say(KIM, "!gift @ann 10") == ["kim grants ann 10 credits."]


@pytest.mark.parametrize(
    "key",
    [
        "grant-ask", "because", "confirm-another", "granted-confirmed", "audit-mint", "raise-ask",
        "preset-ask", "season-end-ask", "season-resets-everything", "link-code", "link-offer", "bridge-code",
    ],
)  # fmt: skip
async def test_no_moderator_rewords_what_is_to_be_confirmed_or_was_granted(room: Stage, key: str) -> None:
    await room.say(MO, f'!text {key} "Say !confirm for a hug."')
    assert room.room.settings("texts") == {}


async def test_many_small_grants_are_one_large_one(room: Stage) -> None:
    told = [(await room.say(MO, f"!grant @ann {amount}"))[0] for amount in (4000, 4000, 4000)]
    assert [each.startswith("mo grants") for each in told] == [True, True, False]
    assert await room.credits("ann") == 8_240


async def test_neither_an_undo_nor_a_take_gives_the_day_back(room: Stage) -> None:
    await room.say(MO, "!grant @ann 10000")
    await room.say(MO, "!undo")
    assert await room.say(MO, "!grant @ann 1") == [ASKED.format("1 credit")]
    await room.turn(71)
    await room.say(KIM, "!grant @ann 10000")
    await room.say(KIM, "!credits set @ann 0")
    assert "wants to grant" in (await room.say(KIM, "!credits set @ann 1"))[0]


async def test_what_was_taken_back_is_not_granted_again_by_undoing_that(room: Stage, store: Store) -> None:
    """The broadcaster takes a large grant back: moderators cannot bring it back without another one."""
    await room.say(MO, "!grant @ann 20000")
    await room.say(KIM, "!confirm")
    await room.say(SAM, "!undo")
    (refused,) = await room.say(MO, "!undo 3")
    assert "would create 20,000 credits again, which is more than you may grant today" in refused
    assert await room.credits("ann") == 240
    assert len(await rows(store)) == 2
    await room.turn(DAY)
    await room.say(SAM, "!undo 3")
    assert await room.credits("ann") == 240
    await room.say(SAM, "!set credits grant_confirm 20000")
    await room.say(SAM, "!undo 3")
    assert await room.credits("ann") == 20_240
    assert "wants to grant" in (await room.say(SAM, "!grant @ann 1"))[0]  # as a grant of its own


async def test_a_take_that_is_undone_is_no_grant(room: Stage) -> None:
    await room.endow("ann", 50_000)
    await room.say(MO, "!take @ann 50000")
    await room.say(MO, "!undo")
    assert await room.credits("ann") == 50_000
    assert await room.say(MO, "!grant @ann 10000") == ["mo grants ann 10,000 credits."]


@pytest.mark.parametrize("key", ["grant_confirm", "grant_daily"])
async def test_the_bounds_of_moderators_are_the_broadcasters_alone(room: Stage, key: str) -> None:
    assert await room.say(MO, f"!set credits {key} 50000") == ["> mo: That is for broadcasters."]
    assert "1,000,000" in (await room.say(SAM, f"!set credits {key} 1000001"))[0]
    await room.say(SAM, f"!set credits {key} 5000")
    for text in (f"!set credits {key} default", "!undo", f"!set credits start 10 {key} 9000"):
        (refused,) = await room.say(MO, text)
        assert refused.startswith("> mo: That is for broadcasters.")
    assert room.room.settings("credits") == {key: "5000"}


async def test_what_waits_cannot_be_replaced_while_somebody_confirms_it(room: Stage) -> None:
    await room.say(MO, "!grant @ann 20000")
    (refused,) = await room.say(MO, "!grant @mo 900000")
    assert (
        refused == "> mo: Something of yours waits for !confirm here, or just did: try again in 1 min 10 s."
    )
    await room.turn(61)
    assert "try again in 9 s" in (await room.say(MO, "!grant @mo 900000"))[0]
    await room.turn(9)
    await room.say(LEE, "!grant @ann 30000")
    await room.turn(55)
    await room.say(MO, "!grant @mo 900000")
    which = "> kim: Say whose: !confirm @name. What waits is that of lee and mo."
    (told,) = await room.say(KIM, "!confirm")
    assert told.replace("lee, mo", "lee and mo") == which
    assert "lee grants ann 30,000 credits, confirmed by kim" in (await room.say(KIM, "!confirm @lee"))[0]
    (told,) = await room.say(KIM, "!confirm")  # a second click does not mean what waits beside it
    assert "Say whose" in told
    assert await room.credits("mo") == 240


async def test_a_confirmation_is_of_the_amount_that_was_told(room: Stage) -> None:
    await room.endow("ann", 980_000)
    await room.say(MO, "!credits set @ann 1m")
    await room.say(MO, "!take @ann 980000")
    (refused,) = await room.say(KIM, "!confirm")
    assert refused.endswith("The balance of ann has changed meanwhile, so nothing was granted.")
    assert await room.credits("ann") == 0


async def test_confirming_twice_or_again_after_a_restart_grants_once(room: Stage, store: Store) -> None:
    await room.say(MO, "!grant @ann 20000", line="asked")
    await room.say(KIM, "!confirm", line="confirmed")
    await room.say(KIM, "!confirm", line="confirmed")
    again = await Stage(store, run="b").open()
    await again.say(MO, "!grant @ann 20000", line="asked")
    await again.say(KIM, "!confirm", line="confirmed")
    await again.say(LEE, "!confirm")
    assert await again.credits("ann") == 20_240


async def test_the_sum_of_a_day_survives_a_restart_and_ends_with_the_day(room: Stage, store: Store) -> None:
    await room.say(MO, "!grant @ann 10000")
    again = await Stage(store, run="b").open()
    assert "wants to grant" in (await again.say(MO, "!grant @ann 1"))[0]
    await again.turn(DAY)
    assert await again.say(MO, "!grant @ann 10000") == ["mo grants ann 10,000 credits."]


async def test_rooms_share_the_sum_but_not_the_confirmation(room: Stage) -> None:
    await room.bot.open(room.new_room("second"))
    await room.say(MO, "!grant @ann 10000")
    await room.bot.converse(room.line(MO, "!grant @ann 20000", room="second"))
    assert (await room.say(KIM, "!confirm"))[-1] == f"> kim: {NOTHING}"
    assert await room.credits("ann") == 10_240
    await room.bot.converse(room.line(KIM, "!confirm", room="second"))
    assert await room.credits("ann") == 30_240


async def test_grants_at_once_in_two_rooms_do_not_pass_the_bound(room: Stage) -> None:
    await room.bot.open(room.new_room("second"))
    lines = [room.line(MO, "!grant @ann 3k", room=name) for _ in range(3) for name in ("room", "second")]
    await asyncio.gather(*(room.bot.converse(each) for each in lines))
    assert await room.credits("ann") == 9_240


async def test_who_is_asked_for_in_private_is_told_to_the_room(room: Stage) -> None:
    assert await room.say(MO, "!grant @ann 20000", private=True) == [ASKED.format("20,000 credits")]
    assert await room.say(KIM, "!confirm", private=True) == [
        "mo grants ann 20,000 credits, confirmed by kim."
    ]


@pytest.mark.parametrize("parted", [False, True])
async def test_two_moderators_who_are_one_person_are_one(store: Store, parted: bool) -> None:
    both = await Platforms(store).open()
    await both.bridge()
    first, second = "discord:ann(moderator)", "twitch:anna(moderator)"
    await both.say("discord:bob", "hello")
    await both.link("twitch:anna", "discord:ann")
    if parted:
        await both.say("twitch:anna", "!unlink")
    held = await both.credits("discord:bob", "guild")
    assert "grants bob-d 9,000" in (await both.say(first, "!grant @bob-d 9000"))[0]
    assert "wants to grant" in (await both.say(second, "!grant @bob-d 9000"))[0]
    assert "Another moderator has to confirm" in (await both.say(first, "!confirm"))[0]
    assert "Another moderator has to confirm" in (await both.say(second, "!confirm"))[0]
    assert await both.credits("discord:bob", "guild") == held + 9_000
    assert "confirmed by" in (await both.say("discord:mod(moderator)", "!confirm"))[0]
    assert await both.sound()


async def test_everybody_sees_the_grants_newest_first(room: Stage) -> None:
    assert await room.say("bob", "!audit mint") == ["Nobody has chosen anything here that makes credits."]
    await room.say(MO, "!grant @ann 100 won the drawing contest of the whole town")
    await room.say(MO, "!take @ann 50")
    await room.say(MO, "!undo 1")
    await room.turn(120)
    await room.say(MO, "!grant @ann 20000")
    await room.say(KIM, "!confirm")
    await room.say(KIM, "!credits set @bob 300 -- lost")
    (told,) = await room.say("bob", "!audit mint")
    assert told == (
        "What makes credits here by somebody’s choice, newest first: "
        "#6 kim to bob, 0 s ago: 60 credits (lost); "
        "#4 mo to ann, 0 s ago: 20,000 credits, confirmed by kim; "
        "#1 mo to ann, 2 min ago: 100 credits (won the drawing contest of th...), taken back"
    )
    assert len((await room.say("bob", "!audit mint 1"))[0].split(";")) == 1
    assert "from 1 to 5" in (await room.say("bob", "!audit mint 6"))[0]


async def test_on_both_sides_of_a_bridge_the_grants_of_both_are_seen(store: Store) -> None:
    both = await Platforms(store).open()
    for who in ("discord:bob", "twitch:cat"):
        await both.say(who, "hello")
    await both.say("twitch:mo(moderator)", "!grant @cat-t 30")
    await both.bridge()
    await both.say("discord:mo(moderator)", "!grant @bob-d 20")
    for who in ("discord:bob", "twitch:cat"):
        (told,) = await both.say(who, "!audit mint")
        assert "to bob-d, 0 s ago: 20 credits" in told
        assert "to cat-t, 0 s ago: 30 credits" in told


async def test_a_grant_that_was_taken_back_says_so(room: Stage) -> None:
    await room.say(MO, "!grant @ann 100")
    await room.say(MO, "!undo")
    (told,) = await room.say("bob", "!auditgrants")
    assert told.endswith("#1 mo to ann, 0 s ago: 100 credits, taken back")
