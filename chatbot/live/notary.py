"""The notary lets anybody check the draws: a pledge before a table opens, then a seal, and its seed at last.

`!fair` tells what is pledged and how many tables were called off; `!verify` plays a finished table again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel import fair
from chatbot.kernel.game import Refusal
from chatbot.kernel.kit import Kind, Option
from chatbot.kernel.say import Listing, Message, Quote, Say, Talk
from chatbot.live.asked import Asked, Service, game_named, game_option, usage
from chatbot.live.newest import remember
from chatbot.live.proof import check, hashes
from chatbot.live.replay import OtherRules, version_of
from chatbot.wallets.pledges import Pledge, Pledges
from chatbot.wallets.stories import OPEN, SETTLED, VOID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.kernel.kit import Kit
    from chatbot.kernel.say import Arguments
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.wallets.store import Store
    from chatbot.wallets.stories import Stories, Story

log = structlog.get_logger(__name__)

_WHICH = Option("table", Kind.WORD, required=True)
REMEMBERED = 100  # verdicts: whoever asks again and again costs nothing


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a house gets what nobody may guess or repeat."""

    seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)  # the secret of a table's luck
    table_id: Callable[[], str] = lambda: secrets.token_hex(5)


class Notary:
    def __init__(
        self, kits: Mapping[str, Kit], store: Store, stories: Stories, outbox: Outbox, sources: Sources
    ) -> None:
        self._kits, self._stories, self._outbox, self._sources = kits, stories, outbox, sources
        self._pledges = Pledges(store)
        self._verdicts: OrderedDict[str, Message] = OrderedDict()  # by table
        self._pledged: dict[tuple[str, str], Pledge] = {}  # by room and game
        self.services = (
            Service("fair", self._fair, "[GAME]", options=(game_option(kits),), reads=True),
            Service("verify", self._verify, "TABLE", options=(_WHICH,), reads=True),
        )

    async def pledged(self, room: Room, kit: Kit) -> Pledge:
        """Give the number and the secret of the next table, settled before anybody asked to open it."""
        key = room.id, kit.name
        while key not in self._pledged:
            fresh = Pledge(self._sources.table_id(), self._sources.seed())
            pledged = await self._pledges.renew(room.id, kit.name, fresh)
            if pledged is not None:
                self._pledged[key] = pledged
        return self._pledged[key]

    def forget(self, room: Room, kit: Kit) -> None:
        """Ask the books again what is pledged: what was taken for it cannot be opened."""
        self._pledged.pop((room.id, kit.name), None)

    async def opened(self, table: Table) -> None:
        """Tell what a table is sealed with, and pledge the one after it."""
        args = {"table": table.id, "seal": _seal(table)}
        self._say(table.room, table.kit.name, Message("table-sealed", args), "Sealed")
        self._pledged.pop((table.room.id, table.kit.name), None)
        await self.pledged(table.room, table.kit)

    async def ended(self, room: Room, table: str, kit: Kit | None) -> None:
        """Tell the secret of a table that is over, settled or void, and in the same line the next pledge."""
        story = await self._stories.of(table)
        if story is None or story.state == OPEN:
            return
        try:
            record = hashes(story).record
        except ValueError:  # a corrupt row, for which it was called off
            record = "-"
        args: Arguments = {"table": table, "seed": story.seed.hex(), "record": record}
        told = Message("table-revealed", args)
        if kit is not None:
            told = await self._with_next(room, kit, args, told)
        self._say(room, story.game, told, "Unsealed")

    async def _with_next(self, room: Room, kit: Kit, args: Arguments, alone: Message) -> Message:
        """Add the next pledge; what opens the table that is over does not wait for it."""
        try:
            following = _promise("table-next", kit, await self.pledged(room, kit))
        except (SQLAlchemyError, OSError):
            log.exception("the next table could not be pledged", room=room.id, game=kit.name)
            return alone
        return Message("table-revealed-next", {**args, "next": following})

    def _say(self, room: Room, game: str, message: Message, event: str) -> None:
        self._outbox.say(room, [Say(message, talk=Talk.NORMAL, game=game, event=event)])

    # What members ask

    async def _fair(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("fair", "[GAME]")
        if not asked.words:
            return [asked.answer(await self._overview(asked.room))]
        kit = game_named(self._kits, asked.words[0])
        return [asked.answer(each) for each in await self._present(asked.room, kit)]

    async def _overview(self, room: Room) -> Message:
        states = await self._stories.states(room.id)
        words = tuple(Message("word", {"word": f"!fair {name}"}) for name in self._kits)
        counts = {"settled": states.get(SETTLED, 0), "void": states.get(VOID, 0)}
        return Message("fair-overview", {**counts, "words": Listing(words)})

    async def _present(self, room: Room, kit: Kit) -> Sequence[Message]:
        told = [
            Message("table-sealed", {"table": table.id, "seal": _seal(table)})
            for table in room.playing(kit.name)
        ]
        return [*told, _promise("fair-pledged", kit, await self.pledged(room, kit))]

    async def _verify(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) != 1:
            raise usage("verify", "TABLE")
        story = await self._story(asked.room, asked.words[0])
        if story.id not in self._verdicts:
            verdict = await asyncio.to_thread(self._verdict, story)
            remember(self._verdicts, story.id, verdict, REMEMBERED)
        return [asked.answer(self._verdicts[story.id])]

    def _verdict(self, story: Story) -> Message:
        """Play a finished table again, which takes a while if many were at it."""
        try:
            version_of(self._kits.get(story.game), story)
            told = hashes(story)
            sound = all(each.holds for each in check(story, told, self._kits))
        except OtherRules:
            return Message("verify-other-rules", {"table": story.id})
        except ValueError:
            return Message("verify-broken", {"table": story.id})
        if not sound:
            return Message("verify-broken", {"table": story.id})
        args: Arguments = {
            "table": story.id,
            "turns": sum(len(step.turns) for step in story.steps),
            "transfers": sum(len(step.entries) for step in story.steps) + len(story.others),
            "end": Message(f"verify-{story.state}"),
            "seal": told.seal,
            "record": told.record,
        }
        return Message("verify-sound", args)

    async def _story(self, room: Room, text: str) -> Story:
        """Find a finished table of this room: what is still secret is told to nobody."""
        try:
            story = await self._stories.of(text.lower())
        except ValueError:
            raise Refusal(Message("verify-broken", {"table": text.lower()})) from None
        if story is None or story.room != room.id:
            raise Refusal(Message("verify-unknown", {"text": Quote(text)}))
        if story.state == OPEN:
            raise Refusal(Message("verify-open", {"table": story.id}))
        return story


def _promise(message: str, kit: Kit, pledged: Pledge) -> Message:
    game = Message(f"game-{kit.name}")
    args: Arguments = {
        "game": game,
        "table": pledged.table,
        "pledge": fair.pledge(pledged.table, pledged.seed),
    }
    return Message(message, args)


def _seal(table: Table) -> str:
    return fair.seal(table.id, table.kit.name, table.kit.version, table.settings, table.seed)
