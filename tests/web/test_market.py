"""Poker Market on the page: what it is told, whole games by clicking cards or by keys, and with the crowd."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from chatbot.kernel.fair import Rng
from chatbot.kernel.game import Seat
from chatbot.web.crowd import Crowd
from tests.web.chromium import CHROMIUM
from tests.web.test_crowd import chat, turn
from tests.web.test_page import Person, browser, visit
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

    from chatbot.games.pokermarket.rules.states import View
    from chatbot.rooms.table_protocol import Table
    from cogs.local.adapter import LocalChat
    from tests.web.conftest import Page, Site

__all__ = ["browser", "chat"]

START, STAKE = 240, 50
BOSS = viewer_of("boss", "broadcaster")


def table(chat: LocalChat) -> Table:
    return chat.room.tables["pokermarket"]


def view(chat: LocalChat) -> View:
    seen: View = table(chat).view(None)
    return seen


def hand(chat: LocalChat, name: str) -> tuple[str, ...]:
    return view(chat).hands[Seat(f"local:{name}")]


async def dealt(chat: LocalChat, *names: str, order: str = "!market 1 50") -> None:
    """Let these people play, with players of the house as the room has it."""
    for number, name in enumerate(names):
        await chat.say(viewer_of(name, "viewer"), order if not number else "!market", private=False)
    if table(chat).clock.phase == "lobby":  # type: ignore[union-attr]
        await chat.bot.hurry(chat.room, table(chat).id)
    assert view(chat).phase == "turn"


async def until_turn(chat: LocalChat, seat: str) -> None:
    """Let all others pass, decline and do what the house does, until somebody has to propose."""
    for _ in range(100):
        acting, asked = view(chat).acting, view(chat).proposed is not None
        if acting == seat and not asked:
            return
        assert acting is not None
        if acting.startswith("house:"):
            await chat.bot.hurry(chat.room, table(chat).id)
        else:
            name = acting.partition(":")[2]
            await chat.say(viewer_of(name, "viewer"), "!decline" if asked else "!pass", private=False)
    raise AssertionError("the turn never came")


# What the page is told


async def test_whose_turn_it_is_is_told_which_cards_can_go_for_which(site: Site, page: Page) -> None:
    seats = [await page.enter("ann"), await page.enter("bob")]
    await dealt(site.chat, "ann", "bob")
    await until_turn(site.chat, "local:ann")
    told = await page.until(lambda m: m["type"] == "tables" and bool(m["own"]["local:ann"]["steps"]))
    (steps,) = told["own"]["local:ann"]["steps"]
    own, theirs = hand(site.chat, "ann"), hand(site.chat, "bob")
    assert steps["line"] == "!swap"
    assert steps["table"] == told["tables"][0]["id"]
    assert not steps["secret"]
    assert steps["paths"] == [[give, take] for give in own for take in theirs]
    assert {each for each, label in steps["labels"].items() if label.endswith("bob")} == set(theirs)
    assert [each["line"] for each in told["own"]["local:ann"]["buttons"]] == ["!pass"]
    assert told["own"]["local:bob"]["steps"] == []
    words = {card["word"] for lying in told["tables"][0]["hands"] for card in lying["cards"]}
    assert words == {*own, *theirs}
    text = f"{steps['line']} {own[0]} {theirs[0]}"
    await page.tell(type="say", seat=seats[0], text=text, table=steps["table"])
    await page.hear("ann offers bob ")
    told = await page.until(lambda m: m["type"] == "tables" and bool(m["own"]["local:bob"]["buttons"]))
    lying = [card for row in told["tables"][0]["hands"] for card in row["cards"]]
    assert {card["word"]: card["told"] for card in lying if card["told"]} == dict.fromkeys(
        (own[0], theirs[0]), "up for a swap"
    )
    cards = f"{own[0]} {theirs[0]}"  # a button that comes too late must not answer the next offer
    assert [each["line"] for each in told["own"]["local:bob"]["buttons"]] == [
        f"!accept {cards}",
        f"!decline {cards}",
    ]
    assert told["own"]["local:ann"]["steps"] == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("!swap {theirs} {own}", "You do not hold "),
        ("!swap {own} {own}", " yourself; ask for a card of somebody else."),
        ("!swap {own} 1X", "“1X” is no card"),
        ("!accept", "Nothing has been proposed that could be answered."),
    ],
)
async def test_what_cannot_be_done_is_one_sentence(chat: LocalChat, text: str, reason: str) -> None:
    await dealt(chat, "ann", "bob")
    await until_turn(chat, "local:ann")
    await turn(chat, 5)
    before = table(chat).state
    heard = Heard()
    chat.pages.add(heard)
    line = text.format(own=hand(chat, "ann")[0], theirs=hand(chat, "bob")[0])
    await chat.say(viewer_of("ann", "viewer"), line, private=False)
    await turn(chat, 2)
    (said,) = [each["text"] for each in heard.lines if each["kind"] == "bot"]
    assert reason in said
    assert said.count(". ") == 0
    assert table(chat).state is before


class Heard:
    """A page that writes down what it is told."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def holds(self, seat: Seat) -> bool:
        return True

    def tell(self, message: dict[str, Any]) -> None:
        if message["type"] == "line":
            self.lines.append(message)

    def stale(self) -> None:
        return


# The crowd, and the house


