"""Stores which roles platforms say that accounts have where, and the keys by which an account is asked again.

What is stored was true when it was asked for; whoever relies on it looks at how old it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from chatbot.kernel.game import Role
from chatbot.ledger.chains import Unsealable
from chatbot.ledger.store import schema

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.ledger.chains import Sealer
    from chatbot.ledger.people import Account
    from chatbot.ledger.store.store import Store

PURPOSE = "rabble keys of who is logged in/1"
_role, _key = schema.web_role.c, schema.web_key.c


@dataclass(frozen=True, slots=True)
class StoredRole:
    """A role in a community, and when the platform said so."""

    role: Role
    asked_at: datetime


class WebAccounts:
    """The roles and keys of accounts that are logged in; they belong to no home, and need no lease."""

    def __init__(self, store: Store, sealer: Sealer) -> None:
        self._store, self._sealer = store, sealer

    async def roles(self, account: Account) -> dict[str, StoredRole]:
        """Return the roles of an account by communities of its platform, as they were asked for last."""
        mine = _role.platform == account.platform, _role.account == account.key
        query = select(_role.community, _role.role, _role.asked_at).where(*mine)
        async with self._store.reading() as connection:
            rows = await connection.execute(query)
            return {row.community: StoredRole(Role(row.role), row.asked_at) for row in rows}

    async def put_roles(
        self, account: Account, roles: Mapping[str, StoredRole], asked: Collection[str] | None = None
    ) -> None:
        """Replace the roles of an account in communities that were `asked` for; None: in all."""
        who = {"platform": account.platform, "account": account.key}
        rows = [
            {**who, "community": name, "role": each.role.value, "asked_at": each.asked_at}
            for name, each in roles.items()
        ]

        async def work(connection: AsyncConnection) -> None:
            former = [_role.platform == account.platform, _role.account == account.key]
            if asked is not None:
                former.append(_role.community.in_(asked))
            await connection.execute(delete(schema.web_role).where(*former))
            if rows:
                await connection.execute(insert(schema.web_role), rows)

        await self._store.write(work, homes=())

    async def key(self, account: Account) -> bytes | None:
        """Return the key of an account; None: there is none that this installation can read."""
        mine = _key.platform == account.platform, _key.account == account.key
        async with self._store.reading() as connection:
            row = (await connection.execute(select(_key.sealed).where(*mine))).first()
        try:
            return None if row is None else self._sealer.unseal(row.sealed, f"{PURPOSE}:{account}")
        except Unsealable:  # it was made with another key of fairness
            return None

    async def put_key(self, account: Account, key: bytes | None) -> None:
        """Store the key of an account; None: forget it."""

        async def work(connection: AsyncConnection) -> None:
            mine = _key.platform == account.platform, _key.account == account.key
            await connection.execute(delete(schema.web_key).where(*mine))
            if key is not None:
                sealed = self._sealer.seal(key, f"{PURPOSE}:{account}")
                row = {"platform": account.platform, "account": account.key, "sealed": sealed}
                await connection.execute(insert(schema.web_key), row)

        await self._store.write(work, homes=())
