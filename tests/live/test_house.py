"""What a room promises: one stake a person, credits that add up, and a sentence for whatever is wrong."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.games import kits
from chatbot.kernel.game import Seat
from chatbot.live.room import Manner, Privacy
from chatbot.wallets import accounts
from chatbot.wallets.posting import Entry, Posting
from tests.generous import let_give
from tests.live.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.kernel.game import Step
    from chatbot.live.table import Table
    from chatbot.wallets.store import Store

MO = "mo(moderator)"
LOBBY, GETAWAY, SUSPENSE, COOLDOWN = 60, 30, 6, 300
WHOLE = LOBBY + GETAWAY + SUSPENSE


async def quiet(stage: Stage) -> Stage:
    """Without rabble and payday, a heist moves nothing but stakes and winnings."""
    await stage.say(MO, "!set heist rabble 0")
    await stage.say(MO, "!set heist payday no")
    return stage


@pytest.mark.slow
async def test_a_heist_is_told_from_opening_to_result_and_the_credits_add_up(stage: Stage) -> None:
    assert "stakes 69 credits" in (await stage.say("ann", "!heist 69"))[0]
    assert await stage.say("bob", "!bankheist half") == ["> bob: You are in with 120 credits."]
    assert (await stage.credits("ann"), await stage.credits("bob"), await stage.pot()) == (171, 120, 189)
    told = await stage.turn(LOBBY)
    assert "The target is" in told[0]
    assert "!guncheck" in told[1]
    told = await stage.turn(GETAWAY + SUSPENSE)
    results = next(line for line in told if line.startswith("Results:"))
    payday = next(line for line in told if line.startswith("Payday:"))
    assert await stage.pot() == 0
    for who in ("ann", "bob"):
        net = int(results.split(f"{who} ")[1].split("(")[1].split(")")[0].replace("\N{MINUS SIGN}", "-"))
        assert f"{who} +240" in payday
        assert await stage.credits(who) == 240 + net + 240


async def test_two_quick_heists_from_one_person_take_one_stake(stage: Stage) -> None:
    lines = [stage.line("ann", "!heist 69"), stage.line("ann", "!heist 42")]
    await asyncio.gather(*(stage.house.hear(line) for line in lines))
    told = await stage.turn(0)
    assert await stage.credits("ann") == 240 - 69
    assert await stage.pot() == 69
    assert told[-1] == "> ann: You are in this heist already, with 69 credits."


@pytest.mark.slow
async def test_saving_a_setting_during_a_lobby_changes_nothing_for_that_table(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    told = await stage.say(MO, "!set heist lobby 10")
    assert told == [
        "heist: lobby was 60 and is now 10.",
        "> mo: The table that stands now keeps the settings that it was opened with.",
    ]
    await stage.say(MO, "!preset heist deepbot")
    assert stage.table.game.lobby == LOBBY
    assert await stage.turn(LOBBY - 1) == []
    assert await stage.pot() == 69
    assert "The target is" in (await stage.turn(1))[0]


@pytest.mark.slow
async def test_a_crew_of_exactly_the_minimum_goes_and_one_fewer_gets_every_stake_back(stage: Stage) -> None:
    await quiet(stage)
    await stage.say(MO, "!set heist min_crew 2")
    await stage.say("ann", "!heist 69")
    told = await stage.turn(LOBBY)
    assert told == ["The heist is off: only 1 came, and it takes 2. Every stake has been returned."]
    assert await stage.credits("ann") == 240
    await stage.say("ann", "!heist 69")  # what was called off starts no cooldown
    await stage.say("bob", "!heist 69")
    assert "The target is" in (await stage.turn(LOBBY))[0]


@pytest.mark.slow
async def test_moderators_wait_for_the_cooldown_like_everybody_and_are_told_how_long(stage: Stage) -> None:
    await stage.say("ann", "!heist 69")
    await stage.turn(WHOLE + 100)
    for who in ("ann", MO, "bo(broadcaster)"):
        told = await stage.say(who, "!heist 1")
        assert told[0].endswith("!heist again in 200 seconds.")
    told = await stage.turn(200)
    assert told == ["The heat is off: Bank Heist can be played again with !heist."]
    assert "is planning" in (await stage.say("bob", "!heist 1"))[0]


@pytest.mark.slow
async def test_what_cannot_be_paid_or_is_refused_opens_nothing_and_costs_no_cooldown(stage: Stage) -> None:
    assert await stage.say("ann", "!heist 241") == [
        "> ann: You have only 240 credits; choose less, or write all."
    ]
    assert (await stage.say("ann", "!heist -5"))[0].startswith("> ann: “-5” is no amount")
    assert await stage.say("ann", "!heist 1 2") == [
        "> ann: Write it like this: !heist [69 | 1k | 25% | half | all | odds | career]"
    ]
    assert stage.room.tables == {}
    assert "is planning" in (await stage.say("bob", "!heist 69"))[0]


async def test_an_answer_without_a_table_says_how_to_start_one(stage: Stage) -> None:
    assert await stage.say("ann", "!guncheck") == [
        "> ann: There is no game of Bank Heist here that this is for; start one with !heist."
    ]


@pytest.mark.slow
async def test_stakes_outside_the_limits_are_refused_with_the_reason_and_never_capped(stage: Stage) -> None:
    await stage.say(MO, "!set heist max_stake 100")
    await stage.say(MO, "!set heist min_stake 10")
    assert await stage.say("ann", "!heist all") == ["> ann: The largest stake here is 100 credits."]
    assert await stage.say("ann", "!heist 9") == ["> ann: The smallest stake here is 10 credits."]
    assert await stage.credits("ann") == 240
    await stage.say("ann", "!heist 100")
    assert await stage.credits("ann") == 140


@pytest.mark.slow
async def test_all_is_the_purse_of_the_seat_and_not_of_a_namesake(stage: Stage) -> None:
    """Two people of one name, from two platforms: each has a wallet of their own."""
    await stage.endow("ann", 1000)
    other = replace(stage.line("ann", "!heist all"), seat=Seat("other:ann"))
    await stage.house.hear(other)
    assert await stage.pot() == 240
    assert await stage.credits("ann") == 1000
    told = await stage.say("bob", "!give @ann 5")
    assert told[-1] == "> bob: Several people are called “ann”, so nothing was done."
    assert await stage.credits("bob") == 240


async def test_whoever_takes_the_name_of_another_does_not_get_their_wallet(stage: Stage) -> None:
    await stage.endow("ann", 1000)
    await stage.house.hear(replace(stage.line("bob", "hello"), name="ann"))
    await stage.house.hear(replace(stage.line("ann", "hello"), name="anna"))
    assert await stage.say("cat", "!credits @anna") == ["anna has 1,000 credits."]
    assert await stage.say("cat", "!credits @ann") == ["ann has 240 credits."]


@pytest.mark.slow
async def test_gifts_at_once_never_give_more_than_there_is(stage: Stage) -> None:
    let_give(stage.room)
    await stage.endow("ann", 100)
    await stage.say("bob", "hello")
    lines = [stage.line("ann", "!give @bob 60") for _ in range(5)]
    await asyncio.gather(*(stage.house.hear(line) for line in lines))
    assert (await stage.credits("ann"), await stage.credits("bob")) == (40, 300)


@pytest.mark.parametrize(
    "amount", ["0", "-5", "1.5", "1e3", "٣", "1_0", "nan", "99999999999999999", "101%", ""]
)
async def test_a_gift_of_no_amount_moves_nothing(stage: Stage, amount: str) -> None:
    await stage.say("bob", "hello")
    told = await stage.say("ann", f"!give @bob {amount}")
    assert len(told) == 1
    assert told[0].startswith("> ann: ")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)


async def test_a_gift_to_oneself_or_to_nobody_is_refused(stage: Stage) -> None:
    assert await stage.say("ann", "!give @ANN 5") == ["> ann: You cannot give credits to yourself."]
    assert (await stage.say("ann", "!give @nobody 5"))[0].startswith("> ann: Nobody called “nobody”")


async def test_a_redelivered_gift_is_given_once(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("bob", "hello")
    for _ in range(3):
        await stage.say("ann", "!give @bob 10", line="platform:77")
    assert (await stage.credits("ann"), await stage.credits("bob")) == (230, 250)


@pytest.mark.slow
async def test_the_active_are_paid_whether_they_played_or_not_and_the_silent_are_not(stage: Stage) -> None:
    await stage.say("old", "hello")
    await stage.turn(30 * 60 + 1)
    await stage.say("ann", "good evening")
    await stage.say("bob", "!heist 1")
    await stage.say("cat", "what is going on?")
    told = await stage.turn(WHOLE)
    payday = next(line for line in told if line.startswith("Payday:"))
    assert all(f"{who} +240" in payday for who in ("ann", "bob", "cat"))
    assert "old" not in payday
    assert [await stage.credits(who) for who in ("ann", "cat", "old")] == [480, 480, 240]


@pytest.mark.slow
async def test_a_career_goes_on_from_heist_to_heist(stage: Stage) -> None:
    await stage.say(MO, "!set heist rabble 0")
    for _ in range(2):
        await stage.say("ann", "!heist 1")
        await stage.turn(LOBBY)
        await stage.say("ann", "!guard")
        await stage.turn(GETAWAY + SUSPENSE + COOLDOWN)
    # 0.54 + 0.01 × 0.46 = 0.5446; 0.5446 + 0.01 × 0.4554 = 0.549154, shown as 54.92 %
    told = await stage.say("ann", "!heist career")
    assert "Municipal Bank: 54.92%" in told[0]
    assert "2 guards" in told[0]


@pytest.mark.slow
async def test_a_secret_answer_is_acknowledged_to_its_heister_alone(stage: Stage) -> None:
    await stage.say(MO, "!set room talk full")
    await stage.say("ann", "!heist 1")
    await stage.turn(LOBBY)
    told = await stage.say("ann", "!doublecross", private=True)
    assert told[0] == "ann has made a move."
    assert told[1].startswith("> ann: You are going to double-cross the others.")


@pytest.mark.slow
async def test_nothing_that_is_said_shows_a_raw_placeholder(stage: Stage) -> None:
    script = (
        "!heist odds", "!heist career", "!help", "!help heist", "!help give", "!top", "!season", "!nonsense",
        "!settings heist", "!settings", "!set heist lobby", "!set heist lobby x", "!preset heist x",
        "!heist 69", "!heist 1", "!finger", "!credits", "!cancel heist", "!heist 5", "!help nonsense",
    )  # fmt: skip
    for text in script:
        await stage.say(MO, text)
    await stage.turn(1000)
    assert len(stage.said()) > len(script)
    assert not any(sign in line for line in stage.said() for sign in "{}$")


@pytest.mark.slow
async def test_cancelling_gives_every_stake_back_and_starts_no_cooldown(stage: Stage) -> None:
    await stage.say("ann", "!heist 100")
    await stage.say("bob", "!heist 50")
    assert await stage.say("ann", "!cancel heist") == ["> ann: That is for moderators or above."]
    assert await stage.say(MO, "!cancel heist") == [
        "Bank Heist was called off; every stake has been returned."
    ]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)
    assert await stage.turn(1000) == []
    assert "is planning" in (await stage.say("ann", "!heist 1"))[0]


async def test_only_who_may_start_a_heist_starts_one_and_everybody_may_join(stage: Stage) -> None:
    await stage.say(MO, "!set heist starters subscriber")
    told = await stage.say("ann", "!heist 5")
    assert told == ["> ann: This can be started here by subscribers or above only; everybody may join."]
    await stage.say("sue(subscriber)", "!heist 5")
    assert await stage.say("ann", "!heist 5") == ["> ann: You are in with 5 credits."]


async def test_one_room_does_not_wait_for_another(stage: Stage) -> None:
    """A room whose lines hang does not keep a second room from answering."""
    second = stage.new_room("second")
    await stage.house.open(second)
    async with stage.room.order:
        stuck = asyncio.create_task(stage.house.hear(stage.line("ann", "!credits")))
        await asyncio.wait_for(stage.house.hear(stage.line("bob", "!credits", room="second")), 5)
        assert not stuck.done()
    await stuck


@pytest.mark.slow
async def test_lines_of_a_room_are_answered_in_their_order(stage: Stage) -> None:
    lines = [stage.line(f"p{number}", "!credits") for number in range(20)]
    await asyncio.gather(*(stage.house.hear(line) for line in lines))
    told = await stage.turn(0)
    assert told == [f"p{number} has 240 credits." for number in range(20)]


@pytest.mark.slow
async def test_a_purse_that_moves_in_between_is_decided_afresh(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody is given credits while the rules look at an all-in: the outcome counts them, or none of it."""
    await quiet(stage)
    await stage.say("bob", "hello")
    await stage.say("ann", "!heist 40")
    await stage.turn(LOBBY)
    await stage.say("ann", "!allin")
    read, once = stage.house.ledger.balances, [True]

    async def meddled(names: Any) -> dict[str, int]:
        balances = await read(names)
        if once and names == [accounts.wallet("town", seat("ann"))]:
            once.clear()
            gift = Entry(accounts.wallet("town", seat("bob")), names[0], 100, "gift")
            await stage.house.ledger.post(Posting("meddling", "town", stage.watch.date(), entries=(gift,)))
        return balances

    monkeypatch.setattr(stage.house.ledger, "balances", meddled)
    await stage.turn(GETAWAY + SUSPENSE)
    monkeypatch.undo()
    assert not once
    # All in: 240 - 40 + 100 in the purse and 40 staked; 0.8 × (340 + 240) = 464, or nothing at all.
    assert await stage.credits("ann") in {464, 0}
    assert await stage.credits("bob") == 140


