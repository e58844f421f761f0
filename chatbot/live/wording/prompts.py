"""What the house says unasked to who seems to need it: a first word on a game, and what was perhaps meant."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from chatbot.kernel.kit import openly
from chatbot.kernel.say import Arguments, Credits, Message, Say, Talk
from chatbot.live.habits import HABITS
from chatbot.live.newest import remember
from chatbot.live.room import Privacy
from chatbot.live.wording.suggestions import foreign, near
from chatbot.wallets import accounts
from chatbot.wallets.hints import Hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.kit import Kit
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.ledger import Ledger
    from chatbot.wallets.store import Store

REMEMBERED = 50_000  # who was told what, in memory; of others the database is asked again
PAUSE = 1.0  # seconds
OFTEN = 60.0  # seconds in which one newcomer is told in public how a game goes
HINT = "Hint"

log = structlog.get_logger(__name__)


class Prompts:
    """`offered(room, line)` lists the words that somebody may use now, and those that stand for them."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        outbox: Outbox,
        watch: Watch,
        offered: Callable[[Room, Line], Iterator[str]],
    ) -> None:
        self._hints, self._ledger, self._watch = Hints(store), ledger, watch
        self._outbox = outbox
        self._offered = offered
        self._told: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._said: dict[str, float] = {}  # room -> when somebody was told in public

    def mistyped(self, room: Room, line: Line, word: str) -> Sequence[Say]:
        """Name the command that may have been meant; most other words are for other bots."""
        if not HABITS.of(room).suggestions or foreign(word):
            return []
        close = near(word, self._offered(room, line))
        if not close:
            return []
        told = Message("did-you-mean", {"word": f"!{close}"})
        return [Say(told, line.seat, secret=line.private, event="Refusal", answers=line.id)]

    async def played(self, room: Room, line: Line, kit: Kit) -> None:
        """Tell who plays a game for the first time what they have, and where it is explained.

        It is said a moment later: the answer to the command itself comes first, at every door.
        """
        key = (room.community, line.seat, kit.name)
        if key in self._told or not self._welcome(room):
            return
        try:
            first = await self._hints.first(*key)
            remember(self._told, key, None, REMEMBERED)
        except (SQLAlchemyError, OSError):
            log.exception("a newcomer could not be told how a game goes", room=room.id, line=line.id)
            return
        if first:
            self._said[room.id] = self._watch.now()
            self._watch.ring(PAUSE, lambda: self._hint(room, line, kit))

    def _welcome(self, room: Room) -> bool:
        """Whether a hint would be heard now, and would not be one too many."""
        habits, now = HABITS.of(room), self._watch.now()
        alone = all(each.manner.private is Privacy.ALL for each in room.channels)
        seldom = now >= self._said.get(room.id, -OFTEN) + OFTEN
        return habits.hints and (alone or (seldom and habits.talk.includes(Talk.NORMAL)))

    async def _hint(self, room: Room, line: Line, kit: Kit) -> None:
        wallet = accounts.wallet(room.community, line.seat)
        balance = await self._ledger.balance(wallet)
        hides = kit.hides is not openly or any(each.secret for each in kit.commands)
        args: Arguments = {"game": Message(f"game-{kit.name}"), "balance": Credits(balance), "word": kit.word}
        hint = Message("hint-whispered" if hides else "hint-game", args)
        said = Say(hint, line.seat, Talk.NORMAL, secret=line.private, event=HINT)
        self._outbox.say(room, [said])
