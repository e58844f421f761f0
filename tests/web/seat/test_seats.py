"""What a seat may do, and what it is shown: hands at tables of a chat, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import aiohttp
import pytest

from chatbot.bot.commands.history import MINUS
from chatbot.games.sixcardpoker.rules.rules import SEAT_SECONDS
from tests.web.desk.test_logins import confirmed
from tests.web.seat.sockets import opened_seat
from tests.web.seat.test_seat_logins import owner, seated, typed

if TYPE_CHECKING:
    from tests.web.desk.site import Browser, Site
    from tests.web.seat.sockets import OpenSeat


async def logged_in(site: Site, user: str) -> Browser:
    """Make a browser the seat of somebody who has logged in with Twitch and was in the chat."""
    await site.both.chat(user, "hello")
    browser = site.elsewhere()
    await confirmed(site, browser, user)
    return browser


def table_of(seat: OpenSeat) -> str:
    (table,) = [each["id"] for each in seat.tables.values() if not each["over"]]
    return str(table)


async def lobby_ends(site: Site) -> None:
    """Let the time of the lobby of a heist pass."""
    table = site.bot.rooms[site.twitch_room].tables["heist"]
    assert table.clock is not None
    await site.both.discord.turn(table.clock.seconds + 0.1)


# By letters


async def test_a_seat_by_letters_plays_the_hand_of_a_table_that_was_joined_in_the_chat(site: Site) -> None:
    for user in ("bob", "cleo"):
        await site.both.chat(user, "!heist 50")
    async with opened_seat(await seated(site, "bob")) as bob:
        assert bob.hello["room"] == site.twitch_room
        assert bob.own["limit"] == 0
        await lobby_ends(site)
        await bob.until(lambda seat: "!backout" in seat.lines)
        said = len(site.both.fake.sent("ada"))
        await bob.move("!doublecross" if "!doublecross" in bob.lines else "!backout")
        await bob.until(lambda seat: seat.answers)
        await site.both.discord.turn(2)
        assert not bob.answers[0][1], bob.answers
        told = " ".join(site.both.fake.sent("ada")[said:])
        assert "Bob" not in told  # nothing of it is said in public


async def test_a_seat_by_letters_joins_opens_and_stakes_nothing(site: Site) -> None:
    await site.both.chat("bob", "hello")
    async with opened_seat(await seated(site, "bob")) as bob:
        for line in ("!heist 20", "!highshow 20", "!sixcard 20", "!market 20", "!chicken 20"):
            text, refused = await bob.say(line)
            assert refused, line
            assert "what you have joined there" in text, line
        await site.both.chat("cleo", "!sixcard @bob")
        await bob.until(lambda seat: any(not each["over"] for each in seat.tables.values()))
        text, refused = await bob.say("!sixcard accept", table_of(bob))
        assert (refused, "what you have joined there" in text) == (True, True)
    assert (
        await site.bot.balances.purse(site.bot.rooms[site.twitch_room], site.both.twitch.seat("bob")) == 240
    )


@pytest.mark.parametrize(
    "line",
    [
        "!give @cleo 10",
        "!link",
        "!claim",
        "!set heist lobby 45",
        "!grant @bob 100",
        "!cancel heist",
        "!desk",
        "!seat",
        "!talk full",
        "hello",
        "",
    ],
)
async def test_no_seat_gives_links_claims_or_moderates(site: Site, line: str) -> None:
    await site.both.chat("cleo", "hello")
    browser = await seated(site, "ada")
    await site.both.chat("ada", "hello", "broadcaster")
    async with opened_seat(browser) as small:
        text, refused = await small.say(line)
        assert (refused, "type everything else in the chat" in text) == (True, True)
    async with opened_seat(await logged_in(site, "ada")) as full:
        text, refused = await full.say(line)
        assert (refused, "type everything else in the chat" in text) == (True, True)


async def test_a_word_of_the_room_does_not_stand_for_what_a_seat_may_not_say(site: Site) -> None:
    await site.both.chat("ada", "!alias gg give @cleo 10", "broadcaster")
    await site.both.chat("cleo", "hello")
    async with opened_seat(await seated(site, "bob")) as bob:
        assert (await bob.say("!gg"))[1]
    assert (
        await site.bot.balances.purse(site.bot.rooms[site.twitch_room], site.both.twitch.seat("bob")) == 240
    )


async def test_the_broadcaster_may_let_seats_by_letters_stake_up_to_a_sum_a_day(site: Site) -> None:
    assert "broadcaster" in " ".join(await site.both.chat("mod", "!set credits seat_stakes 60", "moderator"))
    await site.both.chat("ada", "!set credits seat_stakes 60", "broadcaster")
    await site.both.chat("bob", "hello")
    async with opened_seat(await seated(site, "bob")) as bob:
        assert bob.own["limit"] == 60
        assert (await bob.say("!sixcard 100"))[1]
        await bob.wire.send_json({"type": "say", "text": "!sixcard 40"})
        await bob.until(lambda seat: seat.own["limit"] == 20)
        text, refused = await bob.say("!heist 40")
        assert refused, text
    async with opened_seat(await seated(site, "bob")) as again:
        assert again.own["limit"] == 20  # another code brings no other sum


async def test_a_seat_by_letters_never_goes_all_in(site: Site) -> None:
    await site.both.chat("ada", "!set credits seat_stakes 1000", "broadcaster")
    for user in ("bob", "cleo"):
        await site.both.chat(user, "!heist 50")
    async with opened_seat(await seated(site, "bob")) as bob:
        await lobby_ends(site)
        await bob.until(lambda seat: "!backout" in seat.lines)
        text, refused = await bob.say("!allin", table_of(bob))
        assert (refused, "may stake 1,000 credits now" in text) == (True, True)
        await site.both.chat("ada", "!set credits seat_stakes 0", "broadcaster")
        text, refused = await bob.say("!allin", table_of(bob))
        assert (refused, "cannot stake more" in text) == (True, True)


# With a login


async def test_who_has_logged_in_joins_and_opens_games_as_in_the_chat(site: Site) -> None:
    async with opened_seat(await logged_in(site, "bob")) as bob:
        assert bob.own["limit"] is None
        await bob.wire.send_json({"type": "say", "text": "!heist 50"})
        await bob.until(lambda seat: "190" in seat.own["credits"])
        await site.both.discord.turn(5)
        assert any("Bob" in each for each in site.both.fake.sent("ada"))
        text, refused = await bob.say("!history")
        assert (refused, "Heist" in text) == (False, True)
        assert not (await bob.say("!odds"))[1]


async def test_what_is_won_is_told_when_the_table_is_over(site: Site) -> None:
    async with opened_seat(await logged_in(site, "bob")) as bob:
        await bob.wire.send_json({"type": "say", "text": "!sixcard 50"})
        await bob.until(lambda seat: "!set auto" in seat.lines)
        table = table_of(bob)
        await bob.move("!set auto")
        await bob.until(lambda seat: table in seat.own["results"])
        assert bob.own["results"][table] in {-50, 0, 50}


async def test_what_is_won_is_what_the_table_says_beside_the_name(site: Site) -> None:
    for user in ("bob", "cleo"):
        await site.both.chat(user, "!heist 50")
    async with opened_seat(await seated(site, "bob")) as bob:
        (table,), heist = bob.tables, site.bot.rooms[site.twitch_room].tables["heist"]
        while heist.clock is not None:
            await site.both.discord.turn(heist.clock.seconds + 0.1)
        await bob.until(lambda seat: table in seat.own["results"])
        result = bob.own["results"][table]
        assert bob.own["credits"] != f"{240 + result} credits", "there was a payday, which is no result"
        (place,) = [each for each in bob.tables[table]["places"] if each["name"] == "Bob"]
        assert f"({result:+d})".replace("-", MINUS) in place["detail"]


async def test_a_seat_is_shown_no_room_in_which_its_account_never_was(site: Site) -> None:
    browser = site.elsewhere()
    await confirmed(site, browser, "stranger")
    async with opened_seat(browser) as seat:
        assert (seat.hello["rooms"], seat.hello["room"]) == ([], None)
        text, refused = await seat.say("!heist 20")
        assert (refused, "say something there first" in text) == (True, True)
        await seat.wire.send_json({"type": "room", "room": site.twitch_room})
        await seat.until(lambda each: len([frame for frame in each.frames if '"hello"' in frame]) == 2)
        assert seat.hello["room"] is None


async def test_a_seat_that_is_ended_by_a_word_is_told_so_and_says_nothing_more(site: Site) -> None:
    browser = await seated(site, "bob")
    async with opened_seat(browser) as bob:
        await typed(site, "bob", "!seat end")
        await bob.until(lambda seat: seat.ended)
    assert await owner(browser) is None
    with pytest.raises(aiohttp.WSServerHandshakeError):
        async with opened_seat(browser):
            pass


async def test_no_page_of_another_server_opens_a_seat(site: Site) -> None:
    browser = await seated(site, "bob")
    browser.origin = "https://evil.example"
    with pytest.raises(aiohttp.WSServerHandshakeError):
        async with opened_seat(browser):
            pass


# Duels


async def test_a_duel_is_dealt_when_both_seats_are_open_and_each_sees_its_own_hand(site: Site) -> None:
    await site.both.chat("cleo", "hello")
    async with opened_seat(await seated(site, "bob")) as bob:
        await site.both.chat("bob", "!sixcard @cleo 50")
        told = " ".join(await site.both.chat("cleo", "!sixcard accept"))
        assert "dealt once Cleo has an open seat, within 120 seconds" in told
        async with opened_seat(await seated(site, "cleo")) as cleo:
            for each in (bob, cleo):
                await each.until(lambda seat: seat.own["hands"] and "!set auto" in seat.lines)
            table = table_of(bob)
            hands = [
                each["cards"] for seat in (bob, cleo) for each in seat.own["hands"][table] if each["cards"]
            ]
            assert [len(each) for each in hands] == [6, 6]
            assert not any(hand["cards"] for hand in bob.tables[table]["hands"])
            await bob.move("!set auto")
            await bob.until(lambda seat: seat.answers)
            await cleo.move("!set auto")
            await site.both.discord.turn(3)
            await cleo.until(lambda seat: table in seat.own["results"])
            await bob.until(lambda seat: table in seat.own["results"])
            assert bob.own["results"][table] + cleo.own["results"][table] == 0
    public = " ".join(site.both.fake.sent("ada"))
    assert not re.search(r"Your cards|You have set", public)


async def test_the_stakes_of_a_duel_return_when_a_seat_is_not_open_in_time(site: Site) -> None:
    room = site.bot.rooms[site.twitch_room]
    await site.both.chat("cleo", "hello")
    async with opened_seat(await seated(site, "bob")):
        await site.both.chat("bob", "!sixcard @cleo 50")
        await site.both.chat("cleo", "!sixcard accept")
        assert await site.bot.balances.purse(room, site.both.twitch.seat("cleo")) == 190
        said = len(site.both.fake.sent("ada"))
        await site.both.discord.turn(SEAT_SECONDS + 1)
        await site.both.discord.turn(5)
        told = " ".join(site.both.fake.sent("ada")[said:])
    assert "No seat of Cleo was open in time: the duel of Bob and Cleo is off, and stakes go back." in told
    for user in ("bob", "cleo"):
        assert await site.bot.balances.purse(room, site.both.twitch.seat(user)) == 240


async def test_without_a_public_address_there_are_no_duels_and_no_line_about_hands(site: Site) -> None:
    site.bot.parts.open_seats.address = ""
    await site.both.chat("cleo", "hello")
    told = " ".join(await site.both.chat("bob", "!sixcard @cleo 50"))
    assert "A duel needs a place where I can tell each of you your cards in secret" in told
    assert "Your hand" not in " ".join(await site.both.chat("bob", "!heist 50"))


async def test_a_table_says_once_where_hands_are_and_one_without_secrets_does_not(site: Site) -> None:
    told = await site.both.chat("bob", "!heist 50")
    assert " ".join(told).count("Your hand, for your eyes alone: https://games.example/seat") == 1
    assert "Your hand" not in " ".join(await site.both.chat("cleo", "!heist 50"))
    assert "Your hand" not in " ".join(await site.both.chat("cleo", "!highshow"))
