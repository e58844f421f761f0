"""Who opens the desk is who they are: by Discord's link, by Twitch's codes, and there and back."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from chatbot.kernel.game import Role
from chatbot.ledger.people import Account
from chatbot.ledger.store import schema
from chatbot.web.account_login import CALLBACK
from chatbot.web.principals import ROLES_LAST

if TYPE_CHECKING:
    from tests.web.desk.site import Browser, Site


async def linked(site: Site) -> str:
    """Return the path of the link that the owner of the Discord server is given by `/desk`."""
    owner = site.both.discord.world.owner
    await site.both.discord.people.slash(owner, site.both.discord.town, "desk")
    told = await site.both.discord.told(owner, "https://games.example/enter/")
    return str(re.findall(r"https://games\.example(/enter/\S+)", told["content"])[0])


async def confirmed(site: Site, browser: Browser, login: str) -> None:
    """Log a browser in with an account of Twitch by a code that it confirms there."""
    status, code = await browser.post("/login/twitch")
    assert status == 200
    authority = site.both.fake.authority
    (device,) = [each for each in authority.devices if each.user_code == code["code"]]
    authority.approve(device, site.both.fake.world.user(login).id)
    authority.accounts.setdefault(device.user_id, login)
    await site.both.discord.turn(code["interval"] + 0.01)
    status, answer = await browser.post("/login/twitch/poll")
    assert (status, answer["next"]) == (200, "/desk")
    await browser.look()


# Discord


async def test_the_link_of_discord_opens_the_desk_of_that_server(site: Site) -> None:
    browser = site.elsewhere()
    assert (await browser.enter(await linked(site)))[0] == 200
    me = await browser.look()
    assert [(each["id"], each["role"]) for each in me["rooms"]] == [(site.discord_room, "broadcaster")]
    status, answer = await browser.use(site.discord_room, "set", "heist lobby 45")
    assert (status, answer["done"]) == (200, True)
    assert "lobby was" in answer["answers"][0]["text"]
    status, audit = await browser.use(site.discord_room, "audit")
    assert site.both.discord.world.owner.name in audit["answers"][0]["text"]


async def test_a_member_who_does_not_moderate_gets_no_link(site: Site) -> None:
    ann = site.both.discord.world.join("ann")
    await site.both.discord.people.slash(ann, site.both.discord.town, "desk")
    await site.both.discord.told(ann, "moderators")
    assert not any("/enter/" in each["content"] for each in site.both.discord.world.ephemeral(ann))


async def test_a_right_that_discord_takes_away_is_gone_at_the_desk_within_the_hour(site: Site) -> None:
    world = site.both.discord.world
    mona = world.join("mona", manages=True)
    await site.both.discord.people.slash(mona, site.both.discord.town, "desk")
    told = await site.both.discord.told(mona, "https://games.example/enter/")
    browser = site.elsewhere()
    await browser.enter(re.findall(r"https://games\.example(/enter/\S+)", told["content"])[0])
    assert [each["role"] for each in (await browser.look())["rooms"]] == ["moderator"]
    mona.manages = False
    await site.both.discord.turn(ROLES_LAST.total_seconds() + 1)
    assert [each["role"] for each in (await browser.look())["rooms"]] in ([], ["viewer"])
    status, _ = await browser.get(f"/api/1/rooms/{site.discord_room}/settings")
    assert status in {403, 404}


async def test_what_one_chat_shows_makes_the_roles_of_other_chats_no_younger(site: Site) -> None:
    account = Account("discord", "7")
    await site.server.roles.note(account, "discord-1", Role.MODERATOR)
    await site.both.discord.turn(ROLES_LAST.total_seconds() - 10)
    await site.server.roles.note(account, "discord-2", Role.MODERATOR)
    assert set(await site.server.roles.of(account)) == {"discord-1", "discord-2"}
    await site.both.discord.turn(20)
    assert await site.server.roles.of(account) == {}  # asked for anew: it is in none of these servers


async def test_while_a_platform_cannot_be_asked_an_old_role_counts_for_nothing(site: Site) -> None:
    browser = site.elsewhere()
    await browser.enter(await linked(site))
    site.platforms.lost.add("discord")
    assert (await browser.get("/api/1/me"))[0] == 200  # it was asked a moment ago
    await site.both.discord.turn(ROLES_LAST.total_seconds() + 1)
    status, answer = await browser.get("/api/1/me")
    assert (status, answer["error"]) == (503, "Your role cannot be asked for now: discord is not connected.")


# Twitch


async def test_a_confirmed_code_alone_opens_no_desk_for_it_may_be_a_strangers(site: Site) -> None:
    browser = site.elsewhere()
    await confirmed(site, browser, "ada")
    me = await browser.look()
    assert (me["kind"], me["name"], me["rooms"]) == ("account", "Ada", [])
    assert (await browser.get(f"/api/1/rooms/{site.twitch_room}/settings"))[0] == 404
    assert (await browser.use(site.twitch_room, "set", "heist lobby 45"))[0] == 404


async def test_the_code_that_the_same_account_types_in_its_chat_opens_the_desk(site: Site) -> None:
    browser = site.elsewhere()
    await confirmed(site, browser, "ada")
    before = dict(browser.cookies)
    _, code = await browser.post("/login/code")
    assert (await browser.post("/login/code/poll"))[1] == {"waiting": True}
    told = await site.both.chat("ada", f"!desk {code['code']}", "broadcaster")
    assert f"The browser that showed {code['code']} is now at the desk as you" in told[0]
    status, answer = await browser.post("/login/code/poll")
    assert (status, answer["next"]) == (200, "/desk")
    me = await browser.look()
    assert [(each["id"], each["role"]) for each in me["rooms"]] == [(site.twitch_room, "broadcaster")]
    raised, browser.cookies = browser.cookies, before
    assert (await browser.get("/api/1/me"))[0] == 401  # what the browser held before opens nothing any more
    browser.cookies = raised
    assert (await browser.use(site.twitch_room, "set", "heist lobby 45"))[1]["done"]


async def test_nobody_else_can_type_somebodys_code_and_no_code_works_twice(site: Site) -> None:
    browser = site.elsewhere()
    await confirmed(site, browser, "mallory")
    _, code = await browser.post("/login/code")
    told = await site.both.chat("ada", f"!desk {code['code']}", "broadcaster")
    assert "There is no such code for you" in told[0]
    assert (await browser.post("/login/code/poll"))[1] == {"waiting": True}
    told = await site.both.chat("mallory", f"!desk {code['code']}")
    assert "The browser that showed" not in " ".join(told)  # and who does not moderate cannot type one
    assert (await browser.post("/login/code/poll"))[1] == {"waiting": True}
    await site.both.discord.turn(200)
    assert (await browser.post("/login/code/poll"))[0] == 410


async def test_a_moderator_keeps_the_channels_that_twitch_says_they_moderate(site: Site) -> None:
    world = site.both.fake.world
    world.moderators[world.users["ada"].id].add(world.user("mona").id)
    browser = site.elsewhere()
    await confirmed(site, browser, "mona")
    _, code = await browser.post("/login/code")
    await site.both.chat("mona", f"!desk {code['code']}", "moderator")
    await browser.post("/login/code/poll")
    me = await browser.look()
    assert [(each["id"], each["role"]) for each in me["rooms"]] == [(site.twitch_room, "moderator")]
    status, answer = await browser.use(site.twitch_room, "permit", "grant everyone")
    assert (status, answer["done"]) == (200, False)  # that is the broadcaster's
    world.moderators[world.users["ada"].id].clear()
    await site.both.chat("mona", "hello")  # without the badge: so Twitch is asked again
    assert (await browser.look())["rooms"] == []


async def test_whoever_was_sent_to_twitch_and_back_is_at_the_desk_after_pressing_a_button(site: Site) -> None:
    browser, authority = site.elsewhere(), site.both.fake.authority
    ada = site.both.fake.world.users["ada"]
    authority.accounts.setdefault(ada.id, "ada")
    status, address = await browser.get("/login/twitch/redirect")
    assert status == 302
    back = authority.log_in(address, ada.id)
    assert back.startswith(f"https://games.example{CALLBACK}?")
    status, entrance = await browser.get(back.removeprefix("https://games.example"))
    assert (status, entrance[:7]) == (302, "/enter/")
    assert (await browser.enter(entrance))[0] == 200
    assert [each["role"] for each in (await browser.look())["rooms"]] == ["broadcaster"]
    assert (await browser.get(back.removeprefix("https://games.example")))[0] == 400  # it works once


async def test_a_login_that_another_browser_has_begun_is_refused(site: Site) -> None:
    """A stranger must not log somebody in as the stranger, nor finish what somebody has begun."""
    begun, authority = site.elsewhere(), site.both.fake.authority
    ada = site.both.fake.world.users["ada"]
    authority.accounts.setdefault(ada.id, "ada")
    _, address = await begun.get("/login/twitch/redirect")
    path = authority.log_in(address, ada.id).removeprefix("https://games.example")
    assert (await site.elsewhere().get(path))[0] == 400
    for state in ("", "&state=guessed"):
        assert (await begun.get(f"{CALLBACK}?code=canary-code{state}"))[0] == 400


async def test_twitch_sends_nobody_back_where_there_is_no_tls(site: Site) -> None:
    assert (await site.here().get("/login/twitch/redirect"))[0] == 404
    assert (await site.here().get("/login"))[1] == {"discord": True, "twitch": True, "redirect": False}
    assert (await site.elsewhere().get("/login"))[1]["redirect"]


# Sessions


async def test_the_cookie_of_a_public_page_is_bound_to_its_host_and_to_tls(site: Site) -> None:
    browser = site.elsewhere()
    await browser.enter(await linked(site))
    assert list(browser.cookies) == ["__Host-rabble"]


async def test_logging_out_everywhere_ends_every_browser_of_the_account(site: Site) -> None:
    one, other = site.elsewhere(), site.elsewhere()
    await one.enter(await linked(site))
    await other.enter(await linked(site))
    assert (await one.post("/leave", {"everywhere": True}))[0] == 200
    assert (await other.get("/api/1/me"))[0] == 401


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": ""}, {"X-Rabble-Csrf": "guessed"}]
)
async def test_other_sites_change_nothing_by_somebodys_cookie(site: Site, headers: dict[str, str]) -> None:
    browser = site.elsewhere()
    await browser.enter(await linked(site))
    status, _ = await browser.use(site.discord_room, "set", "heist lobby 45", **headers)
    assert status == 403
    assert site.bot.rooms[site.discord_room].settings("heist") == {}


async def test_somebody_who_guesses_links_is_stopped_and_others_are_not(site: Site) -> None:
    browser = site.elsewhere()
    statuses = [(await browser.post("/enter", {"link": f"guess{each}"}))[0] for each in range(12)]
    assert statuses[:10] == [410] * 10
    assert 429 in statuses
    other = site.elsewhere()
    other.headers = {**other.headers, "X-Forwarded-For": "198.51.100.9"}
    assert (await other.post("/enter", {"link": "x"}))[0] == 410


# Who runs the program


async def test_the_operator_keeps_every_room_without_being_a_member_of_any(site: Site) -> None:
    browser = await site.operator()
    me = await browser.look()
    assert {each["id"] for each in me["rooms"]} == {site.twitch_room, "local"}  # those that are open
    assert {each["role"] for each in me["rooms"]} == {"broadcaster"}
    assert (await browser.use(site.twitch_room, "set", "heist lobby 45"))[1]["done"]
    await site.both.chat("bob", "!credits")
    _, top = await browser.use(site.twitch_room, "top")
    assert "Bob" in str(top)
    assert "operator 240" not in str(top)
    async with site.bot.parts.store.reading() as connection:
        query = select(schema.platform_account.c.key).where(schema.platform_account.c.platform == "operator")
        assert (await connection.execute(query)).all() == []


async def test_the_operator_cannot_play_for_there_is_no_wallet_to_play_with(site: Site) -> None:
    browser = await site.operator()
    status, answer = await browser.use(site.twitch_room, "heist", "50")
    assert (status, answer["done"]) == (200, False)
    assert answer["answers"][0]["id"] == "operator-plays-not"
    assert not site.bot.rooms[site.twitch_room].tables


async def test_a_session_of_the_operator_counts_on_this_machine_alone(site: Site) -> None:
    browser = await site.operator()
    stolen = site.elsewhere()
    stolen.cookies = dict(browser.cookies)
    assert (await stolen.get("/api/1/me"))[0] == 401
    invitation = await site.server.invite()
    assert invitation is not None
    assert (await site.elsewhere().enter(invitation))[0] == 410
    assert (await site.here().enter(invitation))[0] == 200  # it was not used up


# What is public


@pytest.mark.parametrize(
    "path", ["/", "/socket", "/setup", "/setup/state", "/words/setup", "/events", "/socket/events"]
)
async def test_the_public_port_never_serves_the_local_page_whoever_asks(site: Site, path: str) -> None:
    for headers in ({}, {"Host": "games.example"}, {"Host": f"127.0.0.1:{site.public.port}"}):
        browser = site.elsewhere()
        browser.headers = headers  # as from this machine, without a word of a proxy
        assert (await browser.get(path))[0] in {403, 404}


async def test_other_names_are_not_served_in_public(site: Site) -> None:
    browser = site.elsewhere()
    browser.headers = {"Host": "evil.example"}
    assert (await browser.get("/api/1/me"))[0] == 421


async def test_who_was_not_invited_sees_nothing_of_the_local_page_from_elsewhere(site: Site) -> None:
    guest = site.here()
    guest.headers = {"X-Forwarded-For": "192.168.1.9"}
    status, page = await guest.get("/")
    assert status == 401
    assert "invited" in page
    assert (await guest.get("/socket"))[0] == 403
    invitation = await site.server.invite_guests()
    assert invitation.startswith(site.address)
    await asyncio.gather(*(guest.post("/enter", {"link": invitation.rpartition("/")[2]}) for _ in range(2)))
    status, page = await guest.get("/")
    assert (status, "Rabble" in page) == (200, True)
