"""A Twitch chat joins a Discord channel: one room, one purse, and everything back when they part."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import OperationalError

from chatbot.community.bridges import RETRY_DELAY
from chatbot.kernel.game import Seat
from chatbot.ledger import unions
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.changes import Changes
from chatbot.ledger.people import Account, People
from chatbot.ledger.rooms import KnownRooms
from tests.bot.losing import losing
from tests.bot.platforms import DISCORD, LOCAL, START, TWITCH, Platforms

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ANN, ANNA, BOB = "discord:ann", "twitch:anna", "twitch:bob"
SALARY = 240  # of the crew at a payday, which comes with the end of every table
DISCORD_OWNER, TWITCH_OWNER = "discord:owner(broadcaster)", "twitch:owner(broadcaster)"


async def test_a_bridge_is_told_in_both_chats(both: Platforms) -> None:
    told = await both.bridge()
    text = (
        "This room is now on Discord and Twitch: the same games in both chats, and one wallet for everybody."
    )
    assert told == [f"{DISCORD}: {text}", f"{TWITCH}: {text}"]
    assert both.room(TWITCH) is both.room(DISCORD)


async def test_every_wallet_comes_along_and_every_community_still_sums_to_nothing(both: Platforms) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    assert await both.credits(BOB, "guild") == await both.credits(BOB, "channel") == 700
    assert await both.sound()


async def test_a_heist_is_joined_from_both_chats_and_told_in_both(both: Platforms) -> None:
    await both.bridge()
    opened = await both.say(BOB, "!heist 100")
    assert any(each.startswith(f"{DISCORD}: ") and "bob-t" in each for each in opened)
    assert any(each.startswith(f"{TWITCH}: ") and "bob-t" in each for each in opened)
    await both.say(ANN, "!heist 50")
    table = both.room(DISCORD).tables["heist"]
    crew = {each.seat for each in table.view(None).crew}
    assert {Seat(BOB), Seat(ANN)} <= crew
    heard = len(both.adapter.deliveries)
    while not table.over:
        await both.turn(table.clock.seconds if table.clock else 0)
    results = [each for each in both.said(heard) if "Results" in each]
    assert [each.partition(": ")[0] for each in results] == [DISCORD, TWITCH]
    for outcome in table.view(None).outcomes:
        if outcome.seat in {Seat(ANN), Seat(BOB)}:
            assert (
                await both.credits(outcome.seat, "guild") == START + outcome.received - outcome.cost + SALARY
            )


async def test_an_answer_goes_only_to_the_chat_in_which_was_asked(both: Platforms) -> None:
    await both.bridge()
    for who, channel in ((BOB, TWITCH), (ANN, DISCORD)):
        told = await both.say(who, "!credits")
        assert [each.partition(":")[0] for each in told] == [channel.partition(":")[0]]
        refused = await both.say(who, "!give @nobody 10")
        assert [each.split(" ")[0].rstrip(":") for each in refused] == [channel]


async def test_a_secret_goes_to_the_platform_on_which_somebody_spoke_last(both: Platforms) -> None:
    await both.bridge()
    await both.link(ANNA, ANN)
    (told,) = await both.say(ANN, "!link")
    assert told.startswith(f"{DISCORD} > {ANN}: ")
    await both.say(ANNA, "!credits")
    assert await both.bot.whereabouts(Account.read(ANNA)) == TWITCH
    assert await both.bot.whereabouts(Account.read(ANN)) == DISCORD


async def test_one_person_in_both_chats_keeps_one_welcome(both: Platforms) -> None:
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.link(ANNA, ANN)  # all of ANNA's comes to the root in the channel's community
    await both.bridge()
    assert await both.credits(ANN, "guild") == START
    await both.say(ANNA, "hello again")
    assert await both.credits(ANN, "guild") == START


async def test_who_has_two_wallets_and_links_later_keeps_one_welcome(both: Platforms) -> None:
    await both.say(ANN, "hello")
    await both.say(ANNA, "hello")
    await both.bridge()
    await both.link(ANNA, ANN)
    assert await both.credits(ANN, "guild") == START
    assert await both.sound()


async def test_a_doubt_about_one_community_is_not_carried_into_the_other(both: Platforms) -> None:
    code = await both.code(DISCORD_OWNER, "!bridge")
    await both.bot.control.doubt({"channel"})
    told = await both.say(TWITCH_OWNER, f"!bridge {code}")
    assert "the books do not add up" in told[-1]
    await both.bot.control.doubt(())
    await both.bridge()
    await both.bot.control.doubt({"guild"})
    assert "the books do not add up" in (await both.say(DISCORD_OWNER, "!bridge end"))[-1]
    assert both.room(TWITCH) is both.room(DISCORD)


async def test_members_are_known_by_name_in_the_other_chat(both: Platforms) -> None:
    await both.say(BOB, "hello")
    await both.bridge()
    assert await both.say(ANN, "!credits @bob-t") == [f"{DISCORD}: bob-t has {START} credits."]


async def test_a_bridge_needs_owners_on_both_sides(both: Platforms) -> None:
    (told,) = await both.say("discord:mod(moderator)", "!bridge")
    assert "broadcasters" in told
    code = await both.code(DISCORD_OWNER, "!bridge")
    (told,) = await both.say("twitch:mod(moderator)", f"!bridge {code}")
    assert "broadcasters" in told
    assert both.room(TWITCH) is not both.room(DISCORD)


async def test_twitch_sends_who_asks_there_for_a_code_to_discord(both: Platforms) -> None:
    (told,) = await both.say(TWITCH_OWNER, "!bridge")
    assert "Type !bridge on Discord" in told


async def test_while_something_is_played_there_a_chat_does_not_join(both: Platforms) -> None:
    await both.say(BOB, "!heist 100")
    told = (await both.bridge())[-1]
    assert "Bank Heist is being played here; wait for its end, or end it with !cancel heist." in told
    assert await both.credits(BOB) == START - 100
    assert both.room(TWITCH) is not both.room(DISCORD)


async def test_a_table_in_the_hosts_room_does_not_hinder(both: Platforms) -> None:
    await both.say(ANN, "!heist 50")
    await both.bridge()
    await both.say(BOB, "!heist 20")
    crew = {each.seat for each in both.room(TWITCH).tables["heist"].view(None).crew}
    assert {Seat(ANN), Seat(BOB)} <= crew


async def test_a_table_in_another_room_of_the_guest_is_paid_and_goes_on(both: Platforms) -> None:
    await both.bot.open(both.own_room("twitch:8", "channel"))
    await both.endow(BOB, 500)
    await both.say(BOB, "!heist 100", "twitch:8")
    await both.bridge()
    assert await both.credits(BOB, "guild") == 400
    table = both.room("twitch:8").tables["heist"]
    while not table.over:
        await both.turn(table.clock.seconds if table.clock else 0)
    (mine,) = [each for each in table.view(None).outcomes if each.seat == Seat(BOB)]
    assert await both.credits(BOB, "guild") == 500 + mine.received - mine.cost + SALARY
    assert "bob-t" in (await both.say(BOB, "!top", "twitch:8"))[0]
    assert await both.sound()


@pytest.mark.parametrize("first", [(DISCORD, TWITCH), (TWITCH, DISCORD)])
async def test_a_bridge_outlives_a_restart_whichever_opens_first(
    both: Platforms, first: tuple[str, str]
) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    await both.say(BOB, "!heist 100")
    await both.bot.close()
    second = await Platforms(both.store, "b").open(*first)
    assert second.room(DISCORD) is second.room(TWITCH)
    assert [each.id for each in second.room(DISCORD).channels] == [DISCORD, TWITCH]
    await second.say(ANN, "!heist 50")
    assert {Seat(BOB), Seat(ANN)} <= {
        each.seat for each in second.room(TWITCH).tables["heist"].view(None).crew
    }
    assert await second.credits(BOB) == 600


async def test_the_settings_that_count_are_the_hosts(both: Platforms) -> None:
    await both.say("discord:mod(moderator)", "!set room talk quiet")
    await both.say("twitch:mod(moderator)", "!set room talk full")
    await both.bridge()
    assert both.room(TWITCH).habits.talk.value == "quiet"


async def test_parting_gives_back_what_was_brought_as_far_as_it_is_there(both: Platforms) -> None:
    await both.endow(ANN, 1000)
    await both.endow(BOB, 700)
    await both.bridge()
    await both.endow(BOB, 300, DISCORD)
    told = await both.say(TWITCH_OWNER, "!bridge end")
    assert [each.partition(": ")[0] for each in told] == [DISCORD, TWITCH]
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert (await both.credits(BOB), await both.credits(BOB, "guild")) == (300, 0)
    assert await both.credits(ANN) == 1000
    await both.say(BOB, "hello")
    assert await both.credits(BOB) == 300, "nobody is welcomed again"
    assert await both.sound()


@pytest.mark.parametrize(
    ("there", "owner", "platform"),
    [(DISCORD, DISCORD_OWNER, "Discord"), (TWITCH, TWITCH_OWNER, "Twitch")],
)
async def test_a_bridge_is_ended_while_the_other_chat_is_not_connected(
    both: Platforms, there: str, owner: str, platform: str
) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    await both.bot.close()
    second = await Platforms(both.store, "b").open(there)
    (told,) = await second.say(owner, "!bridge end")
    assert f"{platform} and the other chat have parted" in told
    assert await second.credits(BOB) == 700
    await second.bot.open(second.own_room(DISCORD if there == TWITCH else TWITCH))
    assert second.room(TWITCH) is not second.room(DISCORD)
    assert await second.sound()


async def test_a_stream_stays_live_while_its_chat_goes_over_and_takes_that_along_when_it_parts(
    both: Platforms,
) -> None:
    both.room(TWITCH).live = True
    await both.bridge()
    assert both.room(DISCORD).live is True
    await both.say(DISCORD_OWNER, "!bridge end")
    assert (both.room(TWITCH).live, both.room(DISCORD).live) == (True, None)


async def test_what_was_won_together_stays_where_it_was_won(both: Platforms) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    await both.endow(BOB, 900, DISCORD)
    await both.say(DISCORD_OWNER, "!bridge end")
    assert (await both.credits(BOB), await both.credits(BOB, "guild")) == (700, 200)


async def test_two_that_parted_can_join_again(both: Platforms) -> None:
    await both.endow(BOB, 700)
    for _ in range(2):
        await both.bridge()
        assert await both.credits(BOB, "guild") == 700
        await both.say(DISCORD_OWNER, "!bridge end")
        assert await both.credits(BOB) == 700
        assert await both.sound()


async def test_while_something_is_played_nobody_parts(both: Platforms) -> None:
    await both.bridge()
    await both.say(BOB, "!heist 100")
    (told,) = await both.say(TWITCH_OWNER, "!bridge end")
    assert "being played here" in told
    assert both.room(TWITCH) is both.room(DISCORD)


async def test_a_chat_that_has_joined_does_not_join_another(both: Platforms) -> None:
    await both.bridge()
    await both.bot.open(both.own_room("discord:2", "guild"))
    (asked,) = await both.say(DISCORD_OWNER, "!bridge", "discord:2")
    code = asked.split("!bridge ")[1][:10]
    (told,) = await both.say(TWITCH_OWNER, f"!bridge {code}")
    assert "joined with another already" in told


async def test_two_chats_of_one_platform_are_not_joined(both: Platforms) -> None:
    await both.bot.open(both.own_room("discord:2", "other"))
    code = await both.code(DISCORD_OWNER, "!bridge")
    (told,) = await both.say(DISCORD_OWNER, f"!bridge {code}", "discord:2")
    assert "another platform" in told


async def test_nothing_is_joined_where_nobody_is_vouched_for(both: Platforms) -> None:
    await both.bot.open(both.own_room(LOCAL))
    (told,) = await both.say("local:owner(broadcaster)", "!bridge")
    assert "Only a Discord channel and a Twitch chat can be joined." in told


@pytest.mark.parametrize(
    "text", ["!bridge a b", "!bridge WRONG", "!bridge end", "!bridge END", "!bridge '--"]
)
async def test_nonsense_gets_one_sentence_and_joins_nothing(both: Platforms, text: str) -> None:
    assert len(await both.say(TWITCH_OWNER, text)) == 1
    assert both.room(TWITCH) is not both.room(DISCORD)


async def test_a_line_that_waited_while_its_chat_went_over_is_answered_in_the_new_room(
    both: Platforms,
) -> None:
    code, former = await both.code(DISCORD_OWNER, "!bridge"), both.room(TWITCH)
    lines = [both.line(TWITCH_OWNER, f"!bridge {code}"), both.line(BOB, "!heist 100")]
    async with former.order:
        waiting = [asyncio.ensure_future(both.bot.converse(each)) for each in lines]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert former.tables == {}
    assert both.room(DISCORD).playing("heist")


async def test_joining_and_parting_whose_answers_are_lost_are_looked_up(
    both: Platforms, monkeypatch: pytest.MonkeyPatch
) -> None:
    await both.endow(BOB, 700)
    monkeypatch.setattr(both.store, "write", losing(both.store, unions._unite, unions._part))
    await both.bridge()
    assert both.room(TWITCH) is both.room(DISCORD)
    assert await both.credits(BOB, "guild") == 700
    await both.say(TWITCH_OWNER, "!bridge end")
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert (await both.credits(BOB), await both.credits(BOB, "guild")) == (700, 0)
    assert await both.sound()


async def test_the_end_of_a_rest_is_told_of_the_room_that_is_played_in_alone(both: Platforms) -> None:
    await both.say("twitch:owner(broadcaster)", "!set heist rabble 0")
    for who in ("twitch:ann", "twitch:bob"):
        await both.say(who, "!heist 10")
    await both.turn(60 + 30 + 6)
    await both.bridge()
    assert await both.turn(300) == []


async def test_what_concerns_the_whole_room_is_told_in_both_chats(both: Platforms) -> None:
    await both.bridge()
    await both.say(BOB, "hello")
    for who, text in (
        ("discord:mod(moderator)", "!set heist lobby 90"),
        ("twitch:mod(moderator)", "!pause"),
        ("discord:mod(moderator)", "!grant @bob-t 20000"),
        ("twitch:kim(moderator)", "!confirm"),
        ("twitch:mod(moderator)", "!undo"),
    ):
        told = await both.say(who, text)
        assert sorted(each.partition(": ")[0] for each in told) == [DISCORD, TWITCH], text


async def test_who_was_known_before_the_chats_were_joined_is_not_too_new_to_give(both: Platforms) -> None:
    await both.say("discord:mod(moderator)", "!set credits give_age 24 give_start yes")
    await both.endow(BOB, 700)
    await both.say(ANN, "hello")
    await both.turn(24 * 3600)
    await both.bridge()
    assert await both.say(BOB, "!give @ann-d 5") == [f"{TWITCH}: bob-t gives ann-d 5 credits."]
    assert "after you came here first" in (await both.say("twitch:new", "!give @ann-d 5"))[0]


async def test_a_chat_that_parts_while_the_database_fails_has_its_own_room_as_soon_as_that_is_back(
    both: Platforms, monkeypatch: pytest.MonkeyPatch
) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    unwell, note, read = True, KnownRooms.note, People._read_links

    async def noted(*given: Any) -> None:
        if unwell:
            raise OperationalError("INSERT", {}, Exception("disk I/O error"))
        await note(*given)

    async def links(*given: Any) -> Any:
        if unwell:
            raise OperationalError("SELECT", {}, Exception("disk I/O error"))
        return await read(*given)

    monkeypatch.setattr(KnownRooms, "note", noted)
    monkeypatch.setattr(People, "_read_links", links)
    told = await both.say(DISCORD_OWNER, "!bridge end")
    assert [each.partition(" have parted")[0] for each in told] == [
        f"{DISCORD}: Twitch and Discord",
        f"{TWITCH}: Twitch and Discord",
    ]
    assert await both.say(BOB, "!credits") == []  # not of the wallets of the other community
    unwell = False
    await both.turn(RETRY_DELAY)
    (answer,) = await both.say(BOB, "!credits")
    assert answer.startswith(TWITCH)
    assert "700" in answer
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert await both.bridge()


@contextmanager
def unanswered(both: Platforms) -> Iterator[None]:
    """Let chats join and part, and nobody learn whether they did."""

    async def lost(_: object, change_set: str, error: Exception) -> None:
        raise LostAnswer(change_set) from error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(both.store, "write", losing(both.store, unions._unite, unions._part))
        patch.setattr(Changes, "look_up", lost)
        yield


async def test_chats_of_which_it_is_not_known_whether_they_joined_join_when_that_is_tried_again(
    both: Platforms,
) -> None:
    await both.endow(BOB, 700)
    with unanswered(both):
        await both.bridge()
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert len(await both.bridge()) == 2  # it is told in both chats
    assert both.room(TWITCH) is both.room(DISCORD)
    assert await both.credits(BOB, "guild") == 700


@pytest.mark.parametrize("owner", [TWITCH_OWNER, DISCORD_OWNER])
async def test_chats_of_which_it_is_not_known_whether_they_joined_can_part(
    both: Platforms, owner: str
) -> None:
    await both.endow(BOB, 700)
    with unanswered(both):
        await both.bridge()
    assert "have parted" in (await both.say(owner, "!bridge end"))[0]
    assert await both.credits(BOB) == 700
    assert both.room(TWITCH).community == "channel"
    assert await both.say(BOB, "!credits") == [f"{TWITCH}: bob-t has 700 credits."]
    await both.bridge()
    assert both.room(TWITCH) is both.room(DISCORD)
    assert await both.sound()


@pytest.mark.parametrize("owner", [TWITCH_OWNER, DISCORD_OWNER])
async def test_chats_of_which_it_is_not_known_whether_they_parted_part_when_that_is_tried_again(
    both: Platforms, owner: str
) -> None:
    await both.endow(BOB, 700)
    await both.bridge()
    with unanswered(both):
        await both.say(TWITCH_OWNER, "!bridge end")
    assert "have parted" in (await both.say(owner, "!bridge end"))[0]
    assert both.room(TWITCH) is not both.room(DISCORD)
    assert await both.say(BOB, "!credits") == [f"{TWITCH}: bob-t has 700 credits."]
    assert await both.sound()
