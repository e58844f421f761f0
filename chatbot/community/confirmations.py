"""Confirmations: commands with lasting effects wait for `!confirm`, so that a typing error does no harm.

Some wait for that of somebody else with the same right, so that nobody can do them alone.

They are in the memory of the process that runs the room, where both commands are decided. One that waits
while another process takes the room over is asked for again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from chatbot.kernel.game import Refusal, Role, Seat
from chatbot.kernel.say import Message, Name, Say, names
from chatbot.rooms.request import Answer, Check, Consent, NeedsConsent, Request, at_least, usage
from chatbot.rooms.settings.lists import standing
from chatbot.speech.spans import lasting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.community.members import CommunityMembers
    from chatbot.runtime.clock import Watch

TIMEOUT = 60  # seconds in which a command can be confirmed
REFLECTION = 10  # seconds before a broadcaster can confirm a command of their own that others may confirm
ARGUMENTS = "[@name]"


@dataclass(frozen=True, slots=True)
class _Pending:
    word: str
    until: float  # time of the watch
    action: Answer


@dataclass(slots=True)
class _Command:
    """A command that somebody else has to confirm."""

    word: str
    asker: Seat
    gains: Collection[Seat]  # who get something by it; who is the only one cannot confirm it either
    since: float  # time of the watch
    until: float  # when it was confirmed, or else when it expires
    action: Answer
    over: bool = False  # whether it was confirmed


class Confirmations:
    """Holds the commands that wait for a confirmation, in memory only: of each member of a room the last one.

    Those that somebody else has to confirm are kept for `REFLECTION` seconds after they ended, in which their
    sender can ask for no other: so nobody replaces what somebody is just confirming.
    """

    def __init__(self, watch: Watch, check: Check, members: CommunityMembers) -> None:
        self._watch, self._check, self._members = watch, check, members
        self._pending: dict[tuple[str, Seat], _Pending] = {}
        self._commands: dict[str, list[_Command]] = {}  # by room; those that ended are kept for a while

    def ask(self, request: Request, word: str, what: Message, action: Answer) -> Sequence[Say]:
        """Return the question whether to do what a command asks for, and remember the `action`.

        `word` is the command whose permissions the member must still have when confirming. `action` is
        called with the request that confirms.
        """
        self._drop_expired()
        key, until = (request.room.id, request.line.seat), self._watch.now() + TIMEOUT
        self._pending.pop(key, None)  # so that it is the last again
        self._pending[key] = _Pending(word, until, action)
        return [request.answer(Message("confirm-ask", {"what": what, "seconds": TIMEOUT}))]

    def ask_another(
        self, request: Request, word: str, gains: Collection[Seat], what: Message, action: Answer
    ) -> Sequence[Say]:
        """Return the question to the room whether to do what a command asks for, and remember the `action`.

        It takes the `!confirm` of another person who moderates and may use the command `word`, and who is
        not the only one who `gains` by it: of several, the `action` leaves them out. A broadcaster may
        confirm their own after `REFLECTION` seconds. `action` is called with the request that confirms.

        One command of a person can wait in a room, and none follows shortly after another: so nobody can
        replace what somebody is just confirming.

        Raises:
            Refusal: another command of this person waits, or did so a moment ago.
        """
        now, room = self._watch.now(), request.room.id
        commands = self._recent(room)
        own = [each for each in commands if self._is_same(each.asker, request.line.home)]
        if own:
            wait = lasting(ceil(max(each.until for each in own) + REFLECTION - now))
            raise Refusal(Message("confirm-waits", {"wait": wait}))
        self._pending.pop((room, request.line.seat), None)  # their last question is the one they confirm
        command = _Command(word, request.line.home, gains, now, now + TIMEOUT, action)
        self._commands[room] = [*commands, command]
        if standing(request.room, request.line) is Role.BROADCASTER:
            question = Message("confirm-own", {"what": what, "pause": REFLECTION, "seconds": TIMEOUT})
        else:
            question = Message("confirm-another", {"what": what, "seconds": TIMEOUT})
        # To the whole room, also if it was asked in private.
        return [Say(question, event=question.id, everywhere=True)]

    async def answering(self, request: Request, word: str, answer: Answer) -> Sequence[Say]:
        """Return what a command answers; where it needs the consent of somebody else, ask for that.

        With it the same command is run again, so that it says and does what it would have done alone.
        """
        try:
            return await answer(request)
        except NeedsConsent as needed:
            to = needed.to

            async def act(confirming: Request) -> Sequence[Say]:
                owns = standing(confirming.room, confirming.line) is Role.BROADCASTER
                consent = Consent(confirming.line.home, owns, to)
                answers = await answer(replace(request, consent=consent, batch=confirming.batch))
                by = Message("consented", {"by": Name(confirming.line.seat)})
                return [*answers, Say(by, event=by.id, everywhere=True)]

            return self.ask_another(request, word, [request.line.home], needed.message, act)

    async def confirm(self, request: Request, name: str) -> Sequence[Say]:
        """Do what waits for the sender's confirmation; `name` is who asked for it, if that is said.

        Raises:
            Refusal: nothing waits, it is not clear what is meant, or the sender may not confirm it.
        """
        commands = self._recent(request.room.id)
        if name:
            return await self._confirm_command(request, await self._asked_by(request, commands, name))
        self._drop_expired()
        pending = self._pending.pop((request.room.id, request.line.seat), None)
        if pending is None and commands:
            return await self._confirm_command(request, self._meant(request, commands))
        if pending is None:
            raise Refusal(Message("confirm-nothing"))
        self._check(request, pending.word)
        return await self.answering(request, pending.word, pending.action)

    async def _asked_by(
        self, request: Request, commands: Sequence[_Command], name: str
    ) -> Sequence[_Command]:
        """Return those that wait by the command of the member who is named.

        Raises:
            Refusal: nothing waits, or no member has that name.
        """
        if not commands:
            raise usage("confirm", ARGUMENTS)
        seat = await self._members.find(request, name)
        return [each for each in commands if self._is_same(each.asker, seat)]

    async def _confirm_command(self, request: Request, commands: Sequence[_Command]) -> Sequence[Say]:
        """Do what waits, if it is clear which is meant, and the sender may confirm it.

        Raises:
            Refusal: it is not clear, nothing waits any more, or the sender may not.
        """
        now = self._watch.now()
        open_commands = [each for each in commands if not each.over and now <= each.until]
        if not open_commands:
            raise Refusal(Message("confirm-nothing"))
        if len(commands) > 1:
            raise Refusal(Message("confirm-which", {"names": names(each.asker for each in open_commands)}))
        (command,) = open_commands
        self._require_allowed(request, command)
        command.over, command.until = True, now
        return await command.action(request)

    def _require_allowed(self, request: Request, command: _Command) -> None:
        """Check that the sender may confirm a command of somebody.

        Raises:
            Refusal: the role is too low, or it is their own, or for them.
        """
        role, home = standing(request.room, request.line), request.line.home
        if not role.covers(Role.MODERATOR):
            raise Refusal(Message("not-allowed", {"role": at_least(Role.MODERATOR)}))
        self._check(request, command.word)
        owns = role is Role.BROADCASTER
        if self._is_same(command.asker, home):
            left = ceil(command.since + REFLECTION - self._watch.now())
            if not owns:
                raise Refusal(Message("confirm-not-own"))
            if left > 0:
                raise Refusal(Message("confirm-soon", {"wait": lasting(left)}))
        elif not owns and all(self._is_same(each, home) for each in command.gains):
            raise Refusal(Message("confirm-not-gains", {"who": Name(command.asker)}))

    def _meant(self, request: Request, commands: Sequence[_Command]) -> Sequence[_Command]:
        """Return those that a plain `!confirm` may mean: of moderators not their own, if there are others."""
        if standing(request.room, request.line) is Role.BROADCASTER:
            return commands
        return [each for each in commands if not self._is_same(each.asker, request.line.home)] or commands

    def _drop_expired(self) -> None:
        """Drop the commands that their senders did not confirm in time; the oldest are first."""
        now = self._watch.now()
        for key, pending in list(self._pending.items()):
            if now <= pending.until:
                break
            del self._pending[key]

    def _recent(self, room: str) -> list[_Command]:
        """Return the commands of a room that wait, or did so in the last `REFLECTION` seconds."""
        now = self._watch.now()
        recent = [each for each in self._commands.pop(room, ()) if now <= each.until + REFLECTION]
        if recent:
            self._commands[room] = recent
        return recent

    def _is_same(self, one: Seat, other: Seat) -> bool:
        """Whether two seats are of one person, by accounts that are or were linked."""
        return other in self._members.people.ties.everyone(one)
