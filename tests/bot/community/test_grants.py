"""What moderators give and take is noted with who, why and how much, is told, and happens once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import OperationalError

from chatbot.ledger.books import purses
from chatbot.ledger.changes import MONEY
from tests.bot.hosting import MO
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.changes import ChangeSet
    from chatbot.ledger.store.store import Store


async def newest(stage: Stage) -> ChangeSet:
    return (await stage.bot.parts.settings_changes.changes.newest("room"))[0]


async def minted(stage: Stage) -> int:
    mint = purses.mint("town")
    return -(await stage.bot.ledger.balances([mint]))[mint]


async def test_a_grant_comes_out_of_the_mint_and_is_noted(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "hello")
    before = await minted(stage)
    told = await stage.say(MO, "!grant @ann 500 for the quiz", line="platform:1")
    assert told == ["mo grants ann 500 credits (for the quiz)."]
    assert (await stage.credits("ann"), await minted(stage)) == (740, before + 500)
    change_set = await newest(stage)
    (change,) = change_set.changes
    assert (change_set.actor, change_set.name, change_set.why) == (seat("mo"), "mo", "for the quiz")
    assert (change.kind, change.subject, change.old, change.new) == (MONEY, seat("ann"), "240", "740")
    assert change.posting == "grant:platform:1"
    assert [each.credits for each in await stage.bot.ledger.moved("grant:platform:1")] == [500]


async def test_what_is_taken_goes_back_to_the_mint(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "hello")
    before = await minted(stage)
    assert await stage.say(MO, "!take @ann 100") == ["mo takes 100 credits from ann."]
    assert (await stage.credits("ann"), await minted(stage)) == (140, before - 100)
    (change,) = (await newest(stage)).changes
    assert (change.old, change.new) == ("240", "140")
    assert await stage.say(MO, "!take @ann half spam") == ["mo takes 70 credits from ann (spam)."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("!take @ann 241", "ann has only 240 credits, so nothing was taken."),
        ("!grant @ann 1000001", "That is more than may be moved at once: 1,000,000 credits."),
        ("!grant @ann all", "“all” is a share, of which there is none here: write 69, 5k or 1m."),
        ("!grant @ann 50%", "“50%” is a share, of which there is none here: write 69, 5k or 1m."),
        ("!grant @ann -5", "“-5” is no grant. To take credits away: !take @ann 5"),
        ("!take @ann 1,000 spam", "ann has only 240 credits, so nothing was taken."),
        ("!credits set @ann 1e5", "“1e5” is no amount: write 69, 5k or 1m."),
        ("!grant @ann 1000000000000000000", "“1000000000000000000” is no amount"),
        ("!grant @ann", "Write it like this: !grant @name AMOUNT [REASON]"),
        ("!take", "Write it like this: !take @name AMOUNT [REASON]"),
        ("!grant @nobody 5 for 3 wins", "Nobody called “nobody” has been here"),
    ],
)
async def test_what_is_not_possible_is_one_sentence_and_changes_nothing(
    stage: Stage, text: str, answer: str
) -> None:
    await stage.say("ann", "hello")
    (told,) = await stage.say(MO, text)
    assert answer in told
    assert await stage.credits("ann") == 240
    assert await stage.bot.parts.settings_changes.changes.newest("room") == []


async def test_a_viewer_grants_nothing(stage: Stage) -> None:
    (told,) = await stage.say("ann", "!grant @ann 500")
    assert "moderator" in told
    assert await stage.credits("ann") == 240


async def test_the_same_line_again_grants_once_even_after_a_restart(stage: Stage, store: Store) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 5", line="platform:1")
    await stage.say(MO, "!grant @ann 5", line="platform:1")
    again = await Stage(store, run="b").open()
    await again.say(MO, "!grant @ann 5", line="platform:1")
    assert await again.credits("ann") == 245


async def test_a_name_of_several_words_may_have_a_number_in_it(stage: Stage) -> None:
    await stage.say("Player 1", "hello")
    assert await stage.say(MO, "!grant @Player 1 50") == ["mo grants Player 1 50 credits."]


async def test_what_was_whispered_is_told_to_whom_it_concerns_too(stage: Stage) -> None:
    await stage.say("ann", "hello")
    told = await stage.say(MO, "!take @ann 40 a bet", private=True)
    assert told == [
        "> mo: mo takes 40 credits from ann (a bet).",
        "> ann: mo takes 40 credits from ann (a bet).",
    ]


@pytest.mark.slow
async def test_a_purse_that_moves_meanwhile_is_noted_as_it_was(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.bot.open(stage.new_room("second"))
    await stage.say("ann", "hello")
    lines = [stage.line(MO, "!grant @ann 10", room=room) for _ in range(5) for room in ("room", "second")]
    await asyncio.gather(*(stage.bot.converse(each) for each in lines))
    assert await stage.credits("ann") == 340
    noted = [each.changes[0] for each in await stage.bot.parts.settings_changes.changes.newest()]
    assert sorted(int(each.new or 0) for each in noted) == [*range(250, 350, 10)]
    assert all(int(each.new or 0) - int(each.old or 0) == 10 for each in noted)


async def test_an_undo_pays_a_grant_back(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 50")
    await stage.say(MO, "!undo")
    assert await stage.credits("ann") == 240


async def test_a_grant_whose_answer_is_lost_is_looked_up_and_told_as_done(
    stage: Stage, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "hello")
    write = store.write

    async def write_and_lose(*given: Any, **homes: Any) -> Any:
        await write(*given, **homes)
        raise OperationalError("COMMIT", {}, Exception("server closed the connection unexpectedly"))

    monkeypatch.setattr(store, "write", write_and_lose)
    assert await stage.say(MO, "!grant @ann 50") == ["mo grants ann 50 credits."]
    monkeypatch.undo()
    assert await stage.credits("ann") == 290


DAY = 86_400  # seconds
SAM = "sam(broadcaster)"


async def trust(stage: Stage) -> None:
    """Let moderators grant all that they may without anybody else."""
    await stage.say(SAM, "!set credits grant_confirm 1000000")


FULL = (
    "A moderator may grant no more than 1,000,000 credits a day; "
    "today you can still grant {}. A new day begins in {}."
)


@pytest.mark.parametrize("moderator", [MO, "sam(broadcaster)"])
async def test_nobody_grants_more_than_a_million_on_a_day(stage: Stage, moderator: str) -> None:
    await trust(stage)
    await stage.say("ann", "hello")
    assert "grants ann 999,999" in (await stage.say(moderator, "!grant @ann 999999"))[0]
    (told,) = await stage.say(moderator, "!grant @ann 2")
    assert told.endswith(FULL.format("1 credit", "24 h"))
    assert await stage.say(moderator, "!grant @ann 1") != []
    assert await stage.credits("ann") == 1_000_240
    await stage.turn(DAY - stage.watch.now() - 60)
    (told,) = await stage.say(moderator, "!grant @ann 1")
    assert told.endswith(FULL.format("0 credits", "1 min"))
    await stage.turn(60)
    assert "grants ann 5" in (await stage.say(moderator, "!grant @ann 5"))[0]


async def test_what_is_refused_by_the_day_leaves_no_note(stage: Stage) -> None:
    await trust(stage)
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 1m")
    done = await newest(stage)
    await stage.say(MO, "!grant @ann 1")
    assert await newest(stage) == done
    assert await stage.credits("ann") == 1_000_240


async def test_what_is_taken_back_counts_and_what_is_taken_does_not(stage: Stage) -> None:
    """Else a pair of grant and take could go on for ever."""
    await trust(stage)
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 600k")
    await stage.say(MO, "!undo")
    (told,) = await stage.say(MO, "!grant @ann 400001")
    assert "you can still grant 400,000 credits" in told
    await stage.say(MO, "!grant @ann 400k")
    assert await stage.say(MO, "!take @ann 400k") == ["mo takes 400,000 credits from ann."]


async def test_each_keeper_has_an_own_day(stage: Stage) -> None:
    await trust(stage)
    await stage.say("ann", "hello")
    await stage.say(MO, "!grant @ann 1m")
    assert await stage.say("sam(broadcaster)", "!grant @ann 5") == ["sam grants ann 5 credits."]


async def test_a_community_may_let_its_keepers_grant_less(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say("sam(broadcaster)", "!set credits grant_daily 100")
    await stage.say(MO, "!grant @ann 90")
    (told,) = await stage.say(MO, "!grant @ann 11")
    assert "no more than 100 credits a day; today you can still grant 10 credits" in told


@pytest.mark.parametrize("key", ["grant_most", "grant_daily"])
async def test_no_setting_lets_anybody_grant_more_than_a_million(stage: Stage, key: str) -> None:
    (told,) = await stage.say("sam(broadcaster)", f"!set credits {key} 1000001")
    assert "from 1 to 1,000,000" in told


@pytest.mark.slow
async def test_grants_at_once_in_two_rooms_do_not_pass_the_day(store: Store) -> None:
    stage = await Stage(store).open()
    await stage.bot.open(stage.new_room("second"))
    await stage.watch.turn()
    await trust(stage)
    await stage.say("ann", "hello")
    lines = [stage.line(MO, "!grant @ann 300k", room=room) for _ in range(3) for room in ("room", "second")]
    await asyncio.gather(*(stage.bot.converse(each) for each in lines))
    assert await stage.credits("ann") == 900_240


async def test_a_balance_is_set_by_a_grant_or_a_take_of_the_difference(stage: Stage) -> None:
    await stage.say("ann", "hello")
    assert await stage.say(MO, "!credits set @ann 500 -- lost by a crash") == [
        "mo grants ann 260 credits (lost by a crash)."  # 500 − 240
    ]
    (change,) = (await newest(stage)).changes
    assert (change.kind, change.subject, change.old, change.new) == (MONEY, seat("ann"), "240", "500")
    assert await stage.say(MO, "!credits SET @ann 100") == ["mo takes 400 credits from ann."]
    assert await stage.say(MO, "!creditsset @ann 0") == ["mo takes 100 credits from ann."]
    assert await stage.credits("ann") == 0
    assert await stage.say(MO, "!credits set @ann 0") == ["> mo: ann has 0 credits already."]


@pytest.mark.slow
async def test_a_balance_that_was_set_is_what_it_was_again_by_undo(stage: Stage) -> None:
    await stage.say("ann", "hello")
    for text in ("500", "100"):
        await stage.say(MO, f"!credits set @ann {text}")
        assert await stage.credits("ann") == int(text)
        await stage.say(MO, "!undo")
        assert await stage.credits("ann") == 240


@pytest.mark.slow
@pytest.mark.parametrize("word", ["grant", "take"])
async def test_a_balance_is_set_only_by_who_may_both_grant_and_take(stage: Stage, word: str) -> None:
    await stage.say("ann", "hello")
    assert "moderators" in (await stage.say("bob", "!credits set @bob 500"))[0]
    await stage.say("bo(broadcaster)", f"!permit {word} broadcaster")
    assert await stage.say(MO, "!credits set @ann 500") == ["> mo: That is for broadcasters."]
    assert await stage.credits("ann") == 240


@pytest.mark.slow
async def test_setting_a_balance_keeps_the_limits_of_grants(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!set credits grant_most 100")
    assert "moved at once: 100 credits" in (await stage.say(MO, "!credits set @ann 341"))[0]
    assert "moved at once: 100 credits" in (await stage.say(MO, "!credits set @ann 139"))[0]
    await stage.say(SAM, "!set credits grant_daily 50")
    assert "no more than 50 credits a day" in (await stage.say(MO, "!credits set @ann 291"))[0]
    assert await stage.credits("ann") == 240
    assert await stage.say(MO, "!credits set @ann 290") == ["mo grants ann 50 credits."]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["half", "50%", "all", "-5", "1.5", ""])
async def test_a_balance_is_set_to_whole_credits_alone(stage: Stage, text: str) -> None:
    await stage.say("ann", "hello")
    assert len(await stage.say(MO, f"!credits set @ann {text}")) == 1
    assert await stage.credits("ann") == 240


@pytest.mark.slow
async def test_the_same_line_twice_sets_a_balance_once(stage: Stage) -> None:
    await stage.say("ann", "hello")
    await stage.say(MO, "!credits set @ann 500", line="once")
    await stage.say(MO, "!take @ann 100")
    assert await stage.say(MO, "!credits set @ann 500", line="once") == []
    assert await stage.credits("ann") == 400


async def test_no_shares_are_suggested_for_a_grant_which_takes_none(stage: Stage) -> None:
    assert "half" in stage.bot.suggest("room:chat", "take", "amount", {})
    for each in stage.bot.suggest("room:chat", "grant", "amount", {}):
        assert each.isdecimal()
