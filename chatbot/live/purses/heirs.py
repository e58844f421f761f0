"""Hands on what was brought along for a name, when the platform tells whose name it is."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from chatbot.live.newest import remember

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.identities import Identities
    from chatbot.wallets.placeholders import Placeholders

ASKED = 60.0  # seconds for which it is remembered that nothing waits in a community
REMEMBERED = 50_000  # logins that were looked up


class Heirs:
    """A name that is shown proves nothing; a login is one's own, as long as one has it."""

    def __init__(self, placeholders: Placeholders, identities: Identities, watch: Watch) -> None:
        self._placeholders, self._identities, self._watch = placeholders, identities, watch
        self._none: dict[str, float] = {}  # community -> until when nothing waits there
        self._done: OrderedDict[tuple[str, str, Seat], bool] = OrderedDict()

    def may_wait(self, room: Room, line: Line) -> bool:
        """Whether something may wait for who speaks; where it was looked up of late, nothing does."""
        community = self._identities.community(room.community)
        known = self._watch.now() < self._none.get(community, self._watch.now())
        return bool(line.login) and not known and (community, line.login, line.speaker) not in self._done

    async def heard(self, room: Room, line: Line) -> None:
        community = self._identities.community(room.community)
        key = community, line.login, line.speaker
        if not line.login or key in self._done or not await self._waiting(community):
            return
        await self._placeholders.inherit(community, line.login, line.speaker, self._watch.date())
        remember(self._done, key, True, REMEMBERED)

    async def _waiting(self, community: str) -> bool:
        now = self._watch.now()
        if now < self._none.get(community, now):
            return False
        if await self._placeholders.waiting(community):
            return True
        self._none[community] = now + ASKED
        return False
