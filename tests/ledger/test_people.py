"""An account leads to one person, whoever meets it first; and a number is nobody else's."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from chatbot.kernel.game import Seat
from chatbot.ledger.books.posting import LostAnswer
from chatbot.ledger.changes import Changes, ChangeSet
from chatbot.ledger.links import Links
from chatbot.ledger.people import Account, People
from chatbot.ledger.store import schema
from tests.ledger.samples import AT, HOME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.store.store import Store
    from chatbot.ledger.store.write_queue import WriteWork

pytestmark = pytest.mark.slow

ANN, BOB, CAT = Account("twitch", "1"), Account("discord", "1"), Account("twitch", "3")


def change_set(name: str) -> ChangeSet:
    return ChangeSet(name, "den", HOME, AT, "p1", "ann", ())


async def test_the_same_id_on_two_platforms_is_two_people(store: Store) -> None:
    people = People(store)
    await people.settle([ANN, BOB])
    assert people.home(ANN) != people.home(BOB)


async def test_an_account_leads_to_the_same_person_after_a_restart(store: Store) -> None:
    before, after = People(store), People(store)
    await before.settle([ANN, BOB])
    await after.meet([BOB, ANN])
    assert [after.home(each) for each in (ANN, BOB)] == [before.home(each) for each in (ANN, BOB)]
    assert after.newcomer(ANN) is None


async def test_whoever_was_met_longest_ago_is_forgotten_first_and_found_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatbot.ledger.people.MOST_ACCOUNTS", 2)
    people = People(store)
    await people.settle([ANN])
    home = people.home(ANN)
    await people.settle([BOB])
    await people.settle([CAT])
    assert [people.met(each) for each in (ANN, BOB, CAT)] == [False, True, True]
    await people.meet([ANN])
    assert people.home(ANN) == home


async def test_who_is_only_met_is_written_nowhere(store: Store) -> None:
    people = People(store)
    await people.meet([ANN])
    assert people.newcomer(ANN) is not None
    async with store.reading() as connection:
        assert (await connection.execute(schema.person.select())).all() == []


async def test_of_two_processes_that_meet_somebody_at_once_one_takes_over_the_others_number(
    store: Store,
) -> None:
    one, other = People(store), People(store)
    await one.meet([ANN])
    await other.meet([ANN, BOB])
    assert one.home(ANN) != other.home(ANN)
    await one.settle([ANN])
    await other.settle([ANN, BOB])
    assert one.home(ANN) == other.home(ANN)
    await one.meet([BOB])
    assert one.home(BOB) == other.home(BOB) != one.home(ANN)


async def test_numbers_of_two_processes_are_never_the_same(store: Store) -> None:
    one, other = People(store), People(store)
    accounts = [Account("twitch", str(number)) for number in range(30)]
    await one.meet(accounts[:15])
    await other.meet(accounts[15:])
    await one.settle(accounts[:15])
    await other.settle(accounts[15:])
    assert len({people.home(each) for people in (one, other) for each in accounts if people.met(each)}) == 30


async def test_a_link_that_another_process_made_or_took_back_counts_after_a_load(store: Store) -> None:
    one, other = People(store), People(store)
    await one.settle([ANN, BOB, CAT])
    await other.meet([ANN, BOB, CAT])
    former, root = one.home(ANN), one.home(BOB)
    assert await Links(store, one).link(change_set("link"), former, root) is not None
    await other.load()
    assert other.ties.root(other.home(ANN)) == root
    assert other.accounts(root) == [BOB, ANN]
    assert await Links(store, one).unlink(change_set("unlink"), ANN) is not None
    await other.load()
    assert other.home(ANN) == one.home(ANN) not in {former, root}
    assert other.ties.root(other.home(ANN)) == other.home(ANN)
    assert other.ties.person(other.home(ANN)) == root, "limits go on counting both as one"
    assert other.accounts(root) == [BOB]
    assert other.home(CAT) == one.home(CAT)


async def load_while(people: People, store: Store, work: Callable[[], Awaitable[object]]) -> None:
    """Load the links while something is done, after they are read and before they are known."""
    reading, waiting = store.reading, [work]

    @asynccontextmanager
    async def read() -> AsyncIterator[AsyncConnection]:
        async with reading() as connection:
            yield connection
        if waiting:
            await waiting.pop()()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "reading", read)
        await people.load()
    assert not waiting


async def test_a_link_that_is_made_while_links_are_read_counts(store: Store) -> None:
    people = People(store)
    await people.settle([ANN, BOB])
    one, root = people.home(ANN), people.home(BOB)
    links = Links(store, people)
    await load_while(people, store, lambda: links.link(change_set("link"), one, root))
    assert people.ties.root(one) == root
    await load_while(people, store, lambda: links.unlink(change_set("unlink"), ANN))
    assert (people.ties.linked(people.home(ANN)), people.ties.person(people.home(ANN))) == (False, root)


async def test_a_link_of_which_no_answer_came_while_links_are_read_counts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(store)
    await people.settle([ANN, BOB])
    one, root = people.home(ANN), people.home(BOB)
    write = store.write

    async def write_and_lose(work: WriteWork[object]) -> object:
        await write(work)
        raise OperationalError("COMMIT", {}, Exception("the server is gone"))

    async def lose(_: object, change_set: str, error: Exception) -> bool:
        raise LostAnswer(change_set) from error

    async def link() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(store, "write", write_and_lose)
            patch.setattr(Changes, "_done", lose)
            with pytest.raises(LostAnswer):
                await Links(store, people).link(change_set("link"), one, root)

    await load_while(people, store, link)
    await people.certain()
    assert people.ties.root(one) == root


async def test_an_account_that_leaves_memory_while_it_is_unlinked_is_unlinked_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(store)
    await people.settle([ANN, BOB])
    former, root = people.home(ANN), people.home(BOB)
    links, write = Links(store, people), store.write
    await links.link(change_set("link"), former, root)

    async def write_while_others_come(work: WriteWork[object]) -> object:
        done = await write(work)
        await people.meet([CAT])
        return done

    monkeypatch.setattr("chatbot.ledger.people.MOST_ACCOUNTS", 2)
    monkeypatch.setattr(store, "write", write_while_others_come)
    assert await links.unlink(change_set("unlink"), ANN) is not None
    await people.meet([ANN])
    assert people.ties.root(people.home(ANN)) == people.home(ANN) != former


async def test_whoever_was_ever_one_with_another_has_one_limit_with_all_of_them(store: Store) -> None:
    people = People(store)
    await people.settle([ANN, BOB, CAT])
    links = Links(store, people)
    for number, root in enumerate((BOB, CAT)):
        await links.link(change_set(f"link {number}"), people.home(ANN), people.home(root))
        await links.unlink(change_set(f"unlink {number}"), ANN)
    assert set(people.ever(people.home(ANN))) == {ANN, BOB, CAT}
    again = People(store)
    await again.load()
    await again.meet([ANN])
    assert set(again.ever(again.home(ANN))) == {ANN, BOB, CAT}


@pytest.mark.parametrize("text", ["", "twitch", "twitch:", ":42", "twitch:4 2", " twitch:42"])
def test_what_is_no_account_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError, match="an account is such as twitch:42"):
        Account.read(text)


def test_an_account_is_read_as_it_is_shown() -> None:
    assert Account.read("twitch:42") == Account("twitch", "42")
    assert str(Account("discord", "9")) == "discord:9"
    assert Seat(str(Account.read("twitch:a:b"))) == "twitch:a:b"
