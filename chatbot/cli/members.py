"""`chatbot export` of a table, a member or all balances, and `chatbot forget`, which erases a member."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chatbot.cli.context import confirm, counted, database_url, load_settings, print_text, write_file
from chatbot.cli.imports import ImportPlatform
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Of a table: write its replay there, which checks itself in a browser.",
        ),
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Print the proof of a table, or all that is kept of a member, as JSON; or balances as CSV."""
    url = database_url(database)
    if html is not None:
        _export_html(url, what, html)
        return
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
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A login or former name of theirs; may be repeated."),
    ] = None,
    only_mentions: Annotated[
        bool,
        typer.Option(
            "--only-mentions", help="Their name is a common word: of others' words, take it from @mentions."
        ),
    ] = False,
    delete_backups: Annotated[
        bool, typer.Option("--delete-backups", help="Make a backup, and delete those that know them.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Take a member out of everything that is kept; the bot must not be running."""
    how = _How(tuple(also or ()), only_mentions=only_mentions, delete_backups=delete_backups, asks=not yes)
    asyncio.run(_forget(database_url(database), member, community, how))


def _export_html(url: str, table: str, file: Path) -> None:
    from chatbot.cli import replays  # noqa: PLC0415

    language = load_settings()[0].language
    write_file(file, asyncio.run(replays.write_html(url, table, language)))
    print_text(f"The replay of table {table} is in {file}; open it in a browser.")


async def _export(url: str, what: str, community: str | None) -> str:
    from chatbot.cli import inspection  # noqa: PLC0415
    from chatbot.ledger.member_export import MemberExport, Persons  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    if ":" not in what and community is None and await inspection.has_table(url, what):
        return await inspection.export(url, what)
    store = await Store.look(url)
    try:
        person = await Persons(store).find(what, community)
        member_record = await MemberExport(store).of(person, community)
        return json.dumps(member_record, ensure_ascii=False, indent=1)
    finally:
        await store.close()


async def _export_balances(url: str, community: str | None, platform: str) -> str:
    """Write the balances of a community as CSV, as `chatbot import` reads them."""
    from chatbot.community.imports.service import choices  # noqa: PLC0415
    from chatbot.ledger.balance_export import balances  # noqa: PLC0415
    from chatbot.ledger.imports.plans import ImportPlans  # noqa: PLC0415
    from chatbot.ledger.store.store import Store  # noqa: PLC0415

    store = await Store.look(url)
    try:
        communities = await ImportPlans(store).communities()
        if community is None or community not in communities:
            raise Failure(f"Say whose balances: {choices(communities)}.")
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


@dataclass(frozen=True, slots=True)
class _How:
    """How a member is forgotten: with which other names, and what is asked and deleted."""

    also: tuple[str, ...] = ()
    only_mentions: bool = False
    delete_backups: bool = False
    asks: bool = True


async def _forget(url: str, member: str, community: str | None, how: _How) -> None:
    from chatbot.cli.exclusive import open_alone  # noqa: PLC0415
    from chatbot.ledger.erasure import Erasure  # noqa: PLC0415
    from chatbot.ledger.member_export import Persons  # noqa: PLC0415
    from chatbot.ledger.store import backup, engines  # noqa: PLC0415

    file = engines.file_of(url)
    async with open_alone(url) as store:
        found_person = await Persons(store).find(member, community)
        person = replace(found_person, names=tuple(sorted({*found_person.names, *how.also})))
        erasure = Erasure(store)
        remains = await erasure.weigh(person, only_mentions=how.only_mentions)
        backups = [] if file is None else _backups(file, person)
        print_text("\n".join((*_warnings(person, remains), *_left(remains, backups, file, how))))
        if how.asks:
            confirm("Forget them?")
        now = datetime.now(UTC)
        await erasure.forget(person, now, only_mentions=how.only_mentions)
    print_text("Forgotten.")
    if file is not None and backups and how.delete_backups:
        new_backup = backup.back_up(file, backup.beside(file), now, rotates=False)
        for each in backups:
            each.unlink()
        print_text(f"{counted(len(backups), 'backup')} deleted; {new_backup} is new.")


def _backups(file: Path, person: FoundPerson) -> list[Path]:
    """List the backups that know a member."""
    from chatbot.ledger.store import backup  # noqa: PLC0415

    return backup.holding(file, [(each.platform, each.key) for each in person.accounts], person.names)


def _warnings(person: FoundPerson, remains: Remains) -> Iterator[str]:
    accounts, names = ", ".join(map(str, person.accounts)), ", ".join(person.names)
    description = f"{accounts}, known as {names}" if accounts and names else accounts or f"the login {names}"
    yield f"This forgets {description}."
    for community, balance in sorted(remains.balances.items()):
        goes = "goes" if balance == 1 else "go"
        yield f"  {counted(balance, 'credit')} in {community} {goes} back to the mint."
    counts = counted(remains.transfers, "movement"), counted(remains.tables, "table")
    yield f"  In {counts[0]} and {counts[1]} a number takes their place."
    yield "  Accounts, names, presence and what moderators set for them are deleted. It cannot be undone."
    words = remains.words
    if words.changes:
        yield f"  In {counted(words.changes, 'change')} of settings and credits “gone” takes their place."
    for each in words.reworded:
        yield f"  {each.place}: {each.group} {each.key} will be “{each.text}”."


def _left(remains: Remains, backups: Sequence[Path], file: Path | None, how: _How) -> Iterator[str]:
    """Say what still names them afterwards, and what can be done about it."""
    yield "What stays, or is not in our reach:"
    for each in remains.words.left:
        yield f"  {each.place}: {each.group} {each.key} is “{each.text}”; change it there if it means them."
    if remains.words.left_in_changes:
        rows = counted(remains.words.left_in_changes, "former change")
        yield f"  {rows} of settings with a value that is equal to their name, or a part of it."
    advice = " It will be deleted." if how.delete_backups else " Delete it, or use --delete-backups."
    for path in backups:
        yield f"  The backup {path}.{advice}"
    if file is None:
        yield "  The server's own log (WAL) and statistics, replicas and backups."
    yield "  Copies, exports and logs of the program elsewhere, and what the platforms keep."
    yield "  Words with a login or a former name of theirs, unless --also names it."
