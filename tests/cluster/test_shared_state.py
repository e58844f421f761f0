"""What one process makes, another one takes: codes, links, rooms that are joined, and the way to the page."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from chatbot.cluster import shared_changes
from chatbot.community.linking import LENGTH
from chatbot.community.seat_codes import CodeTyper
from chatbot.kernel.game import Role
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Entry, Posting
from chatbot.ledger.people import Account
from chatbot.rooms.channel import Manner, Privacy
from chatbot.web.board_showing import BoardShowing
from chatbot.web.league import League
from tests.cluster.processes import Process, eventually, home_of, processes

if TYPE_CHECKING:
    from chatbot.ledger.web_sessions import Login

pytestmark = pytest.mark.postgres

DISCORD, TWITCH = "discord", "twitch"
PRIVATE = Manner(private=Privacy.ALL)
TOGETHER = "This room is now on Discord and Twitch"


async def say(
    process: Process, room: str, who: str, text: str, platform: str, role: Role = Role.VIEWER
) -> list[str]:
    line = process.line(room, who, text, platform=platform, role=role)
    return [each.text for each in (await process.bot.hear(line)).deliveries]


def code_in(answers: list[str], word: str) -> str:
    (code,) = re.findall(rf"!{word} ([A-Z0-9]{{{LENGTH}}})", answers[0])
    return str(code)


async def test_a_code_of_one_process_links_in_a_room_of_another_at_once(
    own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_changes, "REFRESH", 600.0)  # as it is announced, nobody needs to look
    async with processes(own_url, 2) as (first, second):
        town, channel = home_of(first), home_of(second)
        await first.open(town, DISCORD, PRIVATE)
        await second.open(channel, TWITCH)
        code = code_in(await say(first, town, "ann", "!link", DISCORD), "link")
        (offer,) = await say(second, channel, "anna", f"!link {code}", TWITCH)
        assert "with that of ann on Discord" in offer
        assert "wrong" in (await say(first, town, "bob", f"!link {code}", DISCORD))[0]
        (told,) = await say(second, channel, "anna", "!link yes", TWITCH)
        assert "wallet of ann on Discord" in told
        seat = first.bot.people.home(Account(DISCORD, "ann"))
        await eventually(lambda: bool(first.bot.people.companions(seat)))
        assert first.bot.people.ties.seats(seat)


async def test_an_offer_is_confirmed_in_a_room_of_another_process(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        town, channel, other = home_of(first), home_of(second), home_of(first, 1)
        await first.open(town, DISCORD, PRIVATE)
        await second.open(channel, TWITCH)
        await first.open(other, TWITCH)
        code = code_in(await say(first, town, "ann", "!link", DISCORD), "link")
        await say(second, channel, "anna", f"!link {code}", TWITCH)
        (told,) = await say(first, other, "anna", "!link yes", TWITCH)
        assert "wallet of ann on Discord" in told


async def test_wrong_codes_count_in_the_rooms_of_all_processes(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        rooms = [(first, home_of(first)), (second, home_of(second))]
        for process, room in rooms:
            await process.open(room, TWITCH)
        tried = [
            (await say(*rooms[number % 2], "mallory", f"!link WRONG{number}", TWITCH))[0]
            for number in range(6)
        ]
        assert ["This code is wrong" in each for each in tried] == [True] * 5 + [False]
        assert "minutes" in tried[5]


async def test_a_browser_of_one_process_is_the_seat_of_who_types_its_code_at_another(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        code = await first.bot.parts.seat_codes.make("browser")
        bob = CodeTyper(Account(TWITCH, "bob"), "Bob", "twitch:1")
        await second.bot.parts.seat_codes.type(code, bob, "line")
        assert await first.bot.parts.seat_codes.take("browser") == bob
        assert await second.bot.parts.seat_codes.take("browser") is None


async def test_rooms_of_two_processes_are_joined_and_parted(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        town, channel = home_of(first), home_of(second)
        await first.open(town, DISCORD, PRIVATE)
        await second.open(channel, TWITCH)
        assert await say(second, channel, "bob", "!credits", TWITCH) == ["bob has 240 credits."]
        code = code_in(await say(first, town, "owner", "!bridge", DISCORD, Role.BROADCASTER), "bridge")
        await say(second, channel, "owner", f"!bridge {code}", TWITCH, Role.BROADCASTER)
        await eventually(lambda: {each.id for each in first.bot.rooms[town].channels} == {town, channel})
        assert second.bot.rooms.at(channel).id == town
        assert second.bot.rooms.at(channel).elsewhere
        assert await say(second, channel, "bob", "!credits", TWITCH) == ["bob has 240 credits."]
        opening = await say(second, channel, "bob", "!heist 50", TWITCH)
        assert "stakes 50 credits" in opening[0]
        assert len(first.bot.rooms[town].tables) == 1
        notebooks = [each.notebook for each in (first, second)]

        def told() -> list[int]:
            return [sum(TOGETHER in text for text in each.texts) for each in notebooks]

        await eventually(lambda: all(told()))
        assert told() == [1, 1]
        # The community that was united has no owner but that of the one that holds its wallets.
        await eventually(lambda: channel not in second.store.leases.held)

        await say(first, town, "mod", "!cancel heist", DISCORD, Role.BROADCASTER)
        await say(first, town, "mod", "!confirm", DISCORD, Role.BROADCASTER)
        await eventually(
            lambda: not [each for each in first.bot.rooms[town].tables.values() if not each.over]
        )
        await say(first, town, "owner", "!bridge end", DISCORD, Role.BROADCASTER)
        await eventually(lambda: second.bot.rooms.at(channel).id == channel)
        await eventually(lambda: second.runs(channel))
        assert await say(second, channel, "bob", "!credits", TWITCH) == ["bob has 240 credits."]


async def test_a_room_that_is_joined_is_heard_by_a_third_process(own_url: str) -> None:
    """Who hears the guest's channel neither ran its room nor runs that of the host."""
    async with processes(own_url, 3) as (first, second, third):
        town, channel = home_of(first), home_of(second)
        await first.open(town, DISCORD, PRIVATE)
        await third.open(channel, TWITCH)
        assert await say(third, channel, "bob", "!credits", TWITCH) == ["bob has 240 credits."]
        assert second.runs(channel)
        code = code_in(await say(first, town, "owner", "!bridge", DISCORD, Role.BROADCASTER), "bridge")
        await say(third, channel, "owner", f"!bridge {code}", TWITCH, Role.BROADCASTER)
        await eventually(lambda: third.bot.rooms.at(channel).id == town)
        await eventually(lambda: {each.id for each in first.bot.rooms[town].channels} == {town, channel})
        assert "stakes 50 credits" in (await say(third, channel, "bob", "!heist 50", TWITCH))[0]
        assert len(first.bot.rooms[town].tables) == 1


