"""Balances of another bot come in whole or not at all, wait for who is known by name, and can go again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.imports import BalanceOwner, ImportRefused, Imports, Placeholders, Withdrawals
from chatbot.ledger.members import Members
from chatbot.ledger.people import Account

from .samples import ALICE, AT, BOB, CAROL, HOME, MINT, doctor, gift, grant, readable, seen, wallet

if TYPE_CHECKING:
    from chatbot.ledger.books.ledger import Ledger
    from chatbot.ledger.imports import ImportPlan, Mode
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

NAME = "import:f00d"
ZOE = Seat("name:twitch:zoe")


def by_name(name: str, platform: str = "twitch") -> BalanceOwner:
    return BalanceOwner(platform, name, is_id=False)


def by_id(number: str) -> BalanceOwner:
    return BalanceOwner("twitch", number, is_id=True)


async def bring(
    store: Store, amounts: dict[BalanceOwner, int], mode: Mode = "add", name: str = NAME
) -> ImportPlan:
    imports = Imports(store, readable)
    plan = await imports.plan(HOME, mode, amounts)
    assert await imports.carry_out(plan, name, "points.csv", AT)
    return plan


async def held(ledger: Ledger, *seats: Seat) -> list[int]:
    balances = await ledger.balances([wallet(seat) for seat in seats])
    return [balances[wallet(seat)] for seat in seats]


async def test_ids_members_and_unknown_names_each_get_their_wallet(store: Store, ledger: Ledger) -> None:
    await seen(store, BOB)
    await Members(store).note(HOME, BOB, "BoB", AT)
    plan = await bring(store, {by_name("bob"): 20, by_name("zoe"): 30})
    await bring(store, {by_id("1"): 10}, name="import:cafe")
    assert plan.waits == ["zoe"]
    assert await held(ledger, ALICE, BOB, ZOE) == [10, 20, 30]
    assert (await ledger.balances([MINT]))[MINT] == -60


async def test_what_is_set_is_what_is_there_afterwards(store: Store, ledger: Ledger) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 100))
    await bring(store, {by_id("1"): 40, by_id("2"): 5}, "set")
    assert await held(ledger, ALICE, BOB) == [40, 5]


@pytest.mark.parametrize(("mode", "same"), [("add", 0), ("set", 40)])
async def test_wallets_that_stay_the_same_are_not_counted_as_changed(
    store: Store, ledger: Ledger, mode: Mode, same: int
) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 40))
    plan = await Imports(store, readable).plan(HOME, mode, {by_id("1"): same, by_id("2"): 5})
    assert (plan.changes, plan.brought) == ({by_id("2"): 5}, 5)


async def test_an_import_of_one_name_is_done_once(store: Store, ledger: Ledger) -> None:
    await bring(store, {by_id("1"): 10})
    imports = Imports(store, readable)
    plan = await imports.plan(HOME, "add", {by_id("1"): 10})
    assert not await imports.carry_out(plan, NAME, "points.csv", AT)
    assert await imports.numbered(NAME) == 1
    assert await held(ledger, ALICE) == [10]


async def test_balances_that_moved_meanwhile_refuse_what_would_set_them(store: Store, ledger: Ledger) -> None:
    await seen(store, ALICE, BOB)
    imports = Imports(store, readable)
    plan = await imports.plan(HOME, "set", {by_id("1"): 10, by_id("2"): 10})
    await ledger.post(grant(BOB, 1))
    with pytest.raises(ImportRefused, match="Balances have changed meanwhile, so nothing was done"):
        await imports.carry_out(plan, NAME, "points.csv", AT)
    assert await held(ledger, ALICE, BOB) == [0, 1]


async def test_a_shown_name_of_discord_or_of_another_platform_is_nobodys_login(
    store: Store, ledger: Ledger
) -> None:
    await seen(store, Seat("discord:9"))
    await Members(store).note(HOME, Seat("discord:9"), "bob", AT)
    plan = await bring(store, {by_name("bob", "discord"): 5})
    assert plan.waits == ["bob"]
    assert await held(ledger, Seat("discord:9"), Seat("name:discord:bob")) == [0, 5]
    assert (await Imports(store, readable).plan(HOME, "add", {by_name("bob"): 5})).waits == ["bob"]


async def test_two_members_of_one_name_are_not_chosen_between(store: Store) -> None:
    await seen(store, ALICE, BOB)
    for seat in (ALICE, BOB):
        await Members(store).note(HOME, seat, "Zoe", AT)
    assert (await Imports(store, readable).plan(HOME, "add", {by_name("zoe"): 5})).waits == ["zoe"]


async def test_a_name_that_only_another_community_knows_waits(store: Store) -> None:
    await seen(store, BOB)
    await Members(store).note("elsewhere", BOB, "Bob", AT)
    assert (await Imports(store, readable).plan(HOME, "add", {by_name("bob"): 5})).waits == ["bob"]


async def test_a_name_that_nobody_can_sign_in_by_waits_for_nobody(store: Store) -> None:
    plan = await Imports(store, readable).plan(HOME, "add", {by_name("은하"): 5, by_name("a" * 26): 5})
    assert (plan.strange, plan.changes) == (["은하", "a" * 26], {})


async def test_a_file_of_thousands_of_such_names_takes_no_minutes(store: Store) -> None:
    owners = {BalanceOwner("twitch", f"no login {number}", is_id=False): 1 for number in range(10_000)}
    began = time.process_time()
    plan = await Imports(store).plan(HOME, "add", owners)
    assert time.process_time() - began < 4  # a look at each for each took 16 s
    assert len(plan.strange) == len(owners)


async def test_what_waits_for_a_name_is_handed_on_once_and_again_when_more_came(
    store: Store, ledger: Ledger
) -> None:
    waiting, login = Placeholders(store, await seen(store, BOB)), Account("twitch", "zoe")
    assert not await waiting.waiting()
    await bring(store, {by_name("zoe"): 30})
    assert await waiting.waiting()
    assert [await waiting.inherit(login, BOB, AT) for _ in range(2)] == [30, 0]
    plan = await Imports(store).plan(HOME, "add", {by_name("zoe"): 4})
    assert await Imports(store).carry_out(plan, "import:cafe", "points.csv", AT)
    assert await waiting.inherit(login, BOB, AT) == 4
    assert await held(ledger, BOB, ZOE) == [34, 34], "one purse, whoever is asked for"
    assert not await waiting.waiting()


async def test_a_name_that_waits_ranks_nowhere(store: Store, ledger: Ledger) -> None:
    await bring(store, {by_name("zoe"): 30})
    await ledger.post(grant(ALICE, 5))
    assert await ledger.top(HOME, 5) == [(ALICE, 5)]
    assert await ledger.place(HOME, ALICE) == 1


async def test_an_import_is_taken_back_as_far_as_it_is_still_there(store: Store, ledger: Ledger) -> None:
    await bring(store, {by_name("zoe"): 30, by_name("ann"): 10, by_name("max"): 7})
    await Placeholders(store, await seen(store, BOB)).inherit(Account("twitch", "zoe"), BOB, AT)
    await ledger.post(gift(BOB, ALICE, 25))
    undone = await Withdrawals(store).undo(NAME, AT)
    assert (undone.taken, undone.given, undone.missing) == (22, 0, {"twitch:2": 25})  # 5 of bob, 10 and 7
    assert await held(ledger, ALICE, BOB) == [25, 0]


async def test_one_who_was_two_names_pays_back_no_more_than_they_have(store: Store, ledger: Ledger) -> None:
    await bring(store, {by_name("zoe"): 30, by_name("max"): 10})
    people = await seen(store, BOB)
    for login in ("zoe", "max"):
        await Placeholders(store, people).inherit(Account("twitch", login), BOB, AT)
    await ledger.post(gift(BOB, ALICE, 15))
    undone = await Withdrawals(store).undo(NAME, AT)
    assert (undone.taken, sum(undone.missing.values())) == (25, 15)
    assert await held(ledger, BOB) == [0]


async def test_what_was_set_lower_is_given_back(store: Store, ledger: Ledger) -> None:
    await seen(store, ALICE)
    await ledger.post(grant(ALICE, 100))
    await bring(store, {by_id("1"): 40, by_id("2"): 5}, "set")
    undone = await Withdrawals(store).undo(NAME, AT)
    assert (undone.taken, undone.given, undone.missing) == (5, 60, {})
    assert await held(ledger, ALICE, BOB) == [100, 0]


async def test_an_import_is_taken_back_once(store: Store, ledger: Ledger) -> None:
    await bring(store, {by_id("1"): 10})
    await Withdrawals(store).undo(NAME, AT)
    await ledger.post(grant(ALICE, 10))
    with pytest.raises(ImportRefused, match=f"The import {NAME} was taken back before"):
        await Withdrawals(store).undo(NAME, AT)
    for other in ("import:none", "welcome:local:twitch:1"):
        with pytest.raises(ImportRefused, match="There is no import"):
            await Withdrawals(store).undo(other, AT)
    assert await held(ledger, ALICE) == [10]


async def test_the_purses_of_a_community_in_union_are_brought_to_their_holder(store: Store) -> None:
    await doctor(store, "INSERT INTO community_union VALUES ('local', 'twitch-1', 0)")
    with pytest.raises(ImportRefused, match="The purses of local are held by twitch-1; import it there"):
        await Imports(store, readable).plan(HOME, "add", {by_id("1"): 10})


async def test_a_linked_id_is_its_root_and_two_of_one_root_are_one_too_many(
    store: Store, ledger: Ledger
) -> None:
    await seen(store, ALICE, BOB, CAROL)
    await doctor(store, "UPDATE person SET same_as = 'discord\\:3' WHERE seat LIKE 'twitch%'")
    plan = await Imports(store, readable).plan(HOME, "add", {by_id("1"): 10, by_id("2"): 10, by_id("5"): 1})
    assert (plan.twins, plan.amounts) == (["1", "2"], {by_id("5"): 1})
    await bring(store, {by_id("1"): 10})
    assert await held(ledger, CAROL) == [10]


async def test_the_communities_there_are_can_be_listed(store: Store, ledger: Ledger) -> None:
    await Members(store).note("discord-9", BOB, "bob", AT)
    await ledger.post(grant(ALICE, 1))
    assert await Imports(store).communities() == ["discord-9", HOME]
