"""Who stands behind a request, and what they may where.

A browser that is logged in is an account with the roles that its platform says it has; they are asked for
anew at each login, every hour, and when a chat shows that they have changed. A program is whoever made its
token, as far as its scopes reach. Whoever runs the bot may do everything.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from chatbot.kernel.game import Role, highest
from chatbot.keys.asking import Unreachable
from chatbot.ledger.people import Account
from chatbot.ledger.web_accounts import StoredRole
from chatbot.ledger.web_sessions import DESK, OPERATOR
from chatbot.rooms.line import OPERATOR_ACCOUNT
from chatbot.rooms.settings.lists import regular
from chatbot.runtime.limits import remember

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from chatbot.ledger.people import People
    from chatbot.ledger.web_accounts import WebAccounts
    from chatbot.rooms.line import Line
    from chatbot.rooms.room import Room
    from chatbot.runtime.clock import Watch
    from cogs.platform import RoleSource

ROLES_LAST = timedelta(hours=1)
"""For how long a role counts that a platform has told."""

UNKNOWN_LASTS = timedelta(minutes=5)
"""For how long it counts that another process hears a community, before that is looked at again."""

MOST_WATCHED = 1000
"""Accounts of whose roles changes are noticed in chats, the last that did something at a page."""

TOKEN = "token"  # noqa: S105  (a kind, and no secret)
"""The kind of principals that are programs."""


class LoginCode(Protocol):
    """A code that somebody confirms at their platform's own page."""

    @property
    def user_code(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    @property
    def interval(self) -> float: ...


class Identity(Protocol):
    """An account that has logged in, and the key with which its roles are asked for again."""

    @property
    def account(self) -> Account: ...

    @property
    def name(self) -> str: ...

    @property
    def key(self) -> bytes: ...


CodeT = TypeVar("CodeT", bound=LoginCode)


class AccountLogin(Protocol[CodeT]):
    """A platform, as it logs its accounts in."""

    @property
    def redirects(self) -> bool:
        """Whether its own page can send people back."""

    async def begin(self) -> CodeT:
        """Ask for a code.

        Raises:
            Failure, Unreachable: there is none; so raise the others.
        """

    async def poll(self, code: CodeT) -> Identity | None:
        """Ask whether a code was confirmed, and by whom; None: not yet."""

    def address(self, redirect: str, state: str, challenge: str) -> str:
        """Return the address of the platform's own page, which sends back to `redirect`."""

    async def redeem(self, code: str, redirect: str, verifier: str) -> Identity:
        """Return who was sent back with a code."""


class Platforms(Protocol):
    """The platforms of the program, as pages know them."""

    def role_source(self, platform: str) -> RoleSource | None:
        """Return what is asked for the roles of accounts of a platform; None: there is none now."""

    def community(self, channel: str) -> str | None:
        """Return the community of a channel by its platform alone; None: it is not known there."""

    def title(self, channel: str) -> str:
        """Return what people call a channel."""

    def twitch_logins(self) -> AccountLogin[Any] | None:
        """Return what logs accounts of Twitch in; None: no application is known."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who stands behind a request; `id` is that of the session or the token."""

    id: str
    kind: str
    account: Account
    name: str
    csrf: str = field(default="", repr=False)  # what a page repeats; empty: no page asks
    room: str | None = None  # the only one in which a program acts
    scopes: frozenset[str] | None = None  # what a program may; None: all that the account may

    @property
    def is_operator(self) -> bool:
        """Whether it is whoever runs the program, at a page or by a program of theirs."""
        return self.account == OPERATOR_ACCOUNT


@dataclass(frozen=True, slots=True)
class RoomStanding:
    """As what somebody acts in a room: in which of its channels, and with which role."""

    channel: str
    role: Role


class Roles:
    """The roles of accounts, as their platforms tell them."""

    def __init__(
        self,
        accounts: WebAccounts,
        platforms: Platforms | None,
        watch: Watch,
        watched: dict[Account, Callable[[Line], None]],
    ) -> None:
        """Whoever is in `watched` has each of their lines passed on, which show the roles that they have."""
        self._accounts, self._platforms, self._watch = accounts, platforms, watch
        self._asking: dict[Account, asyncio.Lock] = {}  # of whom a platform is being asked
        self._doubted: set[Account] = set()  # of whom a chat has shown another role than is stored
        self._watched = watched
        self._relied_on: OrderedDict[Account, Mapping[str, Role]] = OrderedDict()  # what was answered last
        # Communities that other processes hear, which ask for these roles, and when that was found out.
        self._unknown: OrderedDict[Account, tuple[frozenset[str], datetime]] = OrderedDict()

    def _look_at(self, line: Line) -> None:
        """Ask the platform anew before the next thing that somebody does whose line shows another role."""
        community = None if self._platforms is None else self._platforms.community(line.channel)
        known = self._relied_on.get(line.account, {}).get(community or "", Role.VIEWER)
        if community is not None and known.covers(Role.MODERATOR) != line.role.covers(Role.MODERATOR):
            self._doubted.add(line.account)

    def _rely(self, account: Account, roles: Mapping[str, Role]) -> Mapping[str, Role]:
        """Watch whether these remain the roles of an account, and return them."""
        remember(self._relied_on, account, roles, MOST_WATCHED)
        self._watched[account] = self._look_at
        for each in [each for each in self._watched if each not in self._relied_on]:
            del self._watched[each]
        return roles

    async def note(self, account: Account, community: str, role: Role) -> None:
        """Store what a platform has just told of somebody in a chat; of other chats it says nothing."""
        async with self._lock(account):
            told = {community: StoredRole(role, self._watch.date())}
            await self._accounts.put_roles(account, told, told)

    async def of(self, account: Account) -> Mapping[str, Role]:
        """Return the present roles of an account by communities.

        Raises:
            Unreachable: its platform cannot be asked, and what is known is too old.
        """
        async with self._lock(account):
            stored, now = await self._accounts.roles(account), self._watch.date()
            unknown, since = self._unknown.get(account, (frozenset[str](), now))
            if since <= now - UNKNOWN_LASTS:
                unknown = frozenset()
            oldest = min((each.asked_at for name, each in stored.items() if name not in unknown), default=now)
            if account not in self._doubted and oldest > now - ROLES_LAST:
                return self._rely(account, _recent(stored, now))
            return self._rely(account, await self._ask(account, stored, now))

    async def admit(self, account: Account, key: bytes) -> Mapping[str, Role]:
        """Ask for the roles of somebody who has logged in, whose key is stored for the next time.

        Raises:
            Unreachable: the platform cannot be asked.
        """
        async with self._lock(account):
            await self._accounts.put_key(account, key)
            return await self._ask(account, None, self._watch.date())

    def _lock(self, account: Account) -> asyncio.Lock:
        """Return what one request about an account holds at a time: the next one finds what it has stored."""
        if len(self._asking) > MOST_WATCHED:
            self._asking = {each: lock for each, lock in self._asking.items() if lock.locked()}
        return self._asking.setdefault(account, asyncio.Lock())

    async def _ask(
        self, account: Account, stored: Mapping[str, StoredRole] | None, now: datetime
    ) -> Mapping[str, Role]:
        """Ask for roles; of communities that another process hears those remain that are stored.

        None: they log in, and nothing remains.
        """
        source = None if self._platforms is None else self._platforms.role_source(account.platform)
        if source is None:
            raise Unreachable(f"{account.platform} is not connected")
        self._doubted.discard(account)
        key = await self._accounts.key(account)
        try:
            answer = await source.roles(account, stored or {}, key)
        except Unreachable:
            self._doubted.add(account)
            raise
        if answer.key != key:
            await self._accounts.put_key(account, answer.key)
        remember(self._unknown, account, (answer.unknown, now), MOST_WATCHED)
        roles = {name: StoredRole(role, now) for name, role in answer.roles.items()}
        # Another process may be storing what it is told of others.
        asked = None if stored is None else {*stored, *roles} - answer.unknown
        await self._accounts.put_roles(account, roles, asked)
        kept = {name: each for name, each in (stored or {}).items() if name in answer.unknown}
        return _recent(kept | roles, now)


class RoomStandings:
    """In which rooms principals may do what."""

    def __init__(self, roles: Roles, platforms: Platforms | None, people: People) -> None:
        self._roles, self._platforms, self._people = roles, platforms, people

    async def of(self, principal: Principal, room: Room) -> RoomStanding | None:
        """Return as what somebody acts in a room; None: nothing is known of them there.

        Raises:
            Unreachable: their platform cannot be asked.
        """
        return (await self.among(principal, [room])).get(room.id)

    async def among(self, principal: Principal, rooms: Collection[Room]) -> dict[str, RoomStanding]:
        """Return as what somebody acts in each of these rooms, by the id of the room.

        Raises:
            Unreachable: as above.
        """
        chosen = [each for each in rooms if principal.room in {None, each.id} and each.channels]
        if principal.is_operator:
            return {each.id: RoomStanding(each.channels[0].id, Role.BROADCASTER) for each in chosen}
        if principal.kind not in {DESK, TOKEN}:
            return {}
        roles = await self._roles.of(principal.account)
        await self._people.meet([principal.account])  # for regulars are listed by any of their accounts
        standings = {each.id: self._best(principal, each, roles) for each in chosen}
        return {name: standing for name, standing in standings.items() if standing is not None}

    def _best(self, principal: Principal, room: Room, roles: Mapping[str, Role]) -> RoomStanding | None:
        """Return the highest role in one of the channels of a room that are on the account's platform."""
        if self._platforms is None:
            return None
        standings = []
        for each in room.channels:
            community = self._platforms.community(each.id)
            if each.platform == principal.account.platform and community is not None and community in roles:
                standings.append(RoomStanding(each.id, self._with_lists(principal, room, roles[community])))
        return max(standings, key=lambda each: list(Role).index(each.role), default=None)

    def _with_lists(self, principal: Principal, room: Room, role: Role) -> Role:
        """Return a role as chat counts it: of whom moderators have listed as a regular, at least that."""
        accounts = self._people.accounts(self._people.home(principal.account))
        return highest([role, Role.REGULAR]) if regular(room, accounts) else role


def _recent(stored: Mapping[str, StoredRole], now: datetime) -> Mapping[str, Role]:
    """Return the roles that were told within `ROLES_LAST`."""
    return {name: each.role for name, each in stored.items() if each.asked_at > now - ROLES_LAST}


def operator(session_id: str, csrf: str = "") -> Principal:
    """Return the principal of whoever runs the program."""
    return Principal(session_id, OPERATOR, OPERATOR_ACCOUNT, OPERATOR, csrf)
