"""The clerk: the one way in which settings change, whoever asks for it and by whatever means.

A change is checked, written with its audit rows in one transaction, and only then counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.game import Refusal, Role
from chatbot.kernel.say import Message
from chatbot.live.choices import PRESET
from chatbot.live.keeping.porter import standing
from chatbot.live.room import Room
from chatbot.wallets.changes import SETTING, Change, Deed, Work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.live.asked import Asked
    from chatbot.live.keeping.groups import Choices, Group, Groups, Setting
    from chatbot.live.rooms import Rooms
    from chatbot.live.watch import Watch
    from chatbot.wallets.changes import Changes
    from chatbot.wallets.preferences import Preferences

OPERATOR = "operator"
"""The actor of what is done from the command line."""

Wanted: TypeAlias = Mapping[str, Mapping[str, str | None]]
"""Values as somebody would type them, by group and key; None: back to the default."""

Watcher: TypeAlias = Callable[[Room, Sequence[Change]], None]

DEFAULT = "default"
"""The value that takes a setting back, as somebody would type it."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hand:
    """Who does something, and where; `id` is that of the line, or made by who has none."""

    id: str
    room: Room
    seat: str
    name: str
    why: str = ""
    role: Role = Role.MODERATOR

    @classmethod
    def of(cls, asked: Asked, why: str = "") -> Hand:
        line = asked.line
        return cls(f"deed:{line.id}", asked.room, line.seat, line.name, why, standing(asked.room, line))

    def part(self, name: str) -> Hand:
        """Give the hand for one of several deeds that a line asks for."""
        return replace(self, id=f"{self.id}:{name}")

    def require(self, least: Role) -> None:
        """Let pass whose role is enough, and the operator.

        Raises:
            Refusal: it is not.
        """
        if self.seat != OPERATOR and not self.role.covers(least):
            raise Refusal(Message("not-allowed", {"role": Message(f"role-{least.value}")}))


class Clerk:
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
            owners = {self.groups.owner(group, room, holder) for group in self.groups.values()}
            stored = {owner: await self._preferences.load(owner) for owner in owners}
            room.holder = holder
            for group in self.groups.values():
                choices = stored[self.groups.owner(group, room)].get(group.name, {})
                self.groups.adopt(room, group.name, _possible(room, group, choices))

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

    async def change(self, hand: Hand, wanted: Wanted, *, undoes: str | None = None) -> list[Change]:
        """Change settings, all or none; tell what is different now.

        Raises:
            Refusal: a group, a key or a value is none, or the role is not enough for the group.
        """
        for name in wanted:
            hand.require(self.groups.named(name).least)
        async with self._order:
            made = await self._change(hand, wanted, undoes)
        for watcher in self.watchers if made else ():
            watcher(hand.room, made)
        return made

    async def _change(self, hand: Hand, wanted: Wanted, undoes: str | None) -> list[Change]:
        chosen, made = self._decided(hand.room, wanted)
        if not made:
            return []
        deed = self.deed(hand, made, undoes=undoes)
        stored = {
            (self.groups.owner(self.groups[name], hand.room), name): choices
            for name, choices in chosen.items()
        }
        try:
            await self.changes.make(deed, Work(choices=stored))
        except (SQLAlchemyError, OSError):
            self._doubtful.update({hand.room.id, *self._rooms})  # it may be written all the same
            raise
        for name, choices in chosen.items():
            self._adopt(hand.room, name, choices)
        return made

    def foresee(self, room: Room, wanted: Wanted) -> list[Change]:
        """Tell what a change would change; raises as `change`."""
        return self._decided(room, wanted)[1]

    def news(self, room: Room, wanted: Wanted) -> Wanted:
        """Leave out what holds already without being set; raises as `change`."""
        kept = {name: self._news(room, name, typed) for name, typed in wanted.items()}
        return {name: typed for name, typed in kept.items() if typed}

    async def put(self, hand: Hand, group: str, key: str, text: str) -> tuple[Setting, Setting]:
        """Change one setting; tell it as it was and as it is.

        Raises:
            Refusal: the group, the key or the value is none.
        """
        hand.require(self.groups.named(group).least)
        before = self.groups[group].find(hand.room.settings(group), key)
        await self.change(hand, self.news(hand.room, {group: {key: text}}))
        return before, self.groups[group].find(hand.room.settings(group), before.key)

    async def choose_preset(self, hand: Hand, game: str, preset: str) -> list[Change]:
        """Choose a preset; whatever was changed on top of the former one goes with it."""
        own = {key: None for key in hand.room.settings(game) if key != PRESET}
        return await self.change(hand, {game: {**own, PRESET: preset}})

    def deed(self, hand: Hand, changes: list[Change], *, undoes: str | None = None) -> Deed:
        room = hand.room
        where = room.id, room.community, self._watch.date()
        return Deed(hand.id, *where, hand.seat, hand.name, tuple(changes), hand.why, undoes)

    def _decided(self, room: Room, wanted: Wanted) -> tuple[dict[str, dict[str, object]], list[Change]]:
        chosen = {name: self._taken(room, name, typed) for name, typed in wanted.items()}
        return chosen, [each for name in wanted for each in self._differences(room, name, chosen[name])]

    def _taken(self, room: Room, name: str, typed: Mapping[str, str | None]) -> dict[str, object]:
        group, choices = self.groups.named(name), room.settings(name)
        changed = {group.find(choices, key).key: _meant(text) for key, text in typed.items()}
        taken = group.taken(choices, changed)
        group.read(taken)
        return taken

    def _news(self, room: Room, name: str, typed: Mapping[str, str | None]) -> dict[str, str | None]:
        group, former, taken = self.groups.named(name), room.settings(name), self._taken(room, name, typed)
        return {
            key: text
            for key, text in typed.items()
            if (plain := group.find(former, key).key) in former or not _idle(group, taken, plain)
        }

    def _differences(self, room: Room, name: str, chosen: Mapping[str, object]) -> Iterator[Change]:
        former = room.settings(name)
        for key in dict.fromkeys((*former, *chosen)):
            old, new = former.get(key), chosen.get(key)
            if old != new:
                yield Change(SETTING, name, key, _text(old), _text(new))

    def _adopt(self, room: Room, name: str, choices: Mapping[str, object]) -> None:
        owner = self.groups.owner(self.groups[name], room)
        rooms = [room, *(each for each in self._rooms.values() if each is not room)]
        for each in rooms:
            if self.groups.owner(self.groups[name], each) == owner:
                self.groups.adopt(each, name, choices)


def _idle(group: Group, choices: Choices, key: str) -> bool:
    """Whether a setting is listed the same if nothing is chosen for it."""
    without = {each: value for each, value in choices.items() if each != key}
    try:
        return _listed(group, without, key) == _listed(group, choices, key)
    except Refusal:  # the others are possible only with it
        return False


def _listed(group: Group, choices: Choices, key: str) -> str | None:
    return next((each.value for each in group.listed(choices) if each.key == key), None)


def _meant(text: str | None) -> str | None:
    return None if text is None or text.lower() == DEFAULT else text


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _possible(room: Room, group: Group, stored: Mapping[str, object]) -> dict[str, object]:
    kept: dict[str, object] = {}
    for key, value in stored.items():
        try:
            group.read({**kept, key: value})
        except Refusal:
            log.warning("a stored setting is not valid any more", room=room.id, group=group.name, setting=key)
        else:
            kept[key] = value
    return kept
