"""Serve the replays of finished tables, by ids that nobody guesses, where the board of their room is on.

A replay is made when it is first asked for, which takes up to seconds for a crowd: one at a time, in a
thread. It is kept for a while for all who ask. This answer is all that the page needs of the server: it
checks the proof by itself.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.say import Message
from chatbot.ledger.books.journal import OPEN
from chatbot.runtime.limits import remember
from chatbot.tables import proof
from chatbot.tables.proof import ProofError
from chatbot.tables.replay import Unreplayable
from chatbot.web.replays.moments import play

if TYPE_CHECKING:
    from chatbot.bot.bot import Bot
    from chatbot.ledger.books.journal import TableRecord
    from chatbot.rooms.room import Room
    from chatbot.web.principals import Platforms

KEPT = 16  # documents, the latest: 25 kB each, and a few hundred of a crowd
LASTS = 20.0  # seconds for which one is kept: then names are looked up again
MOST_WAITING = 8  # who wait for replays to be made; others are asked to try again
_PAGE = Path(str(files("chatbot.web") / "static" / "replay.html"))


@dataclass(frozen=True, slots=True)
class _Kept:
    text: str
    until: float  # time of the watch


async def write_document(bot: Bot, room: Room, record: TableRecord, title: str) -> str:
    """Return the document of a finished table as JSON, in the language of its room.

    Raises:
        Unreplayable, ProofError: it cannot be played again, or there is no proof of it.
    """
    # It takes long, as the models of events do, and a start after which nobody looks does without.
    from chatbot.web.replays.document import DocumentWriter, names_for, sealed  # noqa: PLC0415

    parts, ties = bot.parts, bot.people.ties
    played = await asyncio.to_thread(play, bot.kits.get(record.game), record)
    seats = {place.seat for each in played.moments for place in each.board(None).places}
    await parts.members.learn(room.community, [*seats, *played.viewers])
    hidden = {ties.root(each) for each in await parts.hidden.all()}
    anonymous = parts.outbox.text(Message("replay-hidden"), room=room)
    names = names_for(parts.members.name, lambda seat: ties.root(seat) in hidden, anonymous)
    writer = DocumentWriter(parts.outbox.with_names(names), room, title, played)
    frames = []
    for each in writer.steps():
        frames.append(each)
        await asyncio.sleep(0)  # others are answered between two frames
    proof_text = await asyncio.to_thread(proof.write, record)
    return await asyncio.to_thread(sealed, writer.content(frames, proof_text))


class Replays:
    """The replays of all rooms whose board is on."""

    def __init__(self, bot: Bot, platforms: Platforms | None) -> None:
        self._bot, self._platforms = bot, platforms
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._making = asyncio.Lock()
        self._waiting = 0

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the pages to those of a listener."""
        router.add_get("/replay/{replay}", self._page)
        router.add_get("/replay/{replay}/data", self._data)

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def _page(self, request: web.Request) -> web.StreamResponse:
        await self._find(request)
        return web.FileResponse(_PAGE)

    async def _data(self, request: web.Request) -> web.StreamResponse:
        record, room = await self._find(request)
        if self._waiting >= MOST_WAITING:
            raise web.HTTPServiceUnavailable(text="Too many replays are asked for now; try again.\n")
        self._waiting += 1
        try:
            async with self._making:
                text = await self._recent(record, room)
        except (Unreplayable, ProofError):
            raise _no_replay() from None
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        finally:
            self._waiting -= 1
        response = web.Response(text=text, content_type="application/json")
        response.enable_compression()
        return response

    async def _recent(self, record: TableRecord, room: Room) -> str:
        language = self._bot.parts.outbox.languages.language(room)
        key, now = f"{record.id} {language}", self._bot.watch.now()
        kept = self._kept.get(key)
        if kept is not None and now < kept.until:
            return kept.text
        text = await write_document(self._bot, room, record, self._title(room))
        remember(self._kept, key, _Kept(text, now + LASTS), KEPT)
        return text

    async def _find(self, request: web.Request) -> tuple[TableRecord, Room]:
        """Return the finished table that is asked for, and its room.

        Raises:
            HTTPNotFound: there is none of this id, it is not over, or the board of its room is off.
        """
        table = self._bot.parts.replay_ids.table(request.match_info["replay"])
        if table is None:
            raise _no_replay()
        try:
            record = await self._bot.parts.journal.of(table)
            room = None if record is None else await self._bot.control.viewed(record.room)
        except ValueError:
            raise _no_replay() from None
        except (SQLAlchemyError, OSError):
            raise _unanswered() from None
        if record is None or record.state == OPEN or room is None or not room.habits.board:
            raise _no_replay()
        return record, room

    def _title(self, room: Room) -> str:
        if self._platforms is None:
            return room.id
        channels = [each.id for each in room.channels] or [room.id]
        return " + ".join(map(self._platforms.title, channels))


def _no_replay() -> web.HTTPException:
    return web.HTTPNotFound(text="There is no such replay.\n")


def _unanswered() -> web.HTTPException:
    return web.HTTPServiceUnavailable(text="The database does not answer now; try again.\n")
