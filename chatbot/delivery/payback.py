"""Warnings about settings with which a game pays back more than it takes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal
from chatbot.kernel.odds import generous, percent
from chatbot.kernel.say import Message, Say
from chatbot.ledger.changes import SETTING
from chatbot.settings.fields import PRESET, OfGame, selected

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from chatbot.delivery.outbox import Outbox
    from chatbot.kernel.game import AnyGame
    from chatbot.ledger.changes import Change
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from chatbot.settings.fields import Groups, Selection


class PaybackWarning:
    """Sends warnings to a room after the message about the change itself."""

    def __init__(self, groups: Groups, outbox: Outbox, watch: Watch) -> None:
        self._groups, self._outbox, self._watch = groups, outbox, watch

    def schedule(self, room: Room, changes: Sequence[Change]) -> None:
        """Schedule the warnings about changes that were just made."""
        self._watch.ring(0.0, partial(self._warn, room, changes))

    async def _warn(self, room: Room, changes: Sequence[Change]) -> None:
        messages = await warnings(self._groups, room, changes)
        self._outbox.say(room, [Say(each, event=each.id) for each in messages])


async def warnings(groups: Groups, room: Room, changes: Sequence[Change]) -> list[Message]:
    """Return a warning for each game that pays back more than it takes.

    Settings that are changed one by one are warned of if more comes back than before; a preset whenever it is
    chosen, for it is chosen as a whole.
    """
    setting_changes = [each for each in changes if each.kind == SETTING]
    games = [
        groups[each] for each in dict.fromkeys(each.subject for each in setting_changes) if each in groups
    ]
    messages = [await _warning(each, room, setting_changes) for each in games if isinstance(each, OfGame)]
    return [each for each in messages if each is not None]


async def _warning(group: OfGame, room: Room, changes: Sequence[Change]) -> Message | None:
    present = selected(group, room)
    after = await _payback(group, present)
    if after is None or not generous(after):
        return None
    if any(each.key == PRESET and each.subject == group.name for each in changes):
        return _generous(group, after)
    try:
        before = await _payback(group, _former(group, present, changes))
    except Refusal:  # the former values are not valid any more
        before = None
    if before is not None and before >= after:
        return None
    return _generous(group, after)


def _generous(group: OfGame, back: Fraction) -> Message:
    return Message("guard-generous", {"game": Message(f"game-{group.name}"), "back": percent(back)})


def _former(group: OfGame, present: Selection[AnyGame], changes: Sequence[Change]) -> Selection[AnyGame]:
    """Return the selection before the changes.

    Raises:
        Refusal: it is invalid.
    """
    return group.changed(present, {each.key: each.old for each in changes if each.subject == group.name})


async def _payback(group: OfGame, selection: Selection[AnyGame]) -> Fraction | None:
    """Return the share of stakes that a game pays back; None: it has no odds.

    It is computed in a thread, for that may take a second.
    """
    if group.kit.money.odds is None:
        return None
    return (await asyncio.to_thread(group.kit.money.odds, selection.value)).back
