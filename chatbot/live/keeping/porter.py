"""The porter lets a command in: who may use it, and whether it may be used now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.kernel.game import Role
from chatbot.live.asked import first_word
from chatbot.live.earning.lists import regular
from chatbot.live.keeping.limits import Limits
from chatbot.live.keeping.permits import Permits

if TYPE_CHECKING:
    from collections.abc import Callable

    from chatbot.live.asked import Asked, Found
    from chatbot.live.guide import Guide
    from chatbot.live.keeping.groups import Groups
    from chatbot.live.keeping.limits import Use
    from chatbot.live.room import Line, Room
    from chatbot.live.watch import Watch


class Porter:
    """Brings its groups of settings along."""

    def __init__(self, guide: Guide, groups: Groups, watch: Watch) -> None:
        self.guide = guide
        self.permits, self.limits = Permits(guide), Limits(guide, watch)
        groups.add(self.permits.group)
        groups.add(self.limits.group)

    def admit(self, asked: Asked, found: Found) -> Use | None:
        """Let a command in; give what `passed` is to be told when it was accepted.

        Raises:
            Refusal: the speaker may not use it, or not now.
        """
        self.permits.check(asked.room, first_word(found), standing(asked.room, asked.line))
        return self.limits.check(asked, found)

    def passed(self, use: Use | None) -> Callable[[], None]:
        """Note that a command was accepted: one refused costs no cooldown. Give what takes that back."""
        return _nothing if use is None else self.limits.note(use)


def _nothing() -> None:
    pass


def standing(room: Room, line: Line) -> Role:
    """Tell the highest role of a speaker: the platform's, or that of a regular."""
    own = Role.REGULAR if regular(room, line.seats) else Role.VIEWER
    return max(own, line.role, key=list(Role).index)
