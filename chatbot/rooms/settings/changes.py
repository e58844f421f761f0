"""Changes of settings: every change, from whatever source, is made here.

A change is validated, written with its audit rows in one transaction, and takes effect after the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.ledger.books.unit import Committer
from chatbot.ledger.changes import OPERATOR, SETTING, Change, ChangeSet, Work
from chatbot.rooms.request import Consent, at_least
from chatbot.rooms.room import Room
from chatbot.rooms.settings.lists import standing
from chatbot.settings.fields import DEFAULT, PRESET, Fields, owner, selected, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.changes import Changes
    from chatbot.ledger.rooms import Preferences
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.request import Request
    from chatbot.runtime.clock import Watch
    from chatbot.settings.fields import AnySelection, Group, Groups, Setting, StoredValues, Typed

Wanted: TypeAlias = Mapping[str, Mapping[str, str | None]]
"""Values as they are typed, by group and key; None: the default."""

Overwritten: TypeAlias = "tuple[tuple[Setting, Setting], ...]"
"""Settings as they are, and as they would be."""

Stored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, object]]]
"""Stored settings by owner and group."""

Listener: TypeAlias = Callable[[Room, Sequence[Change]], None]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who changes something, and where.

    `id` derives from the line, or is made by a source without lines. `why` is the reason that was given, and
    `consent` that of somebody else, where it is needed. The `committer`, if there is one, has more to write
    with what they change.
    """

    id: str
    room: Room
    seat: str
    name: str
    why: str = ""
    role: Role = Role.MODERATOR
    consent: Consent | None = None
    committer: Committer | None = None

    @classmethod
    def of(cls, request: Request, why: str = "") -> Actor:
        """Return the sender of a request as an actor."""
        line = request.line
        role = standing(request.room, line)
        who = line.seat, line.name, why, role, request.consent
        return cls(f"change-set:{line.id}", request.room, *who, request.batch)

    def part(self, name: str) -> Actor:
        """Return the actor for one of several change sets of a line, each of which needs an id."""
        return replace(self, id=f"{self.id}:{name}")

    def require(self, least: Role) -> None:
        """Check that the actor has at least a role, or is the operator.

        Raises:
            Refusal: the role is too low.
        """
        if self.seat != OPERATOR and not self.role.covers(least):
            raise Refusal(Message("not-allowed", {"role": at_least(least)}))


class Guard(Protocol):
    """Decides on changes before they are written."""

    async def require(
        self, actor: Actor, selections: Mapping[str, AnySelection], changes: Sequence[Change]
    ) -> Sequence[Change]:
        """Return what is to be recorded beside the changes that selections make.

        Raises:
            Refusal: they may not be made, or not without the consent of somebody else.
        """

    def record(self, actor: Actor, changes: Sequence[Change]) -> None:
        """Take note that changes were written, with what `require` has returned."""


