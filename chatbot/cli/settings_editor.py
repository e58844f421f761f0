"""Carries out `chatbot settings` with a bot that is connected to no platform and opens no table."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chatbot.bot.bot import Bot
from chatbot.cli.context import counted
from chatbot.delivery.payback import warnings
from chatbot.games import kits
from chatbot.kernel.game import Failure, Refusal
from chatbot.ledger.changes import OPERATOR
from chatbot.ledger.rooms import KnownRoom, KnownRooms
from chatbot.ledger.store.store import Store
from chatbot.rooms.request import Consent, NeedsConsent
from chatbot.rooms.room import Room
from chatbot.rooms.settings import files
from chatbot.rooms.settings.changes import Actor, SettingsChanges
from chatbot.runtime.clock import LoopWatch
from chatbot.settings import reference
from chatbot.speech.words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from chatbot.kernel.say import Message
    from chatbot.ledger.changes import Change
    from chatbot.rooms.settings.changes import Wanted


@dataclass(frozen=True)
class RoomEditor:
    """The settings of a room, and what reads and changes them."""

    room: Room
    settings_changes: SettingsChanges
    bot: Bot
    watch: LoopWatch

    def sentence(self, message: Message) -> str:
        """Return a message in words."""
        return self.bot.outbox.text(message)


async def export(url: str, room: str | None, *, everything: bool = False) -> str:
    """Return the settings of a room as TOML; `everything`: defaults included.

    Raises:
        Failure: there is no such room or database.
    """
    async with _open_read_only(url, room) as editor:
        return files.write(editor.settings_changes.groups, editor.room, everything=everything)


async def apply(
    url: str, room: str | None, name: str, text: str, *, dry_run: bool = False, confirmed: bool = False
) -> str:
    """Set what the text of a file says, or in a dry run nothing; return a report. `name` is that of the file.

    Raises:
        Failure: as `export`; or the file is wrong, or the bot is running; or it would make many more credits
            than usual, and that is not `confirmed`.
    """
    settings = files.read(text)
    async with _open_read_only(url, room) as editor:
        changes = _preview(editor, settings)
    if dry_run:
        return _summary(changes, "would be changed")
    async with _open_exclusive(url, room) as editor:
        _preview(editor, settings)
        actor = Actor(
            f"change-set:file:{secrets.token_hex(8)}", editor.room, OPERATOR, OPERATOR, f"import of {name}"
        )
        made_changes = await _change(editor, actor, settings, confirmed=confirmed)
        warning_lines = [
            editor.sentence(each)
            for each in await warnings(editor.settings_changes.groups, editor.room, made_changes)
        ]
    return "\n".join([_summary(made_changes, "changed"), *warning_lines])


async def _change(editor: RoomEditor, actor: Actor, settings: Wanted, *, confirmed: bool) -> list[Change]:
    """Change settings as the operator, who alone can confirm that these make many more credits than usual.

    Raises:
        Failure: they do, and it is not confirmed.
    """
    try:
        return await editor.settings_changes.change(actor, settings, sparing=True)
    except NeedsConsent as needed:
        if not confirmed:
            sentence = editor.sentence(needed.message)
            raise Failure(
                f"{sentence} Nothing was changed; import it with --confirm if it is meant."
            ) from None
        consent = Consent(OPERATOR, owns=True, to=needed.to)
        return await editor.settings_changes.change(replace(actor, consent=consent), settings, sparing=True)


async def diff(url: str, room: str | None, text: str) -> list[str]:
    """Return the differences of a room from the text of a file, a line each; raises as `apply`."""
    settings = files.read(text)
    async with _open_read_only(url, room) as editor:
        _preview(editor, settings)
        try:
            differences = list(files.differences(editor.settings_changes.groups, editor.room, settings))
        except Refusal as refusal:
            raise Failure(editor.sentence(refusal.message)) from None
    return [
        f"{name}: {old or 'nothing'} here, {new or 'nothing'} in the file" for name, old, new in differences
    ]


async def table() -> str:
    """Return the table of all settings in Markdown."""
    with TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{(Path(folder) / 'none.db').as_posix()}")
        await store.close()  # only the descriptions of settings are needed
        bot = Bot(kits(), store, Words("en"), LoopWatch())
        return reference.table(bot.parts.groups, bot.outbox.text)


@asynccontextmanager
async def _open_read_only(url: str, room: str | None) -> AsyncIterator[RoomEditor]:
    """Open a room to read it, even while the bot is running."""
    store = await Store.look(url)
    try:
        yield await _load_editor(store, room)
    finally:
        await store.close()


@asynccontextmanager
async def _open_exclusive(url: str, room: str | None) -> AsyncIterator[RoomEditor]:
    """Open a room to change it.

    Raises:
        Failure: another process uses the database or the room.
    """
    store = await Store.open(url, alone=True, create=False)
    try:
        editor = await _load_editor(store, room)
        await store.leases.take(editor.room.community)
        yield editor
        await editor.watch.stop()
    finally:
        await store.close()


async def _load_editor(store: Store, room_id: str | None) -> RoomEditor:
    every, watch = await KnownRooms(store).known(), LoopWatch()
    known_room = _choose(every, room_id)
    bot = Bot(kits(), store, Words("en"), watch)
    room = Room(known_room.room, known_room.community, ())
    await bot.people.load()
    await bot.parts.settings_changes.load(room)
    for each in every:  # what the rooms of a community make counts together
        if each.room != room.id and bot.people.ties.community(each.community) == room.holder:
            bot.rooms[each.room] = Room(each.room, each.community, ())
            await bot.parts.settings_changes.load(bot.rooms[each.room])
    return RoomEditor(room, bot.parts.settings_changes, bot, watch)


def _choose(known_rooms: Sequence[KnownRoom], room_id: str | None) -> KnownRoom:
    names = ", ".join(each.room for each in known_rooms)
    if not known_rooms:
        raise Failure("No room was ever opened on this database; start the bot once.")
    if room_id is None and len(known_rooms) > 1:
        raise Failure(f"Say which room, with --room and one of {names}.")
    known_room = next((each for each in known_rooms if room_id in {None, each.room}), None)
    if known_room is None:
        raise Failure(f"There is no room {room_id!r} in this database; there are: {names}.")
    return known_room


def _preview(editor: RoomEditor, settings: Wanted) -> list[Change]:
    """Return the changes that values would make.

    Raises:
        Failure: a value is refused; says which and why.
    """
    changes: list[Change] = []
    for group, values in settings.items():
        try:
            changes += editor.settings_changes.preview(editor.room, {group: values}, sparing=True)
        except Refusal as refusal:
            raise Failure(
                _refusal_sentence(editor, group, values, editor.sentence(refusal.message))
            ) from None
    return changes


def _refusal_sentence(editor: RoomEditor, group: str, values: Mapping[str, str | None], sentence: str) -> str:
    """Return the sentence that names the refused value, or the group whose values contradict each other."""
    if group not in editor.settings_changes.groups:
        return sentence
    for key, value in values.items():
        try:
            editor.settings_changes.preview(editor.room, {group: {key: value}})
        except Refusal as refusal:
            return f"{group}.{key} = {files.quote(value)}: {editor.sentence(refusal.message)}"
    return f"[{group}]: {sentence}"


def _summary(changes: Sequence[Change], verb: str) -> str:
    lines = [
        f"{each.subject}.{each.key}: {each.old or 'default'} → {each.new or 'default'}" for each in changes
    ]
    return "\n".join([*lines, f"{counted(len(changes), 'setting')} {verb}."])
