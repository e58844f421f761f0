"""A Twitch chat and a Discord channel are one room, by both real libraries over real sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.audit.checks import breaches
from tests.adapters.both import Both
from tests.adapters.discord.seats import seat_of
from tests.adapters.twitch.stage import serve as serve_twitch
from tests.checked import store
from tests.fakes.discord_server import DiscordServer
from tests.fakes.twitch_server import Twitch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chatbot.ledger.store.store import Store

__all__ = ["store"]

START = 240  # credits of a new member


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    server = DiscordServer()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def fake(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Twitch]:
    fake = await serve_twitch(monkeypatch, Twitch())
    yield fake
    await fake.stop()


@pytest.fixture
async def both(server: DiscordServer, store: Store, tmp_path: Path, fake: Twitch) -> AsyncIterator[Both]:
    both = await Both(server, store, tmp_path, fake, "a").open()
    yield both
    await both.close()


async def test_a_heist_that_twitch_opens_is_joined_from_discord_and_told_in_both(both: Both) -> None:
    await both.bridge()
    ann, eve = both.discord.world.join("ann"), both.discord.world.join("eve")
    assert "planning a bank heist" in " ".join(await both.chat("bob", "!heist 100"))
    await both.discord.board("Bob")
    await both.discord.people.slash(ann, both.discord.town, "heist", stake="69")
    await both.discord.told(ann, "You are in with 69")
    await both.discord.people.say(eve, both.discord.town, "!heist 20")
    await both.discord.until(lambda: both.discord.sits(eve))
    said = len(both.fake.sent("ada"))
    await both.play_out()
    await both.discord.shown("Results:")
    await both.discord.turn(3)
    await both.discord.board("Finished")
    assert "Results:" in " ".join(both.fake.sent("ada")[said:])
    outcomes = {each.seat: each for each in both.table.view(None).outcomes}
    seats = {both.twitch.seat("bob"), seat_of(ann.id), seat_of(eve.id)}
    assert seats <= set(outcomes)
    for seat in seats:
        mine = outcomes[seat]
        assert await both.credits(seat) == START + mine.received - mine.cost + min(
            mine.cost * 5 // 100, 12
        )  # the wage
    assert await breaches(both.store) == []


async def test_an_answer_stays_in_the_chat_that_asked(both: Both) -> None:
    await both.bridge()
    ann = both.discord.world.join("ann")
    assert f"Bob has {START} credits." in await both.chat("bob", "!credits")
    assert "Bob has" not in str(both.discord.world.shown(both.discord.town))
    said = len(both.fake.sent("ada"))
    await both.discord.people.say(ann, both.discord.town, "!credits")
    await both.discord.shown(f"ann has {START} credits")
    await both.discord.turn(3)
    assert both.fake.sent("ada")[said:] == []


async def test_a_member_proves_both_accounts_theirs_and_plays_with_one_purse(both: Both) -> None:
    await both.bridge()
    ann = both.discord.world.join("ann")
    code = await both.code(ann, "link")
    (offer,) = await both.chat("anna", f"!link {code}")
    assert "This joins your wallet with that of ann on Discord." in offer
    (done,) = await both.chat("anna", "!link yes")
    assert "You now play with the wallet of ann on Discord." in done
    assert await both.credits(both.twitch.seat("anna")) == await both.credits(seat_of(ann.id)) == START
    await both.chat("anna", "!heist 100")
    assert await both.credits(seat_of(ann.id)) == START - 100


@pytest.mark.parametrize(
    "text", ["!bridge", "!bridge AAAAAAAAAA", "!bridge a b", "!link", "!link AAAAAAAAAA", "!link a b"]
)
async def test_nonsense_on_twitch_gets_one_sentence_and_joins_nothing(both: Both, text: str) -> None:
    assert len(await both.chat("ada", text, "broadcaster")) == 1
    assert len(both.bot.rooms.at(both.twitch.chat("ada").channel.id).channels) == 1


@pytest.mark.parametrize("discord_first", [True, False])
async def test_a_room_on_both_platforms_goes_on_after_a_restart(
    server: DiscordServer, store: Store, tmp_path: Path, fake: Twitch, *, discord_first: bool
) -> None:
    first = await Both(server, store, tmp_path, fake, "a").open()
    await first.bridge()
    await first.chat("bob", "!heist 100")
    await first.close()
    second = await Both(server, store, tmp_path, fake, "b").open(discord_first=discord_first)
    try:
        await second.discord.until(lambda: len(second.discord.room.channels) == 2)
        ann = second.discord.world.join("ann")
        await second.discord.people.say(ann, second.discord.town, "!heist 69")
        await second.discord.until(lambda: second.discord.sits(ann))
        assert {second.twitch.seat("bob"), seat_of(ann.id)} <= second.table.seated
        assert await second.credits(second.twitch.seat("bob")) == START - 100
    finally:
        await second.close()