class Broken:
    """The heist, until somebody answers: then its rules fail."""


def broken_heist() -> dict[str, Any]:
    kit = kits()["heist"]

    def apply(self: Any, state: Any, action: Any, moment: Any) -> Step[Any]:
        if type(action).__name__ == "Answer":
            raise ZeroDivisionError
        step: Step[Any] = kit.game.apply(self, state, action, moment)
        return step

    game = type("BrokenHeist", (kit.game,), {"apply": apply})
    return {"heist": replace(kit, game=game)}


async def test_a_broken_game_gives_every_stake_back(store: Store) -> None:
    stage = await Stage(store, broken_heist()).open()
    await stage.say("ann", "!heist 100")
    await stage.say("bob", "!heist 50")
    await stage.turn(LOBBY)
    told = await stage.say("ann", "!guncheck")
    assert told == ["Bank Heist was called off; every stake has been returned."]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 240)
    assert stage.table.over


async def test_a_database_that_fails_costs_nothing_and_asks_to_try_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "hello")

    async def locked(_: object) -> bool:
        raise OSError("database is locked")

    monkeypatch.setattr(stage.house.ledger, "post", locked)
    told = await stage.say("ann", "!heist 69")
    assert told == ["> ann: That did not work just now and nothing has changed; please try again."]
    monkeypatch.undo()
    assert await stage.credits("ann") == 240
    assert "is planning" in (await stage.say("ann", "!heist 69"))[0]


