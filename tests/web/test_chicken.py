"""Chicken Poker on the page: cards by whispers and buttons, and a board that tells none of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Seat
from tests.web.viewers import want_proofs

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.rooms.table_protocol import Table
    from tests.web.conftest import Page, Site

START = 240  # credits of a newcomer


def table(site: Site) -> Table:
    return site.chat.room.tables["chickenpoker"]


async def shown(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Read on until the one table is what is wanted; give the whole message."""
    return await page.until(lambda m: m["type"] == "tables" and bool(m["tables"]) and wanted(m["tables"][0]))


def labels(told: dict[str, Any]) -> list[str]:
    return [each["label"] for each in told["hands"]]


async def lobby(site: Site, page: Page, names: tuple[str, ...], terms: str) -> list[str]:
    """Let these play, with a player of the house."""
    moderator = await page.enter("moderator", "moderator")
    for setting in ("lobby 5", "house_players 1"):
        await page.say(moderator, f"!set chickenpoker {setting}")
        await page.hear(setting.split()[0])
    seats = [await page.enter(name) for name in names]
    await page.say(seats[0], f"!chicken {terms}")
    await page.hear("Join with !chicken")
    for seat in seats[1:]:
        await page.say(seat, "!chicken")
        await page.hear("You are in")
    await page.tell(type="hurry", table=table(site).id)
    await page.hear("The seats are drawn")
    return seats


async def test_four_people_and_the_house_play_by_the_viewers_own_lines(site: Site, page: Page) -> None:
    seats = await lobby(site, page, ("ann", "bob", "cat", "dan"), "3")
    for number in (1, 2):
        hands = table(site).view(None).hands
        for seat in seats:
            await page.say(seat, f"!play {hands[Seat(seat)][-1]}", whisper=True)
        if number == 1:
            await page.hear("Round 2 of 3")
    over = await shown(page, lambda told: bool(told["over"]))
    assert "Round 3" in str(labels(over["tables"][0]))
    totals = table(site).view(None).totals
    marks = {each["seat"] for each in over["tables"][0]["places"] if each["mark"] == "won"}
    assert marks == {seat for seat, points in totals.items() if points == max(totals.values())}


async def test_a_choice_is_told_to_its_viewer_alone_and_the_board_says_only_that_there_is_one(
    site: Site, page: Page
) -> None:
    ann, bob = await lobby(site, page, ("ann", "bob"), "15")
    begun = await shown(page, lambda told: told["phase"] == "Choose a card")
    buttons = begun["own"][ann]["buttons"]
    assert [each["line"] for each in buttons] == [f"!play {card}" for card in range(1, 16)]
    assert all(each["secret"] for each in buttons)
    await page.say(ann, "!play 13", whisper=True)
    told = await page.hear("You have chosen 13")
    assert told["to"] == ann
    chosen = await shown(page, lambda told: sum(each["mark"] == "ready" for each in told["places"]) == 2)
    (board,) = chosen["tables"]
    assert {each["seat"] for each in board["places"] if each["mark"] == "waiting"} == {bob}
    public = json.dumps({**board, "hands": [], "id": "", "left": 0, "seconds": 0}, ensure_ascii=False)
    assert "13" not in re.sub(r"holds [^\"]*", "", public)
    assert "You have chosen 13" in chosen["own"][ann]["notes"][board["id"]]
    assert "13" not in chosen["own"][bob]["notes"][board["id"]]
    others = [each["text"] for each in site.chat.history if each["kind"] == "bot" and not each["fine"]]
    assert not any("13" in each for each in others)


async def test_hashes_are_fine_print(site: Site, page: Page) -> None:
    await want_proofs(site.chat)
    await lobby(site, page, ("ann",), "3")
    told = await page.hear("Fixed by the house")
    assert told["fine"]
    assert re.fullmatch(r"Fixed by the house \(SHA-256\): Nash \(house\) [0-9a-f]{64}\.", told["text"])


async def test_a_choice_for_all_to_read_is_taken_and_its_viewer_told(site: Site, page: Page) -> None:
    ann, _ = await lobby(site, page, ("ann", "bob"), "4")
    await page.say(ann, "!play 3")
    told = await page.hear("Others can read what you choose here")
    assert told["to"] == ann
    assert table(site).view(Seat(ann)).own == 3


async def test_what_cannot_be_played_is_one_sentence_and_changes_nothing(site: Site, page: Page) -> None:
    ann, _ = await lobby(site, page, ("ann", "bob"), "4")
    eve = await page.enter("eve")
    before = table(site).state
    for seat, text, reason in (
        (ann, "!play 9", "You do not hold that card; you have 1 2 3 4."),
        (ann, "!play seven", "Play one of your cards by its number"),
        (eve, "!play 1", "You are not in this game"),
        (ann, "!chicken", "You are in already"),
        (eve, "!chicken", "This game has begun without you"),
    ):
        await page.say(seat, text, whisper=True)
        assert (await page.hear(reason))["to"] == seat
    assert table(site).state is before
