"""Publishes the events of the tables of each room, once and in order, after their commit.

Publishing waits for no subscriber. The data of an event is captured when it happens, and its model is made
when a subscriber reads it: without subscribers an event costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from chatbot.kernel.say import Message
from chatbot.rooms.room import Room
from chatbot.tables.events.feeds import Feeds, News
from chatbot.tables.events.table_picture import TablePicture, standing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.say import Say
    from chatbot.rooms.registry import Rooms
    from chatbot.rooms.table_protocol import Table
    from chatbot.runtime.clock import Watch
    from chatbot.tables.events.feeds import EventKind
    from chatbot.tables.events.models import RoomEvent
    from chatbot.tables.events.writing import Stamp, Writing


Write: TypeAlias = "Callable[[Stamp, Writing], RoomEvent]"


@dataclass(eq=False)
class _Log:
    """The number of events that a room has published, and the tables as published, by their spots."""

    room: Room
    number: int = 0
    wording: int = 0
    tables: dict[str, TablePicture] = field(default_factory=dict)


class Publisher:
    """Publishes events to `feeds`, the subscriptions to channels."""

    def __init__(self, outbox: Outbox, rooms: Rooms, watch: Watch) -> None:
        self._outbox, self._rooms, self._watch = outbox, rooms, watch
        self._logs: dict[str, _Log] = {}  # by room id
        self._foreshown: dict[str, Room] = {}  # rooms that are not open yet, by their ids
        self.feeds = Feeds(rooms, self._picture)
        rooms.opening.append(self._moved)
        outbox.listeners.append(self._told)

    def stands(self, table: Table) -> None:
        """Publish the state of a table, if it has changed."""
        room, tables = table.room, self._log(table.room).tables
        previous = tables.get(table.spot)
        present = standing(table, previous)
        if previous is not None and previous.shows(present):
            return
        tables[table.spot] = present
        same_table = previous is not None and previous.id == table.id
        if previous is not None and not same_table:
            self._clear(room, previous)
        if room.elsewhere:
            return  # it is taken up, and was opened where it ran before: `taken_up` shows it
        if same_table:
            self._publish(room, "changed", lambda stamp, writing: writing.changed(stamp, present))
        else:
            self._publish(room, "opened", lambda stamp, writing: writing.opened(stamp, present))

    def number(self, room: Room) -> int:
        """Return the number of events that a room has published."""
        return self._log(room).number

    def settled(self, room: Room, table: str, game: str) -> None:
        """Publish that a table is over and was paid out."""
        self._publish(room, "settled", lambda stamp, writing: writing.settled(stamp, table, game))

    def voided(self, room: Room, table: str, game: str) -> None:
        """Publish that a table was voided."""
        self._publish(room, "voided", lambda stamp, writing: writing.voided(stamp, table, game))

    def cleared(self, table: Table) -> None:
        """Publish that a table is no longer shown."""
        tables = self._log(table.room).tables
        picture = tables.get(table.spot)
        if picture is not None and picture.id == table.id:
            del tables[table.spot]
            self._clear(table.room, picture)

    def rested(self, room: Room, game: str) -> None:
        """Publish that the cooldown of a game is over."""
        self._publish(room, "rested", lambda stamp, writing: writing.rested(stamp, game))

    def halted(self, room: Room) -> None:
        """Publish that no game is played, and why; the tables stay as they are, with their clocks stopped."""
        tables, reason = self._log(room).tables, Message(room.stopped)
        for spot, each in tables.items():
            tables[spot] = replace(each, deadline=None, ends=None)
        self._publish(room, "halted", lambda stamp, writing: writing.halted(stamp, reason))

    def resumed(self, room: Room) -> None:
        """Publish that games go on, with the tables that are open now."""
        self._keep(room, {each.id for each in room.tables.values()})
        self._publish(room, "resumed", lambda stamp, writing: writing.resumed(stamp))

    def taken_up(self, room: Room) -> None:
        """Publish that games go on that another process has run, with a picture of the tables."""
        self._keep(room, {each.id for each in room.tables.values()})
        self._show(room)
        self._publish(room, "resumed", lambda stamp, writing: writing.resumed(stamp))

    def reworded(self, room: Room) -> None:
        """Send a picture, for the texts of a room have become others, as by its language or a theme."""
        self._log(room).wording += 1
        self._show(room)

    def _show(self, room: Room) -> None:
        picture = self._picture_of(room)
        for feed in self.feeds.to(room):
            feed.put(picture)

    def _keep(self, room: Room, ids: Collection[str]) -> None:
        """Clear all tables of a room but those with certain ids."""
        tables = self._log(room).tables
        for spot, each in list(tables.items()):
            if each.id not in ids:
                del tables[spot]
                self._clear(room, each)

    # Rooms that are not open yet

    def foreshow(self, room: Room, tables: Mapping[str, TablePicture]) -> None:
        """Show tables, by their spots, in the pictures of a room that is not open, until it is."""
        if room.id not in self._logs:
            self._foreshown[room.id], self._logs[room.id] = room, _Log(room, tables=dict(tables))
            self._refresh(room)

    def forget(self, room: str) -> None:
        """Clear the tables of a room that was not opened since `foreshow`."""
        foreshown = self._foreshown.get(room)
        if foreshown is not None:
            self._keep(foreshown, ())
            del self._foreshown[room]

    def _clear(self, room: Room, picture: TablePicture) -> None:
        table, game = picture.id, picture.kit.name
        self._publish(room, "cleared", lambda stamp, writing: writing.cleared(stamp, table, game))

    def _told(self, room: Room, say: Say) -> None:
        """Publish a message of a table or a game to everybody; messages for one member are left out."""
        if say.to is not None or say.secret or not say.game or not room.habits.talk.includes(say.talk):
            return
        game = say.game
        self._publish(room, "told", lambda stamp, writing: writing.told(stamp, say, game))

    def _publish(self, room: Room, kind: EventKind, write: Write) -> None:
        room_log = self._log(room)
        room_log.number += 1
        self.feeds.publish(room, self._news(room_log, kind, write))

    def _news(self, room_log: _Log, kind: EventKind, write: Write) -> News:
        room, number = room_log.room, room_log.number
        at = self._watch.date()
        stamp: Stamp = {"room": room.id, "number": number, "at": at}
        return News(room.id, number, kind, at, partial(self._write, room, stamp, write), room_log.wording)

    def _write(self, room: Room, stamp: Stamp, write: Write) -> RoomEvent:
        # It takes long, and a start on which nobody looks does without.
        from chatbot.tables.events.writing import Writing  # noqa: PLC0415

        return write(stamp, Writing(self._outbox, room))

    # Pictures

    def _picture(self, channel: str) -> News | None:
        room = self._room(channel)
        return None if room is None else self._picture_of(room)

    def _picture_of(self, room: Room) -> News:
        room_log = self._log(room)
        tables, stopped = tuple(room_log.tables.values()), room.stopped

        def write(stamp: Stamp, writing: Writing) -> RoomEvent:
            return writing.picture(stamp, tables, stopped)

        return self._news(room_log, "picture", write)

    def _room(self, channel: str) -> Room | None:
        """Return the room that a channel is in, or else the one of this id, if there is one."""
        if self._rooms.has(channel):
            return self._rooms.at(channel)
        return self._rooms.get(channel) or self._foreshown.get(channel)

    def _log(self, room: Room) -> _Log:
        """Return the log of a room; a room that was opened again continues the numbers.

        If it was foreshown, its tables stand until they are resumed.
        """
        room_log = self._logs.get(room.id)
        if room_log is None:
            room_log = self._logs[room.id] = _Log(room)
        elif room_log.room is not room:
            tables = room_log.tables if room.id in self._foreshown else {}
            room_log = self._logs[room.id] = _Log(room, room_log.number, room_log.wording, tables)
        return room_log

    def _moved(self, room: Room) -> None:
        """Send a picture of a room to the subscribers of channels that were in no room, or in another."""
        if room.id in self._foreshown:
            self._log(room)  # which takes over what was foreshown
            del self._foreshown[room.id]
            if not room.stopped:
                self._keep(room, {each.id for each in room.tables.values()})
        self._refresh(room)

    def _refresh(self, room: Room) -> None:
        for feed in self.feeds.to(room):
            if feed.room != room.id:
                feed.lose()
