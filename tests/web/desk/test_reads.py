"""What can be read by the interface is what chat tells whoever asks, and no more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.kernel.game import Role
from chatbot.ledger.web_accounts import StoredRole
from tests.web.desk.test_logins import confirmed

if TYPE_CHECKING:
    from tests.web.desk.site import Browser, Program, Site


@pytest.fixture
async def program(site: Site) -> Program:
    await site.both.chat("bob", "!credits")
    await site.both.chat("carol", "!credits")
    return await site.program(await site.operator(), site.twitch_room)


async def moderating(site: Site, login: str) -> Browser:
    """A browser at the desk of a moderator of ada's channel."""
    site.both.fake.world.moderators[site.both.fake.world.users["ada"].id].add(
        site.both.fake.world.user(login).id
    )
    browser = site.elsewhere()
    await confirmed(site, browser, login)
    _, code = await browser.post("/login/code")
    await site.both.chat(login, f"!desk {code['code']}", "moderator")
    await browser.post("/login/code/poll")
    await browser.look()
    return browser


async def test_tables_are_told_as_everybody_sees_them(site: Site, program: Program) -> None:
    await site.both.chat("bob", "!heist 50")
    status, (table,) = await program.get("/tables")
    assert (status, table["game"], table["over"]) == (200, "heist", False)
    assert [each["name"] for each in table["places"]] == ["Bob"]
    assert table["pot"] in {None, 50}


async def test_no_card_that_is_hidden_from_everybody_is_told(site: Site, program: Program) -> None:
    await site.both.chat("bob", "!chicken 3 10")
    await site.both.chat("carol", "!chicken")
    await site.both.discord.turn(61)
    table = next(iter(site.bot.rooms[site.twitch_room].tables.values()))
    assert table.view(next(iter(table.seated))) != table.view(None)
    _, rows = await program.get("/tables")
    assert rows[0]["pot"] == table.kit.display.board(table.view(None)).pot
    assert [each["hidden"] for each in rows[0]["hands"]] == [
        each.hidden for each in table.kit.display.board(table.view(None)).hands
    ]


