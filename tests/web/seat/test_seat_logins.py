"""Whose seat a browser is: by Discord's link, by Twitch, and by letters that somebody types in a chat."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from chatbot.bot.commands.seat import TOGETHER
from chatbot.community.desk_codes import LASTS as CODE_LASTS
from chatbot.community.seat_codes import CodeTyper
from chatbot.kernel.game import Refusal
from chatbot.ledger.codes import TRIES
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.ledger.web_sessions import LASTS, SEAT, SEAT_BY_CODE
from tests.web.desk.test_logins import confirmed

if TYPE_CHECKING:
    from tests.web.desk.site import Browser, Site


async def typed(site: Site, user: str, text: str, *badges: str) -> str:
    """Let somebody type something on Twitch; return what the chat is then told within the time of codes."""
    said = len(site.both.fake.sent("ada"))
    await site.both.chat(user, text, *badges)
    await site.both.discord.turn(TOGETHER)
    await site.both.discord.turn(5)
    return " ".join(site.both.fake.sent("ada")[said:])


async def coded(browser: Browser) -> str:
    """Return the letters that the page of a browser shows."""
    status, answer = await browser.post("/seat/code")
    assert status == 200
    return str(answer["code"])


async def owner(browser: Browser) -> str | None:
    """Return whose seat a browser is."""
    status, me = await browser.get("/seat/me")
    assert status == 200
    browser.csrf = me.get("csrf", "")
    return me["name"] if me["name"] is None else str(me["name"])


async def seated(site: Site, user: str) -> Browser:
    """Make a browser the seat of somebody, by letters that they type on Twitch."""
    browser = site.elsewhere()
    await typed(site, user, f"!seat {await coded(browser)}")
    assert (await browser.post("/seat/code/poll"))[0] == 200
    await owner(browser)
    return browser


# Links and logins


async def test_the_link_of_discord_opens_a_seat_and_neither_desk_nor_settings(site: Site) -> None:
    mona = site.both.discord.world.join("mona", manages=True)
    await site.both.discord.people.slash(mona, site.both.discord.town, "seat")
    told = await site.both.discord.told(mona, "https://games.example/enter/")
    browser = site.elsewhere()
    status, answer = await browser.enter(
        re.findall(r"https://games\.example(/enter/\S+)", told["content"])[0]
    )
    assert (status, answer["next"]) == (200, "/seat")
    assert await owner(browser) == "mona"
    assert (await browser.get("/api/1/me"))[0] == 401
    assert (await browser.get(f"/api/1/rooms/{site.discord_room}/settings"))[0] == 401


async def test_the_code_that_twitch_confirms_opens_a_seat_at_once(site: Site) -> None:
    browser = site.elsewhere()
    await confirmed(site, browser, "cleo")
    assert await owner(browser) == "Cleo"


async def test_the_letters_of_a_page_make_it_the_seat_of_who_types_them(site: Site) -> None:
    browser = site.elsewhere()
    code = await coded(browser)
    assert (await browser.post("/seat/code/poll"))[1] == {"waiting": True}
    told = await typed(site, "bob", f"!seat {code.lower()}")
    assert "Bob, the browser that showed your code is your seat now. Not yours? Type !seat end." in told
    status, answer = await browser.post("/seat/code/poll")
    assert (status, answer["name"]) == (200, "Bob")
    assert await owner(browser) == "Bob"


async def test_a_seat_by_letters_lasts_a_month_and_reaches_no_desk(site: Site) -> None:
    browser = await seated(site, "ada")  # whose channel it is
    assert (await browser.get("/api/1/me"))[0] == 401
    assert (await browser.post("/login/code"))[0] == 401
    assert (await browser.use(site.twitch_room, "set", "heist lobby 45"))[0] == 401
    assert LASTS[SEAT_BY_CODE] == LASTS[SEAT] == timedelta(days=30)
    session = schema.web_session
    gone = site.bot.watch.date() - timedelta(seconds=1)

    async def expire(connection: object) -> None:
        await connection.execute(update(session).values(ends_at=gone))  # type: ignore[attr-defined]

    await site.bot.parts.store.write(expire, homes=())
    assert await owner(browser) is None


async def test_of_what_a_browser_holds_the_database_has_only_the_hash(site: Site) -> None:
    browser = await seated(site, "bob")
    async with site.bot.parts.store.reading() as connection:
        rows = (await connection.execute(select(schema.web_session))).all()
    assert not set(browser.cookies.values()) & {str(each) for row in rows for each in row}
    assert all(name.startswith("__Host-") for name, value in browser.cookies.items() if value)


# What can go wrong with letters


async def test_who_types_a_strangers_code_is_told_in_the_chat_and_ends_it_by_a_word(site: Site) -> None:
    mallory = site.elsewhere()
    told = await typed(site, "bob", f"!seat {await coded(mallory)}")
    assert "Bob, the browser that showed your code is your seat now" in told
    await mallory.post("/seat/code/poll")
    assert await owner(mallory) == "Bob"
    assert "Every seat of yours has ended" in await typed(site, "bob", "!seat end")
    assert await owner(mallory) is None
    assert "You have no seat in any browser" in await typed(site, "bob", "!seat end")


async def test_a_code_works_once_and_the_second_hears_that_it_was_typed(site: Site) -> None:
    browser = site.elsewhere()
    code = await coded(browser)
    await typed(site, "bob", f"!seat {code}")
    assert "typed already" in await typed(site, "cleo", f"!seat {code}")
    await browser.post("/seat/code/poll")
    assert await owner(browser) == "Bob"
    assert "no such code" in await typed(site, "cleo", f"!seat {code}")
    assert (await browser.post("/seat/code/poll"))[0] == 410


async def test_only_the_browser_that_showed_a_code_becomes_the_seat(site: Site) -> None:
    browser, other = site.elsewhere(), site.elsewhere()
    code = await coded(browser)
    await coded(other)
    await typed(site, "bob", f"!seat {code}")
    assert (await other.post("/seat/code/poll"))[1] == {"waiting": True}
    assert (await site.elsewhere().post("/seat/code/poll"))[0] == 410
    assert await owner(other) is None
    await browser.post("/seat/code/poll")
    assert await owner(browser) == "Bob"


async def test_an_old_code_counts_for_nothing_and_its_page_says_so(site: Site) -> None:
    browser = site.elsewhere()
    code = await coded(browser)
    await site.both.discord.turn(CODE_LASTS + 1)
    assert "no such code, or it has run out" in await typed(site, "bob", f"!seat {code}")
    status, text = await browser.post("/seat/code/poll")
    assert (status, text) == (410, "The code has run out; ask for another one.\n")


async def test_who_reads_the_letters_on_a_shared_screen_sits_there_and_the_page_says_who(site: Site) -> None:
    streamer = site.elsewhere()
    code = await coded(streamer)
    told = await typed(site, "mallory", f"!seat {code}")
    assert "Mallory, the browser" in told
    await streamer.post("/seat/code/poll")
    assert await owner(streamer) == "Mallory"  # as the page shows, beside the button that ends it
    assert (await streamer.post("/seat/leave"))[0] == 200
    assert await owner(streamer) is None
    assert "no such code" in await typed(site, "mallory", f"!seat {code}")


async def test_wrong_codes_of_an_account_are_limited_and_told_in_one_line(site: Site) -> None:
    said = len(site.both.fake.sent("ada"))
    for text in ("AAAAAA", "BBBBBB", "CCCCCC"):
        await site.both.twitch.heard(await site.both.fake.chat("mallory", "ada", f"!seat {text}", ()))
    await site.both.discord.turn(TOGETHER)
    await site.both.discord.turn(5)
    told = site.both.fake.sent("ada")[said:]
    assert told == ["3 codes do not count: unknown, too old, or typed already."]


async def test_after_five_wrong_codes_an_account_waits_and_nobody_else_does(site: Site) -> None:
    codes = site.both.bot.parts.seat_codes
    mallory = CodeTyper(Account("twitch", "1"), "Mallory", "twitch:1")
    bob = CodeTyper(Account("twitch", "2"), "Bob", "twitch:1")
    code = await codes.make("browser")
    for number in range(TRIES):
        with pytest.raises(Refusal, match="seat-code-unknown"):
            await codes.type("AAAAAA" if code != "AAAAAA" else "BBBBBB", mallory, f"line-{number}")
    with pytest.raises(Refusal, match="seat-code-tries"):
        await codes.type(code, mallory, "line-6")
    await codes.type(code, bob, "line-7")
    assert await codes.take("browser") == bob
    assert await codes.take("browser") is None


async def test_codes_of_one_address_are_limited(site: Site) -> None:
    browser = site.elsewhere()
    statuses = [(await browser.post("/seat/code"))[0] for _ in range(12)]
    assert statuses[:10] == [200] * 10
    assert statuses[-1] == 429


async def test_codes_that_several_type_at_once_are_answered_by_one_line(site: Site) -> None:
    codes = [await coded(site.elsewhere()) for _ in range(3)]
    said = len(site.both.fake.sent("ada"))
    for user, code in zip(("bob", "cleo", "dora"), codes, strict=True):
        await site.both.twitch.heard(await site.both.fake.chat(user, "ada", f"!seat {code}", ()))
    await site.both.discord.turn(TOGETHER)
    await site.both.discord.turn(5)
    told = site.both.fake.sent("ada")[said:]
    assert len(told) == 1
    assert told[0].startswith("Bob, Cleo, Dora: the browsers that showed your codes are your seats now.")


# The page


async def test_pages_of_other_servers_make_no_code_and_end_no_seat(site: Site) -> None:
    browser = await seated(site, "bob")
    assert (await browser.post("/seat/code", Origin="https://evil.example"))[0] == 403
    assert (await browser.post("/seat/leave", Origin="https://evil.example"))[0] == 403
    browser.csrf = "another"
    assert (await browser.post("/seat/leave"))[0] == 403
    assert await owner(browser) == "Bob"


async def test_who_leaves_everywhere_ends_the_seats_of_all_their_browsers(site: Site) -> None:
    one, other = await seated(site, "bob"), await seated(site, "bob")
    assert (await one.post("/seat/leave", {"everywhere": True}))[0] == 200
    assert await owner(one) is await owner(other) is None


async def test_a_seat_and_a_desk_of_another_account_stand_beside_each_other(site: Site) -> None:
    browser = await site.operator()
    code = await coded(browser)
    await typed(site, "bob", f"!seat {code}")
    await browser.post("/seat/code/poll")
    assert await owner(browser) == "Bob"
    assert (await browser.look())["kind"] == "operator"
