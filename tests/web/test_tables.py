"""Tables as the page is told of them: cards, whose buttons are whose, and what a form may ask."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.bot.bot import Bot
from chatbot.bot.room_control import DOUBTED
from chatbot.games import kits
from chatbot.ledger.books.unit import UnitOfWork
from chatbot.ledger.store.store import Store
from chatbot.rooms.batch import carry_out
from chatbot.rooms.table_protocol import Cause
from chatbot.runtime.clock import HandWatch
from chatbot.speech.words import Words
from chatbot.tables.fairness import Sources
from chatbot.web import showing
from chatbot.web.showing import MOST_CARDS
from cogs.local.adapter import LocalChat
from tests.ledger.samples import readable
from tests.web.chromium import CHROMIUM
from tests.web.conftest import Page
from tests.web.test_page import browser
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from aiohttp import ClientSession
    from playwright.async_api import Browser

    from tests.web.conftest import Site

__all__ = ["browser"]


async def show(page: Page, seats: int) -> dict[str, Any]:
    """Read on until so many tables stand."""
    return await page.until(lambda m: m["type"] == "tables" and len(m["tables"]) == seats)


def hands(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["label"]: each for each in table["hands"]}


async def test_a_table_is_not_called_finished_while_no_game_is_played(site: Site) -> None:
    bot, room = site.chat.bot, site.chat.room
    await site.chat.say(viewer_of("ann", "viewer"), "!heist 20", private=False)
    await bot.control.stop([room], DOUBTED)
    (table,) = showing.tables(bot, room)
    assert (table["phase"], table["over"], table["left"]) == ("Lobby", False, None)


async def test_a_game_played_apart_is_told_with_its_player_and_its_cards(page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!highshow 5 2 none")
    shown = await show(page, 1)
    table = shown["tables"][0]
    assert table["apart"]
    assert [each["seat"] for each in table["places"]] == [ann]
    assert [each["mark"] for each in hands(table)["Shown"]["cards"]] == ["shown"]
    left = {"label": "Left", "cards": [], "count": 4, "more": 0, "hidden": 4}
    nobodys = {"owner": None, "seat": None, "mark": "plain", "detail": ""}
    assert hands(table)["Left"] == left | nobodys
    buttons = shown["own"][ann]["buttons"]
    assert [each["line"] for each in buttons] == ["!cashout", "!another", "!hint"]
    assert {each["table"] for each in buttons} == {table["id"]}


async def test_what_a_button_says_acts_at_its_own_table_alone(
    site: Site, page: Page, client: ClientSession
) -> None:
    ann = await page.enter("ann")
    bob = await page.enter("bob")
    await page.say(ann, "!highshow 5 2 none")
    await page.hear("ann plays High Show")
    await page.say(bob, "!highshow 5 2 none")
    await page.hear("bob plays High Show")
    first, second = (site.chat.room.tables[f"highshow {each}"] for each in (ann, bob))
    await page.tell(type="say", seat=bob, text="!cashout", table=first.id)
    await page.hear("ann plays this one")
    assert first.turn == second.turn
    await page.tell(type="say", seat=bob, text="!cashout", table="0123456789")
    await page.hear("over")
    assert first.turn == second.turn
    await page.tell(type="say", seat=bob, text="!cashout", table=second.id)
    await page.hear("bob keeps")
    assert second.turn == first.turn + 1


async def test_a_word_of_one_game_cannot_be_brought_to_a_table_of_another(site: Site, page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!heist 69")
    await page.hear("ann is planning")
    heist = site.chat.room.tables["heist"]
    before = heist.state
    await page.tell(type="say", seat=ann, text="!cashout", table=heist.id)
    await page.hear("It is over already.")
    assert heist.state is before
    assert not heist.over, "it was not called off for what its rules do not know"


async def test_a_table_that_was_called_off_says_so_and_asks_for_nothing(site: Site, page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!heist 69")
    shown = await show(page, 1)
    assert shown["tables"][0]["note"]
    await site.chat.room.tables["heist"].void()
    shown = await page.until(lambda m: m["type"] == "tables" and m["tables"][0]["over"])
    table = shown["tables"][0]
    assert (table["phase"], table["note"]) == ("Called off", None)


async def test_notes_are_for_whoever_plays_at_the_table(page: Page) -> None:
    ann, bob = await page.enter("ann"), await page.enter("bob")
    await page.say(ann, "!highshow 5 2 none")
    shown = await page.until(
        lambda m: m["type"] == "tables" and bool(m["tables"]) and set(m["own"]) == {ann, bob}
    )
    (table,) = shown["tables"]
    assert list(shown["own"][ann]["notes"]) == [table["id"]]
    assert shown["own"][bob] == {**shown["own"][bob], "buttons": [], "notes": {}}


async def test_nobody_hurries_a_game_that_somebody_else_plays_alone(
    site: Site, page: Page, client: ClientSession
) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!highshow 5 2 none")
    await page.hear("ann plays High Show")
    table = site.chat.room.tables[f"highshow {ann}"]
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        await other.enter("bob")
        await other.tell(type="hurry", table=table.id)
        refused = await other.until(lambda m: m["type"] == "refused")
        assert refused["text"] == "Only the one who plays at that table can hurry it."
    await page.tell(type="hurry", table=table.id)
    await page.hear("Time is up: ann keeps")


async def test_forms_are_told_what_every_command_of_a_game_takes(page: Page) -> None:
    hello = await page.until(lambda m: m["type"] == "hello")
    commands = {each["word"]: each for each in hello["commands"]}
    highshow = {each["name"]: each for each in commands["highshow"]["options"]}
    assert list(highshow) == ["cards", "keep", "penalty", "parameter", "stake"]
    assert all(each["key"] == f"{name}=" and each["label"] for name, each in highshow.items())
    assert highshow["penalty"]["choices"] == ["none", "linear", "turn", "value", "turnvalue"]
    assert commands["highshow"]["opens"]
    assert [each["required"] for each in commands["guess"]["options"]] == [True, False]
    assert not commands["guess"]["opens"]
    assert commands["credits"]["options"] == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_what_others_play_alone_is_shown_in_full_only_while_there_is_nothing_else_to_watch(
    browser: Browser, site: Site
) -> None:
    page = await browser.new_page()
    await page.goto(site.address)
    asides = """async (past) => {
        const { arranged } = await import("/static/seating.js");
        const played = { apart: true, over: true, places: [{ seat: "bob" }] };
        const apart = ["first", "second"].map((id) => ({ id, ...played }));
        return arranged(apart, "ann", [], (id) => past.includes(id)).map(({ aside }) => aside);
    }"""
    assert await page.evaluate(asides, []) == [False, True]
    assert await page.evaluate(asides, ["first", "second"]) == [True, True]
    await page.close()


async def test_of_a_thousand_cards_only_the_latest_are_sent_and_the_others_counted(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{(tmp_path / 'rabble.db').as_posix()}")
    chat = LocalChat(Bot(kits(), store, Words("en"), HandWatch(), Sources(seat=readable)), "run")
    await chat.bot.open(chat.room)
    ann = viewer_of("ann", "viewer")
    await chat.say(ann, "!highshow 1000 1 none", private=False)
    (table,) = chat.room.tables.values()
    seen = []
    for number in range(MOST_CARDS + 6):
        seen.append(str(table.view(None).progress.shown))
        rejects = table.menu(ann.seat, 0)[1]
        cause = Cause(f"line {number}", ann.seat, f"line {number}")
        await carry_out(chat.bot.ledger, partial(table.play, actions=[rejects], cause=cause))
    (told,) = showing.tables(chat.bot, chat.room)
    await store.close()
    rejected = hands(told)["Rejected"]
    assert [each["face"] for each in rejected["cards"]] == seen[6:]
    assert (rejected["count"], rejected["more"]) == (MOST_CARDS + 6, 6)
    assert hands(told)["Left"]["count"] == 1000 - (MOST_CARDS + 6) - 1  # one is shown


async def test_what_is_not_written_yet_is_shown_to_nobody(
    site: Site, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, room, bob = site.chat.bot, site.chat.room, viewer_of("bob", "viewer")
    ann = await page.enter("ann")
    await page.say(ann, "!heist 20")
    await page.until(lambda told: told["type"] == "tables" and bool(told["tables"]))
    await site.chat.enter(bob)
    commit, reached, allowed = UnitOfWork.commit, asyncio.Event(), asyncio.Event()

    async def later(unit: UnitOfWork) -> None:
        reached.set()
        await allowed.wait()
        await commit(unit)

    monkeypatch.setattr(UnitOfWork, "commit", later)
    joining = asyncio.ensure_future(site.chat.say(bob, "!heist 20", private=False))
    await reached.wait()
    (table,) = room.tables.values()
    assert bob.seat in table.seated, "decided in memory"
    showing_it = asyncio.ensure_future(showing.own(bot, room, [bob]))
    await asyncio.sleep(0.1)
    assert not showing_it.done()
    allowed.set()
    await joining
    await showing_it
    assert await bot.balances.purse(room, bob.seat) == 220
