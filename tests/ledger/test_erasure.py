"""Who is forgotten is nowhere in the database any more, and the books add up as before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, select, text

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.posting import Entry, Posting, Short
from chatbot.ledger.changes import FORGETTING, MONEY, SETTING, Change, Changes, ChangeSet, Work
from chatbot.ledger.erasure import Erasure, StillPlaying
from chatbot.ledger.imports.placeholders import Placeholders
from chatbot.ledger.member_export import MemberExport, Persons, PersonUnknown
from chatbot.ledger.members import Members
from chatbot.ledger.people import Account, People
from chatbot.ledger.rooms import KnownRoom, KnownRooms, Preferences
from chatbot.ledger.store import schema
from chatbot.ledger.store.schema import metadata

from .importing import bring
from .samples import (
    AT,
    HOME,
    MINT,
    POT,
    TABLE,
    doctor,
    everything,
    gift,
    grant,
    joining,
    opening,
    posting,
    settling,
    wallet,
)

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

# As they are called at tables, in the order in which their accounts are seen.
ALICE, BOB, LIKE_BOB, PAGE = (Seat(f"p{number}") for number in range(1, 5))
ACCOUNTS = {
    ALICE: Account("twitch", "1"),
    BOB: Account("twitch", "2"),
    LIKE_BOB: Account("twitch", "21"),  # whose id begins as that of BOB
    PAGE: Account("discord", "77"),
}
MARKS = re.compile(r"twitch:2(?!\d)|discord:77|bobby|^77$", re.IGNORECASE)
ROWS = (
    "INSERT INTO presence VALUES ('local', 'p2', 0, 5, 6, 'viewer')",
    "INSERT INTO presence VALUES ('local', 'p3', 0, 5, 6, 'viewer')",
    "UPDATE person SET same_as = 'p2' WHERE seat = 'p4'",
    "INSERT INTO record VALUES ('den', 'heist', 'p2', '{}')",
    "INSERT INTO season_record VALUES ('den', 'heist', 1, 'p2', '{}')",
    "INSERT INTO season_place VALUES ('den', 'heist', 1, 1, 'p2', 'Bobby', 50)",
    "INSERT INTO season_place VALUES ('den', 'heist', 1, 2, 'p3', 'Lee', 40)",
    "INSERT INTO hint VALUES ('heist\\:local\\:p2', 'local', 'p2')",
    "INSERT INTO hidden_member VALUES ('p2')",
    "INSERT INTO hidden_member VALUES ('p3')",
    "INSERT INTO voucher VALUES ('v1', 'twitch', '7/8/9', 'local', 'p2', 'table-1', 10, 'kept', 1, 0)",
    "INSERT INTO voucher VALUES ('v2', 'twitch', '7/8/0', 'local', 'p3', 'table-1', 10, 'kept', 1, 0)",
    "INSERT INTO web_session VALUES ('s1', 'desk', 'c', 'discord', '77', 'Bobby', 0, 9)",
    "INSERT INTO web_session VALUES ('s2', 'desk', 'c', 'twitch', '21', 'Lee', 0, 9)",
    "INSERT INTO one_time_link VALUES ('l1', 'desk', 'discord', '77', 'Bobby', 0, 9)",
    "INSERT INTO web_role VALUES ('discord', '77', 'discord-9', 'moderator', 0)",
    "INSERT INTO api_token VALUES ('t1', 'deck', 'den', '[]', 'discord', '77', 'Bobby', 0, NULL)",
    """INSERT INTO api_answer VALUES ('t1', 'k1', 'r', 200, '"Bobby has 3 credits."', 0)""",
)


async def lived(store: Store, ledger: Ledger) -> None:
    """Let BOB, who is Bobby, leave a trace in every table."""
    people = await met(store)
    members = Members(store)
    for seat, name in ((BOB, "Bobby"), (PAGE, "Bobby!"), (ALICE, "Alice"), (LIKE_BOB, "Lee")):
        await members.note(HOME, seat, name, AT)
    welcome = Entry(MINT, wallet(BOB), 100, "welcome")
    await ledger.post(posting(welcome, name=f"welcome:{HOME}:{BOB}", actor=BOB))
    await ledger.post(grant(ALICE, 50))
    await ledger.post(grant(LIKE_BOB, 7))
    await ledger.post(gift(BOB, ALICE, 20))
    with pytest.raises(Short):
        await ledger.post(posting(Entry(wallet(BOB), MINT, 999, "test"), name=f"give:{BOB}"))
    await ledger.post(opening(BOB, 10))
    await ledger.post(joining(ALICE, 10))
    await ledger.post(settling(Entry(POT, wallet(BOB), 15, "win"), Entry(POT, wallet(ALICE), 5, "win")))
    await Preferences(store).save(
        "community local", "regulars", {"twitch:2": "Bobby", "twitch:21": "Lee", "discord:77": "Bobby"}
    )
    await bring(store, {"bobby_77": 30})
    await Placeholders(store, people).inherit(Account("twitch", "bobby_77"), BOB, AT)
    await doctor(store, *ROWS)
    await store.write(hooked, homes=())
    for number, (actor, name, change, why) in enumerate(
        (
            (BOB, "Bobby", Change(SETTING, "room", "talk", "full", "quiet"), "bobby wants it"),
            (ALICE, "Alice", Change(MONEY, BOB, "", "1", "2"), "for Bobby, well won"),
            (ALICE, "Alice", Change(SETTING, "regulars", "twitch:2", None, "Bobby"), ""),
            (ALICE, "Alice", Change(SETTING, "room", "talk", "full", "quiet"), "as @Bobby said"),
        )
    ):
        await Changes(store).make(
            ChangeSet(f"change-set:{number}", "den", HOME, AT, actor, name, (change,), why), Work()
        )


async def hooked(connection: AsyncConnection) -> None:
    """Let BOB have a hook, and a key by which his roles are asked for."""
    who = {"platform": "discord", "account": "77"}
    hook = {
        "id": "w1",
        "room": "den",
        "url": "https://a.example",
        "kinds": "[]",
        "is_local": 0,
        "name": "Bobby",
    }
    await connection.execute(
        insert(schema.webhook), {**who, **hook, "name": "Bobby", "sealed": b"0", "created_at": AT}
    )
    await connection.execute(insert(schema.web_key), {**who, "sealed": b"0"})


async def met(store: Store) -> People:
    people = People(store)
    await people.settle(ACCOUNTS.values())
    assert {each: people.home(account) for each, account in ACCOUNTS.items()} == {
        each: each for each in ACCOUNTS
    }
    return people


async def forget(store: Store, whom: str) -> None:
    await Erasure(store).forget(await Persons(store).find(whom), AT)


async def keepers_own(store: Store) -> list[ChangeSet]:
    return [each for each in await Changes(store).newest() if each.changes[0].kind != FORGETTING]


async def traces(store: Store) -> list[tuple[str, str]]:
    """Search every column of every table for what could tell who it was."""
    found = await everything(store)
    return [
        (table, str(cell)) for table, rows in found.items() for row in rows for cell in row
        if MARKS.search(str(cell))
    ]  # fmt: skip


async def test_nothing_of_who_is_forgotten_is_left_in_any_column(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    told = {table for table, _ in await traces(store)}
    named = {table.name for table in metadata.sorted_tables if {"name", "key"} & set(table.c.keys())}
    assert named - {"community", "duty"} <= told  # or the search below would prove little
    await forget(store, "bobby")
    assert await traces(store) == []
    async with store.reading() as connection:
        led = select(schema.platform_account.c.platform, schema.platform_account.c.key)
        assert sorted((await connection.execute(led)).all()) == [("twitch", "1"), ("twitch", "21")]
    assert await breaches(store) == []


async def test_books_and_journals_stay_as_they_are_when_somebody_is_forgotten(
    store: Store, ledger: Ledger
) -> None:
    await lived(store, ledger)
    before = await everything(store)
    await forget(store, "bobby")
    after = await everything(store)
    for table in ("game_table", "journal", "step", "record"):
        assert after[table] == before[table], table
    assert set(before["transfer"]) < set(after["transfer"]), "one more, which gives to the mint what was left"


async def test_an_account_that_was_parted_is_not_forgotten_with_the_one_that_it_was_linked_to(
    store: Store, ledger: Ledger
) -> None:
    await lived(store, ledger)
    await doctor(store, "UPDATE person SET same_as = NULL, parted_from = 'p2' WHERE seat = 'p4'")
    await forget(store, "twitch:2")
    assert (await Persons(store).find("discord:77")).seats == (PAGE,)


async def test_that_a_member_was_forgotten_is_written_down_in_their_rooms_and_not_who(
    store: Store, ledger: Ledger
) -> None:
    await lived(store, ledger)
    for place in (KnownRoom("den", HOME), KnownRoom("garden", HOME), KnownRoom("elsewhere", "twitch-9")):
        await KnownRooms(store).note(place, AT)
    await forget(store, "bobby")
    told = [each for each in await Changes(store).newest() if each.changes[0].kind == FORGETTING]
    assert [(each.room, each.community, each.actor, each.name, each.at) for each in told] == [
        ("garden", HOME, "operator", "operator", AT),
        ("den", HOME, "operator", "operator", AT),
    ]
    assert {each.changes for each in told} == {(Change(FORGETTING, "member"),)}
    assert await traces(store) == []
    last = await Changes(store).last("den")
    assert last is not None
    assert (
        last.changes[0].kind == SETTING
    )  # what !undo takes back is still the newest that moderators changed


async def test_where_no_room_was_opened_it_is_written_down_for_the_community(
    store: Store, ledger: Ledger
) -> None:
    await met(store)
    await ledger.post(grant(BOB, 5))
    await forget(store, "twitch:2")
    (told,) = await Changes(store).newest()
    assert (told.room, told.community) == ("", HOME)


async def test_the_purses_of_all_others_stay_as_they_are(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    before = await ledger.balances([wallet(ALICE), wallet(LIKE_BOB), MINT])
    bob = (await ledger.balances([wallet(BOB)]))[wallet(BOB)]
    assert bob == 100 - 20 - 10 + 15 + 30
    await forget(store, "twitch:2")
    after = await ledger.balances([wallet(ALICE), wallet(LIKE_BOB), MINT])
    assert after == before | {MINT: before[MINT] + bob}
    async with store.reading() as connection:
        row = schema.presence.c.seat
        assert (await connection.execute(select(row))).scalars().all() == [LIKE_BOB]
    assert (await Preferences(store).load("community local"))["regulars"] == {"twitch:21": "Lee"}


async def test_words_of_others_stay_where_they_name_nobody(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    change_set = ChangeSet(
        "change-set:9", "den", HOME, AT, ALICE, "Alice", (Change(SETTING, "room", "x", "bobby", "2"),)
    )
    await Changes(store).make(change_set, Work())
    await forget(store, "twitch:2")
    whys = [each.why for each in await keepers_own(store)]
    assert whys[:5] == ["", "as @gone said", "", "for gone, well won", "gone wants it"]
    assert (await keepers_own(store))[0].changes[0].old == "bobby"  # here it is but a word
    await doctor(store, "UPDATE change SET old = '' WHERE change_set = 'change-set\\:9'")


async def test_who_sits_at_an_open_table_is_not_forgotten(store: Store, ledger: Ledger) -> None:
    await met(store)
    await ledger.post(grant(BOB, 100))
    await ledger.post(opening(BOB, 10))
    before = await everything(store)
    with pytest.raises(StillPlaying, match=rf"They still sit at heist in den \(table {TABLE}\)"):
        await forget(store, "twitch:2")
    assert await everything(store) == before


async def test_a_failure_half_way_leaves_all_as_it_was(
    store: Store, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(store, ledger)
    before = await everything(store)
    person = await Persons(store).find("twitch:2")
    monkeypatch.setattr("chatbot.ledger.erasure._note", broken)
    with pytest.raises(RuntimeError, match="the plug was pulled"):
        await Erasure(store).forget(person, AT)
    assert await everything(store) == before
    assert await breaches(store) == []


def broken(*_: object) -> None:
    raise RuntimeError("the plug was pulled")


async def test_what_there_is_to_forget_is_told_before(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    person = await Persons(store).find("@Bobby")
    waited = Seat("p1001")  # who stood for the login, by a number of another block
    assert person.seats == (BOB, waited, PAGE)
    assert person.accounts == (ACCOUNTS[BOB], ACCOUNTS[PAGE])
    assert person.names == ("Bobby", "Bobby!")
    remains = await Erasure(store).weigh(person)
    assert remains.balances[HOME] == 115
    # Welcome, gift, stake, win; the import to the name, and from the name to him.
    assert remains.transfers == 6


async def brought(store: Store, platform: str, login: str, community: str = HOME) -> None:
    await bring(store, {login: 30}, community, platform=platform, name=f"import:{platform}:{community}")


@pytest.mark.parametrize("called", ["bobby_77", "@Bobby_77", "twitch:bobby_77", "twitch:Bobby_77"])
async def test_a_login_for_which_credits_wait_is_exported_and_forgotten(
    store: Store, ledger: Ledger, called: str
) -> None:
    await met(store)
    await brought(store, "twitch", "bobby_77")
    person = await Persons(store).find(called)
    assert (len(person.seats), person.accounts, person.names) == (1, (), ("bobby_77",))
    kept = await MemberExport(store).of(person)
    assert [each["login"] for each in kept["accounts"]] == ["bobby_77"]
    assert [each["balance"] for each in kept["wallets"]] == [30]
    assert (await Erasure(store).weigh(person)).balances == {HOME: 30}
    await Erasure(store).forget(person, AT)
    assert [each for each in await traces(store) if "bobby" in each[1]] == []
    assert (await ledger.balance(wallet(person.seats[0])), await ledger.balance(MINT)) == (0, 0)
    assert await breaches(store) == []
    with pytest.raises(PersonUnknown):
        await Persons(store).find(called)


async def test_a_login_must_mean_one_person_too_and_a_member_of_that_name_comes_first(store: Store) -> None:
    await met(store)
    await brought(store, "twitch", "sam")
    (waiting,) = (await Persons(store).find("sam")).seats
    assert (await Persons(store).find("sam", HOME)).seats == (waiting,)
    with pytest.raises(PersonUnknown, match="There is no member 'sam' in den"):
        await Persons(store).find("sam", "den")
    await brought(store, "discord", "sam")
    with pytest.raises(
        PersonUnknown, match="Several members are called 'sam'; say which: discord:sam, twitch:sam"
    ):
        await Persons(store).find("sam")
    await Members(store).note(HOME, ALICE, "Sam", AT)
    assert (await Persons(store).find("sam")).seats == (ALICE,)
    assert (await Persons(store).find("twitch:sam")).seats == (waiting,)


async def test_a_name_must_mean_one_person(store: Store) -> None:
    await met(store)
    for seat in (ALICE, LIKE_BOB):
        await Members(store).note(HOME, seat, "Sam", AT)
    await Members(store).note("den", LIKE_BOB, "Sam", AT)
    with pytest.raises(
        PersonUnknown, match="Several members are called 'sam'; say which: twitch:1, twitch:21"
    ):
        await Persons(store).find("sam")
    assert (await Persons(store).find("sam", "den")).seats == (LIKE_BOB,)
    for nobody in ("max", "twitch:99"):
        with pytest.raises(PersonUnknown, match=f"There is no member '{nobody}' in this database"):
            await Persons(store).find(nobody)
    with pytest.raises(PersonUnknown, match="There is no member 'twitch:' in this database"):
        await Persons(store).find("twitch:")


async def test_a_dossier_holds_all_that_is_kept_and_nothing_of_others(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    kept = await MemberExport(store).of(await Persons(store).find("twitch:2"))
    counts = {name: len(rows) for name, rows in kept.items() if isinstance(rows, list)}
    assert counts == {
        "seats": 3, "names": 2, "presence": 1, "records": 1, "former_records": 1, "season_places": 1,
        "hints": 1, "hidden": 1, "vouchers": 1, "persons": 3, "accounts": 2, "wallets": 2, "movements": 6,
        "actions": 0, "changes": 3, "settings": 1,
    }  # fmt: skip
    assert kept["settings"][0]["values"] == {"twitch:2": "Bobby", "discord:77": "Bobby"}
    assert not {"twitch:21", str(LIKE_BOB)} & set(re.findall(r"[\w:]+", repr(kept)))
    assert "Lee" not in repr(kept)


async def test_a_streamers_room_goes_on_under_its_own_number(store: Store, ledger: Ledger) -> None:
    await met(store)
    await ledger.post(grant(BOB, 5))
    await Preferences(store).save("twitch:2", "room", {"talk": "quiet"})
    await forget(store, "twitch:2")
    assert await Preferences(store).load("twitch:2") == {"room": {"talk": "quiet"}}
    async with store.reading() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM transfer"))).scalar() == 2


async def test_whoever_comes_back_is_somebody_new(store: Store, ledger: Ledger) -> None:
    await lived(store, ledger)
    await forget(store, "twitch:2")
    people = People(store)
    await people.settle([ACCOUNTS[BOB]])
    fresh = people.home(ACCOUNTS[BOB])
    assert fresh not in ACCOUNTS
    again = Posting(f"welcome:{HOME}:{fresh}", HOME, AT, fresh, (Entry(MINT, wallet(fresh), 100, "welcome"),))
    assert await ledger.post(again)


async def test_a_mention_is_forgotten_in_small_and_large_letters_of_any_alphabet(
    store: Store, ledger: Ledger
) -> None:
    await lived(store, ledger)
    await Members(store).note(HOME, BOB, "Änne", AT)
    for number, why in enumerate(("as @änne said", "as @ÄNNE said")):
        change = Change(SETTING, "room", "talk", "full", "quiet")
        change_set = ChangeSet(f"change-set:1{number}", "den", HOME, AT, ALICE, "Alice", (change,), why)
        await Changes(store).make(change_set, Work())
    await forget(store, "twitch:2")
    assert [each.why for each in await keepers_own(store)][:2] == ["as @gone said"] * 2
