"""What `chatbot settings` does: it wires a house that opens no table, and has its clerk do the work."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatbot.bot.house import House
from chatbot.games import kits
from chatbot.kernel.failure import Failure
from chatbot.kernel.game import Refusal
from chatbot.ledger.rooms import KnownRoom, KnownRooms
from chatbot.ledger.store.store import Store
from chatbot.rooms.clock import LoopWatch
from chatbot.rooms.room import Room
from chatbot.settings import files, reference
from chatbot.settings.changes import OPERATOR, Actor, SettingsChanges
from chatbot.settings.payback import warnings
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from chatbot.kernel.say import Message
    from chatbot.ledger.changes import Change
    from chatbot.settings.changes import Wanted


@dataclass(frozen=True)
class Desk:
    """A room as it is set, and who may change it."""

    room: Room
    settings_changes: SettingsChanges
    house: House
    watch: LoopWatch

    def sentence(self, message: Message) -> str:
        return self.house.outbox.text(message)


async def export(url: str, room: str | None, *, everything: bool = False) -> str:
    """Write a room's settings.

    Raises:
        Failure: there is no such room, or no such database.
    """
    async with _looking(url, room) as desk:
        return files.write(desk.settings_changes.groups, desk.room, everything=everything)


async def bring(url: str, room: str | None, name: str, text: str, *, dry_run: bool = False) -> str:
    """Set what a file of this name says, or tell what would be set.

    Raises:
        Failure: as `export`; or the file is wrong, or the bot is running.
    """
    wanted = files.read(text)
    async with _looking(url, room) as desk:
        foreseen = _foreseen(desk, wanted)
    if dry_run:
        return _told(foreseen, "would be changed")
    async with _working(url, room) as desk:
        _foreseen(desk, wanted)
        hand = Actor(f"deed:file:{secrets.token_hex(8)}", desk.room, OPERATOR, OPERATOR, f"import of {name}")
        made = await desk.settings_changes.change(hand, wanted, sparing=True)
        warned = [
            desk.sentence(each) for each in await warnings(desk.settings_changes.groups, desk.room, made)
        ]
    return "\n".join([_told(made, "changed"), *warned])


async def diff(url: str, room: str | None, text: str) -> list[str]:
    """Tell in what a room differs from a file; raises as `bring`."""
    wanted = files.read(text)
    async with _looking(url, room) as desk:
        _foreseen(desk, wanted)
        try:
            found = list(files.differences(desk.settings_changes.groups, desk.room, wanted))
        except Refusal as refusal:
            raise Failure(desk.sentence(refusal.message)) from None
    return [f"{name}: {old or 'nothing'} here, {new or 'nothing'} in the file" for name, old, new in found]


async def table() -> str:
    """Write all settings there are."""
    with TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{(Path(folder) / 'none.db').as_posix()}")
        await store.close()  # only the wiring is looked at
        house = House(kits(), store, Words("en"), LoopWatch())
        return reference.table(house.services.groups, house.outbox.text)


@asynccontextmanager
async def _looking(url: str, room: str | None) -> AsyncIterator[Desk]:
    """Open a room to look at, even while the bot is running."""
    store = await Store.look(url)
    try:
        yield await _desk(store, room)
    finally:
        await store.close()


@asynccontextmanager
async def _working(url: str, room: str | None) -> AsyncIterator[Desk]:
    """Open a room to change it: nobody else may be running it."""
    store = await Store.open(url, alone=True)
    try:
        desk = await _desk(store, room)
        await store.claim(desk.room.id)
        yield desk
        await desk.watch.stop()
    finally:
        await store.close()


async def _desk(store: Store, wanted: str | None) -> Desk:
    known, watch = _chosen(await KnownRooms(store).known(), wanted), LoopWatch()
    house = House(kits(), store, Words("en"), watch)
    room = Room(known.room, known.community, ())
    await house.people.load()
    await house.services.settings_changes.load(room)
    return Desk(room, house.services.settings_changes, house, watch)


def _chosen(known: Sequence[KnownRoom], wanted: str | None) -> KnownRoom:
    names = ", ".join(each.room for each in known)
    if not known:
        raise Failure("No room was ever opened on this database; start the bot once.")
    if wanted is None and len(known) > 1:
        raise Failure(f"Say which room, with --room and one of {names}.")
    found = next((each for each in known if wanted in {None, each.room}), None)
    if found is None:
        raise Failure(f"There is no room {wanted!r} in this database; there are: {names}.")
    return found


def _foreseen(desk: Desk, wanted: Wanted) -> list[Change]:
    """Tell what would be changed.

    Raises:
        Failure: something is not possible; it says what, and where it stands.
    """
    found: list[Change] = []
    for group, values in wanted.items():
        try:
            found += desk.settings_changes.preview(desk.room, {group: values}, sparing=True)
        except Refusal as refusal:
            raise Failure(_named(desk, group, values, desk.sentence(refusal.message))) from None
    return found


def _named(desk: Desk, group: str, values: Mapping[str, str | None], sentence: str) -> str:
    """Say which value is refused, or else of which group they do not fit together."""
    if group not in desk.settings_changes.groups:
        return sentence
    for key, value in values.items():
        try:
            desk.settings_changes.preview(desk.room, {group: {key: value}})
        except Refusal as refusal:
            return f"{group}.{key} = {value!r}: {desk.sentence(refusal.message)}"
    return f"[{group}]: {sentence}"


def _told(changes: Sequence[Change], done: str) -> str:
    lines = [
        f"{each.subject}.{each.key}: {each.old or 'default'} → {each.new or 'default'}" for each in changes
    ]
    count = f"{len(changes)} setting{'s' if len(changes) != 1 else ''} {done}."
    return "\n".join([*lines, count])