class SettingsChanges:
    """Loads, changes and records the settings of rooms and communities."""

    def __init__(
        self,
        groups: Groups,
        changes: Changes,
        preferences: Preferences,
        rooms: Rooms,
        watch: Watch,
        holder: Callable[[str], str],
    ) -> None:
        """`holder` returns the community that holds the wallets of another."""
        self.groups, self.changes = groups, changes
        self._preferences, self._rooms, self._watch = preferences, rooms, watch
        self._holder = holder
        self._stale: set[str] = set()  # ids of rooms whose settings may differ from the stored ones
        self._version = 0  # how many changes were made, or failed
        self._order = asyncio.Lock()  # two rooms of a community must not overwrite each other's changes
        self.listeners: list[Listener] = []  # called after every change
        self.guard: Guard | None = None

    async def load(self, room: Room) -> None:
        """Load the settings of a room; a stored value that is not valid any more is left out and logged.

        Rooms that open together are read together, which they could not be if each waited for the others.
        """
        version = self._version
        holder, stored_values = await self._read(room)
        if self._order.locked() or version != self._version:  # a change may have been written after the read
            async with self._order:
                self._take_over(room, *await self._read(room))
        else:
            self._take_over(room, holder, stored_values)

    async def change_holder(self, community: str) -> None:
        """Load the settings of the new holder of a community's wallets into its open rooms."""
        for room in [each for each in self._rooms.values() if each.community == community]:
            self._stale.add(room.id)
            with suppress(SQLAlchemyError, OSError):  # the next line in the room tries again
                await self.reload_if_stale(room)

    def is_stale(self, room: Room) -> bool:
        """Return whether the settings of a room may differ from the stored ones.

        They may after a change of which it is unknown whether it was committed, until they are loaded again.
        """
        return room.id in self._stale

    async def reload_if_stale(self, room: Room) -> None:
        """Load the settings of a room again if they may differ from the stored ones."""
        if self.is_stale(room):
            await self.load(room)
            self._stale.discard(room.id)

    async def change(
        self, actor: Actor, values: Wanted, *, undoes: str | None = None, sparing: bool = False
    ) -> list[Change]:
        """Change settings, all or none; return the differences.

        With `sparing`, a value that is already the default is not stored. `undoes` is the id of a change set.

        Raises:
            Refusal: a group, a key or a value is invalid, or the role of the actor is too low.
            SQLAlchemyError, OSError: the write failed, or it is unknown whether it was committed.
        """
        for name, typed in values.items():
            group = self.groups.named(name)
            for least in (group.least, *map(group.least_for, typed)):
                actor.require(least)
        async with self._order:
            try:
                changes = await self._change(
                    actor, self._selections(actor.room, values, sparing=sparing), undoes
                )
            finally:
                self._version += 1
        for listener in self.listeners if changes else ():
            listener(actor.room, changes)
        return changes

    def preview(self, room: Room, values: Wanted, *, sparing: bool = False) -> list[Change]:
        """Return the differences that `change` would make, without making them.

        Raises:
            Refusal: a group, a key or a value is invalid.
        """
        return self._differences(room, self._selections(room, values, sparing=sparing))

    async def put(self, actor: Actor, name: str, key: str, text: str) -> tuple[Setting, Setting]:
        """Change one setting; return it as it was and as it is.

        Raises:
            Refusal: the group, the key or the value is invalid, or the role of the actor is too low.
        """
        (change,) = await self.put_all(actor, name, [(key, text)])
        return change

    async def put_all(
        self, actor: Actor, name: str, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[Setting, Setting]]:
        """Change settings of a group by keys and values, all or none; return each as it was and as it is.

        Raises:
            Refusal: as `put`, or a key occurs twice.
        """
        group = self.groups.named(name)
        actor.require(group.least)
        before = [group.find(selected(group, actor.room), key) for key, _ in pairs]
        values = {each.key: text for each, (_, text) in zip(before, pairs, strict=True)}
        if len(values) < len(pairs):
            twice = next(each.key for at, each in enumerate(before) if each in before[:at])
            raise Refusal(Message("setting-twice", {"key": shown(twice)}))
        await self.change(actor, {name: values}, sparing=True)
        return [(each, group.find(selected(group, actor.room), each.key)) for each in before]

    def overwritten(self, room: Room, game: str, preset: str) -> Overwritten:
        """Return the changed settings of a game that a preset would overwrite, as they are and would be.

        Raises:
            Refusal: there is no preset of that name.
        """
        group = self.groups.named(game)
        before, after = selected(group, room), group.changed(group.unset, {PRESET: preset})
        keys = _reset_by_preset(group, before.choices)
        pairs = [(group.find(before, key), group.find(after, key)) for key in keys]
        return tuple((old, new) for old, new in pairs if old.value != new.value)

    async def choose_preset(self, actor: Actor, game: str, preset: str) -> list[Change]:
        """Choose a preset, and reset all other settings of the rules of the game."""
        keys = _reset_by_preset(self.groups.named(game), actor.room.settings(game))
        reset = dict.fromkeys(keys)
        return await self.change(actor, {game: {**reset, PRESET: preset}})

    def change_set(self, actor: Actor, changes: list[Change], *, undoes: str | None = None) -> ChangeSet:
        """Return the change set by which an actor makes changes now."""
        room = actor.room
        where = room.id, room.community, self._watch.date()
        return ChangeSet(actor.id, *where, actor.seat, actor.name, tuple(changes), actor.why, undoes)

    async def _read(self, room: Room) -> tuple[str, Stored]:
        """Return the holder of a room's community, and the stored settings by owner."""
        holder = self._holder(room.community)
        owners = {owner(group, room, holder) for group in self.groups.values()}
        return holder, await self._preferences.load_all(owners)

    def _take_over(self, room: Room, holder: str, stored_values: Stored) -> None:
        room.holder = holder
        for group in self.groups.values():
            choices = stored_values[owner(group, room)].get(group.name, {})
            room.chosen[group.name] = _read_valid(room, group, choices)

    async def _change(
        self, actor: Actor, selections: Mapping[str, AnySelection], undoes: str | None
    ) -> list[Change]:
        differences = self._differences(actor.room, selections)
        if not differences:
            return []
        records = [] if self.guard is None else await self.guard.require(actor, selections, differences)
        change_set = self.change_set(actor, [*differences, *records], undoes=undoes)
        choices = {
            (owner(self.groups[name], actor.room), name): dict(selection.choices)
            for name, selection in selections.items()
        }
        try:
            await self.changes.make(change_set, Work(choices=choices), actor.committer)
        except (SQLAlchemyError, OSError):
            self._stale.update({actor.room.id, *self._rooms})  # the write may have been committed
            raise
        for name, selection in selections.items():
            self._adopt(actor.room, name, selection)
        if self.guard is not None:
            self.guard.record(actor, records)
        return differences

    def _selections(self, room: Room, values_by_group: Wanted, *, sparing: bool) -> dict[str, AnySelection]:
        selections: dict[str, AnySelection] = {}
        for name, typed in values_by_group.items():
            group = self.groups.named(name)
            old = selected(group, room)
            values = {key: _without_default(text) for key, text in typed.items()}
            new = group.changed(old, values)
            selections[name] = _without_redundant(group, old, new, values) if sparing else new
        return selections

    def _differences(self, room: Room, selections: Mapping[str, AnySelection]) -> list[Change]:
        return [
            Change(SETTING, name, key, _text(old), _text(new))
            for name, selection in selections.items()
            for key, old, new in _changes(room.settings(name), selection.choices)
        ]

    def _adopt(self, room: Room, name: str, selection: AnySelection) -> None:
        """Let a selection take effect in a room, and in all others that have the same owner."""
        group = self.groups[name]
        changed_owner = owner(group, room)
        for each in (room, *self._rooms.values()):
            if owner(group, each) == changed_owner:
                each.chosen[name] = selection


