"""`chatbot export` of a table, a member or all balances, and `chatbot forget`, which erases a member."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import confirm, counted, database_url, print_text, write_file
from chatbot.cli.imports import ImportPlatform
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chatbot.ledger.erasure import Remains
    from chatbot.ledger.member_export import FoundPerson

DatabaseOption = Annotated[str | None, typer.Option(help="A URL other than CHATBOT_DATABASE.")]
CommunityOption = Annotated[str | None, typer.Option(help="Look for the name in this community only.")]

BALANCES = "balances"  # what is exported as CSV; a member of that name is exported by the account
COLUMNS = "user_id", "username", "credits"  # headings that `chatbot import` knows
_FORMULA = "=+-@\t\r"  # with which a cell begins that a spreadsheet would compute


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="TABLE|MEMBER|balances",
            help="A table that is over; a member: a name, or such as twitch:42 or discord:99; or balances.",
        ),
    ],
    community: CommunityOption = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write it there.")
    ] = None,
    platform: Annotated[
        ImportPlatform, typer.Option(help="Of balances: whose accounts they are.")
    ] = ImportPlatform.TWITCH,
    database: DatabaseOption = None,
) -> None:
    """Print the proof of a table, or all that is kept of a member, as JSON; or balances as CSV."""
    url = database_url(database)
    if what == BALANCES:
        text = asyncio.run(_export_balances(url, community, platform)).rstrip()
    else:
        text = asyncio.run(_export(url, what, community)).rstrip()
    if output is None:
        print_text(text)
    else:
        write_file(Path(output), f"{text}\n")


def forget(
    member: Annotated[str, typer.Argument(help="A name, or such as twitch:42 or discord:99.")],
    community: CommunityOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Take a member out of everything that is kept; the bot must not be running."""
    asyncio.run(_forget(database_url(database), member, community, asks=not yes))


async def _export(url: str, what: str, community: str | None) -> str:
    from chatbot.cli import inspection  # noqa: PLC0415
    from chatbot.ledger.member_export import MemberExport, Persons  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    if ":" not in what and community is None and await inspection.has_table(url, what):
        return await inspection.export(url, what)
    store = await Store.look(url)
    try:
        person = await Persons(store).find(what, community)
        kept = await MemberExport(store).of(person, community)
        return json.dumps(kept, ensure_ascii=False, indent=1)
    finally:
        await store.close()


async def _export_balances(url: str, community: str | None, platform: str) -> str:
    """Write the balances of a community as CSV, as `chatbot import` reads them."""
    from chatbot.cli.importer import choices  # noqa: PLC0415
    from chatbot.ledger.balance_export import balances  # noqa: PLC0415
    from chatbot.ledger.imports import Imports  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    store = await Store.look(url)
    try:
        known = await Imports(store).communities()
        if community is None or community not in known:
            raise Failure(f"Say whose balances: {choices(known)}.")
        rows = await balances(store, community, platform)
    finally:
        await store.close()
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((each.id, _cell(each.name), each.credits) for each in rows)
    return file.getvalue()


def _cell(name: str) -> str:
    """Write a name so that no spreadsheet takes it for a formula."""
    return f"'{name}" if name.startswith(tuple(_FORMULA)) else name


async def _forget(url: str, member: str, community: str | None, *, asks: bool) -> None:
    from chatbot.cli.exclusive import open_alone  # noqa: PLC0415
    from chatbot.ledger.erasure import Erasure  # noqa: PLC0415
    from chatbot.ledger.member_export import Persons  # noqa: PLC0415

    async with open_alone(url) as store:
        person = await Persons(store).find(member, community)
        erasure = Erasure(store)
        print_text("\n".join(_warnings(person, await erasure.weigh(person))))
        if asks:
            confirm("Forget them?")
        await erasure.forget(person, datetime.now(UTC))
    print_text("Forgotten. Backups that were made before still hold it all: delete them, or keep them safe.")


def _warnings(person: FoundPerson, remains: Remains) -> Iterator[str]:
    accounts, names = ", ".join(map(str, person.accounts)), ", ".join(person.names)
    known = f"{accounts}, known as {names}" if accounts and names else accounts or f"the login {names}"
    yield f"This forgets {known}."
    for community, balance in sorted(remains.balances.items()):
        goes = "goes" if balance == 1 else "go"
        yield f"  {counted(balance, 'credit')} in {community} {goes} back to the mint."
    kept = counted(remains.transfers, "movement"), counted(remains.tables, "table")
    yield f"  In {kept[0]} and {kept[1]} a number takes their place."
    yield "  Accounts, names, presence and what moderators set for them are deleted. It cannot be undone."
