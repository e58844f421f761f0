"""Balances of another bot come in whole or not at all, wait for who is known by name, and can go again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.imports.placeholders import Placeholders
from chatbot.ledger.imports.plans import ImportOrder, ImportPlans
from chatbot.ledger.imports.runs import ImportRefused, ImportRuns
from chatbot.ledger.imports.withdrawals import Withdrawals
from chatbot.ledger.imports.writing import ImportWriter
from chatbot.ledger.members import Members, Presence
from chatbot.ledger.people import Account, People

from . import importing
from .importing import NAME, planned, staged, taken_back
from .samples import ALICE, AT, BOB, CAROL, HOME, MINT, doctor, gift, grant, readable, seen, wallet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.imports.plans import ImportPlan
    from chatbot.ledger.imports.runs import Mode
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ZOE = Seat("name:twitch:zoe")


async def bring(
    store: Store,
    amounts: Mapping[str, int],
    mode: Mode = "add",
    name: str = NAME,
    platform: str = "twitch",
    minutes: int = 0,
    names: Mapping[str, str] | None = None,
) -> ImportPlan:
    people = People(store, readable)
    return await importing.bring(
        store, amounts, mode=mode, name=name, platform=platform, minutes=minutes, names=names, people=people
    )


async def waiting(store: Store, amounts: Mapping[str, int]) -> list[str]:
    rows = staged(amounts)
    await planned(store, rows)
    return [each.login for each in rows.waiting(99)]


async def held(ledger: Ledger, *seats: Seat) -> list[int]:
    balances = await ledger.balances([wallet(seat) for seat in seats])
    return [balances[wallet(seat)] for seat in seats]


async def test_ids_members_and_unknown_names_each_get_their_wallet(store: Store, ledger: Ledger) -> None:
    await seen(store, BOB)
    await Members(store).note(HOME, BOB, "BoB", AT)
    plan = await bring(store, {"bob": 20, "zoe": 30})
    await bring(store, {"#1": 10}, name="import:cafe")
    assert (plan.rows, plan.increase, plan.waiting) == (2, 50, 1)
    assert [each.row.who for each in plan.shown if each.waits] == ["zoe"]
    assert await held(ledger, ALICE, BOB, ZOE) == [10, 20, 30]
    assert (await ledger.balances([MINT]))[MINT] == -60


async def test_what_is_set_is_what_is_there_afterwards(store: Store, ledger: Ledger) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 100))
    await bring(store, {"#1": 40, "#2": 5}, "set")
    assert await held(ledger, ALICE, BOB) == [40, 5]


@pytest.mark.parametrize(("mode", "same"), [("add", 0), ("set", 40)])
async def test_wallets_that_stay_the_same_are_not_counted_as_changed(
    store: Store, ledger: Ledger, mode: Mode, same: int
) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 40))
    plan = await planned(store, staged({"#1": same, "#2": 5}), mode=mode)
    assert (plan.wallets, plan.increase, plan.decrease) == (1, 5, 0)


async def test_an_import_of_one_name_is_done_once(store: Store, ledger: Ledger) -> None:
    await bring(store, {"#1": 10})
    await bring(store, {"#1": 10})
    assert await held(ledger, ALICE) == [10]
    assert [each.state for each in await ImportRuns(store).beginning(NAME)] == ["done"]


async def test_what_is_set_is_decided_on_the_balance_that_is_there_when_it_is_written(
    store: Store, ledger: Ledger
) -> None:
    await seen(store, ALICE, BOB)
    rows = staged({"#1": 10, "#2": 10})
    plan = await planned(store, rows, mode="set")
    await ledger.post(grant(BOB, 1))
    await ImportWriter(store).write(plan, rows, NAME, "points.csv", AT)
    assert await held(ledger, ALICE, BOB) == [10, 10]


async def test_a_shown_name_of_discord_or_of_another_platform_is_nobodys_login(
    store: Store, ledger: Ledger
) -> None:
    await seen(store, Seat("discord:9"))
    await Members(store).note(HOME, Seat("discord:9"), "bob", AT)
    plan = await bring(store, {"bob": 5}, platform="discord")
    assert plan.waiting == 1
    assert await held(ledger, Seat("discord:9"), Seat("name:discord:bob")) == [0, 5]
    assert await waiting(store, {"bob": 5}) == ["bob"]


async def test_two_members_of_one_name_are_not_chosen_between(store: Store) -> None:
    await seen(store, ALICE, BOB)
    for seat in (ALICE, BOB):
        await Members(store).note(HOME, seat, "Zoe", AT)
    assert await waiting(store, {"zoe": 5}) == ["zoe"]


async def test_a_name_that_only_another_community_knows_waits(store: Store) -> None:
    await seen(store, BOB)
    await Members(store).note("elsewhere", BOB, "Bob", AT)
    assert await waiting(store, {"bob": 5}) == ["bob"]


async def test_a_name_that_nobody_can_sign_in_by_waits_for_nobody(store: Store) -> None:
    rows = staged({"은하": 5, "a" * 26: 7})
    plan = await planned(store, rows)
    assert [each.text for each in rows.faults()] == [
        "line 2: '은하' is nobody's login on twitch",
        f"line 3: '{'a' * 26}' is nobody's login on twitch",
    ]
    assert (plan.rows, plan.increase, rows.fault_credits) == (0, 0, 12)


async def test_a_file_of_thousands_of_such_names_takes_no_minutes(store: Store) -> None:
    rows = staged({f"no login {number}": 1 for number in range(10_000)})
    began = time.process_time()
    await planned(store, rows)
    assert time.process_time() - began < 4  # a look at each for each took 16 s
    assert rows.fault_count == 10_000


async def test_what_waits_for_a_name_is_handed_on_once_and_again_when_more_came(
    store: Store, ledger: Ledger
) -> None:
    claims, login = Placeholders(store, await seen(store, BOB)), Account("twitch", "zoe")
    assert not await claims.waiting()
    await bring(store, {"zoe": 30})
    assert await claims.waiting()
    assert [await claims.inherit(login, BOB, AT) for _ in range(2)] == [30, 0]
    await importing.bring(store, {"zoe": 4}, name="import:cafe")
    assert await claims.inherit(login, BOB, AT) == 4
    assert await held(ledger, BOB, ZOE) == [34, 34], "one purse, whoever is asked for"
    assert not await claims.waiting()


async def test_a_name_that_waits_ranks_nowhere(store: Store, ledger: Ledger) -> None:
    await bring(store, {"zoe": 30})
    await ledger.post(grant(ALICE, 5))
    assert await ledger.top(HOME, 5) == [(ALICE, 5)]
    assert await ledger.place(HOME, ALICE) == 1


async def test_an_import_is_taken_back_as_far_as_it_is_still_there(store: Store, ledger: Ledger) -> None:
    await bring(store, {"zoe": 30, "ann": 10, "max": 7})
    await Placeholders(store, await seen(store, BOB)).inherit(Account("twitch", "zoe"), BOB, AT)
    await ledger.post(gift(BOB, ALICE, 25))
    undone = await taken_back(store)
    assert (undone.taken, undone.given, undone.missing) == (22, 0, {"twitch:2": 25})  # 5 of bob, 10 and 7
    assert await held(ledger, ALICE, BOB) == [25, 0]


async def test_one_who_was_two_names_pays_back_no_more_than_they_have(store: Store, ledger: Ledger) -> None:
    await bring(store, {"zoe": 30, "max": 10})
    people = await seen(store, BOB)
    for login in ("zoe", "max"):
        await Placeholders(store, people).inherit(Account("twitch", login), BOB, AT)
    await ledger.post(gift(BOB, ALICE, 15))
    undone = await taken_back(store)
    assert (undone.taken, sum(undone.missing.values())) == (25, 15)
    assert await held(ledger, BOB) == [0]


async def test_what_was_set_lower_is_given_back(store: Store, ledger: Ledger) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 100))
    await bring(store, {"#1": 40, "#2": 5}, "set")
    undone = await taken_back(store)
    assert (undone.taken, undone.given, undone.missing) == (5, 60, {})
    assert await held(ledger, ALICE, BOB) == [100, 0]


async def test_an_import_is_taken_back_once(store: Store, ledger: Ledger) -> None:
    await bring(store, {"#1": 10})
    await taken_back(store)
    await ledger.post(grant(ALICE, 10))
    with pytest.raises(ImportRefused, match=f"The import {NAME} was taken back before"):
        await taken_back(store)
    for other in ("import:none", "welcome:local:twitch:1"):
        with pytest.raises(ImportRefused, match="There is no import"):
            await taken_back(store, other)
    assert await held(ledger, ALICE) == [10]


async def test_the_purses_of_a_community_in_union_are_brought_to_their_holder(store: Store) -> None:
    await doctor(store, "INSERT INTO community_union VALUES ('local', 'twitch-1', 0)")
    with pytest.raises(ImportRefused, match="The purses of local are held by twitch-1; import it there"):
        await planned(store, staged({"#1": 10}))


async def test_a_linked_id_is_its_root_and_two_of_one_root_are_one_too_many(
    store: Store, ledger: Ledger
) -> None:
    await seen(store, ALICE, BOB, CAROL)
    await doctor(store, "UPDATE person SET same_as = 'discord\\:3' WHERE seat LIKE 'twitch%'")
    rows = staged({"#1": 10, "#2": 10, "#5": 1})
    plan = await planned(store, rows)
    (fault,) = rows.faults()
    assert fault.text.startswith("lines 2, 3: '1' is one person 2 times")
    assert (plan.increase, fault.credits) == (1, 20)
    added = await planned(store, staged({"#1": 10, "#2": 10, "#5": 1}), same="add")
    assert added.increase == 21
    await bring(store, {"#1": 10})
    assert await held(ledger, CAROL) == [10]


async def test_the_communities_there_are_can_be_listed(store: Store, ledger: Ledger) -> None:
    await Members(store).note("discord-9", BOB, "bob", AT)
    await ledger.post(grant(ALICE, 1))
    assert await ImportPlans(store).communities() == ["discord-9", HOME]


async def test_the_name_of_the_file_is_shown_until_the_account_speaks(store: Store) -> None:
    await seen(store, BOB)
    await Members(store).note(HOME, BOB, "Bobby", AT)
    await bring(store, {"#1": 10, "#2": 5}, names={"#1": "Ann_of_old", "#2": "Bob_of_old"})
    assert await Members(store).names(HOME, [ALICE, BOB]) == {ALICE: "Ann_of_old", BOB: "Bobby"}
    assert await Members(store).find(HOME, "ann_OF_old") == [ALICE]


async def test_watched_time_comes_along_and_goes_with_its_import(store: Store) -> None:
    await bring(store, {"#1": 10, "zoe": 0}, minutes=90)
    visits = await Presence(store).several(HOME, [ALICE, ZOE])
    assert {seat: each.minutes for seat, each in visits.items()} == {ALICE: 90, ZOE: 90}
    await bring(store, {"#1": 10}, "set", "import:cafe", minutes=60)
    assert (await Presence(store).several(HOME, [ALICE]))[ALICE].minutes == 60
    await taken_back(store, "import:cafe")
    await taken_back(store)
    visits = await Presence(store).several(HOME, [ALICE, ZOE])
    assert {seat: each.minutes for seat, each in visits.items()} == {ALICE: 0, ZOE: 0}


async def test_one_row_of_an_import_is_taken_back_and_the_others_stay(store: Store, ledger: Ledger) -> None:
    await bring(store, {"#1": 10, "#2": 20, "zoe": 30})
    assert (await taken_back(store, lines=[3])).taken == 20
    assert await held(ledger, ALICE, BOB, ZOE) == [10, 0, 30]
    with pytest.raises(ImportRefused, match=r"Line 3 of the import .* was taken back before"):
        await taken_back(store, lines=[2, 3])
    with pytest.raises(ImportRefused, match=r"has no row of line 9"):
        await taken_back(store, lines=[9])
    assert (await taken_back(store, lines=[2])).taken == 10
    whole = await taken_back(store)
    assert (whole.taken, await held(ledger, ALICE, BOB, ZOE)) == (60, [0, 0, 0])
    assert await breaches(store) == []


async def test_an_import_is_found_by_the_name_of_its_file(store: Store) -> None:
    await bring(store, {"#1": 10})
    withdrawals = Withdrawals(store)
    assert (await withdrawals.find("points.csv")).id == NAME
    await bring(store, {"#1": 11}, name="import:cafe")
    with pytest.raises(ImportRefused, match=r"points.csv was imported several times; name one of import:"):
        await withdrawals.find("points.csv")


class Stopped(Exception):  # noqa: N818  (what happened)
    """Somebody has pulled the plug."""


async def test_an_interrupted_import_is_continued_and_is_one_import(store: Store, ledger: Ledger) -> None:
    def stop(_: int) -> None:
        raise Stopped

    amounts = {f"#{number}": number for number in range(1, 2501)}
    rows = staged(amounts)
    plan = await ImportPlans(store).plan(ImportOrder(HOME, "twitch"), rows)
    with pytest.raises(Stopped):
        await ImportWriter(store).write(plan, rows, NAME, "points.csv", AT, progress=stop)
    assert await ImportRuns(store).written(NAME) == 1000
    run = await ImportRuns(store).find(NAME)
    assert run is not None
    assert (run.state, run.rows) == ("running", 2500)
    again = await ImportPlans(store).plan(ImportOrder(HOME, "twitch"), rows)
    await ImportWriter(store).write(again, rows, NAME, "points.csv", AT)
    assert (await ledger.balances([MINT]))[MINT] == -sum(amounts.values())
    assert (await ImportRuns(store).written(NAME), await held(ledger, Seat("p2500"))) == (2500, [2500])
    assert (await taken_back(store)).taken == sum(amounts.values())
    assert (await ledger.balances([MINT]))[MINT] == 0
    assert await breaches(store) == []


async def test_an_interrupted_import_can_be_taken_back_as_far_as_it_came(
    store: Store, ledger: Ledger
) -> None:
    def stop(_: int) -> None:
        raise Stopped

    rows = staged({f"#{number}": 1 for number in range(1, 1502)})
    plan = await planned(store, rows)
    with pytest.raises(Stopped):
        await ImportWriter(store).write(plan, rows, NAME, "points.csv", AT, progress=stop)
    assert (await taken_back(store)).taken == 1000
    assert (await ledger.balances([MINT]))[MINT] == 0
    with pytest.raises(ImportRefused, match="was taken back meanwhile"):  # of whoever still writes it
        await ImportWriter(store).write(plan, rows, NAME, "points.csv", AT)
    assert (await ledger.balances([MINT]))[MINT] == 0


async def test_more_ids_than_memory_keeps_are_imported(store: Store, ledger: Ledger) -> None:
    people = People(store)
    with patch("chatbot.ledger.people.MOST_ACCOUNTS", 50):
        await importing.bring(store, {f"#{number}": 1 for number in range(1, 1201)}, people=people)
    assert (await ledger.balances([MINT]))[MINT] == -1200
