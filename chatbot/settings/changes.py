"""The one way in which settings change, whoever asks for it and by whatever means.

A change is checked, written with its audit rows in one transaction, and only then counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.ledger.changes import SETTING, Change, Deed, Work
from chatbot.rooms.room import Room
from chatbot.settings.fields import PRESET, owner, selected
from chatbot.settings.lists import standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.changes import Changes
    from chatbot.ledger.rooms import Preferences
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.request import Request
    from chatbot.rooms.room import Rooms
    from chatbot.settings.fields import Choices, Group, Groups, Selection, Setting, Typed

OPERATOR = "operator"
"""The actor of what is done from the command line."""

Wanted: TypeAlias = Mapping[str, Mapping[str, str | None]]
"""Values as somebody would type them, by group and key; None: back to the default."""

Watcher: TypeAlias = Callable[[Room, Sequence[Change]], None]

DEFAULT = "default"
"""The value that takes a setting back, as somebody would type it."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, and where; `id` is that of the line, or made by who has none."""

    id: str
    room: Room
    seat: str
    name: str
    why: str = ""
    role: Role = Role.MODERATOR

    @classmethod
    def of(cls, asked: Request, why: str = "") -> Actor:
        line = asked.line
        return cls(f"deed:{line.id}", asked.room, line.seat, line.name, why, standing(asked.room, line))

    def part(self, name: str) -> Actor:
        """Give the hand for one of several deeds that a line asks for."""
        return replace(self, id=f"{self.id}:{name}")

    def require(self, least: Role) -> None:
        """Let pass whose role is enough, and the operator.

        Raises:
            Refusal: it is not.
        """
        if self.seat != OPERATOR and not self.role.covers(least):
            raise Refusal(Message("not-allowed", {"role": Message(f"role-{least.value}")}))


