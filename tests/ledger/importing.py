"""Imports balances as a file would bring them: `#1` is the account of that id, anything else a login."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.ledger.imports.plans import ImportOrder, ImportPlan, ImportPlans
from chatbot.ledger.imports.staged_rows import BalanceRow, StagedRows
from chatbot.ledger.imports.withdrawals import Withdrawal, Withdrawals
from chatbot.ledger.imports.writing import ImportWriter
from chatbot.ledger.people import People

from .samples import AT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from chatbot.ledger.imports.merging import Same
    from chatbot.ledger.imports.runs import Mode
    from chatbot.ledger.store.store import Store

NAME = "import:f00d"


def staged(
    amounts: Mapping[str, int], minutes: int = 0, names: Mapping[str, str] | None = None
) -> StagedRows:
    """Stage rows, the first in line 2; `names` are those beside ids."""
    rows, known = StagedRows(), names or {}
    balances = [
        BalanceRow(line, who[1:], known.get(who, ""), amount, minutes)
        if who.startswith("#")
        else BalanceRow(line, "", who, amount, minutes)
        for line, (who, amount) in enumerate(amounts.items(), 2)
    ]
    rows.add(balances, ())
    return rows


async def planned(
    store: Store,
    rows: StagedRows,
    community: str = "local",
    *,
    platform: str = "twitch",
    mode: Mode = "add",
    same: Same = "fault",
) -> ImportPlan:
    """Plan the import of rows."""
    return await ImportPlans(store).plan(ImportOrder(community, platform, mode, same), rows)


async def bring(
    store: Store,
    amounts: Mapping[str, int],
    community: str = "local",
    *,
    platform: str = "twitch",
    mode: Mode = "add",
    name: str = NAME,
    at: datetime = AT,
    minutes: int = 0,
    names: Mapping[str, str] | None = None,
    people: People | None = None,
    file: str = "points.csv",
) -> ImportPlan:
    """Import rows."""
    rows = staged(amounts, minutes, names)
    plan = await planned(store, rows, community, platform=platform, mode=mode)
    writer = ImportWriter(store, people or People(store))
    await writer.write(plan, rows, name, file, at)
    rows.close()
    return plan


async def taken_back(
    store: Store, name: str = NAME, at: datetime = AT, lines: Sequence[int] | None = None
) -> Withdrawal:
    """Undo an import, or some lines of it."""
    withdrawals = Withdrawals(store)
    return await withdrawals.undo(await withdrawals.find(name), at, lines)
