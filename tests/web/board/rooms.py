"""A room of the fake Twitch that has a board, and what is played there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.web.seat.sockets import opened_seat
from tests.web.seat.test_seat_logins import seated

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.web.desk.site import Site

PICTURES = os.environ.get("BOARD_PICTURES", "")
"""A folder into which tests put pictures of what they see; empty: none are made."""


async def turn_on(site: Site) -> None:
    """Let the broadcaster turn the board of the room on Twitch on."""
    said = await site.both.chat("ada", "!set room board yes", "broadcaster")
    assert "board" in " ".join(said)


async def play_heist(site: Site, *users: str) -> str:
    """Let a heist be played from lobby to end by whoever says nothing in it; return the id of the table."""
    for user in users:
        await site.both.chat(user, "!heist 50")
    table = site.bot.rooms[site.twitch_room].tables["heist"]
    await play_out(site, table)
    return table.id


async def play_out(site: Site, table: Any) -> None:
    """Let the clocks of a table run out until it is over."""
    while not table.over:
        await site.both.discord.turn((table.clock.seconds if table.clock else 0) + 0.1)


async def picture(page: Page, name: str) -> None:
    """Keep a picture, if somebody wants to look at it; nothing hangs over its sides."""
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "it must not be scrolled sideways"
    if PICTURES:
        await page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


async def play_chicken(site: Site, *users: str) -> str:
    """Let a short Chicken Poker be played by whoever says nothing in it; return the id of the table."""
    for user, line in zip(users, ("!chicken 5 20", *["!chicken"] * len(users)), strict=False):
        await site.both.chat(user, line)
    table = site.bot.rooms[site.twitch_room].tables["chickenpoker"]
    await play_out(site, table)
    return table.id


async def play_duel(site: Site) -> str:
    """Let a duel of Six Card Poker be played between two who hold seats; return the id of the table."""
    for user in ("bob", "cleo"):
        await site.both.chat(user, "hello")
    async with opened_seat(await seated(site, "bob")), opened_seat(await seated(site, "cleo")):
        await site.both.chat("bob", "!sixcard @cleo 20")
        await site.both.chat("cleo", "!sixcard accept")
        room = site.bot.rooms[site.twitch_room]
        table = next(each for each in room.tables.values() if each.kit.name == "sixcardpoker")
        await play_out(site, table)
    return table.id