def _reset_by_preset(group: Group, choices: StoredValues) -> list[str]:
    """List the chosen settings that a preset replaces: those of the rules."""
    exempt_keys = {PRESET, *(group.names if isinstance(group, Fields) else ())}
    return [key for key in choices if key not in exempt_keys]


def _without_redundant(group: Group, old: AnySelection, new: AnySelection, typed: Typed) -> AnySelection:
    """Return a change without the values that are defaults already, unless they were stored before."""
    plain = {key: group.find(old, key).key for key in typed}
    values = {
        key: text
        for key, text in typed.items()
        if plain[key] in old.choices or not group.is_redundant(new, plain[key])
    }
    return new if len(values) == len(typed) else group.changed(old, values)


def _changes(old_choices: StoredValues, choices: StoredValues) -> Iterator[tuple[str, object, object]]:
    for key in dict.fromkeys((*old_choices, *choices)):
        if old_choices.get(key) != choices.get(key):
            yield key, old_choices.get(key), choices.get(key)


def _without_default(text: str | None) -> str | None:
    return None if text is None or text.lower() == DEFAULT else text


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _read_valid(room: Room, group: Group, choices: StoredValues) -> AnySelection:
    """Read stored choices, leaving out those that are refused."""
    with suppress(Refusal):
        return group.read(choices)
    selection = group.unset
    for key, value in choices.items():
        try:
            selection = group.read({**selection.choices, key: value})
        except Refusal:
            log.warning("a stored setting is not valid any more", room=room.id, group=group.name, setting=key)
    return selection