async def test_the_chat_leads_to_where_another_process_listens(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        admitted = list[tuple[Account, str, Role]]()

        async def invite(login: Login) -> str:
            return f"/enter/{login.kind}-{login.account}"

        async def admit(*of: object) -> None:
            admitted.append(of)  # type: ignore[arg-type]

        for each in (first, second):  # links and roles are rows, which any process writes
            each.bot.parts.entrance.invite, each.bot.parts.entrance.admit = invite, admit
        town = home_of(second)
        await second.open(town, DISCORD, PRIVATE)
        (told,) = await say(second, town, "ann", "!desk", DISCORD, Role.MODERATOR)
        assert "/enter/" not in told
        listen(first, "https://games.example")
        await eventually(lambda: bool(second.bot.parts.entrance.address))
        (told,) = await say(second, town, "ann", "!desk", DISCORD, Role.MODERATOR)
        assert "https://games.example/enter/desk-discord:ann" in told
        assert admitted == [(Account(DISCORD, "ann"), town, Role.MODERATOR)]
        third = await Process.start(own_url)  # one that comes later asks
        await eventually(lambda: third.bot.parts.entrance.address == "https://games.example")
        # Who listens leads people to itself, and the others lead them to who is left.
        listen(third, "https://others.example")
        await asyncio.sleep(0.2)
        assert first.bot.parts.entrance.address == "https://games.example"
        await first.cluster.entrance.close()
        await eventually(lambda: second.bot.parts.entrance.address == "https://others.example")
        assert first.bot.parts.entrance.address == "https://others.example"
        await third.die()
        await eventually(lambda: not second.bot.parts.entrance.address)


def listen(process: Process, address: str) -> None:
    """Do as the web server of a process does that listens."""
    entrance = process.bot.parts.entrance
    entrance.address, entrance.is_local = address, False
    entrance.moved()


async def test_a_link_brings_no_more_than_a_community_of_another_process_allows(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        town, channel, other = home_of(first), home_of(second), home_of(first, 1)
        await first.open(town, DISCORD, PRIVATE)
        await first.open(other, TWITCH)
        await second.open(channel, TWITCH)
        # She earns where only the first process has a room, and links where only the second one has.
        await say(first, other, "anna", "!credits", TWITCH)
        anna = first.bot.people.home(Account(TWITCH, "anna"))
        entry = Entry(purses.mint(other), purses.wallet(other, anna), 5000, "test")
        await first.bot.ledger.post(Posting("gift", other, first.watch.date(), anna, (entry,)))
        code = code_in(await say(first, town, "ann", "!link", DISCORD), "link")
        await say(second, channel, "anna", f"!link {code}", TWITCH)
        (told,) = await say(second, channel, "anna", "!link yes", TWITCH)
        assert "Your wallet would bring more along than the 1,000 credits" in told
        assert not second.bot.people.ties.linked(second.bot.people.home(Account(TWITCH, "anna")))


async def test_the_board_of_a_room_that_another_process_runs_is_described(own_url: str) -> None:
    async with processes(own_url, 2) as (first, second):
        room = home_of(second)
        await second.open(room, TWITCH)
        await say(second, room, "mod", "!set room board on", TWITCH, Role.BROADCASTER)
        await say(second, room, "ann", "!credits", TWITCH)
        assert room not in first.bot.rooms
        viewed = await first.bot.control.viewed(room)
        assert viewed is not None
        assert viewed.habits.board
        board = await BoardShowing(first.bot, League(first.bot.outbox, None)).describe(viewed, "a room")
        assert {row["name"] for row in board["tops"][0]["rows"]} == {"ann", "mod"}
        assert board["playing"] == []
        assert room not in first.bot.rooms
        assert await first.bot.control.viewed("no-room") is None