async def test_a_phase_that_could_not_be_written_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")

    async def locked(_: object) -> bool:
        raise OSError("database is locked")

    monkeypatch.setattr(stage.house.ledger, "post", locked)
    assert await stage.turn(LOBBY) == []
    monkeypatch.undo()
    assert "The target is" in (await stage.turn(5))[0]


async def test_a_clock_that_was_overtaken_does_nothing(stage: Stage) -> None:
    """A phase that was hurried on does not run out a second time at its old hour."""
    await stage.say("ann", "!heist 69")
    table: Table = stage.table
    await stage.house.hurry(stage.room, table.id)
    assert table.clock is not None
    assert table.clock.phase == "getaway"
    await stage.turn(GETAWAY - 1)
    assert table.clock.phase == "getaway"
    await stage.turn(1)
    assert table.clock.phase == "storming"


async def test_a_long_line_is_talk_and_no_command(stage: Stage) -> None:
    assert await stage.say("ann", "!credits " + "x" * 500) == []


async def test_a_lone_exclamation_mark_or_an_unknown_word_is_talk(stage: Stage) -> None:
    assert await stage.say("ann", "!") == []
    assert await stage.say("ann", "!!!") == []
    assert await stage.say("ann", "!unknown") == []


async def test_words_are_found_whatever_their_case(stage: Stage) -> None:
    assert "is planning" in (await stage.say("ann", "!HEIST 5"))[0]


