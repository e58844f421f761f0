"""What is suggested while somebody types a command: first what they can do now, and nothing they may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from chatbot.kernel.game import Role
from chatbot.web import showing
from tests.web.chromium import CHROMIUM
from tests.web.test_crowd import chat
from tests.web.test_market import dealt, until_turn
from tests.web.test_page import browser, visit
from tests.web.viewers import viewer_of

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from cogs.local.adapter import LocalChat
    from tests.web.conftest import Site

__all__ = ["browser", "chat"]

MO, BOSS = viewer_of("mo", "moderator"), viewer_of("boss", "broadcaster")
OPENING = ["heist", "chicken", "highshow", "market", "sixcard"]  # the word of each game


async def ranks(chat: LocalChat, name: str, role: str = "viewer") -> list[list[str]]:
    viewer = viewer_of(name, role)
    await chat.enter(viewer)
    found: list[list[str]] = (await showing.own(chat.bot, chat.room, [viewer]))[viewer.seat]["suggested"]
    return found


async def offered(chat: LocalChat, name: str) -> set[str]:
    return {word for rank in await ranks(chat, name) for word in rank}


async def test_before_any_game_stand_the_words_that_open_one_and_answers_to_nothing_come_last(
    chat: LocalChat,
) -> None:
    now, opening, answered, later = await ranks(chat, "ann")
    assert now == []
    assert sorted(opening) == sorted(OPENING)
    assert {"credits", "help", "top"} <= set(answered)
    assert {"swap", "arrange", "deposit", "guess", "play"} <= set(later)


async def test_what_one_can_do_now_comes_first_and_for_nobody_else(chat: LocalChat) -> None:
    await dealt(chat, "ann", "bob")
    await until_turn(chat, "local:ann")
    assert sorted((await ranks(chat, "ann"))[0]) == ["pass", "swap"]
    assert (await ranks(chat, "kim"))[0] == []
    assert "accept" in (await ranks(chat, "ann"))[2], "an answer that may be asked of who plays"


async def test_who_is_invited_can_answer_now_and_so_can_who_may_join(chat: LocalChat) -> None:
    await ranks(chat, "bob")
    await chat.say(viewer_of("ann", "viewer"), "!sixcard @bob 10", private=False)
    await chat.say(viewer_of("ann", "viewer"), "!heist 25", private=False)
    assert sorted((await ranks(chat, "bob"))[0]) == ["heist", "sixcard"]


async def test_a_move_by_a_word_of_the_keepers_is_the_games(chat: LocalChat) -> None:
    await chat.say(MO, "!sixcard 10", private=False)
    now, _, answered, _ = await ranks(chat, "mo", "moderator")
    assert now == ["arrange"]
    assert "set" in answered
    (button, *_) = (await showing.own(chat.bot, chat.room, [MO]))[MO.seat]["buttons"]
    assert button["line"] == "!set auto"
    assert button["help"].startswith("set your six cards as High, Middle and Low")


@pytest.mark.parametrize("role", list(Role))
async def test_nobody_is_offered_what_they_may_not_use(chat: LocalChat, role: Role) -> None:
    words = {word for rank in await ranks(chat, "kim", role.value) for word in rank}
    least = chat.bot.parts.access.least
    every = {each.word for each in chat.bot.command_index.bot_commands}
    assert words & every == {each for each in every if role.covers(least(chat.room, each))}
    assert ("set" in words) == (role in {Role.MODERATOR, Role.BROADCASTER})


async def test_what_keepers_change_counts_at_once(chat: LocalChat) -> None:
    assert "top" in await offered(chat, "ann")
    await chat.say(BOSS, "!set permissions top regular", private=False)
    assert "top" not in await offered(chat, "ann")
    await chat.say(BOSS, "!set games heist no", private=False)
    assert not {"heist", "deposit"} & await offered(chat, "ann")


async def test_a_table_that_stands_goes_on_though_its_game_is_closed(chat: LocalChat) -> None:
    await ranks(chat, "ann")
    await chat.say(viewer_of("ann", "viewer"), "!sixcard 10", private=False)
    await chat.say(BOSS, "!disable sixcard", private=False)
    assert (await ranks(chat, "ann"))[0] == ["arrange"]
    await chat.say(BOSS, "!regular @ann", private=False)
    assert "top" in await offered(chat, "ann")


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
async def test_the_page_offers_the_likeliest_first(browser: Browser, site: Site) -> None:
    person = await visit(browser, site)
    await person.enter("Kay")
    field = person.page.get_by_test_id("composer")
    words = person.page.get_by_test_id("suggestion").locator("code")
    await field.press_sequentially("!s")
    # Of a rank, those come last of which only another word begins so: !seeanother, !set
    await expect(words).to_have_text(["!sixcard", "!season", "!start", "!swap", "!another", "!arrange"])
    await person.say("!sixcard 10")
    await expect(person.page.get_by_test_id("table-button").first).to_be_visible()
    await field.press_sequentially("!s")
    await expect(words).to_have_text(["!arrange", "!sixcard", "!season", "!start", "!swap", "!another"])
    await field.press_sequentially("et 1")
    explained = person.page.locator(".suggestion.explained code")
    await expect(explained).to_have_text(["!arrange"])  # the !set of moderators is not for viewers
    assert person.complaints == []