class SettingsChanges:
    def __init__(
        self,
        groups: Groups,
        changes: Changes,
        preferences: Preferences,
        rooms: Rooms,
        watch: Watch,
        holder: Callable[[str], str],
    ) -> None:
        """`holder` names the community that holds the wallets of another."""
        self.groups, self.changes = groups, changes
        self._preferences, self._rooms, self._watch = preferences, rooms, watch
        self._holder = holder
        self._doubtful: set[str] = set()  # rooms whose settings may not be those that are stored
        self._order = asyncio.Lock()  # two rooms of a community must not write over each other's changes
        self.watchers: list[Watcher] = []  # told of every change that was made

    async def load(self, room: Room) -> None:
        """Take over what was stored; a choice that today's rules refuse is left out, and logged."""
        async with self._order:
            holder = self._holder(room.community)
            owners = {owner(group, room, holder) for group in self.groups.values()}
            stored = {each: await self._preferences.load(each) for each in owners}
            room.holder = holder
            for group in self.groups.values():
                choices = stored[owner(group, room)].get(group.name, {})
                room.chosen[group.name] = _possible(room, group, choices)

    async def move(self, community: str) -> None:
        """Let the settings of who holds a community's purses now count in all its open rooms."""
        for room in [each for each in self._rooms.values() if each.community == community]:
            self._doubtful.add(room.id)
            with suppress(SQLAlchemyError, OSError):  # then the next line there brings them
                await self.look_again(room)

    def doubts(self, room: Room) -> bool:
        """Whether the answer to a change was lost, and the settings of a room were not read again since."""
        return room.id in self._doubtful

    async def look_again(self, room: Room) -> None:
        """Read a room's settings again where they are in doubt."""
        if self.doubts(room):
            await self.load(room)
            self._doubtful.discard(room.id)

    async def change(
        self, hand: Actor, wanted: Wanted, *, undoes: str | None = None, sparing: bool = False
    ) -> list[Change]:
        """Change settings, all or none; tell what is different now.

        With `sparing`, what holds already without being set is left out.

        Raises:
            Refusal: a group, a key or a value is none, or the role is not enough for the group.
        """
        for name in wanted:
            hand.require(self.groups.named(name).least)
        async with self._order:
            made = await self._change(hand, self._decided(hand.room, wanted, sparing=sparing), undoes)
        for watcher in self.watchers if made else ():
            watcher(hand.room, made)
        return made

    async def _change(
        self, hand: Actor, chosen: Mapping[str, Selection[Any]], undoes: str | None
    ) -> list[Change]:
        made = self._differences(hand.room, chosen)
        if not made:
            return []
        deed = self.deed(hand, made, undoes=undoes)
        stored = {
            (owner(self.groups[name], hand.room), name): dict(selection.choices)
            for name, selection in chosen.items()
        }
        try:
            await self.changes.make(deed, Work(choices=stored))
        except (SQLAlchemyError, OSError):
            self._doubtful.update({hand.room.id, *self._rooms})  # it may be written all the same
            raise
        for name, selection in chosen.items():
            self._adopt(hand.room, name, selection)
        return made

    def foresee(self, room: Room, wanted: Wanted, *, sparing: bool = False) -> list[Change]:
        """Tell what a change would change; raises as `change`."""
        return self._differences(room, self._decided(room, wanted, sparing=sparing))

    async def put(self, hand: Actor, name: str, key: str, text: str) -> tuple[Setting, Setting]:
        """Change one setting; tell it as it was and as it is.

        Raises:
            Refusal: the group, the key or the value is none.
        """
        group = self.groups.named(name)
        hand.require(group.least)
        before = group.find(selected(group, hand.room), key)
        await self.change(hand, {name: {before.key: text}}, sparing=True)
        return before, group.find(selected(group, hand.room), before.key)

    async def choose_preset(self, hand: Actor, game: str, preset: str) -> list[Change]:
        """Choose a preset; whatever was changed on top of the former one goes with it."""
        own = {key: None for key in hand.room.settings(game) if key != PRESET}
        return await self.change(hand, {game: {**own, PRESET: preset}})

    def deed(self, hand: Actor, changes: list[Change], *, undoes: str | None = None) -> Deed:
        room = hand.room
        where = room.id, room.community, self._watch.date()
        return Deed(hand.id, *where, hand.seat, hand.name, tuple(changes), hand.why, undoes)

    def _decided(self, room: Room, wanted: Wanted, *, sparing: bool) -> dict[str, Selection[Any]]:
        chosen: dict[str, Selection[Any]] = {}
        for name, typed in wanted.items():
            group = self.groups.named(name)
            former = selected(group, room)
            meant = {key: _meant(text) for key, text in typed.items()}
            changed = group.changed(former, meant)
            chosen[name] = _spared(group, former, changed, meant) if sparing else changed
        return chosen

    def _differences(self, room: Room, chosen: Mapping[str, Selection[Any]]) -> list[Change]:
        return [
            Change(SETTING, name, key, _text(old), _text(new))
            for name, selection in chosen.items()
            for key, old, new in _changes(room.settings(name), selection.choices)
        ]

    def _adopt(self, room: Room, name: str, selection: Selection[Any]) -> None:
        group = self.groups[name]
        concerned = owner(group, room)
        for each in (room, *self._rooms.values()):
            if owner(group, each) == concerned:
                each.chosen[name] = selection


def _spared(group: Group, former: Selection[Any], changed: Selection[Any], typed: Typed) -> Selection[Any]:
    """Leave out what holds already without being set."""
    plain = {key: group.find(former, key).key for key in typed}
    kept = {
        key: text
        for key, text in typed.items()
        if plain[key] in former.choices or not group.idle(changed, plain[key])
    }
    return changed if len(kept) == len(typed) else group.changed(former, kept)


def _changes(former: Choices, choices: Choices) -> Iterator[tuple[str, object, object]]:
    for key in dict.fromkeys((*former, *choices)):
        if former.get(key) != choices.get(key):
            yield key, former.get(key), choices.get(key)


def _meant(text: str | None) -> str | None:
    return None if text is None or text.lower() == DEFAULT else text


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _possible(room: Room, group: Group, stored: Choices) -> Selection[Any]:
    """Take over what was stored, but for what is refused."""
    with suppress(Refusal):
        return group.read(stored)
    kept = group.unset
    for key, value in stored.items():
        try:
            kept = group.read({**kept.choices, key: value})
        except Refusal:
            log.warning("a stored setting is not valid any more", room=room.id, group=group.name, setting=key)
    return kept
