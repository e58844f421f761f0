"""What owners hold, on the local page: a row for each, backs for what nobody sees, and how hands ended."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.board import Board, Card, Hand, Place
from chatbot.kernel.game import Seat
from chatbot.kernel.say import Message, Quote
from chatbot.ledger.people import Account
from chatbot.tables.events.writing import Writing
from chatbot.web import showing
from tests.web.chromium import CHROMIUM
from tests.web.test_page import Person, browser, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.conftest import Site

__all__ = ["browser"]

MINA, BOB = Seat("local:mina"), Seat("local:bob")


def word(text: str) -> Message:
    return Message("word", {"word": Quote(text)})


def hand(label: str, faces: str, owner: Seat, mark: str = "plain", detail: str = "", hidden: int = 0) -> Hand:
    cards = tuple(Card(each) for each in faces.split())
    return Hand(word(label), cards, hidden, owner, mark, word(detail) if detail else None)


BOARD = Board(
    word("Cards"),
    hands=(
        hand("High", "4 4 1", MINA, "won", "sum 9"),
        hand("Middle", "3 2", MINA, "lost", "no pair"),
        hand("Low", "A♥", MINA, "drawn"),
        hand("High", "", BOB, hidden=3),
        hand("Middle", "", BOB, hidden=2),
        hand("Low", "", BOB, hidden=12),
    ),
)


async def test_a_hand_is_told_with_its_owner_its_end_and_its_worth(site: Site) -> None:
    site.chat.bot.members.meet(MINA, "Mina")
    await site.chat.bot.people.meet([Account("local", "bob")])
    told = [showing.hand_row(site.chat.bot.outbox, each, site.chat.room) for each in BOARD.hands]
    assert [each["owner"] for each in told] == ["Mina"] * 3 + ["bob"] * 3
    assert [each["mark"] for each in told[:3]] == ["won", "lost", "drawn"]
    assert [each["detail"] for each in told[:3]] == ["sum 9", "no pair", ""]
    assert [each["hidden"] for each in told[3:]] == [3, 2, 12]


async def test_a_hand_in_words_names_its_owner_and_its_worth_if_it_has_any(site: Site) -> None:
    site.chat.bot.members.meet(MINA, "Mina")
    writer = Writing(site.chat.bot.outbox, site.chat.room)
    assert [writer._hand(each) for each in BOARD.hands[:3]] == [
        "Mina, High: 4 4 1 (sum 9)",
        "Mina, Middle: 3 2 (no pair)",
        "Mina, Low: A♥",
    ]
    assert writer._hand(Hand(word("Left"), hidden=2)) == "Left: ? ?"


async def lay(site: Site, person: Person, patch: pytest.MonkeyPatch) -> None:
    """Open a table and let other cards lie there."""
    await person.say("!highshow")
    await person.reads("plays High Show")
    (table,) = site.chat.room.tables.values()
    patch.setattr(table, "kit", replace(table.kit, display=replace(table.kit.display, board=lambda _: BOARD)))
    await person.say("!another")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_hands_lie_in_a_row_with_their_owner_as_a_screen_reader_finds_them(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await visit(browser, site)
    await person.enter("mina")
    await lay(site, person, monkeypatch)
    table = person.page.get_by_test_id("table")
    own = table.get_by_role("region", name="mina")
    await expect(own.get_by_role("list", name="High").get_by_role("listitem")).to_have_text(["4", "4", "1"])
    ends = [own.get_by_role("img", name=each) for each in ("won", "lost", "drawn")]
    for each in ends:
        await expect(each).to_have_count(1)
    await expect(own).to_contain_text("no pair")
    other = table.get_by_role("region", name="bob")
    await expect(other.get_by_role("list", name="High").get_by_role("listitem")).to_have_text(
        ["face down"] * 3
    )
    await expect(other.get_by_role("list", name="Low").get_by_role("listitem")).to_have_count(1)
    await expect(other.get_by_role("list", name="Low")).to_contain_text("12")
    await person.page.set_viewport_size({"width": 360, "height": 740})
    assert await person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await table.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_the_hands_of_who_speaks_come_first(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await visit(browser, site)
    page = person.page
    await person.enter("mina")
    await page.get_by_test_id("add-viewer").click()
    await person.enter("bob")
    await lay(site, person, monkeypatch)
    first = page.get_by_test_id("owned").first
    await expect(first).to_have_accessible_name("bob")
    await expect(page.locator(".tally")).to_have_js_property("hidden", True)  # it has no items yet
    await page.get_by_test_id("viewer").filter(has_text="mina").click()
    await expect(first).to_have_accessible_name("mina")
    assert person.complaints == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_a_place_tells_how_it_ended_by_its_sign_and_not_by_its_colour_alone(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = {MINA: "drawn", BOB: "won"}
    board = replace(BOARD, places=tuple(Place(seat, word("1 point"), mark) for seat, mark in marks.items()))
    monkeypatch.setattr("tests.web.test_hands.BOARD", board)
    person = await visit(browser, site)
    await person.enter("mina")
    await lay(site, person, monkeypatch)
    table = person.page.get_by_test_id("table")
    for name, sign in (("mina", "Drawn"), ("bob", "Won")):
        place = table.get_by_test_id("place").filter(has_text=name)
        await expect(place.get_by_role("img", name=sign)).to_be_visible()
    await expect(table.locator(".tally")).to_have_text(re.compile("Won1.*Drawn1"))
