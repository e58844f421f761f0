"""Another process changes who is who while a unit is decided: it is refused, and decided again as of now."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Short
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.erasure import Erasure
from chatbot.ledger.links import Links
from chatbot.ledger.member_export import Persons
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import people_version
from chatbot.ledger.store.store import Store
from chatbot.ledger.store.writes import Contradiction
from chatbot.ledger.unions import Bridge, Unions

from .samples import AT, HOME, doctor, gift, grant, wallet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from chatbot.ledger.books.unit import UnitOfWork

ANN, BOB, CAT = (Account("twitch", each) for each in ("ann", "bob", "cat"))
BRIDGE = Bridge("chat", "room", "elsewhere", "home", HOME)


@pytest.fixture
async def other(store: Store) -> AsyncIterator[Store]:
    """Another process on the same database, which tells nobody what it does."""
    another = await Store.open(store._writer.url.render_as_string(hide_password=False))
    yield another
    await another.close()


@pytest.fixture
async def people(store: Store) -> People:
    """What the process that decides knows of three people, who have 100 credits each."""
    people = store.people = People(store)
    await people.settle([ANN, BOB, CAT])
    for each in (ANN, BOB, CAT):
        await Ledger(store).post(grant(people.home(each), 100))
    return people


def change_set(name: str) -> ChangeSet:
    return ChangeSet(name, "den", HOME, AT, "ann", "ann", ())


async def link(store: Store, one: Account = ANN, root: Account = BOB) -> None:
    people = People(store)
    await people.load()
    await people.meet([one, root])
    await Links(store, people).link(change_set(f"link {one}"), people.home(one), people.home(root))


async def unlink(store: Store) -> None:
    people = People(store)
    await people.load()
    await people.meet([ANN])
    await Links(store, people).unlink(change_set("unlink"), ANN)


async def unite(store: Store) -> None:
    await Unions(store).unite(change_set("unite"), BRIDGE)


async def part(store: Store) -> None:
    await Unions(store).part(change_set("part"), BRIDGE)


async def forget(store: Store) -> None:
    await Erasure(store).forget(await Persons(store).find(str(ANN)), AT)


async def give(store: Store, people: People, meanwhile: Callable[[], Awaitable[object]]) -> int:
    """Have ANN give CAT 10 credits, while something else happens; return how often that was decided."""
    attempts = 0

    async def decide(unit: UnitOfWork) -> None:
        nonlocal attempts
        attempts += 1
        await people.settle([ANN])
        await unit.post(gift(people.ties.root(people.home(ANN)), people.home(CAT), 10))
        if attempts == 1:
            await meanwhile()

    try:
        await Ledger(store).decide(decide)
    except Short:
        return -attempts
    return attempts


async def held(store: Store, people: People, community: str = HOME) -> tuple[int, ...]:
    """Return what the wallets hold in a community that the accounts use now."""
    await people.meet([ANN, BOB, CAT])
    names = [purses.wallet(community, people.ties.root(people.home(each))) for each in (ANN, BOB, CAT)]
    return tuple([await Ledger(store).balance(each) for each in names])


async def test_whoever_was_linked_meanwhile_pays_from_the_common_wallet(
    store: Store, people: People, other: Store
) -> None:
    assert await give(store, people, partial(link, other)) == 2
    assert await held(store, people) == (190, 190, 110)


async def test_whoever_was_unlinked_meanwhile_does_not_pay_from_the_wallet_of_another(
    store: Store, people: People, other: Store
) -> None:
    """The parting moves no credit, so that no balance tells of it."""
    await link(other)
    await people.load()
    assert await give(store, people, partial(unlink, other)) < 0
    assert await held(store, people) == (0, 200, 100)


@pytest.mark.parametrize(("act", "community"), [(unite, "elsewhere"), (part, HOME)])
async def test_in_communities_that_were_united_or_parted_meanwhile_the_present_wallets_count(
    store: Store, people: People, other: Store, act: Callable[[Store], Awaitable[None]], community: str
) -> None:
    if act is part:
        await unite(other)
        await people.load()
    assert await give(store, people, partial(act, other)) == 2
    assert await held(store, people, community) == (90, 100, 110)


async def test_whoever_was_forgotten_meanwhile_is_somebody_new(
    store: Store, people: People, other: Store
) -> None:
    former = people.home(ANN)
    assert await give(store, people, partial(forget, other)) < 0
    assert people.home(ANN) != former
    assert await held(store, people) == (0, 100, 100)
    assert await Ledger(store).balance(wallet(former)) == 0


async def test_what_is_given_to_who_was_forgotten_meanwhile_is_not_lost(
    store: Store, people: People, other: Store
) -> None:
    """Their wallet is empty then, and that was what the unit was decided on."""
    former = people.home(ANN)
    await Ledger(store).post(gift(former, people.home(BOB), 100))
    unit = Ledger(store).unit()
    await unit.post(gift(people.home(BOB), former, 30))
    await forget(other)
    with pytest.raises(Contradiction):
        await unit.commit()
    assert await Ledger(store).balance(wallet(former)) == 0


@pytest.mark.parametrize("act", [link, unite, forget])
async def test_nobody_is_taken_for_who_they_were_after_the_first_unit_that_was_refused(
    store: Store, people: People, other: Store, act: Callable[[Store], Awaitable[None]]
) -> None:
    await act(other)
    unit = Ledger(store).unit()
    await unit.post(grant(people.home(CAT), 1))
    with pytest.raises(Contradiction):
        await unit.commit()
    now = People(other)
    await now.load()
    await now.meet([BOB, CAT])
    assert people.ties.united(HOME) == now.ties.united(HOME)
    if act is forget:
        assert not people.met(ANN)
    else:
        await now.meet([ANN])
        assert people.ties.root(people.home(ANN)) == now.ties.root(now.home(ANN))


@pytest.mark.parametrize("empty", [False, True])
async def test_a_link_and_gifts_of_two_processes_at_once_leave_no_credit_in_a_replaced_wallet(
    store: Store, people: People, other: Store, empty: bool
) -> None:
    one, cat = people.home(ANN), people.home(CAT)
    if empty:
        await Ledger(store).post(gift(one, cat, 100))
    gifts = [Ledger(store).post(gift(cat, one, 1)) for _ in range(20)]
    await asyncio.gather(*gifts[:10], link(other), *gifts[10:])
    await people.load()
    assert (await held(store, people))[0] == (120 if empty else 220)
    async with store.reading() as connection:
        row = await connection.exec_driver_sql(f"SELECT balance FROM purse WHERE owner = '{one}'")  # noqa: S608
        assert row.scalar_one() == 0


async def version_of(store: Store) -> int:
    async with store.reading() as connection:
        return await people_version.current(connection)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE person SET same_as = 'p9' WHERE id = 1",
        "INSERT INTO person (id, seat, same_as) VALUES (9, 'p9', 'p1')",
        "INSERT INTO person (id, seat, parted_from) VALUES (9, 'p9', 'p1')",
        "UPDATE platform_account SET person = 2 WHERE person = 1",
        "DELETE FROM platform_account WHERE person = 1",
        "INSERT INTO community_union (community, target, at) VALUES ('local', 'elsewhere', 1)",
    ],
)
async def test_somebody_at_a_prompt_contradicts_what_was_decided_before(
    store: Store, people: People, other: Store, statement: str
) -> None:
    before = await version_of(store)
    unit = Ledger(store).unit()
    await unit.post(grant(people.home(CAT), 1))
    await doctor(other, statement)
    assert await version_of(store) > before
    with pytest.raises(Contradiction):
        await unit.commit()
    await doctor(other, "DELETE FROM community_union")  # which has no purses that could be carried


async def test_newcomers_contradict_nobody(store: Store, people: People, other: Store) -> None:
    before = await version_of(store)
    unit = Ledger(store).unit()
    await unit.post(grant(people.home(CAT), 1))
    theirs: Any = People(other)
    await theirs.settle([Account("twitch", "dan")])
    await unit.commit()
    assert await version_of(store) == before