async def test_a_phase_that_can_never_be_written_gives_every_stake_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "!heist 69")

    async def refusing(_: object) -> bool:
        raise ValueError("on purpose")

    monkeypatch.setattr(stage.house.ledger, "post", refusing)
    told = await stage.turn(LOBBY + 300)
    assert told == ["Bank Heist was called off; every stake has been returned."]
    monkeypatch.undo()
    assert await stage.credits("ann") == 240
    assert stage.table.over


@pytest.mark.slow
async def test_a_bank_pays_one_heister_what_its_vault_holds_and_no_more(stage: Stage) -> None:
    await quiet(stage)
    await stage.say(MO, "!set heist chances 100/100/100/100/100")
    await stage.say(MO, "!set heist odds 1000/1000/1000/1000/1000")
    await stage.endow("ann", 10**15)
    await stage.say("ann", "!heist 999999999999999")
    told = await stage.turn(WHOLE)
    assert any("Results: " in line for line in told)
    # 1 left, the stake of 10^15 - 1 back, and 10^15 instead of a thousand stakes
    assert await stage.credits("ann") == 1 + (10**15 - 1) + 10**15


@pytest.mark.parametrize(
    "typed", ["!allin", "!all in", "!ALL IN", "!back out", "!double cross", "!Change Jobs"]
)
async def test_answers_are_understood_as_people_write_them(stage: Stage, typed: str) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(LOBBY)
    assert "You can change your mind" in (await stage.say("ann", typed))[-1]


