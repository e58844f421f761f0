"""The guard of the economy: it warns of settings by which a game pays back more than it takes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import generous, percent
from chatbot.kernel.say import Message, Say
from chatbot.live.keeping.groups import OfGame
from chatbot.wallets.changes import SETTING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from chatbot.live.keeping.groups import Groups
    from chatbot.live.outbox import Outbox
    from chatbot.live.room import Room
    from chatbot.live.watch import Watch
    from chatbot.wallets.changes import Change


class Guard:
    """Says its warnings in a room, to all, when the change itself has been told."""

    def __init__(self, groups: Groups, outbox: Outbox, watch: Watch) -> None:
        self._groups, self._outbox, self._watch = groups, outbox, watch

    def heed(self, room: Room, changes: Sequence[Change]) -> None:
        """Look at changes that were just made."""
        self._watch.ring(0.0, partial(self._warn, room, changes))

    async def _warn(self, room: Room, changes: Sequence[Change]) -> None:
        found = await warnings(self._groups, room, changes)
        self._outbox.say(room, [Say(each, event=each.id) for each in found])


async def warnings(groups: Groups, room: Room, changes: Sequence[Change]) -> list[Message]:
    """Warn of changes that were just made, where a game pays back more than all, and more than before."""
    made = [each for each in changes if each.kind == SETTING]
    games = [groups[each] for each in dict.fromkeys(each.subject for each in made) if each in groups]
    found = [await _warning(each, room, made) for each in games if isinstance(each, OfGame)]
    return [each for each in found if each is not None]


async def _warning(group: OfGame, room: Room, changes: Sequence[Change]) -> Message | None:
    choices = room.settings(group.name)
    former = _former(group, choices, changes)
    before, after = await asyncio.to_thread(lambda: (_back(group, former), _back(group, choices)))
    if after is None or not generous(after) or (before is not None and before >= after):
        return None
    return Message("guard-generous", {"game": Message(f"game-{group.name}"), "back": percent(after)})


def _former(group: OfGame, choices: Mapping[str, object], changes: Sequence[Change]) -> Mapping[str, object]:
    """Give the choices as they were before."""
    former = dict(choices)
    for each in changes:
        if each.subject == group.name and each.old is not None:
            former[each.key] = each.old
        elif each.subject == group.name:
            former.pop(each.key, None)
    return former


def _back(group: OfGame, choices: Mapping[str, object]) -> Fraction | None:
    """Tell what comes back; None too where the choices were not possible."""
    if group.kit.odds is None:
        return None
    try:
        return group.kit.odds(group.read(choices)).back
    except Refusal:
        return None