async def test_a_wallet_and_its_transfers_are_those_of_the_books(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 for a race")
    bob = await seat_of(program, "bo")
    status, wallet = await program.get(f"/members/{bob}/wallet")
    assert (status, wallet["name"], wallet["credits"]) == (200, "Bob", 290)
    status, transfers = await program.get(f"/members/{bob}/transfers", count=1)
    assert [(each["credits"], each["balance"], each["reasons"]) for each in transfers] == [
        (50, 290, {"grant": 50})
    ]


async def test_who_does_not_moderate_reads_their_own_transfers_alone(site: Site, program: Program) -> None:
    bob = await seat_of(program, "bob")
    mona = await moderating(site, "mona")
    room = f"/api/1/rooms/{site.twitch_room}"
    assert (await mona.get(f"{room}/members/{bob}/transfers"))[0] == 200
    status, own = await mona.get(f"{room}/members/me/transfers")
    assert (status, [each["credits"] for each in own]) == (200, [240])
    await lower(site)
    status, refused = await mona.get(f"{room}/members/{bob}/transfers")
    assert (status, refused["id"]) == (422, "history-others")
    assert (await mona.get(f"{room}/members/me/transfers"))[0] == 200
    assert (await mona.get(f"{room}/members?prefix=b"))[0] == 403
    assert (await mona.get(f"{room}/audit"))[0] == 403
    assert (await mona.get(f"{room}/members/{bob}/wallet"))[0] == 200  # as `!credits @bob`


async def lower(site: Site) -> None:
    """Let whoever is at a desk be a viewer from now on."""
    accounts = site.server.roles._accounts
    for each in list(site.server.roles._relied_on):
        viewer = StoredRole(Role.VIEWER, site.bot.watch.date())
        await accounts.put_roles(each, dict.fromkeys(await accounts.roles(each), viewer))


async def test_members_are_found_page_by_page(site: Site, program: Program) -> None:
    for each in ("anna", "annb", "annc"):
        await site.both.chat(each, "!credits")
    found: list[Any] = []
    while page := (await program.get("/members", prefix="ANN", count=2, after=last(found)))[1]:
        assert len(page) <= 2
        found += page
    assert [each["name"] for each in found] == ["Anna", "Annb", "Annc"]
    assert (await program.get("/members", prefix="nobody"))[1] == []
    assert (await program.get("/members", count=101))[0] == 400


async def test_the_best_are_told_with_shared_places(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 for a race")
    status, top = await program.get("/top")
    assert status == 200
    assert [(each["place"], each["name"], each["amount"]) for each in top][:2] == [
        (1, "Bob", 290),
        (2, "Carol", 240),
    ]
    assert (await program.get("/top", by="watched"))[0] == 200
    assert (await program.get("/top", by="heist"))[0] == 200
    assert (await program.get("/top", by="nonsense"))[0] == 422


async def test_the_audit_has_pages_and_says_what_was_undone(site: Site, program: Program) -> None:
    for each in (45, 60):
        assert (await program.use("set", f"heist lobby {each}"))[1]["done"]
    assert (await program.use("undo"))[1]["done"]
    status, (undo,) = await program.get("/audit", count=1)
    assert (status, undo["undoes"], undo["by"]) == (200, True, "operator")
    _, (second, first) = await program.get("/audit", count=5, before=undo["number"])
    assert (second["undone"], first["undone"]) == (True, False)
    assert second["changes"] == [
        {"kind": "setting", "subject": "heist", "key": "lobby", "old": "45", "new": "60"}
    ]
    assert "60" in second["text"]


async def test_seasons_are_told(program: Program) -> None:
    status, seasons = await program.get("/seasons")
    assert status == 200
    assert all(each["number"] == 1 and each["last"] == [] for each in seasons)


async def test_a_scope_that_a_token_lacks_reads_nothing(site: Site, program: Program) -> None:
    bob = await seat_of(program, "bob")
    player = await site.program(await site.operator(), site.twitch_room, "play")
    for path in ("/tables", "/members", f"/members/{bob}/wallet", "/top", "/audit", "/seasons", "/settings"):
        assert (await player.get(path))[0] == 403, path


async def test_tokens_are_made_listed_and_revoked_at_the_desk_and_by_no_program(
    site: Site, program: Program
) -> None:
    desk, path = await site.operator(), f"/api/1/rooms/{site.twitch_room}/tokens"
    status, made = await desk.post(path, {"label": "deck", "scopes": ["read"]})
    assert status == 200
    program_of_it = await site.program(desk, site.twitch_room)
    program_of_it.token = made["token"]
    assert (await program_of_it.get("/tables"))[0] == 200
    status, rows = await desk.get(path)
    assert made["token"] not in json.dumps(rows)
    assert [each["scopes"] for each in rows if each["label"] == "deck"] == [["read"]]
    assert (await program.get("/tokens"))[0] == 403
    assert (await program.post("/tokens", {"label": "more", "scopes": ["own"]}))[0] == 403
    (listed,) = [each for each in rows if each["label"] == "deck"]
    assert (await program.delete(f"/tokens/{listed['id']}"))[0] == 403
    assert (await desk._ask("DELETE", f"{path}/{listed['id']}", {}, changing(desk)))[0] == 200
    assert (await program_of_it.get("/tables"))[0] == 401
    assert (await desk.post(path, {"label": "deck", "scopes": ["everything"]}))[0] == 422


async def test_a_moderator_sees_no_tokens(site: Site, program: Program) -> None:
    assert (await program.get("/tables"))[0] == 200
    mona = await moderating(site, "mona")
    path = f"/api/1/rooms/{site.twitch_room}/tokens"
    assert (await mona.get(path))[0] == 403
    assert (await mona.post(path, {"label": "deck", "scopes": ["read"]}))[0] == 403


async def test_a_token_reads_no_other_room(site: Site, program: Program) -> None:
    assert site.twitch_room == program.room
    program.room = "local"
    assert (await program.get("/tables"))[0] == 404


async def seat_of(program: Program, prefix: str) -> str:
    _, (member, *_) = await program.get("/members", prefix=prefix)
    return str(member["seat"])


def last(found: list[Any]) -> str:
    return str(found[-1]["name"]) if found else ""


def changing(browser: Browser) -> dict[str, str]:
    return {"Origin": browser.origin, "X-Rabble-Csrf": browser.csrf}
