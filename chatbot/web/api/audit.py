"""Read what moderators did in a room, what taking it back would do, and what has made credits there."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  (pydantic reads it)
from functools import partial
from typing import TYPE_CHECKING

from pydantic import Field
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from chatbot.community.changes_in_words import described
from chatbot.community.minting.sources import MintSources, receivers
from chatbot.kernel.game import Refusal, Seat
from chatbot.kernel.say import Message
from chatbot.ledger.changes import MONEY, OPERATOR, SETTING, ChangeFilter
from chatbot.ledger.imports.runs import ImportRuns
from chatbot.web.api.endpoints import Call, Endpoint, EndpointQuery
from chatbot.web.tokens import READ

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatbot.bot.bot import Bot
    from chatbot.community.minting.sources import MintSource
    from chatbot.ledger.changes import Change, ChangeSet

RECENT_ACTIONS = 2_000
"""Actions of a room among which those who did something are looked for: a choice, not a list of all."""

LARGEST_NUMBER = 2**63 - 1  # of an action, as databases count them; they refuse to compare a larger one

MOST_RECEIVERS = 5  # of a source of credits, in one row


class ChangeRow(TypedDict):
    """One change: of a setting of the group `subject`, or of the credits of the seat `subject`."""

    kind: str
    subject: str
    key: str
    old: str | None
    new: str | None


class ChangeSetRow(TypedDict):
    """What somebody did at once.

    `undoes` says that it took back another action, `own` that the caller did it. `barred` is why it can not
    be taken back, empty where it perhaps can. `subject` is the member whom it concerned, if it was one.
    """

    number: int
    at: datetime
    actor: str
    by: str
    own: bool
    why: str
    text: str
    undoes: bool
    undone: bool
    barred: str
    subject: str | None
    changes: list[ChangeRow]


class UndoDifference(TypedDict):
    """What taking an action back would make of the setting `key` of a group, or of a member's credits."""

    member: str | None
    of: str
    key: str
    before: str
    after: str


class UndoPreview(TypedDict):
    """Whether an action can be taken back, or else why not, and what that would do now."""

    possible: bool
    why: str
    differences: list[UndoDifference]


class ActorRow(TypedDict):
    """Somebody who did something here lately."""

    actor: str
    name: str


class MintReceiver(TypedDict):
    """Somebody whom credits were made for."""

    seat: str
    name: str
    credits: int


class MintRow(TypedDict):
    """A choice that makes credits, and what it has made until it was `over`, if it is.

    `kind` is `grant`, `import` or `policy`, which is a setting or a reward that pays more than what ships.
    """

    number: int
    at: datetime
    by: str
    why: str
    kind: str
    text: str
    credits: int
    receivers: list[MintReceiver]
    confirmed_by: str
    undone: bool
    over: datetime | None


class AuditPage(EndpointQuery):
    """A page of the audit."""

    count: int = Field(20, ge=1, le=100, description="Actions, the newest first.")
    before: int | None = Field(None, ge=1, le=LARGEST_NUMBER, description="The last number before it.")
    actor: str = Field("", max_length=100, description="Only what this one did.")
    kind: str = Field("", max_length=30, description="Only with a change of this kind, such as `money`.")
    subject: str = Field("", max_length=100, description="Only what concerned this seat or group.")


class MintPage(EndpointQuery):
    """A page of what has made credits."""

    count: int = Field(20, ge=1, le=100, description="Choices, the newest first.")
    before: int | None = Field(None, ge=1, le=LARGEST_NUMBER, description="The last number before it.")


