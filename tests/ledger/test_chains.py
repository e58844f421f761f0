"""Secrets are sealed in the database; no link is dealt twice, nor while the table before stands."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING
from unittest.mock import ANY

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from chatbot.kernel.fair import walked
from chatbot.ledger.archive.archive import Archive, Portion, faults
from chatbot.ledger.books.journal import Journal
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.chains import Chains, SealedChain, Sealer, Unsealable, count_sealed, writes
from chatbot.ledger.store import schema
from chatbot.ledger.store.writes import Contradiction
from tests.ledger.samples import AT, OPENING, doctor, posting, turn

if TYPE_CHECKING:
    from chatbot.ledger.chains import Secret
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ROOM = OPENING.room
KEY, ANOTHER = b"k" * 32, b"j" * 32
SEALED = SealedChain(ROOM, "a head", 3, b"sealed", frozenset())


def chains_of(store: Store, key: bytes = KEY, length: int = 3) -> Chains:
    secrets = count()
    return Chains(store, Sealer(key), lambda: b"secret %d" % next(secrets), length)


@pytest.fixture
async def chains(store: Store) -> Chains:
    chains = chains_of(store)
    assert not await chains.load(ROOM)
    await chains.provide(ROOM)
    return chains


async def play(store: Store, chains: Chains, table: str, secret: Secret, *, ends: bool = False) -> None:
    """Open a table with a secret, and let it end in the same step if it is to."""
    opening = replace(OPENING, table=table, chain=secret.chain, link=secret.link)
    seed = secret.seed if ends else None
    await Ledger(store).post(
        posting(opening=opening, turns=(replace(turn(1), table=table),), settles=ends, seed=seed)
    )
    chains.took(ROOM, table, secret)
    if ends:
        chains.over(ROOM, table)


async def test_of_two_chains_of_one_secret_the_first_is_added(store: Store) -> None:
    once, again = (replace(SEALED, room=room) for room in (ROOM, "another"))
    await store.commit(lambda: list(writes([once])))
    with pytest.raises(Contradiction):
        await store.commit(lambda: list(writes([again])))


def coming(chains: Chains) -> Secret:
    secret = chains.coming(ROOM)
    assert secret is not None
    return secret


async def test_links_are_dealt_one_after_the_other_and_hash_back_to_the_head(
    store: Store, chains: Chains
) -> None:
    for number in (1, 2, 3):
        secret = coming(chains)
        assert secret.link == number
        assert walked(secret.seed, number).hex() == secret.chain
        await play(store, chains, f"t{number}", secret, ends=True)
    assert chains.coming(ROOM) is None
    ((head, length),) = await chains.provide(ROOM)
    assert (coming(chains).chain, coming(chains).link, length) == (head, 1, 3)


async def test_a_chain_deals_nothing_while_its_table_stands(store: Store, chains: Chains) -> None:
    first = coming(chains)
    await play(store, chains, "t1", first)
    assert chains.coming(ROOM) is None
    await chains.provide(ROOM)
    assert coming(chains).chain != first.chain
    chains.over(ROOM, "t1")
    assert (coming(chains).chain, coming(chains).link) == (first.chain, 2), "the oldest that is free"


async def test_the_database_itself_refuses_a_link_out_of_turn(store: Store, chains: Chains) -> None:
    """Whatever this process thinks: a link that somebody may know is dealt to no table."""
    first = coming(chains)
    second = replace(first, link=2)
    with pytest.raises(Contradiction, match="chain SET used"):
        await play(store, chains, "early", second)
    await play(store, chains, "t1", first)
    for again in (first, second):
        with pytest.raises(Contradiction, match="chain SET used"):
            await play(store, chains, "again", again)
    await Ledger(store).void("t1", AT, first.seed)
    with pytest.raises(Contradiction, match="chain SET used"):
        await play(store, chains, "again", first)
    await play(store, chains, "t2", second)
    assert await count_tables(store, "again", "early") == 0
    other_room = replace(OPENING, table="t3", room="another", chain=first.chain, link=3)
    await Ledger(store).void("t2", AT)
    with pytest.raises(Contradiction, match="chain SET used"):
        await Ledger(store).post(posting(opening=other_room, turns=(replace(turn(1), table="t3"),)))


async def test_one_that_is_refused_takes_no_other_with_it(store: Store, chains: Chains) -> None:
    first = coming(chains)
    ledger = Ledger(store)
    openings = [replace(OPENING, table=f"t{link}", chain=first.chain, link=link) for link in (2, 1, 3)]
    steps = [posting(opening=each, turns=(replace(turn(1), table=each.table),)) for each in openings]
    answers = await asyncio.gather(*map(ledger.post, steps), return_exceptions=True)
    assert [isinstance(each, Contradiction) for each in answers] == [True, False, True]


async def test_a_seed_is_in_the_database_only_when_its_table_is_over(store: Store, chains: Chains) -> None:
    secret = coming(chains)
    await play(store, chains, "t1", secret)
    assert secret.seed not in await everything(store)
    with pytest.raises(IntegrityError, match="ck_game_table_secret"):
        await doctor(store, "UPDATE game_table SET seed = (SELECT sealed FROM chain)")
    await Ledger(store).void("t1", AT, secret.seed)
    assert secret.seed in await everything(store)


async def test_a_story_of_a_table_that_stands_gets_its_seed_from_who_holds_the_chains(
    store: Store, chains: Chains
) -> None:
    secret = coming(chains)
    await play(store, chains, "t1", secret)
    for stories, seed in ((Journal(store), None), (Journal(store, chains.seed), secret.seed)):
        story = await stories.of("t1")
        assert story is not None
        assert (story.chain, story.link, story.seed) == (secret.chain, secret.link, seed)


async def test_after_a_restart_it_goes_on_where_it_was(store: Store, chains: Chains) -> None:
    await play(store, chains, "t1", coming(chains), ends=True)
    standing = coming(chains)
    await play(store, chains, "t2", standing)
    again = chains_of(store)
    assert not await again.load(ROOM)
    assert again.seed("t2") == standing.seed
    assert again.seed("t1") is None
    assert again.coming(ROOM) is None
    again.over(ROOM, "t2")
    assert coming(again).link == 3
    assert not await again.load("another room")
    assert again.coming("another room") is None


async def test_what_another_key_has_sealed_is_lost_and_a_new_chain_takes_its_place(
    store: Store, chains: Chains
) -> None:
    lost = coming(chains)
    again = chains_of(store, ANOTHER)
    assert await count_sealed(store, Sealer(ANOTHER)) == (0, 1)
    assert await again.load(ROOM)
    assert again.coming(ROOM) is None
    ((head, _),) = await again.provide(ROOM)
    assert head != lost.chain, "the same source has drawn the first one again"
    assert await count_sealed(store, Sealer(ANOTHER)) == (1, 0), "what was lost is not asked for again"
    assert not await again.load(ROOM)
    with pytest.raises(Contradiction):
        await play(store, again, "t1", lost)


async def test_a_sealed_chain_cannot_be_put_in_the_place_of_another(store: Store, chains: Chains) -> None:
    await chains.load("other")
    await chains.provide("other")
    swap = "UPDATE chain SET sealed = (SELECT sealed FROM chain AS other WHERE other.room = 'other')"
    await doctor(store, swap)
    assert await chains_of(store).load(ROOM)
    assert not await chains_of(store).load("other")


def test_what_is_sealed_differs_each_time_and_opens_with_its_key_alone() -> None:
    sealer = Sealer(KEY)
    one, two = sealer.seal(b"secret", "x"), sealer.seal(b"secret", "x")
    assert one != two
    assert b"secret" not in one
    assert sealer.unseal(one, "x") == sealer.unseal(two, "x") == b"secret"
    broken = one[:-1] + bytes([one[-1] ^ 1])
    for other, sealed, about in (
        (Sealer(ANOTHER), one, "x"), (sealer, one, "y"), (sealer, broken, "x"), (sealer, b"", "x"),
    ):  # fmt: skip
        with pytest.raises(Unsealable):
            other.unseal(sealed, about)
    with pytest.raises(ValueError, match="32 bytes"):
        Sealer(b"short")


async def count_tables(store: Store, *tables: str) -> int:
    row = schema.game_table.c
    async with store.reading() as connection:
        return len((await connection.execute(select(row.id).where(row.id.in_(tables)))).all())


async def everything(store: Store) -> list[object]:
    """Read every value that there is in the tables where seeds could be."""
    async with store.reading() as connection:
        rows = [
            row
            for table in ("chain", "game_table", "journal", "step")
            for row in await connection.execute(text(f"SELECT * FROM {table}"))  # noqa: S608
        ]
    return [value for row in rows for value in row]


@pytest.mark.parametrize("known", [True, False])
async def test_a_table_in_the_archive_keeps_its_link_and_its_seed_unless_that_is_lost(
    store: Store, chains: Chains, *, known: bool
) -> None:
    first = coming(chains)
    await play(store, chains, "t1", first)
    await Ledger(store).void("t1", AT, first.seed if known else None)
    chains.over(ROOM, "t1")
    await Journal(store).told("t1")
    before = await Journal(store).of("t1")
    assert await Archive(store).portion(AT + timedelta(days=1)) == Portion(1, (), ANY)
    assert await Journal(store).of("t1") == before
    assert before is not None
    assert (before.chain, before.link) == (first.chain, 1)
    assert before.seed == (first.seed if known else None)
    assert await faults(store) == []
    async with store.reading() as connection:
        row = schema.game_table.c
        (slim,) = await connection.execute(select(row.chain, row.link, row.seed, row.settings))
    assert slim == (first.chain, 1, None, "")
    again = chains_of(store)
    assert not await again.load(ROOM)
    assert coming(again).link == 2, "the link of an archived table is spent"
