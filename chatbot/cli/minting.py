"""Carries out `chatbot audit --mint`: lists what makes credits by somebody's choice, and what it has made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatbot.cli.context import counted
from chatbot.cli.inspection import check_known, printable
from chatbot.community.minting.sources import MintSource, MintSources
from chatbot.kernel.game import Seat
from chatbot.ledger.changes import Changes
from chatbot.ledger.imports.runs import ImportRuns
from chatbot.ledger.minted import EXEMPT, Minted
from chatbot.ledger.people import People
from chatbot.ledger.rooms import KnownRooms
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chatbot.ledger.changes import Change

MOST_RECEIVERS = 10  # of a source


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source of credits, with an account of each person who is named, if one is known."""

    source: MintSource
    accounts: dict[str, str]

    def account(self, seat: str) -> str:
        """Return an account of a seat."""
        return self.accounts.get(seat, seat)


async def sources(url: str, room: str | None) -> list[NamedSource]:
    """Return the sources of credits of all communities, or of that of a room, oldest first.

    Raises:
        Failure: there is no such room.
        StoreError: the database is not there, or not of this version.
    """
    store = await Store.look(url)
    try:
        if room is not None:
            await check_known(store, room)
        return await _sources(store, room)
    finally:
        await store.close()


async def _sources(store: Store, room: str | None) -> list[NamedSource]:
    people = People(store)
    await people.load()
    known_rooms = await KnownRooms(store).known()
    own = {each.community for each in known_rooms if room in {None, each.room}}
    unions = {tuple(people.ties.united(each)) for each in own}
    reader, named_sources = MintSources(Changes(store), Minted(store), ImportRuns(store)), list[NamedSource]()
    for communities in sorted(unions):
        for each in await reader.newest(communities, None):
            seats = [Seat(seat) for seat in _seats(each)]
            await people.learn(seats)
            accounts = {str(seat): str(some[0]) for seat in seats if (some := people.accounts(seat))}
            named_sources.append(NamedSource(each, accounts))
    return sorted(named_sources, key=lambda each: each.source.change_set.number)


def _seats(source: MintSource) -> list[str]:
    by = source.change_set.confirmed_by
    seats = [source.change_set.actor, *(each.subject for each in source.changes)]
    return [*seats, *(seat for seat, _ in source.made.receivers[:MOST_RECEIVERS]), *([by] if by else [])]


def in_words(named_sources: Sequence[NamedSource]) -> Iterator[str]:
    """Yield the lines of sources; control characters in names and reasons are replaced."""
    for each in named_sources:
        yield from map(printable, _lines(each))
    if not named_sources:
        yield "Nobody has chosen anything that makes credits."


def _lines(named_source: NamedSource) -> Iterator[str]:
    source, change_set = named_source.source, named_source.source.change_set
    why, where = f": {change_set.why}" if change_set.why else "", change_set.room or change_set.community
    actor = named_source.account(change_set.actor)
    who = actor if actor == change_set.name else f"{change_set.name} ({actor})"
    by = change_set.confirmed_by
    confirmation = f", confirmed by {named_source.account(by)}" if by else ""
    at, undone = f"{change_set.at:%Y-%m-%d %H:%M:%S} UTC", ", taken back" if source.undone else ""
    yield f"#{change_set.number} {at}, {where}, {who}{why}{confirmation}{undone}"
    yield from (f"  {source.kind}: {_choice(named_source, each)}" for each in source.changes)
    projection = source.raised
    if projection is not None:
        at_once = ", which reaches the broadcaster at once" if projection.key == EXEMPT else ""
        amount = counted(int(projection.new or 0), "credit")
        yield f"  projected to make {amount} a day beyond what ships{at_once}"
    until = f" until {source.over:%Y-%m-%d %H:%M:%S} UTC" if source.over else ""
    yield f"  has made {counted(source.made.credits, 'credit')}{until}"
    for seat, credits_ in source.made.receivers[:MOST_RECEIVERS]:
        yield f"    {named_source.account(seat)}: {credits_:,}"


def _choice(named_source: NamedSource, change: Change) -> str:
    subject = named_source.account(change.subject)
    what = " ".join(part for part in (subject, change.key) if part)
    old, new = ("default" if each is None else each for each in (change.old, change.new))
    return f"{what}: {old} → {new}"


def as_json(named_sources: Sequence[NamedSource]) -> str:
    """Return sources as a JSON array."""
    return json.dumps([_plain(each) for each in named_sources], ensure_ascii=False)


def _plain(named_source: NamedSource) -> dict[str, object]:
    source, change_set = named_source.source, named_source.source.change_set
    by, projection = change_set.confirmed_by, source.raised
    return {
        "number": change_set.number,
        "at": change_set.at.isoformat(),
        "room": change_set.room,
        "community": change_set.community,
        "actor": named_source.account(change_set.actor),
        "name": change_set.name,
        "why": change_set.why,
        "kind": source.kind,
        "choices": [_choice(named_source, each) for each in source.changes],
        "confirmed_by": None if by is None else named_source.account(by),
        "undone": source.undone,
        "until": None if source.over is None else source.over.isoformat(),
        "projected": None if projection is None else int(projection.new or 0),
        "made": source.made.credits,
        "receivers": {named_source.account(seat): credits_ for seat, credits_ in source.made.receivers},
    }
