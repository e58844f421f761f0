"""What the desk reads of members, tables and the audit, and what it says before something is done."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.changes import SETTING, Change, ChangeSet, Work
from tests.ledger.importing import bring
from tests.web.desk.test_reads import moderating

if TYPE_CHECKING:
    from tests.web.desk.site import Program, Site


@pytest.fixture
async def program(site: Site) -> Program:
    for each in ("bob", "carol"):
        await site.both.chat(each, "!credits")
    return await site.program(await site.operator(), site.twitch_room)


async def seat_of(program: Program, name: str) -> str:
    _, rows = await program.get("/desk/members", prefix=name)
    return str(next(each["seat"] for each in rows if each["name"].casefold() == name))


async def test_members_are_listed_with_their_credits_page_by_page(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 for a race")
    status, rows = await program.get("/desk/members", count=1)
    assert (status, [(each["name"], each["credits"]) for each in rows]) == (200, [("Bob", 290)])
    _, rows = await program.get("/desk/members", count=5, after="bob", after_seat=rows[0]["seat"])
    assert [(each["name"], each["credits"]) for each in rows] == [("Carol", 240)]


async def test_of_two_with_one_name_each_is_listed_wherever_a_page_ends(site: Site, program: Program) -> None:
    members = site.bot.members._member_store
    community = site.bot.rooms[site.twitch_room].community
    bob, carol = await seat_of(program, "bob"), await seat_of(program, "carol")
    await members.note(community, Seat(carol), "BOB", datetime.now(UTC))
    names: list[tuple[str, str]] = []
    after: dict[str, Any] = {}
    while page := (await program.get("/desk/members", prefix="bo", count=1, **after))[1]:
        names += [(each["seat"], each["name"]) for each in page]
        after = {"after": page[-1]["name"], "after_seat": page[-1]["seat"]}
    assert sorted(names) == sorted([(bob, "Bob"), (carol, "BOB")])


async def test_a_member_is_meant_by_their_seat_whatever_they_are_called(site: Site, program: Program) -> None:
    """As a name, `Bob 999` would be somebody called Bob and an amount, and BOB is ambiguous."""
    members = site.bot.members._member_store
    community = site.bot.rooms[site.twitch_room].community
    bob, carol = await seat_of(program, "bob"), await seat_of(program, "carol")
    for name in ("Bob 999", "BOB", "@bob -- x", "https://evil.example"):
        await members.note(community, Seat(carol), name, datetime.now(UTC))
        status, result = await program.post(
            "/commands/grant", {"arguments": f"@{carol} 5 -- a prize", "members": [carol]}
        )
        assert (status, result["done"]) == (200, True), name
    assert (await program.get(f"/members/{carol}/wallet"))[1]["credits"] == 260
    assert (await program.get(f"/members/{bob}/wallet"))[1]["credits"] == 240
    status, refused = await program.post("/commands/grant", {"arguments": "@nobody 5", "members": ["nobody"]})
    assert (status, refused["id"]) == (422, "member-unknown")


async def test_a_member_is_described(site: Site, program: Program) -> None:
    bob = await seat_of(program, "bob")
    await program.use("regular", "bob")
    status, member = await program.get(f"/desk/members/{bob}")
    assert status == 200
    assert (member["name"], member["credits"], member["regular"]) == ("Bob", 240, True)
    assert (member["excluded"], member["own"]) == (False, False)
    assert member["accounts"] == [f"twitch:{site.both.fake.world.user('bob').id}"]
    assert (await program.get("/desk/members/nobody"))[0] == 422


async def test_balances_that_wait_for_a_name_are_listed(site: Site, program: Program) -> None:
    community = site.bot.rooms[site.twitch_room].community
    amounts = dict.fromkeys(("walt", "wanda", "zoe"), 70)
    await bring(site.bot.parts.store, amounts, community, at=datetime.now(UTC))
    status, rows = await program.get("/desk/waiting", prefix="wa", count=1)
    assert (status, rows) == (200, [{"platform": "twitch", "name": "walt", "credits": 70}])
    _, rows = await program.get("/desk/waiting", prefix="wa", after="walt")
    assert [each["name"] for each in rows] == ["wanda"]
    assert (await program.get("/desk/waiting", platform="discord"))[1] == []


async def test_before_a_table_is_called_off_it_is_told_who_gets_what_back(
    site: Site, program: Program
) -> None:
    await site.both.chat("bob", "!heist 50")
    await site.both.chat("carol", "!heist 20")
    _, (table,) = await program.get("/desk/tables")
    assert (table["pot"], table["own"], table["since"] is not None) == (70, False, True)
    assert [each["name"] for each in table["players"]] == ["Bob", "Carol"]
    status, preview = await program.get(f"/desk/tables/{table['id']}/cancel")
    assert (status, preview["why"]) == (200, "")
    assert sorted((each["name"], each["credits"], each["points"]) for each in preview["refunds"]) == [
        ("Bob", 50, 0),
        ("Carol", 20, 0),
    ]
    body = {"arguments": "heist -- the stream ends", "table": table["id"]}
    assert (await program.post("/commands/cancel", body))[1]["done"]
    assert (await program.get(f"/desk/tables/{table['id']}/cancel"))[0] == 422
    bob = await seat_of(program, "bob")
    assert (await program.get(f"/members/{bob}/wallet"))[1]["credits"] == 240
    (audit,) = (await program.get("/audit", count=1))[1]
    assert (audit["why"], audit["barred"] != "", audit["own"]) == ("the stream ends", True, True)


async def test_calling_a_table_off_that_is_over_spares_the_one_opened_since(
    site: Site, program: Program
) -> None:
    await site.both.chat("bob", "!heist 50")
    _, (former,) = await program.get("/desk/tables")
    await program.use("cancel", "heist")
    await site.both.discord.turn(200)
    await site.both.chat("carol", "!heist 20")
    _, tables = await program.get("/desk/tables")
    (present,) = (each for each in tables if not each["over"])
    assert present["id"] != former["id"]
    body = {"arguments": "heist", "table": former["id"]}
    status, result = await program.post("/commands/cancel", body)
    assert (status, result["done"]) == (200, False)
    _, tables = await program.get("/desk/tables")
    assert [each["pot"] for each in tables if not each["over"]] == [20]


async def test_nobody_calls_off_a_table_that_they_play_at(site: Site) -> None:
    mona = await moderating(site, "mona")
    room = f"/api/1/rooms/{site.twitch_room}"
    await site.both.chat("mona", "!heist 50", "moderator")
    _, (table,) = await mona.get(f"{room}/desk/tables")
    assert table["own"]
    _, preview = await mona.get(f"{room}/desk/tables/{table['id']}/cancel")
    assert "yourself" in preview["why"]
    path = f"{room}/commands/cancel"
    _, result = await mona.post(path, {"arguments": "heist", "table": table["id"]})
    assert not result["done"]


async def test_before_a_grant_is_undone_its_difference_is_told(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 -- twice")
    (row,) = (await program.get("/audit", count=1))[1]
    assert row["barred"] == ""
    assert row["subject"] == await seat_of(program, "bob")
    status, preview = await program.get(f"/audit/{row['number']}/undo")
    assert (status, preview) == (
        200,
        {
            "possible": True,
            "why": "",
            "differences": [{"member": "Bob", "of": "", "key": "", "before": "290", "after": "240"}],
        },
    )
    await program.use("undo", str(row["number"]))
    _, preview = await program.get(f"/audit/{row['number']}/undo")
    assert (preview["possible"], "taken back already" in preview["why"]) == (False, True)


async def test_before_a_setting_is_undone_its_difference_is_told(site: Site, program: Program) -> None:
    await program.use("set", "heist lobby 61")
    number = (await program.get("/audit", count=1))[1][0]["number"]
    _, preview = await program.get(f"/audit/{number}/undo")
    (difference,) = preview["differences"]
    assert (difference["of"], difference["key"], difference["before"]) == ("heist", "lobby", "61")
    assert difference["after"] not in {"", "61"}
    await program.use("set", "heist lobby 70")
    _, preview = await program.get(f"/audit/{number}/undo")
    assert (preview["possible"], "changed again since" in preview["why"]) == (False, True)
    for wrong in ("0", "x", "٣", "9" * 40):
        assert not (await program.get(f"/audit/{wrong}/undo"))[1].get("possible", False)


async def test_who_lacks_what_a_grant_gave_cannot_have_it_undone(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50")
    number = (await program.get("/audit", count=1))[1][0]["number"]
    await program.use("take", "bob all")
    _, preview = await program.get(f"/audit/{number}/undo")
    assert (preview["possible"], "has only 0" in preview["why"]) == (False, True)


async def test_the_audit_is_filtered_by_who_and_what_page_by_page(site: Site, program: Program) -> None:
    await site.both.chat("mona", "!grant bob 1", "moderator")
    await program.use("set", "heist lobby 61 prediction on")
    await program.use("grant", "carol 2")
    await site.both.chat("mona", "!grant carol 3", "moderator")
    actors = {each["name"]: each["actor"] for each in (await program.get("/audit/actors"))[1]}
    mona = actors["Mona"]
    _, rows = await program.get("/audit", actor=mona)
    assert {each["by"] for each in rows} == {"Mona"}
    assert len(rows) == 2
    numbers: list[int] = []
    after: dict[str, Any] = {}
    while page := (await program.get("/audit", kind="money", count=1, **after))[1]:
        numbers += [each["number"] for each in page]
        after = {"before": numbers[-1]}
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 3
    (settings,) = (await program.get("/audit", kind="setting", count=2))[1]
    assert len(settings["changes"]) == 2
    carol = await seat_of(program, "carol")
    _, rows = await program.get("/audit", subject=carol, actor=mona)
    assert [each["by"] for each in rows] == ["Mona"]


async def test_a_page_of_the_audit_is_full_however_many_changes_an_action_has(
    site: Site, program: Program
) -> None:
    changes = site.bot.parts.settings_changes.changes
    room = site.bot.rooms[site.twitch_room]
    many = tuple(Change(SETTING, "heist", f"key{each}", None, "1") for each in range(30))
    for name in ("a", "b", "c"):
        made = ChangeSet(name, room.id, room.community, datetime.now(UTC), "x", "X", many)
        await changes.make(made, Work())
    _, rows = await program.get("/audit", kind="setting", count=2)
    assert [len(each["changes"]) for each in rows] == [30, 30]
    _, rest = await program.get("/audit", kind="setting", count=2, before=rows[-1]["number"])
    assert [len(each["changes"]) for each in rest] == [30]


async def test_what_made_credits_is_listed_page_by_page(site: Site, program: Program) -> None:
    await program.use("grant", "bob 50 -- a prize")
    await program.use("take", "bob 10")
    await program.use("grant", "carol 5")
    status, rows = await program.get("/minted", count=1)
    assert (status, [(each["kind"], each["credits"]) for each in rows]) == (200, [("grant", 5)])
    _, rows = await program.get("/minted", count=5, before=rows[0]["number"])
    assert [(each["credits"], each["why"]) for each in rows] == [(50, "a prize")]
    assert [(each["name"], each["credits"]) for each in rows[0]["receivers"]] == [("Bob", 50)]


async def test_a_season_says_how_it_ends(site: Site, program: Program) -> None:
    _, (season, *_) = await program.get("/seasons")
    assert season["title"] in season["text"]


async def test_processes_are_told_to_whoever_runs_the_program_and_to_nobody_else(site: Site) -> None:
    status, answer = await (await site.operator()).get("/api/1/processes")
    assert status == 200
    (process,) = answer["processes"]
    assert (process["is_alive"], process["serves"], process["leaves"]) == (True, True, False)
    assert process["homes"] >= 1
    assert answer["free"] == []
    moderator = await moderating(site, "mona")
    assert (await moderator.get("/api/1/processes"))[0] == 403
    assert (await site.elsewhere().get("/api/1/processes"))[0] == 401