class AuditEndpoints:
    """Describes what is on record."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._changes = bot.parts.settings_changes.changes
        self._sources = MintSources(self._changes, bot.parts.minted, ImportRuns(bot.parts.store))

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            Endpoint(
                "GET",
                "/audit",
                "Read what moderators did, the newest first.",
                self._audit,
                list[ChangeSetRow],
                word="audit",
                scope=READ,
                query=AuditPage,
            ),
            Endpoint(
                "GET",
                "/audit/actors",
                "Read who did something lately.",
                self._actors,
                list[ActorRow],
                word="audit",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/audit/{number}/undo",
                "See what taking an action back would do.",
                self._undo,
                UndoPreview,
                word="undo",
                scope=READ,
            ),
            Endpoint(
                "GET",
                "/minted",
                "Read what makes credits because somebody chose it, the newest first.",
                self._minted,
                list[MintRow],
                word="auditmint",
                scope=READ,
                query=MintPage,
            ),
        ]

    async def _audit(self, call: Call) -> list[ChangeSetRow]:
        audits, query = self._bot.parts.audits, call.query
        wanted = ChangeFilter(query.actor, query.kind, query.subject)
        change_sets = await audits.page(call.room, query.count, query.before, wanted)
        undone = await audits.undone(change_sets)
        own = self._own(call)
        return [self._change_set(call, each, own, is_undone=each.id in undone) for each in change_sets]

    def _own(self, call: Call) -> set[str]:
        """Return as whom the caller does something."""
        if call.principal.is_operator:
            return {OPERATOR}
        members = self._bot.members
        return {*map(str, members.linked_accounts.seats(members.seat(call.principal.account)))}

    def _change_set(
        self, call: Call, change_set: ChangeSet, own: set[str], *, is_undone: bool
    ) -> ChangeSetRow:
        barred = self._bot.parts.undoing.barred(change_set, undone=is_undone)
        text = self._bot.outbox.text
        return {
            "number": change_set.number,
            "at": change_set.at,
            "actor": change_set.actor,
            "by": change_set.name,
            "own": change_set.actor in own,
            "why": change_set.why,
            "text": text(described(*change_set.changes), room=call.room),
            "undoes": change_set.undoes is not None,
            "undone": is_undone,
            "barred": "" if barred is None else text(barred, room=call.room),
            "subject": next((each.member for each in change_set.changes if each.member), None),
            "changes": [
                {
                    "kind": each.kind,
                    "subject": each.subject,
                    "key": each.key,
                    "old": each.old,
                    "new": each.new,
                }
                for each in change_set.changes
            ],
        }

    async def _actors(self, call: Call) -> list[ActorRow]:
        names = await self._changes.actors(call.room.id, RECENT_ACTIONS)
        return [{"actor": actor, "name": name} for actor, name in names.items()]

    async def _undo(self, call: Call) -> UndoPreview:
        number = call.path["number"]
        if not (number.isascii() and number.isdecimal()) or len(number) > 15:
            raise Refusal(Message("undo-unknown", {"number": number}))
        unit = self._bot.ledger.unit()
        try:
            changes = await self._bot.parts.undoing.preview(call.room, int(number), unit)
        except Refusal as refusal:
            why = self._bot.outbox.text(refusal.message, room=call.room)
            return {"possible": False, "why": why, "differences": []}
        rows = [self._difference(call, each) for each in changes]
        return {"possible": True, "why": "", "differences": rows}

    def _difference(self, call: Call, change: Change) -> UndoDifference:
        before, after = change.old or "", change.new or ""
        if change.kind == MONEY:
            if change.member is None:
                told = self._bot.outbox.text(described(change), room=call.room)
                return {"member": told, "of": "", "key": "", "before": "", "after": ""}
            name = self._bot.outbox.name(Seat(change.member), call.room)
            return {"member": name, "of": "", "key": "", "before": before, "after": after}
        if change.kind == SETTING:
            group = self._bot.parts.groups.get(change.subject)
            if group is not None and (change.old is None or change.new is None):
                default = group.find(group.unset, change.key).value
                before, after = change.old or default, change.new or default
        return {
            "member": None,
            "of": change.subject,
            "key": change.key or change.kind,
            "before": before,
            "after": after,
        }

    async def _minted(self, call: Call) -> list[MintRow]:
        members, query = self._bot.members, call.query
        communities = members.people.ties.united(call.room.community)
        sources = await self._sources.newest(communities, query.count, query.before)
        await members.learn(call.room.community, [seat for each in sources for seat in _seats(each)])
        return [self._source(call, each) for each in sources]

    def _source(self, call: Call, source: MintSource) -> MintRow:
        change_set, name = source.change_set, partial(self._bot.outbox.name, room=call.room)
        by = change_set.confirmed_by
        return {
            "number": change_set.number,
            "at": change_set.at,
            "by": change_set.name,
            "why": change_set.why,
            "kind": source.kind,
            "text": self._bot.outbox.text(described(*source.changes), room=call.room),
            "credits": source.made.credits,
            "receivers": [
                {"seat": seat, "name": name(seat), "credits": credits_}
                for seat, credits_ in receivers(source, MOST_RECEIVERS)
            ],
            "confirmed_by": "" if by is None else name(Seat(by)),
            "undone": source.undone,
            "over": source.over,
        }


def _seats(source: MintSource) -> Sequence[Seat]:
    """Return those whom the row of a source names."""
    by = source.change_set.confirmed_by
    subjects = [Seat(each.member) for each in source.changes if each.member]
    return [*subjects, *(seat for seat, _ in receivers(source, MOST_RECEIVERS)), *([Seat(by)] if by else [])]
