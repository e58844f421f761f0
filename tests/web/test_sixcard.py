"""Six Card Poker as the page is told of it: alone, in duels of two viewers, and with the crowd."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from chatbot.kernel.fair import Rng
from chatbot.web.crowd import Crowd
from tests.web.conftest import Page
from tests.web.test_crowd import chat, said, turn
from tests.web.viewers import viewer_of, want_proofs

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import ClientSession

    from chatbot.rooms.table_protocol import Table
    from cogs.local.adapter import LocalChat
    from tests.web.conftest import Site

__all__ = ["chat"]

START = 240  # credits of a newcomer


def table(site: Site, seat: str) -> Table:
    return site.chat.room.tables[f"sixcardpoker {seat}"]


def held(site: Site, opener: str, seat: str) -> tuple[int, ...]:
    view = table(site, opener).view(viewer_of(seat.partition(":")[2], "viewer").seat)
    cards: tuple[int, ...] = view.held[view.seat]
    return cards


def setting(site: Site, opener: str, seat: str) -> str:
    """Write a setting that nobody would choose: the lowest cards go High."""
    digits = "".join(map(str, held(site, opener, seat)))
    return f"{digits[:3][::-1]} {digits[3:5][::-1]} {digits[5]}"


async def shown(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the tables once they are what is wanted, as they may be already."""

    def wanted_tables(message: dict[str, Any]) -> bool:
        return message["type"] == "tables" and bool(message["tables"]) and wanted(message)

    if page.tables is not None and wanted_tables(page.tables):
        return page.tables
    return await page.until(wanted_tables)


async def dealt(site: Site, page: Page) -> tuple[str, str, dict[str, Any]]:
    """Let ann challenge bob, who takes it up."""
    ann, bob = await page.enter("ann"), await page.enter("bob")
    await page.say(ann, "!sixcard @bob 50")
    await page.hear("ann challenges bob to a duel")
    told = await shown(page, lambda m: bool(m["own"].get(bob, {}).get("buttons")))
    buttons = told["own"][bob]["buttons"]
    assert [each["line"] for each in buttons] == ["!sixcard accept", "!sixcard decline"]
    assert not any(each["secret"] for each in buttons)
    await page.tell(type="say", seat=bob, text="!sixcard accept", table=buttons[0]["table"])
    for seat in (ann, bob):
        assert (await page.hear("Your cards: "))["to"] == seat
    begun = await shown(page, lambda m: m["tables"][0]["phase"] == "Set the cards" and len(m["own"]) == 2)
    return ann, bob, begun


def one_has_set(told: dict[str, Any]) -> bool:
    return told["phase"] == "Set the cards" and any(each["mark"] == "ready" for each in told["places"])