async def test_five_people_of_the_crowd_play_to_the_end(chat: LocalChat) -> None:
    await chat.say(BOSS, "!set pokermarket lobby 30", private=True)
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(5)
    for each in crowd.viewers:
        await chat.say(each, "!market 1 50", private=False)
    await turn(chat, 31)
    seats = view(chat).players
    assert sorted(seats) == sorted(each.seat for each in crowd.viewers)
    while not table(chat).over:
        await turn(chat, 2)
    ranked = view(chat).ranked
    assert ranked is not None
    assert sum(each.credits for each in ranked.places) == 5 * STAKE
    paid = {each.seat: each.credits for each in ranked.places}
    for each in crowd.viewers:
        assert await chat.bot.balances.purse(chat.room, each.seat) == START - STAKE + paid[each.seat]
    assert any(each["text"].startswith("!swap ") for each in chat.history), "the crowd proposes swaps"


async def test_players_of_the_house_never_hold_a_turn_up(chat: LocalChat) -> None:
    await chat.say(BOSS, "!set pokermarket stakes off", private=True)
    await chat.say(BOSS, "!set pokermarket house_fills 6", private=True)
    await chat.say(
        BOSS, "!set pokermarket house_strategies greedy/search/broker/passive/random", private=True
    )
    await dealt(chat, "ann", order="!market 2")
    while not table(chat).over:
        for word in ("!pass", "!accept") if view(chat).acting == "local:ann" else ():
            await chat.say(viewer_of("ann", "viewer"), word, private=False)
        await turn(chat, 1)
    assert not any("in time" in each["text"] for each in chat.history)


# In a browser


def shown(person: Person) -> Locator:
    return person.page.locator("[data-testid=table][data-game=pokermarket]")


def pick(person: Person, card: str) -> Locator:
    return shown(person).locator(f"[data-testid=pick][data-word='{card}']")


async def laid(person: Person, site: Site, *others: str) -> None:
    """Let ann, who is at the browser, be on turn."""
    await person.enter("ann")
    await dealt(site.chat, "ann", *others, order="!market 3 50")
    await until_turn(site.chat, "local:ann")
    await expect(pick(person, hand(site.chat, "ann")[0])).to_be_visible()


async def acts(site: Site, seat: str) -> None:
    """Wait until somebody has to do something."""
    async with asyncio.timeout(10):
        while view(site.chat).acting != seat:  # noqa: ASYNC110  (what happens sets no event)
            await asyncio.sleep(0.01)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
@pytest.mark.parametrize("width", [1280, 390])
async def test_a_swap_is_proposed_by_clicking_two_cards_and_answered_by_a_button(
    browser: Browser, site: Site, width: int
) -> None:
    await site.chat.say(BOSS, "!set pokermarket house_fills 10", private=True)
    person = await visit(browser, site, {"width": width, "height": 800})
    await laid(person, site, "bob", "kim")
    own, theirs = hand(site.chat, "ann")[4], hand(site.chat, "bob")[0]
    propose = shown(person).get_by_test_id("propose")
    await expect(propose).to_be_hidden()
    await pick(person, theirs).click()
    await expect(pick(person, theirs)).to_have_attribute("aria-pressed", "true")
    await pick(person, own).click()
    await expect(propose).to_have_text(re.compile("^Propose: .+ → .+ bob$"))
    await expect(propose).to_be_in_viewport()
    assert await person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await propose.click()
    await person.reads("ann offers bob ")
    await expect(shown(person).get_by_test_id("pick")).to_have_count(0)
    await acts(site, "local:bob")
    await site.chat.say(viewer_of("bob", "viewer"), "!accept", private=False)
    await person.reads("bob accepts ")
    assert theirs in hand(site.chat, "ann")
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_a_swap_is_proposed_with_the_keyboard_alone_and_escape_takes_it_back(
    browser: Browser, site: Site
) -> None:
    person = await visit(browser, site)
    await laid(person, site, "bob")
    own, theirs = hand(site.chat, "ann"), hand(site.chat, "bob")
    keys, propose = person.page.keyboard, shown(person).get_by_test_id("propose")
    await pick(person, own[0]).focus()
    await keys.press("ArrowRight")
    await expect(pick(person, own[1])).to_be_focused()
    await keys.press("Enter")
    await expect(pick(person, own[1])).to_have_attribute("aria-pressed", "true")
    await keys.press("Tab")
    await expect(pick(person, theirs[0])).to_be_focused()
    await keys.press("Space")
    await expect(propose).to_be_focused()
    await keys.press("Escape")
    await expect(propose).to_be_hidden()
    await expect(shown(person).locator("[aria-pressed=true][data-testid=pick]")).to_have_count(0)
    await expect(pick(person, theirs[0])).to_be_focused()
    await keys.press("Enter")
    await pick(person, own[2]).focus()
    await keys.press("Enter")
    await keys.press("Enter")
    await person.reads("ann offers bob ")
    swap = view(site.chat).offer(view(site.chat).proposed)  # type: ignore[arg-type]
    assert (swap.give, swap.take) == (own[2], theirs[0])
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_an_offer_is_answered_and_a_turn_passed_by_buttons(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await laid(person, site, "bob")
    await shown(person).get_by_test_id("table-button").filter(has_text="Pass").click()
    await person.reads("ann passes")
    for answer in ("Decline", "Accept"):
        if view(site.chat).acting == "local:ann":
            await shown(person).get_by_test_id("table-button").filter(has_text="Pass").click()
        await acts(site, "local:bob")
        bob, give, take = viewer_of("bob", "viewer"), hand(site.chat, "bob")[0], hand(site.chat, "ann")[0]
        await site.chat.say(bob, f"!swap {give} {take}", private=False)
        await shown(person).get_by_test_id("table-button").filter(has_text=answer).click()
        await person.reads(f"ann {answer.lower()}s ")
    assert person.complaints == []
