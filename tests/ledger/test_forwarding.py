"""What is posted to a wallet for which another stands: nothing stays on it, and nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chatbot.kernel.game import Seat
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry, Moved, Posting, Short
from chatbot.ledger.changes import ChangeSet
from chatbot.ledger.limits import ReceivingLimitReached
from chatbot.ledger.links import LinkConflict, Links, SeatedTogether
from chatbot.ledger.people import Account
from chatbot.ledger.unions import AlreadyUnited, Bridge, Unions
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    CAROL,
    HOME,
    MINT,
    POT,
    doctor,
    gift,
    grant,
    joining,
    kept,
    posting,
    row,
    seen,
    settling,
    smuggled,
    staked,
    wallet,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.books.purses import Purse
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

FAR = "far"
BRIDGE = Bridge("twitch:c", "discord:r", FAR, "twitch:c", HOME)  # of which HOME's wallets are held by FAR


def change_set(name: str) -> ChangeSet:
    return ChangeSet(name, "den", HOME, AT, ALICE, "alice", ())


def far(seat: Seat) -> Purse:
    return purses.wallet(FAR, seat)


@pytest.fixture
async def linking(store: Store) -> Links:
    return Links(store, await seen(store, ALICE, BOB, CAROL))


async def held_itself(store: Store, purse: Purse) -> int:
    async with store.reading() as connection:
        found = await connection.exec_driver_sql(f"SELECT balance FROM purse WHERE id = {row(purse)}")  # noqa: S608
        return int(found.scalar_one())


async def balance(ledger: Ledger, purse: Purse) -> int:
    return (await ledger.balances([purse]))[purse]


async def test_a_stake_in_flight_comes_back_to_who_stands_for_the_payer(
    ledger: Ledger, store: Store, linking: Links
) -> None:
    await staked(ledger)
    await linking.link(change_set("link"), ALICE, CAROL)
    assert await balance(ledger, wallet(CAROL)) == 60
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    assert await balance(ledger, wallet(CAROL)) == await balance(ledger, wallet(ALICE)) == 100
    assert await held_itself(store, wallet(ALICE)) == 0


async def test_a_table_that_is_called_off_pays_who_stands_for_the_payer(
    ledger: Ledger, linking: Links
) -> None:
    await staked(ledger)
    await linking.link(change_set("link"), ALICE, CAROL)
    await ledger.void("table-1", AT)
    assert await balance(ledger, wallet(CAROL)) == 100


async def test_what_is_taken_from_a_former_wallet_is_drawn_from_the_present_one(
    ledger: Ledger, linking: Links
) -> None:
    await ledger.post(grant(CAROL, 50))
    await linking.link(change_set("link"), ALICE, CAROL)
    await ledger.post(gift(ALICE, BOB, 30))
    assert await balance(ledger, wallet(CAROL)) == 20
    with pytest.raises(Short) as short:
        await ledger.post(gift(ALICE, BOB, 21))
    assert (short.value.purse, short.value.balance) == (wallet(CAROL), 20)


async def test_two_seats_of_one_person_cannot_spend_more_than_they_have_together(
    ledger: Ledger, linking: Links
) -> None:
    await ledger.post(grant(CAROL, 50))
    await linking.link(change_set("link"), ALICE, CAROL)
    both = Entry(wallet(ALICE), wallet(BOB), 30, "gift"), Entry(wallet(CAROL), wallet(BOB), 21, "gift")
    with pytest.raises(Short):
        await ledger.post(posting(*both))
    assert await balance(ledger, wallet(CAROL)) == 50


async def test_what_is_expected_of_a_former_wallet_is_what_the_present_one_holds(
    ledger: Ledger, linking: Links
) -> None:
    await ledger.post(grant(CAROL, 50))
    await linking.link(change_set("link"), ALICE, CAROL)
    await ledger.post(posting(Entry(wallet(ALICE), MINT, 5, "fee"), expects={wallet(ALICE): 50}))
    with pytest.raises(Moved):
        await ledger.post(posting(Entry(wallet(ALICE), MINT, 5, "fee"), expects={wallet(ALICE): 50}))
    assert await balance(ledger, wallet(CAROL)) == 45


async def test_a_link_is_made_once_whatever_comes_again(ledger: Ledger, linking: Links) -> None:
    await ledger.post(grant(ALICE, 100))
    assert await linking.link(change_set("link"), ALICE, CAROL) is not None
    assert await linking.link(change_set("link"), ALICE, CAROL) is None
    with pytest.raises(LinkConflict):
        await linking.link(change_set("again"), ALICE, BOB)
    with pytest.raises(LinkConflict):
        await linking.link(change_set("chain"), CAROL, BOB)
    assert await linking.unlink(change_set("part"), Account.read(ALICE)) is not None
    with pytest.raises(LinkConflict):
        await linking.unlink(change_set("part again"), Account.read(ALICE))
    assert await balance(ledger, wallet(CAROL)) == 100


async def test_two_who_part_an_account_at_once_part_it_once(
    ledger: Ledger, store: Store, linking: Links
) -> None:
    await ledger.post(grant(ALICE, 100))
    await linking.link(change_set("link"), ALICE, CAROL)
    other = Links(store, await seen(store, ALICE, CAROL))
    assert await linking.unlink(change_set("part"), Account.read(ALICE)) is not None
    assert await other.unlink(change_set("part"), Account.read(ALICE)) is None
    with pytest.raises(LinkConflict):
        await other.unlink(change_set("part again"), Account.read(ALICE))


async def test_a_wallet_may_bring_as_much_as_may_be_received_and_no_credit_more(
    ledger: Ledger, linking: Links
) -> None:
    async def left(_: AsyncConnection, __: Collection[str]) -> dict[str, int]:
        return {HOME: most}

    await ledger.post(grant(ALICE, 7))
    most = 6
    with pytest.raises(ReceivingLimitReached):
        await linking.link(change_set("too much"), ALICE, CAROL, left)
    assert await balance(ledger, wallet(CAROL)) == 0
    most = 7
    assert await linking.link(change_set("enough"), ALICE, CAROL, left) is not None
    assert await balance(ledger, wallet(CAROL)) == 7


async def test_linking_and_parting_over_and_over_earns_nothing(
    ledger: Ledger, store: Store, linking: Links
) -> None:
    await ledger.post(grant(ALICE, 7))
    await ledger.post(grant(CAROL, 5))
    former = ALICE
    for number in range(5):
        await linking.link(change_set(f"link {number}"), former, CAROL)
        assert await balance(ledger, wallet(CAROL)) == 12
        await linking.unlink(change_set(f"part {number}"), Account.read(ALICE))
        former = (await seen(store, ALICE)).home(Account.read(ALICE))
        assert await balance(ledger, wallet(former)) == 0, "the purse stays with the first"


async def test_a_stake_that_was_made_before_parting_pays_the_purse_that_it_came_from(
    ledger: Ledger, store: Store, linking: Links
) -> None:
    await staked(ledger)
    await linking.link(change_set("link"), ALICE, CAROL)
    await linking.unlink(change_set("part"), Account.read(ALICE))
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    assert await balance(ledger, wallet(CAROL)) == 100
    assert await breaches(store) == []


async def test_two_with_stakes_at_one_table_are_not_made_one(ledger: Ledger, linking: Links) -> None:
    await staked(ledger)
    await ledger.post(grant(CAROL, 9))
    await ledger.post(joining(CAROL, 9))
    with pytest.raises(SeatedTogether):
        await linking.link(change_set("link"), ALICE, CAROL)
    await ledger.post(settling(Entry(POT, wallet(ALICE), 49, "win")))
    assert await linking.link(change_set("link"), ALICE, CAROL) is not None


async def test_a_former_wallet_has_no_rank_and_its_owner_that_of_the_present_one(
    ledger: Ledger, linking: Links
) -> None:
    for seat, credits_ in ((ALICE, 7), (BOB, 9), (CAROL, 5)):
        await ledger.post(grant(seat, credits_))
    await linking.link(change_set("link"), ALICE, CAROL)
    assert await ledger.top(HOME, 9) == [(CAROL, 12), (BOB, 9)]
    assert [await ledger.place(HOME, each) for each in (ALICE, BOB, CAROL)] == [1, 2, 1]


async def test_what_is_posted_in_a_united_community_passes_through_both_mints(
    ledger: Ledger, store: Store
) -> None:
    await staked(ledger)
    await Unions(store).unite(change_set("unite"), BRIDGE)
    assert await balance(ledger, far(ALICE)) == await balance(ledger, wallet(ALICE)) == 60
    await ledger.post(settling(Entry(POT, wallet(ALICE), 40, "win")))
    assert await balance(ledger, far(ALICE)) == 100
    assert await held_itself(store, MINT) == 0
    assert await held_itself(store, purses.mint(FAR)) == -100
    with pytest.raises(Short):
        await ledger.post(gift(ALICE, BOB, 101))
    await ledger.post(gift(ALICE, BOB, 100))
    assert await ledger.top(HOME, 1) == [(BOB, 100)]


async def test_a_union_is_made_once_and_chains_are_not_made(store: Store) -> None:
    unions = Unions(store)
    assert await unions.unite(change_set("unite"), BRIDGE)
    assert not await unions.unite(change_set("unite"), BRIDGE)
    for origin, host in ((HOME, "third"), ("third", HOME), (FAR, "third")):
        with pytest.raises(AlreadyUnited):
            await unions.unite(
                change_set(f"{origin} {host}"), Bridge(f"twitch:{origin}", "r", host, "h", origin)
            )
    assert await unions.part(change_set("part"), BRIDGE)
    assert not await unions.part(change_set("part"), BRIDGE)
    with pytest.raises(AlreadyUnited):
        await unions.part(change_set("part again"), BRIDGE)


async def test_who_was_linked_since_two_communities_became_one_gets_theirs_back_as_one(
    ledger: Ledger, store: Store, linking: Links
) -> None:
    await ledger.post(grant(ALICE, 100))
    await Unions(store).unite(change_set("unite"), BRIDGE)
    await linking.link(change_set("link"), ALICE, CAROL)
    await Unions(store).part(change_set("part"), BRIDGE)
    assert await breaches(store) == []
    assert [await held_itself(store, each) for each in (wallet(CAROL), far(CAROL))] == [100, 0]


async def test_no_posting_touches_a_second_community_unless_it_says_so() -> None:
    entry = Entry(wallet(ALICE), far(ALICE), 1, "link")
    with pytest.raises(ValueError, match="cannot touch"):
        posting(entry)
    assert Posting("beside", HOME, AT, entries=(entry,), beside=FAR).purses()


async def test_credits_that_were_taken_from_one_community_and_not_brought_to_the_other_are_found(
    doctored: Store,
) -> None:
    ledger = Ledger(doctored)
    await ledger.post(grant(ALICE, 100))
    await Unions(doctored).unite(change_set("unite"), BRIDGE)
    await ledger.post(gift(ALICE, BOB, 10))
    assert await breaches(doctored) == []
    mallory = purses.wallet("far", Seat("mallory"))
    await doctor(
        doctored,
        kept(mallory, 9),
        smuggled(
            purses.mint("far"), mallory, posting=r"union\:local\:1", number=3, community="'far'", why="'link'"
        ),
    )
    # Of Alice's 100 as many were brought, and then 9 from nowhere.
    assert "posting union:local:1 took 100 from one community and brought 109" in await breaches(doctored)