async def test_a_game_against_the_house_by_its_buttons(site: Site, page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!sixcard 50")
    told = await shown(page, lambda m: bool(m["own"][ann]["buttons"]))
    buttons = told["own"][ann]["buttons"]
    assert buttons[0]["line"] == "!set auto"
    assert not any(each["secret"] for each in buttons), "the cards lie open"
    assert told["own"][ann]["hidden"] == []
    assert [each["hidden"] for each in told["tables"][0]["hands"]] == [0, 3, 2, 1]
    await page.tell(type="say", seat=ann, text=buttons[1]["line"], table=buttons[1]["table"])
    await page.hear("ann against Nash (house)")
    result = table(site, ann).view(None).revealed
    assert f"!set {result.first.arrangement}" == buttons[1]["line"]
    purse = await site.chat.bot.balances.purse(site.chat.room, result.first.seat)
    assert purse == START - 50 + result.payouts[result.first.seat]


async def test_the_page_folds_what_proves_the_draws_where_the_room_wants_it(site: Site, page: Page) -> None:
    """What the house has set, the seal, what opens the one, and the seed that opens the other."""
    await want_proofs(site.chat)
    ann = await page.enter("ann")
    await page.say(ann, "!sixcard")
    for told in ("their hash (SHA-256)", "; terms "):
        assert (await page.hear(told))["fine"]
    await page.say(ann, "!set auto")
    for told in ("To check the house: SHA-256", "is over: seed "):
        assert (await page.hear(told))["fine"]
    await page.say(ann, "!fair sixcard")
    assert not (await page.hear("The secret of the next table here"))["fine"], "it was asked for"


async def test_no_hash_is_shown_unasked(site: Site, page: Page) -> None:
    ann = await page.enter("ann")
    await page.say(ann, "!sixcard")
    await page.say(ann, "!set auto")
    await page.hear("Review for ann")
    assert not any(each["fine"] for each in site.chat.history)
    assert not any(re.search(r"[0-9a-f]{32}", each["text"]) for each in site.chat.history)


async def test_a_duel_shows_each_viewer_their_own_cards_and_nobody_elses(
    site: Site, page: Page, client: ClientSession
) -> None:
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        kim = await other.enter("kim")
        ann, bob, begun = await dealt(site, page)
        (board,) = begun["tables"]
        assert [each["hidden"] for each in board["hands"]] == [6, 6]
        for seat in (ann, bob):
            cards = " ".join(map(str, held(site, ann, seat)))
            assert f"Your cards: {cards}." in begun["own"][seat]["notes"][board["id"]]
            assert all(each["secret"] for each in begun["own"][seat]["buttons"])
            assert {"arrange", "set"} <= set(begun["own"][seat]["hidden"])
        text = setting(site, ann, bob)
        await page.say(bob, f"!set {text}", whisper=True)
        assert (await page.hear(f"You have set {text}"))["to"] == bob
        own = await shown(page, lambda m: "You have set" in str(m["own"][bob]["notes"]))
        assert text not in json.dumps(own["tables"])
        mine, before = own["own"][ann], begun["own"][ann]
        assert (mine["notes"], mine["buttons"]) == (before["notes"], before["buttons"])
        assert not any(each["cards"] for each in mine["hands"][board["id"]] if each["seat"] == bob)
        seen = await shown(other, lambda m: one_has_set(m["tables"][0]))
        nothing: dict[str, Any] = {"buttons": [], "notes": {}, "hands": {}, "hidden": []}
        assert seen["own"] == {kim: {**seen["own"][kim], **nothing}}
        assert text not in json.dumps(seen)
        assert "Your cards" not in json.dumps([*seen["tables"], *site.chat.history])
        await page.say(ann, "!set auto", whisper=True)
        await other.hear("ann against bob: High ")
    for seat in (ann, bob):
        result = table(site, ann).view(None).revealed
        viewer = viewer_of(seat.partition(":")[2], "viewer")
        purse = await site.chat.bot.balances.purse(site.chat.room, viewer.seat)
        assert purse == START - 50 + result.payouts[viewer.seat]


async def test_either_of_two_may_hurry_their_duel_and_others_may_not(
    site: Site, page: Page, client: ClientSession
) -> None:
    async with client.ws_connect(f"{site.address}/socket", headers={"Origin": site.address}) as socket:
        other = Page(socket)
        await other.enter("kim")
        ann, _, _ = await dealt(site, page)
        await other.tell(type="hurry", table=table(site, ann).id)
        refused = await other.until(lambda m: m["type"] == "refused")
        assert refused["text"] == "Only the one who plays at that table can hurry it."
        await page.tell(type="hurry", table=table(site, ann).id)
        await other.hear("Time is up: best play has set the cards of ann, bob")


async def test_a_form_may_name_who_is_here(site: Site, page: Page) -> None:
    hello = await page.until(lambda m: m["type"] == "hello")
    options = {
        each["name"]: each
        for command in hello["commands"] if command["word"] == "sixcard"
        for each in command["options"]
    }  # fmt: skip
    assert options["opponent"]["member"]
    assert options["answer"]["answers"]
    assert not options["stake"]["member"]
    await site.crowd.resize(2)
    for name in ("ann", "Big Bob"):
        await page.enter(name)
    names = {"ann", "Big Bob", *(each.name for each in site.crowd.viewers)}
    await page.until(lambda m: m["type"] == "tables" and set(m["people"]) == names)
    ann = "local:ann"
    await page.say(ann, "!sixcard @Big Bob 20")
    await page.hear("ann challenges Big Bob to a duel")
    await page.tell(type="leave", seat="local:big bob")
    await page.until(lambda m: m["type"] == "tables" and "Big Bob" not in m["people"])


async def test_one_of_the_crowd_takes_up_a_challenge_and_plays_it_in_private(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(3)
    rival = crowd.viewers[1]
    ann = viewer_of("Ann", "viewer")
    await chat.say(ann, f"!sixcard @{rival.name} 50", private=False)
    duel = chat.room.tables[f"sixcardpoker {ann.seat}"]
    await turn(chat, 10)
    assert said(chat) == ["!sixcard accept"]
    await turn(chat, 10)
    assert duel.state.waiting == (ann.seat,)
    assert said(chat) == ["!sixcard accept"], "how it was set was whispered"
    await chat.say(ann, "!set auto", private=True)
    result = duel.view(None).revealed
    for seat in (ann.seat, rival.seat):
        assert await chat.bot.balances.purse(chat.room, seat) == START - 50 + result.payouts[seat]


async def test_the_crowd_plays_the_house_too(chat: LocalChat) -> None:
    crowd = Crowd(chat, Rng.of("crowd"))
    await crowd.resize(1)
    await chat.say(crowd.viewers[0], "!sixcard", private=False)
    await turn(chat, 10)
    assert [each.partition(" ")[0] for each in said(chat)] == ["!sixcard", "!set"]
    assert chat.room.tables[f"sixcardpoker {crowd.viewers[0].seat}"].over
