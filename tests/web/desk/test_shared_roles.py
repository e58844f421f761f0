"""Roles of accounts where each of several processes asks its platform for some communities alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chatbot.kernel.game import Role
from chatbot.ledger.chains import Sealer
from chatbot.ledger.people import Account
from chatbot.ledger.web_accounts import StoredRole, WebAccounts
from chatbot.runtime.clock import HandWatch
from chatbot.web.principals import Roles
from cogs.platform import RoleAnswer

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from chatbot.ledger.store.store import Store

ANN = Account("discord", "1")
HERE, THERE = "discord-1", "discord-2"


@dataclass
class Rows:
    """The roles that are stored, which all processes read."""

    stored: dict[str, StoredRole] = field(default_factory=dict)

    async def roles(self, _: Account) -> Mapping[str, StoredRole]:
        return dict(self.stored)

    async def put_roles(
        self, _: Account, roles: Mapping[str, StoredRole], asked: Collection[str] | None = None
    ) -> None:
        left = (
            {} if asked is None else {name: each for name, each in self.stored.items() if name not in asked}
        )
        self.stored = {**left, **roles}

    async def key(self, _: Account) -> None:
        return None


@dataclass
class Process:
    """A process that hears one community, where the account has a role."""

    heard: str
    role: Role | None = Role.MODERATOR
    asked: int = 0
    meanwhile: Callable[[], Awaitable[object]] | None = None  # what happens while it is asked

    def role_source(self, _: str) -> Process:
        return self

    async def roles(self, account: Account, communities: Collection[str], key: bytes | None) -> RoleAnswer:
        self.asked += 1
        if self.meanwhile is not None:
            await self.meanwhile()
        unknown = frozenset(each for each in communities if each != self.heard)
        roles = {self.heard: self.role} if self.role is not None and self.heard in communities else {}
        return RoleAnswer(roles, unknown=unknown)

    def community(self, _: str) -> str | None:
        return None


async def test_a_process_leaves_the_roles_where_others_hear() -> None:
    watch, rows = HandWatch(), Rows()
    here, there = Process(HERE), Process(THERE)
    first, second = (Roles(rows, each, watch, {}) for each in (here, there))  # type: ignore[arg-type]
    for community in (HERE, THERE):
        await first.note(ANN, community, Role.MODERATOR)
    await watch.turn(3601)
    # Each is asked for what it hears, once an hour, and forgets nothing of the other.
    assert await first.of(ANN) == {HERE: Role.MODERATOR}
    assert await second.of(ANN) == {HERE: Role.MODERATOR, THERE: Role.MODERATOR}
    assert await first.of(ANN) == {HERE: Role.MODERATOR, THERE: Role.MODERATOR}
    assert (here.asked, there.asked) == (1, 1)
    # Who is no moderator any more is none after an hour, also where nobody can ask.
    there.role = None
    await watch.turn(3601)
    assert await second.of(ANN) == {}
    assert await first.of(ANN) == {HERE: Role.MODERATOR}
    assert set(rows.stored) == {HERE}


async def test_a_role_that_another_process_is_told_meanwhile_is_not_undone(store: Store) -> None:
    watch, rows = HandWatch(), WebAccounts(store, Sealer(b"k" * 32))
    here = Process(HERE)
    first, second = (Roles(rows, each, watch, {}) for each in (here, Process(THERE)))  # type: ignore[arg-type]
    for community in (HERE, THERE):
        await first.note(ANN, community, Role.MODERATOR)
    await watch.turn(3601)

    async def demote() -> None:
        await second.note(ANN, THERE, Role.VIEWER)

    here.meanwhile = demote
    assert await first.of(ANN) == {HERE: Role.MODERATOR}
    assert await first.of(ANN) == {HERE: Role.MODERATOR, THERE: Role.VIEWER}
