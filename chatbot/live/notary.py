"""The notary lets anybody check the draws: a pledge before a table opens, then a seal, and its seed at last.

`!fair` tells what is pledged, sealed and fixed, of tables that stand, the next and the last one, and how
many were called off; `!verify` plays a finished table again, and tells all that opens what was hidden.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel import fair
from chatbot.kernel.amounts import read_whole
from chatbot.kernel.game import Refusal
from chatbot.kernel.kit import HiddenChoice, Kind, Option, free
from chatbot.kernel.say import Listing, Message, Name, Quote, Say, Talk
from chatbot.live.asked import Asked, Service, game_named, game_option, usage
from chatbot.live.newest import remember
from chatbot.live.proof import Hashes, check, hashes
from chatbot.live.replay import OtherRules, replay, version_of
from chatbot.wallets.pledges import Pledge, Pledges
from chatbot.wallets.stories import OPEN, SETTLED, VOID

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from chatbot.kernel.game import Seat
    from chatbot.kernel.kit import Kit
    from chatbot.kernel.say import Arguments
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Room
    from chatbot.live.table import Table
    from chatbot.wallets.store import Store
    from chatbot.wallets.stories import Stories, Story

log = structlog.get_logger(__name__)

MOST_ROUNDS = 1000
OPENED = 12  # choices of the house that are opened in one answer; of a game with more, a round is asked for
CALLERS = 5  # who called tables off, by name
REMEMBERED = 100  # verdicts: whoever asks again and again costs nothing
VERIFY = "TABLE [ROUND]"
_WHICH = Option("table", Kind.WORD, required=True), Option("round", Kind.WHOLE, least=1, most=MOST_ROUNDS)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a house gets what nobody may guess or repeat."""

    seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)  # the secret of a table's luck
    table_id: Callable[[], str] = lambda: secrets.token_hex(5)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is said of a finished table, and what the house had hidden at it."""

    told: tuple[Message, ...]
    hidden: tuple[HiddenChoice, ...] = ()


class Notary:
    def __init__(
        self, kits: Mapping[str, Kit], store: Store, stories: Stories, outbox: Outbox, sources: Sources
    ) -> None:
        self._kits, self._stories, self._outbox, self._sources = kits, stories, outbox, sources
        self._pledges = Pledges(store)
        self._verdicts: OrderedDict[str, _Verdict] = OrderedDict()  # by table
        self._pledged: dict[tuple[str, str], Pledge] = {}  # by room and game
        self._last: dict[tuple[str, str], Message | None] = {}  # what is told of the last table, likewise
        self.services = (
            Service("fair", self._fair, "[GAME]", options=(game_option(kits),), reads=True),
            Service("verify", self._verify, VERIFY, options=_WHICH, reads=True),
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
        args = _opening(story)
        self._last[room.id, story.game] = _last(story)
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
        self._outbox.say(room, [Say(message, talk=Talk.NORMAL, game=game, event=event, fine=True)])

    # What members ask

    async def _fair(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) > 1:
            raise usage("fair", "[GAME]")
        if not asked.words:
            return [asked.answer(await self._overview(asked.room))]
        kit = game_named(self._kits, asked.words[0])
        return [asked.answer(each) for each in await self._known(asked.room, kit, asked.line.seats)]

    async def _overview(self, room: Room) -> Message:
        states = await self._stories.states(room.id)
        words = tuple(Message("word", {"word": f"!fair {name}"}) for name in self._kits)
        void = states.get(VOID, 0)
        by = _called_off(void, await self._stories.callers_off(room.id)) if void else Message("nothing")
        args: Arguments = {"settled": states.get(SETTLED, 0), "void": void, "by": by, "words": Listing(words)}
        return Message("fair-overview", args)

    async def _known(self, room: Room, kit: Kit, seats: Collection[Seat]) -> Sequence[Message]:
        """Tell what binds the tables that stand, those of these seats first, the next one and the last."""
        tables = sorted(room.playing(kit.name), key=lambda each: each.seated.isdisjoint(seats))
        told = [each for table in tables for each in _bound(table)]
        told.append(_promise("fair-pledged", kit, await self.pledged(room, kit)))
        last = await self._ended_last(room, kit)
        return [*told, last] if last is not None else told

    async def _ended_last(self, room: Room, kit: Kit) -> Message | None:
        """Tell of the table that ended last; what ended before the program started is looked up once."""
        key = room.id, kit.name
        if key not in self._last:
            table = await self._stories.last_over(*key)
            self._last[key] = None if table is None else await self._recalled(table)
        return self._last[key]

    async def _recalled(self, table: str) -> Message | None:
        try:
            story = await self._stories.of(table)
        except ValueError:
            return Message("verify-broken", {"table": table})
        return None if story is None else _last(story)

    async def _verify(self, asked: Asked) -> Sequence[Say]:
        if len(asked.words) not in {1, 2}:
            raise usage("verify", VERIFY)
        number = read_whole(asked.words[1], 1, MOST_ROUNDS) if asked.words[1:] else None
        story = await self._story(asked.room, asked.words[0])
        if story.id not in self._verdicts:
            found = await asyncio.to_thread(self._verdict, story)
            remember(self._verdicts, story.id, found, REMEMBERED)
        verdict = self._verdicts[story.id]
        told = verdict.told if number is None else ()
        return [asked.answer(each) for each in (*told, *_opened(story.id, verdict.hidden, number))]

    def _verdict(self, story: Story) -> _Verdict:
        """Play a finished table again, which takes a while if many were at it."""
        try:
            kit = version_of(self._kits.get(story.game), story)
            sound = all(each.holds for each in check(story, hashes(story), self._kits))
        except OtherRules:
            return _Verdict((Message("verify-other-rules", {"table": story.id}),))
        except ValueError:
            return _Verdict((Message("verify-broken", {"table": story.id}),))
        if not sound:
            return _Verdict((Message("verify-broken", {"table": story.id}),))
        args: Arguments = {
            "table": story.id,
            "turns": sum(len(step.turns) for step in story.steps),
            "transfers": sum(len(step.entries) for step in story.steps) + len(story.others),
            "end": Message(f"verify-{story.state}"),
        }
        told = Message("verify-sound", args), Message("verify-hashes", _opening(story))
        hidden = () if kit.committed is free else tuple(kit.committed(replay(kit, story).state))
        return _Verdict(told, hidden)

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


def _opening(story: Story) -> Arguments:
    """Give all the hashes of a table that is over, and the seed that opens them."""
    try:
        made = hashes(story)
    except ValueError:  # a corrupt row, for which it was called off
        made = Hashes("-", "-", "-")
    return {"table": story.id, "seed": story.seed.hex(), **asdict(made)}


def _last(story: Story) -> Message:
    return Message("fair-last", {**_opening(story), "game": Message(f"game-{story.game}")})


def _called_off(void: int, keepers: Sequence[tuple[str, int]]) -> Message:
    """Tell who called tables off: what no keeper did, the bot has done where it could not go on."""
    rows = [Message("fair-void-by", {"count": count, "who": Quote(name)}) for name, count in keepers]
    rest = void - sum(count for _, count in keepers)
    if rest > 0:
        rows.append(Message("fair-void-by-bot", {"count": rest}))
    return Message("fair-void", {"rows": Listing(tuple(rows), most=CALLERS)})


def _bound(table: Table) -> Iterator[Message]:
    """Tell what a table that stands is bound by: its pledge, its seal and what the house has fixed."""
    args: Arguments = {
        "game": Message(f"game-{table.kit.name}"),
        "table": table.id,
        "pledge": fair.pledge(table.id, table.seed),
        "seal": _seal(table),
    }
    yield Message("fair-standing", args)
    rows = [
        Message("fair-hidden", {"who": Name(each.seat), "digest": each.digest})
        for each in table.kit.committed(table.state)
        if not each.shown
    ]
    if rows:
        yield Message("fair-fixed", {"table": table.id, "rows": _listed(rows)})


def _opened(table: str, hidden: Sequence[HiddenChoice], number: int | None) -> Iterator[Message]:
    """Open what the house had fixed, of one round or of all; of too many, say how to ask for a round."""
    wanted = [each for each in hidden if number in {None, each.round}]
    if number is None and len(wanted) > OPENED:
        args: Arguments = {"table": table, "count": len(wanted), "last": wanted[-1].round}
        yield Message("verify-many", args)
    elif wanted:
        yield Message("verify-opened", {"table": table, "rows": _listed([_row(each) for each in wanted])})
    elif number is not None:
        yield Message("verify-nothing-fixed", {"table": table, "number": number})


def _row(hidden: HiddenChoice) -> Message:
    args: Arguments = {
        "number": hidden.round,
        "who": Name(hidden.seat),
        "nonce": hidden.nonce,
        "choice": hidden.choice,
    }
    return Message("verify-choice", args)


def _listed(rows: Sequence[Message]) -> Listing:
    return Listing(tuple(rows), most=len(rows), separator="; ")
