"""A broadcaster ends a season by hand, and takes an end back: no credit is lost by it, and none is made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from tests.bot.community.test_season import heist
from tests.bot.hosting import restarted
from tests.bot.platforms import START, on_one_server
from tests.bot.stage import Stage, seat

if TYPE_CHECKING:
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

BO, MO = "bo(broadcaster)", "mo(moderator)"
BACK = "Bank Heist: season 1 goes on, with its leaderboard, and all that had begun afresh is back."


async def prepare(stage: Stage, resets: str = "everything", *settings: str) -> None:
    """Ann has a guard and a career of one heist, Bob is rich."""
    for setting in ("rabble 0", "payday no", f"season_resets {resets}", *settings):
        await stage.say(MO, f"!set heist {setting}")
    await stage.endow("bob", 1000)
    await heist(stage)
    await stage.endow("ann", 100)


async def end(stage: Stage, line: str = "") -> list[str]:
    await stage.say(BO, "!season end heist")
    return await stage.say(BO, "!confirm", line=line)


async def now(stage: Stage) -> str:
    return (await stage.say("cat", "!season heist"))[0]


async def guarded(stage: Stage) -> bool:
    return "54.46%" in "".join(await stage.say("ann", "!heist career"))  # .54 + .01 × .46


async def test_whoever_is_excluded_takes_nobodys_place_in_a_season_but_begins_afresh_too(
    stage: Stage,
) -> None:
    await prepare(stage)
    for who in ("cat", "Nightbot"):  # which is a known bot
        await stage.endow(who, 5000)
    await stage.say(MO, "!exclude @cat")
    told, now = (await end(stage))[0], (await stage.say("ann", "!season heist"))[1]
    for each in (told, now, (await stage.say("ann", "!top season"))[0]):
        assert ": 1. bob 1,000 credits, 2. " in each.replace("! ", ": ")
        assert "cat" not in each
        assert "Nightbot" not in each
    assert [await stage.credits(who) for who in ("cat", "Nightbot")] == [240, 240]


async def test_whoever_is_excluded_later_is_no_longer_told_of_the_last_season(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    await stage.say(MO, "!exclude @bob")
    assert "bob" not in (await stage.say("ann", "!season heist"))[1]


async def test_a_season_ends_by_hand_with_what_the_room_begins_afresh(stage: Stage) -> None:
    await prepare(stage)
    (asked,) = await stage.say(BO, "!season end heist")
    assert asked == (
        "This ends season 1 of Bank Heist for everybody, after 1 game. "
        "Careers and credits begin afresh with a new season. Say !confirm within 60 seconds."
    )
    (told,) = await stage.say(BO, "!confirm")
    assert told.startswith("Bank Heist: season 1 is over! 1. bob 1,000 credits, 2. ")
    assert [await stage.credits(who) for who in ("ann", "bob")] == [240, 240]
    assert not await guarded(stage)
    assert "season 2: 0 played" in await now(stage)


async def test_members_with_equal_credits_share_the_better_place(stage: Stage) -> None:
    await prepare(stage)
    await stage.endow("cat", 1000)
    await stage.say(BO, "!season end heist")
    (told,) = await stage.say(BO, "!confirm")
    board = re.search(r"1\. \w+ 1,000 credits, 1\. \w+ 1,000 credits, 3\. ", told)
    assert board is not None, told
    for line in ("!season heist", "!top season"):
        assert board[0] in " ".join(await stage.say("ann", line))


@pytest.mark.parametrize(
    "line", ["!season end", "!seasonend heist", "!SEASON END Heist", "!season end bankheist"]
)
async def test_it_can_be_asked_for_in_several_ways(stage: Stage, line: str) -> None:
    (asked,) = await stage.say(BO, line)
    assert asked.startswith("This ends season 1 of Bank Heist")


@pytest.mark.parametrize("line", ["!season end chess", "!season end chicken", "!season end heist now"])
async def test_a_season_that_there_is_not_cannot_be_ended(stage: Stage, line: str) -> None:
    assert "No game here has seasons by that name" in (await stage.say(BO, line))[0]


async def test_moderators_cannot_end_a_season_unless_they_are_allowed_to(stage: Stage) -> None:
    assert "broadcaster" in (await stage.say(MO, "!season end heist"))[0]
    await stage.say(BO, "!permit seasonend moderator")
    assert (await stage.say(MO, "!season end heist"))[0].startswith("This ends season 1")


async def test_a_season_does_not_end_while_the_game_is_played(stage: Stage) -> None:
    await stage.say("ann", "!heist 10")
    (refused,) = await stage.say(BO, "!season end heist")
    assert "!cancel heist" in refused
    await stage.say(MO, "!cancel heist")
    await stage.say(BO, "!season end heist")
    await stage.say("ann", "!heist 10")
    (refused,) = await stage.say(BO, "!confirm")
    assert "!cancel heist" in refused
    assert "season 1" in await now(stage)


async def test_stakes_on_other_tables_come_back_beside_what_the_new_season_gave(stage: Stage) -> None:
    await prepare(stage)
    await stage.say("bob", "!chicken 6 50")
    await end(stage)
    assert await stage.credits("bob") == 240
    await stage.say(MO, "!cancel chicken")
    assert await stage.credits("bob") == 240 + 50


async def test_a_season_that_ended_meanwhile_is_not_ended_again(stage: Stage) -> None:
    for who in (BO, "cy(broadcaster)"):
        await stage.say(who, "!season end heist")
    await stage.say(BO, "!confirm")
    assert "has changed meanwhile" in (await stage.say("cy(broadcaster)", "!confirm"))[0]
    assert "season 2" in await now(stage)


async def test_nothing_ends_while_the_books_do_not_add_up(stage: Stage) -> None:
    await prepare(stage)
    await stage.say(BO, "!season end heist")
    await stage.bot.control.halt()
    assert "the books do not add up" in (await stage.say(BO, "!confirm"))[0]
    assert await stage.credits("bob") == 1000


async def test_a_line_that_comes_again_ends_one_season(store: Store, stage: Stage) -> None:
    await end(stage, line="one")
    again = await Stage(store, run="b").open()
    await again.say(BO, "!season end heist")
    assert await again.say(BO, "!confirm", line="one") == []
    assert "season 2" in await now(again)


# Taking it back


async def test_an_end_is_taken_back_with_careers_and_credits(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    assert await stage.say(BO, "!undo") == [BACK]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [100, 1000]
    assert await guarded(stage)
    told = await stage.say("cat", "!season")
    assert "season 1: 1 played" in told[0]
    assert len(told) == 1, "nothing is archived"


async def test_a_heist_that_was_played_since_counts_for_the_season_that_goes_on(stage: Stage) -> None:
    await prepare(stage, "everything", "chances 0/0/0/0/0")
    await end(stage)
    await heist(stage)  # of her 240 Ann loses 10
    await stage.say(BO, "!undo")
    # The new season had given her 140, and she has 230; Bob gets back what it had taken.
    assert [await stage.credits(who) for who in ("ann", "bob")] == [90, 1000]
    assert "season 1: 2 played" in await now(stage)


async def test_what_is_not_there_any_more_is_not_taken_and_told(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    await stage.endow("ann", 1)  # of 240, of which the new season gave 140
    told = await stage.say(BO, "!undo")
    assert told == [
        BACK,
        "Not all that the new season gave was there to be taken back: 139 credits are missing, of ann.",
    ]
    assert [await stage.credits(who) for who in ("ann", "bob")] == [0, 1000]


async def test_from_two_who_are_one_by_now_no_more_is_taken_than_they_have(store: Store) -> None:
    both, ann, anna, owner = await on_one_server(store), "discord:ann", "twitch:anna", f"discord:{BO}"
    await both.say("discord:mod(moderator)", "!set heist season_resets everything")
    for who in (ann, anna):
        await both.endow(who, 0)
    await both.say(owner, "!season end heist")
    await both.say(owner, "!confirm")
    assert [await both.credits(who, "guild") for who in (ann, anna)] == [START, START]  # what both were given
    await both.link(anna, ann)
    await both.endow(ann, START + 50)
    assert any(f"{START - 50} credits" in told for told in await both.say(owner, "!undo"))  # are lacking
    assert await both.credits(ann, "guild") == 0
    assert await both.sound()


async def test_an_end_of_itself_can_be_taken_back_as_well(stage: Stage) -> None:
    await prepare(stage, "everything", "season_heists 2")
    await heist(stage)
    assert "season 2: 0 played" in await now(stage)
    assert "house" in "".join(await stage.say(BO, "!audit 1"))
    told = await stage.say(BO, "!undo")
    assert told[0] == BACK
    assert told[1].startswith("It has reached its end, so it ends again with the next game")
    assert await stage.credits("bob") == 1000
    assert any("season 1 is over" in line for line in await heist(stage))
    assert await stage.credits("bob") == 240


async def test_moderators_cannot_take_back_what_they_cannot_do(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    assert "broadcaster" in (await stage.say(MO, "!undo"))[0]
    assert "season 2" in await now(stage)


async def test_an_end_is_taken_back_once_and_can_be_made_again(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    number = (await stage.say(BO, "!audit 1"))[0].partition("#")[2].split()[0]
    await stage.say(BO, "!undo")
    assert await stage.say(BO, f"!undo {number}") != [BACK]
    assert await stage.credits("bob") == 1000
    (told,) = await stage.say(BO, f"!undo {int(number) + 1}")
    assert told.startswith("Bank Heist: season 1 is over!")
    assert [await stage.credits(who) for who in ("ann", "bob")] == [240, 240]


async def test_only_the_newest_end_is_taken_back(stage: Stage) -> None:
    await end(stage)
    number = (await stage.say(BO, "!audit 1"))[0].partition("#")[2].split()[0]
    await end(stage)
    (refused,) = await stage.say(BO, f"!undo {number}")
    assert "Season 2 of Bank Heist has ended since; take that back first." in refused
    await stage.say(BO, "!undo")
    assert await stage.say(BO, f"!undo {number}") == [BACK]
    assert "season 1" in await now(stage)


async def test_an_end_is_taken_back_after_a_restart(store: Store, stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    again = await Stage(store, run="b").open()
    assert await again.say(BO, "!undo") == [BACK]
    assert await again.credits("bob") == 1000


async def test_while_a_heist_stands_an_end_is_not_taken_back(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    await stage.say("ann", "!heist 10")
    assert "!cancel heist" in (await stage.say(BO, "!undo"))[0]
    assert "season 2" in await now(stage)


async def test_credits_that_move_while_an_end_is_taken_back_are_neither_lost_nor_made(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepare(stage)
    await end(stage)
    ends = stage.bot.parts.calendar.ends
    reopen, tries = ends._seasons.reopen, list[object]()

    async def late(*args: Any) -> Any:
        tries.append(args)
        if len(tries) == 1:  # of Ann's 240, all but 60 are gone before it is written
            spent = Entry(purses.wallet("town", seat("ann")), purses.mint("town"), 180, "test")
            await stage.bot.ledger.post(Posting("spent", "town", stage.watch.date(), entries=(spent,)))
        return await reopen(*args)

    monkeypatch.setattr(ends._seasons, "reopen", late)
    await stage.say(BO, "!undo")
    assert len(tries) == 2
    assert [await stage.credits(who) for who in ("ann", "bob")] == [0, 1000]


async def test_an_end_is_decided_once_however_often_credits_move_meanwhile(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepare(stage)
    seasons, closings = stage.bot.parts.calendar.ends._seasons, list[object]()
    close = seasons.close

    async def late(*args: Any) -> Any:
        closings.append(args)  # whenever a ranking was read, Bob gets something before the end is written
        gift = Entry(purses.mint("town"), purses.wallet("town", seat("bob")), 5, "test")
        number = len(closings)
        await stage.bot.ledger.post(Posting(f"{number}", "town", stage.watch.date(), entries=(gift,)))
        return await close(*args)

    monkeypatch.setattr(seasons, "close", late)
    await end(stage)
    assert len(closings) == 1
    assert [await stage.credits(who) for who in ("ann", "bob")] == [240, 240]


async def test_who_has_not_spoken_since_a_restart_is_named_when_credits_are_missing(stage: Stage) -> None:
    await prepare(stage)
    await end(stage)
    await stage.endow("ann", 1)
    second = await restarted(stage, "b")
    assert "139 credits are missing, of ann." in (await second.say(BO, "!undo"))[1]
