"""Warns of settings by which a game pays back more than it takes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import generous, percent
from chatbot.kernel.say import Message, Say
from chatbot.ledger.changes import SETTING
from chatbot.settings.fields import OfGame, selected

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from chatbot.ledger.changes import Change
    from chatbot.rooms.clock import Watch
    from chatbot.rooms.room import Room
    from chatbot.settings.fields import Groups, Selection
    from chatbot.speech.outbox import Outbox


class PaybackWarning:
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
    now = selected(group, room)
    after = await _back(group, now)
    if after is None or not generous(after):
        return None
    try:
        before = await _back(group, _former(group, now, changes))
    except Refusal:  # it was not possible
        before = None
    if before is not None and before >= after:
        return None
    return Message("guard-generous", {"game": Message(f"game-{group.name}"), "back": percent(after)})


def _former(group: OfGame, now: Selection[Any], changes: Sequence[Change]) -> Selection[Any]:
    """Give what was chosen before.

    Raises:
        Refusal: it is not possible.
    """
    return group.changed(now, {each.key: each.old for each in changes if each.subject == group.name})


async def _back(group: OfGame, selection: Selection[Any]) -> Fraction | None:
    """Tell what comes back, beside everything else: a game may have to work it out."""
    if group.kit.odds is None:
        return None
    return (await asyncio.to_thread(group.kit.odds, selection.value)).back