@pytest.mark.parametrize("typed", ["!allin 50", "!finger bob", "!back out now"])
async def test_an_answer_with_more_behind_it_is_refused(stage: Stage, typed: str) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(LOBBY)
    assert "stands alone" in (await stage.say("ann", typed))[0]
    assert stage.table.view(seat("ann")).own.act is None


async def test_an_amount_may_be_glued_to_its_word_and_a_blank_behind_the_sign_is_talk(stage: Stage) -> None:
    assert await stage.say("ann", "! heist 5") == []
    assert "stakes 42 credits" in (await stage.say("ann", "!heist42"))[0]


async def test_names_with_blanks_can_be_given_to(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("Ann Lee", "hello")
    assert await stage.say("bob", "!give @ann lee 10") == ["bob gives Ann Lee 10 credits."]
    assert await stage.say("bob", "!credits Ann Lee") == ["Ann Lee has 250 credits."]


async def test_a_whispered_gift_is_told_to_its_taker(stage: Stage) -> None:
    let_give(stage.room)
    await stage.say("ann", "hello")
    told = await stage.say("bob", "!give @ann 10", private=True)
    assert told == ["> bob: bob gives ann 10 credits.", "> ann: bob gives ann 10 credits."]


async def test_settings_are_never_changed_in_secret(stage: Stage) -> None:
    told = await stage.say(MO, "!set heist odds 9/9/9/9/9", private=True)
    assert told[0] == "heist: odds was 0.8/1.1/1.3/1.65/1.95 and is now 9/9/9/9/9."
    assert told[1].startswith("Careful: Bank Heist now pays back 540%")  # .54 × 10, to everybody's ears


@pytest.mark.slow
async def test_who_spoke_is_paid_even_if_all_they_said_was_refused(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.say("bob", "!heist 999")
    payday = next(line for line in await stage.turn(WHOLE) if line.startswith("Payday:"))
    assert "bob +240" in payday


async def test_equal_wallets_share_a_place(stage: Stage) -> None:
    for who in ("ann", "bob", "cat"):
        await stage.say(who, "hello")
    await stage.endow("cat", 1)
    assert await stage.say("cat", "!top 3") == [
        "Richest: 1. ann 240 credits, 1. bob 240 credits, 3. cat 1 credit."
    ]


@pytest.mark.slow
async def test_a_rest_that_is_ended_is_over_once(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(WHOLE)
    await stage.house.rests.wake(stage.room, "heist")
    assert await stage.turn(0) == ["The heat is off: Bank Heist can be played again with !heist."]
    assert await stage.turn(COOLDOWN + 1) == []
    assert "is planning" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_move_during_the_cooldown_is_told_of_the_cooldown(stage: Stage) -> None:
    await stage.say("ann", "!heist 5")
    await stage.turn(WHOLE)
    assert await stage.say("ann", "!guncheck") == [
        "> ann: The heat is still on: !heist again in 300 seconds."
    ]


@pytest.mark.parametrize("joining", [False, True])
async def test_a_page_that_closes_in_mid_step_leaves_no_half_step(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, joining: bool
) -> None:
    """Whoever sent the line is gone while it is written: it is written and kept, and the game goes on."""
    if joining:
        await stage.say("ann", "!heist 10")
    post, writing, going_on = stage.house.ledger.post, asyncio.Event(), asyncio.Event()

    async def slow(posting: Posting) -> bool:
        writing.set()
        await going_on.wait()
        return await post(posting)

    await stage.say("bob", "hello")
    monkeypatch.setattr(stage.house.ledger, "post", slow)
    hearing = asyncio.create_task(stage.house.hear(stage.line("bob", "!heist 20")))
    await writing.wait()
    hearing.cancel()
    going_on.set()
    with pytest.raises(asyncio.CancelledError):
        await hearing
    await stage.house.settle()
    monkeypatch.undo()
    assert await stage.credits("bob") == 220
    assert await stage.pot() == 20 + 10 * joining
    assert "The target is" in (await stage.turn(LOBBY))[-2]


async def test_a_table_that_another_hand_closed_is_over_and_the_next_can_be_opened_at_once(
    stage: Stage,
) -> None:
    await stage.say("ann", "!heist 69")
    await stage.house.ledger.void(stage.table.id, stage.watch.date())
    assert "bob is planning" in (await stage.say("bob", "!heist 5"))[0]
    assert (await stage.credits("ann"), await stage.credits("bob")) == (240, 235)


async def test_a_line_that_is_delivered_twice_is_answered_once(stage: Stage) -> None:
    assert len(await stage.say("ann", "!credits", line="platform:1")) == 1
    assert await stage.say("ann", "!credits", line="platform:1") == []


@pytest.mark.parametrize("method", ["needs", "clock", "apply"])
async def test_rules_that_break_anywhere_give_every_stake_back_at_once(
    store: Store, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await Stage(store).open()
    await stage.say("ann", "!heist 100")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(stage.table.game), method, broken)
    told = await stage.turn(LOBBY)
    assert told == ["Bank Heist was called off; every stake has been returned."]
    assert await stage.credits("ann") == 240


async def test_a_refusal_of_a_whisper_is_never_said_in_public(store: Store) -> None:
    stage = await Stage(store, manner=Manner(private=Privacy.NONE)).open()
    assert await stage.say("ann", "!heist my-secret-plan", private=True) == []
    assert await stage.say("ann", "!credits", private=True) == []
    assert await stage.say("ann", "!heist nonsense") != []
