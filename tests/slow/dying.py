"""One change of the books in a process of its own, which ends at a chosen statement as if it were killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Closed, Entry, Posting, Remembered, Short
from chatbot.ledger.store.store import Store
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    HOUSE,
    POT,
    TABLE,
    before_each_statement,
    gift,
    grant,
    joining,
    opening,
    posting,
    turn,
    wallet,
)

if TYPE_CHECKING:
    from collections.abc import Callable


KILLED = 137  # what a shell calls a process that was killed
AFTER = 0  # the moment when all is written, and nobody has been told

_WAYS = multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("forkserver" if "forkserver" in _WAYS else "spawn")
_CONTEXT.set_forkserver_preload([__name__])  # imported once, not once for every child


@dataclass(frozen=True, slots=True)
class Change:
    """`what` is None where the table is voided; `before` is in the books already."""

    what: Posting | None
    before: tuple[Posting, ...]

    async def make(self, store: Store) -> None:
        if self.what is None:
            await Ledger(store).void(TABLE, AT)
        else:
            await Ledger(store).post(self.what)


def _named(*postings: Posting) -> tuple[Posting, ...]:
    """Give postings ids that are the same in every process."""
    return tuple(replace(each, id=f"before-{number}") for number, each in enumerate(postings))


_END = posting(
    Entry(POT, HOUSE, 65, "stake"),
    Entry(HOUSE, wallet(ALICE), 79, "winnings"),
    table=TABLE,
    turns=(turn(3), turn(4)),
    records=(Remembered("den", "heist", ALICE, "{}"),),
    settles=True,
    name="end",
)
_PURSES = grant(ALICE, 100), grant(BOB, 50)
_STAKES = opening(ALICE, 40), joining(BOB, 25)

CHANGES = {
    "a stake that opens": Change(replace(opening(ALICE, 40), id="open"), _named(*_PURSES)),
    "a stake that joins": Change(replace(joining(BOB, 25), id="join"), _named(*_PURSES, opening(ALICE, 40))),
    "a settlement": Change(_END, _named(*_PURSES, *_STAKES)),
    "a void": Change(None, _named(*_PURSES, *_STAKES)),
    "a gift": Change(replace(gift(ALICE, BOB, 7), id="give"), _named(*_PURSES)),
}


async def prepare(url: str, change: Change) -> None:
    store = await Store.open(url)
    for each in change.before:
        await Ledger(store).post(each)
    await store.close()


async def attempted(url: str, name: str, moment: int | None) -> int:
    """Make the change in a child that is to die before that statement; give its exit code."""
    return await asyncio.to_thread(_run, _attempt, url, name, moment)


def _run(target: Callable[..., None], *args: Any) -> int:
    child = _CONTEXT.Process(target=target, args=args)
    child.start()
    child.join(60)
    code = child.exitcode
    child.close()
    return int(code)


def _attempt(url: str, name: str, moment: int | None) -> None:
    asyncio.run(make(url, CHANGES[name], moment))


async def make(url: str, change: Change, moment: int | None) -> None:
    """Make a change, and end this process before a statement of it, if a moment is given."""
    store, statements = await Store.open(url), count(1)

    def die() -> None:
        if next(statements) == moment:
            os._exit(KILLED)

    with before_each_statement(store, die):
        await change.make(store)
    if moment == AFTER:
        os._exit(KILLED)
    await store.close()


# Stakes of two processes from one purse

STAKES, STAKE = 100, 10  # of each process


async def prepare_purse(url: str, held: int) -> None:
    """Let somebody open a table with 1 credit, and somebody else hold so many."""
    await prepare(url, Change(None, _named(grant(BOB, 1), opening(BOB, 1), grant(ALICE, held))))


def together(url: str, processes: int) -> list[int]:
    """Let so many processes stake at once; give how many stakes of each were accepted."""
    ready, go, accepted = _CONTEXT.Semaphore(0), _CONTEXT.Event(), _CONTEXT.Queue()
    args = [(url, number, ready, go, accepted) for number in range(processes)]
    children = [_CONTEXT.Process(target=_stake, args=each) for each in args]
    for child in children:
        child.start()
    for _ in children:
        assert ready.acquire(timeout=60)
    go.set()
    found = [int(accepted.get(timeout=60)) for _ in children]
    for child in children:
        child.join(60)
        child.close()
    accepted.close()
    accepted.join_thread()
    return found


def _stake(*args: Any) -> None:
    asyncio.run(_stakes(*args))


async def _stakes(url: str, process: int, ready: Any, go: Any, accepted: Any) -> None:
    """Stake again and again as soon as all are ready; put down how many were accepted."""
    store = await Store.open(url)
    ledger = Ledger(store)
    ready.release()
    await asyncio.to_thread(go.wait)
    asked = [replace(joining(ALICE, STAKE), id=f"{process}-{number}", turns=()) for number in range(STAKES)]
    answers = await asyncio.gather(*map(ledger.post, asked), return_exceptions=True)
    await store.close()
    assert all(each is True or isinstance(each, Short | Closed) for each in answers), answers
    accepted.put(sum(each is True for each in answers))
