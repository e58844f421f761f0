"""The service looks after its books by itself, and says what an operator must know."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from chatbot import app, upkeep
from chatbot.environment import Settings
from chatbot.keys.discretion import Discretion
from chatbot.ledger.audit import checkpoints
from chatbot.ledger.audit.checks import AuditReport, AuditScope, audit, examine
from chatbot.ledger.books import purses
from chatbot.ledger.books.posting import Posting
from chatbot.ledger.store import backup, migrations
from chatbot.ledger.store.store import Store, StoreError
from chatbot.upkeep import CHECK_INTERVAL, SETTLED, WEEK, Backups, Upkeep
from tests.bot.stage import Stage, seat
from tests.ledger.samples import back_and_forth, doctor, shifted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection

    from chatbot.rooms.room import Room

DAY = 86_400.0
LOSS = "UPDATE purse SET balance = balance - 1 WHERE kind = 'person' AND balance > 0"
IN_TOWN = " AND community = (SELECT id FROM community WHERE name = 'town')"


class Kept:
    """A stage whose database is looked after, and what the operator was told."""

    def __init__(self, stage: Stage, path: Path) -> None:
        self.stage, self.path, self.told = stage, path, list[str]()
        backups = Backups.of(f"sqlite:///{path}")
        self.upkeep = Upkeep(stage.store, stage.bot, stage.watch, backups, self.told.append)

    async def checked(self) -> None:
        """Wait until the look with which it starts is over."""
        assert self.upkeep._first_audit is not None
        await self.upkeep._first_audit

    @property
    def copies(self) -> int:
        return len(list((self.path.parent / "backups").glob("*.db")))


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    path = tmp_path / "rabble.db"
    store = await Store.open(f"sqlite:///{path}")
    yield Kept(Stage(store), path)
    await store.close()


@pytest.mark.slow
async def test_a_day_of_sound_books_makes_a_backup_a_day_and_one_at_the_end(kept: Kept) -> None:
    await kept.upkeep.start()
    assert kept.copies == 1
    await kept.stage.turn(DAY - 1)
    assert kept.copies == 1
    await kept.stage.turn(1)
    assert kept.copies == 2
    await kept.stage.turn(1)
    await kept.upkeep.stop()
    assert kept.copies == 2  # nothing has happened since
    await kept.stage.open()
    await kept.stage.say("ann", "hello")
    await kept.upkeep.stop()
    assert kept.copies == 3
    assert kept.told == []


@pytest.mark.slow
async def test_starting_and_stopping_again_and_again_pushes_out_no_backup(kept: Kept) -> None:
    await kept.upkeep.start()
    for _ in range(30):
        again = Kept(kept.stage, kept.path)
        await again.upkeep.start()
        await again.upkeep.stop()
    assert kept.copies == 1


@pytest.mark.slow
async def test_books_that_are_wrong_at_the_start_let_nobody_play(kept: Kept) -> None:
    before = await kept.stage.open()
    await before.say("ann", "!heist 100")
    await doctor(kept.stage.store, LOSS)
    again = Kept(Stage(kept.stage.store, run="b"), kept.path)
    await again.upkeep.start()
    await again.stage.open()
    assert again.told == [
        "No games are played in town until somebody has looked; `chatbot audit` lists what is wrong:",
        "  community town sums to -1 and not to 0",
        "  wallet:town:test:ann holds 139, not the 140 of its transfers",
    ]
    assert (await again.stage.say("bob", "!heist 5"))[0].startswith("> bob: No games for now")
    assert await again.stage.say("bob", "!credits") == ["bob has 240 credits."]
    assert "heist" not in again.stage.room.tables  # it stays as it is until somebody has looked
    assert again.copies == 1  # better than none: what others play goes on


async def audited_again(kept: Kept, scopes: list[AuditScope], monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Start on a database that was found sound before, and note what is audited."""

    async def examined(connection: AsyncConnection, scope: AuditScope) -> AuditReport:
        scopes.append(scope)
        return await examine(connection, scope)

    monkeypatch.setattr(checkpoints, "examine", examined)
    again = Kept(Stage(kept.stage.store, run="b"), kept.path)
    await again.upkeep.start()
    await again.stage.open()
    return again


async def test_a_start_on_books_that_were_sound_reads_what_is_new_and_the_rest_when_it_has_settled(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await kept.stage.open()
    await before.say("ann", "!heist 100")
    await before.turn(CHECK_INTERVAL)
    await kept.upkeep.start()
    await doctor(kept.stage.store, "DELETE FROM journal WHERE turn = 1")  # of a table that is over
    scopes = list[AuditScope]()
    again = await audited_again(kept, scopes, monkeypatch)
    assert [each.new for each in scopes] == [True]
    assert again.stage.room.stopped == ""
    await again.stage.turn(SETTLED - 1)
    assert again.stage.room.stopped == ""
    await again.stage.turn(SETTLED)
    assert again.stage.room.stopped == "games-stopped"
    assert any("the journal of table" in each for each in again.told)


async def test_a_start_finds_what_went_wrong_since_the_books_were_sound(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await kept.stage.open()
    await before.say("ann", "!heist 100")
    await kept.upkeep.start()
    await doctor(kept.stage.store, LOSS)
    scopes = list[AuditScope]()
    again = await audited_again(kept, scopes, monkeypatch)
    assert [each.new for each in scopes] == [True, False]  # all is read once something is wrong
    assert again.stage.room.stopped == "games-stopped"


@pytest.mark.nightly
async def test_backups_of_doubted_books_push_out_no_sound_one(kept: Kept) -> None:
    stage = await kept.stage.open()
    await stage.say("ann", "hello")
    await kept.upkeep.start()
    (sound,) = (kept.path.parent / "backups").glob("*.db")
    await doctor(stage.store, LOSS)
    await stage.turn(40 * DAY)
    assert kept.copies == 41
    assert sound.exists()


TOWNS = "den", "bar", "inn"


async def opened_in(stage: Stage, *towns: str) -> list[Room]:
    """Open one more room in each of some communities that are called like it."""
    return [await stage.bot.open(stage.new_room(each, community=each)) for each in towns]


async def heard(stage: Stage, room: Room, text: str, who: str = "ann") -> list[str]:
    known = len(stage.adapter.deliveries)
    await stage.bot.converse(replace(stage.line(who, text), channel=room.channels[0].id))
    await stage.turn(0)
    return [each.text for each in stage.adapter.deliveries[known:]]


async def test_a_doubt_about_one_community_stops_that_one_alone_and_backups_go_on(kept: Kept) -> None:
    stage = await kept.stage.open()
    (den,) = await opened_in(stage, "den")
    await kept.upkeep.start()
    await stage.turn(CHECK_INTERVAL - 30)
    await stage.say("ann", "!heist 100")
    await heard(stage, den, "!heist 50")
    await doctor(stage.store, LOSS + IN_TOWN)
    told = await stage.turn(30)
    assert [line for line in told if line.startswith("No games for now")] == told
    assert len(told) == 1
    assert (await stage.say("bob", "!heist 5"))[0].startswith("> bob: No games for now")
    assert await stage.turn(600)
    assert [each.over for each in den.tables.values()] == [True]  # in the other room it was played to its end
    assert not stage.room.tables["heist"].over
    before = kept.copies
    await stage.turn(DAY)
    assert kept.copies == before + 1
    assert len([each for each in kept.told if each.startswith("No games")]) == 1  # and not every hour


async def test_united_communities_are_doubted_together(kept: Kept) -> None:
    stage = await kept.stage.open()
    den, bar, inn = await opened_in(stage, *TOWNS)
    await doctor(
        stage.store,
        "INSERT INTO community_union VALUES ('bar', 'den', 0), ('inn', 'den', 0)",
    )
    await kept.upkeep.start()
    await heard(stage, bar, "hello", "bob")
    await doctor(stage.store, shifted(purses.mint("den"), -1))
    await stage.turn(CHECK_INTERVAL)
    assert [each.stopped for each in (den, bar, inn)] == ["games-stopped"] * 3
    assert stage.room.stopped == ""


async def test_a_community_plays_on_with_its_tables_when_its_books_are_right_again(kept: Kept) -> None:
    stage = await kept.stage.open()
    await kept.upkeep.start()
    await stage.turn(CHECK_INTERVAL - 30)
    await stage.say("ann", "!heist 100")
    await doctor(stage.store, LOSS)
    await stage.turn(30)
    await doctor(stage.store, LOSS.replace("- 1", "+ 1"))
    assert await stage.turn(CHECK_INTERVAL) == []
    told = await stage.turn(DAY - CHECK_INTERVAL)
    assert told[0].startswith("Bank Heist goes on after a break")
    assert await stage.say("bob", "!heist 5") == ["> bob: You are in with 5 credits."]
    assert any(line.startswith("Results") for line in await stage.turn(600))


async def test_a_doubt_that_lasts_is_looked_into_once_a_day(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await kept.stage.open()
    await kept.upkeep.start()
    await stage.say("ann", "hello")
    await doctor(stage.store, LOSS)
    await stage.turn(CHECK_INTERVAL)
    scopes = list[AuditScope]()

    async def examined(connection: AsyncConnection, scope: AuditScope) -> AuditReport:
        scopes.append(scope)
        return await examine(connection, scope)

    monkeypatch.setattr(checkpoints, "examine", examined)
    await stage.turn(2 * DAY)
    assert [each.new for each in scopes].count(False) == 2
    assert len(scopes) == 48
    assert stage.room.stopped == "games-stopped"


async def test_what_goes_wrong_in_another_community_is_found_within_the_hour_all_the_same(kept: Kept) -> None:
    stage = await kept.stage.open()
    den, bar = await opened_in(stage, "den", "bar")
    await kept.upkeep.start()
    for room in (den, bar):
        await heard(stage, room, "hello", "bob")
    await doctor(stage.store, shifted(purses.mint("den"), -1))
    await stage.turn(CHECK_INTERVAL)
    assert (den.stopped, bar.stopped) == ("games-stopped", "")
    await doctor(stage.store, shifted(purses.mint("bar"), -1))
    await stage.turn(CHECK_INTERVAL)
    assert (den.stopped, bar.stopped) == ("games-stopped", "games-stopped")


@pytest.mark.slow
async def test_once_a_week_what_is_old_is_looked_at_too_a_slice_at_a_time(kept: Kept) -> None:
    stage = await kept.stage.open()
    await kept.upkeep.start()
    await stage.say("ann", "!heist 100")
    await stage.turn(CHECK_INTERVAL)  # it is over, and noted as sound
    await stage.turn(CHECK_INTERVAL)
    await doctor(stage.store, "DELETE FROM journal WHERE turn = 1")
    await stage.turn(2 * CHECK_INTERVAL)
    assert stage.room.stopped == ""
    await stage.turn(WEEK)
    assert stage.room.stopped == "games-stopped"
    assert any("the journal of table" in each for each in kept.told)


@pytest.mark.slow
async def test_books_that_go_wrong_stop_the_games_within_the_hour(kept: Kept) -> None:
    stage = await kept.stage.open()
    await kept.upkeep.start()
    await stage.say("ann", "!heist 100")
    await stage.say("ann", "!credits")
    await doctor(stage.store, LOSS)
    told = await stage.turn(CHECK_INTERVAL)
    assert any(line.startswith("No games for now") for line in told)
    assert kept.told[0].startswith("No games are played")


HELD = "> bob: The books are being checked before anything is played; try again in a moment."


@dataclass
class Slow:
    """An audit that takes until it is let."""

    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, connection: AsyncConnection, scope: AuditScope) -> AuditReport:
        await self.done.wait()
        return await examine(connection, scope)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(checkpoints, "examine", slow)
    return slow


async def test_books_that_take_long_to_check_hold_the_games_and_nothing_else(kept: Kept, slow: Slow) -> None:
    await kept.upkeep.start(longest_wait=0)
    stage = await kept.stage.open()
    assert await stage.say("bob", "!credits") == ["bob has 240 credits."]
    assert await stage.say("bob", "!heist 5") == [HELD]
    await stage.say("sam(broadcaster)", "!season end heist")
    assert await stage.say("sam(broadcaster)", "!confirm") == [HELD.replace("bob", "sam")]
    slow.done.set()
    await kept.checked()
    assert "!heist and an amount" in (await stage.say("bob", "!heist 5"))[0]
    assert (kept.told, kept.copies) == ([], 1)


async def test_books_that_prove_wrong_after_the_start_let_nobody_play(kept: Kept, slow: Slow) -> None:
    before = await kept.stage.open()
    await before.say("ann", "!heist 100")
    await doctor(kept.stage.store, LOSS)
    again = Kept(Stage(kept.stage.store, run="b"), kept.path)
    await again.upkeep.start(longest_wait=0)
    stage = await again.stage.open()
    assert await stage.say("bob", "!heist 5") == [HELD]
    slow.done.set()
    await again.checked()
    assert again.told[1] == "  community town sums to -1 and not to 0"
    assert (await stage.turn(0))[0].startswith("No games for now")
    assert (await stage.say("bob", "!heist 5"))[0].startswith("> bob: No games for now")
    assert "heist" not in stage.room.tables
    await again.upkeep.stop()
    assert again.copies == 2


async def test_tables_go_on_when_the_books_are_known_to_be_right(kept: Kept, slow: Slow) -> None:
    before = await kept.stage.open()
    await before.say("ann", "!heist 100")
    again = Kept(Stage(kept.stage.store, run="b"), kept.path)
    await again.upkeep.start(longest_wait=0)
    stage = await again.stage.open()
    await stage.turn(3600)
    assert "heist" not in stage.room.tables
    assert await stage.say("bob", "!heist 5") == [HELD]
    slow.done.set()
    await again.checked()
    assert (await stage.turn(0))[0].startswith("Bank Heist goes on")
    assert await stage.pot() == 100
    assert await stage.say("bob", "!heist 5") == ["> bob: You are in with 5 credits."]


async def test_who_stops_before_the_books_are_checked_waits_for_nothing_and_copies_nothing(
    kept: Kept, slow: Slow
) -> None:
    await kept.upkeep.start(longest_wait=0)
    stage = await kept.stage.open()
    await stage.say("ann", "hello")
    await kept.upkeep.stop()
    assert kept.copies == 0


@pytest.mark.slow
async def test_no_turnover_however_large_stops_a_game_or_a_backup(kept: Kept) -> None:
    stage = await kept.stage.open()
    mint, ann = purses.mint("town"), purses.wallet("town", seat("ann"))
    entries = tuple(back_and_forth(mint, ann, "grant"))
    await stage.bot.ledger.post(Posting("attack", "town", stage.watch.date(), entries=entries))
    await kept.upkeep.start()
    assert (kept.told, kept.copies) == ([], 1)
    assert "!heist and an amount" in (await stage.say("ann", "!heist 5"))[0]


async def test_a_database_file_that_is_gone_stops_the_games(kept: Kept) -> None:
    await kept.stage.open()
    await kept.upkeep.start()
    kept.path.unlink()
    await kept.stage.turn(CHECK_INTERVAL)
    assert kept.told == [
        "No games are played until somebody has looked; `chatbot audit` lists what is wrong:",
        f"  The database {kept.path} is gone.",
    ]


async def test_a_folder_of_backups_that_cannot_be_read_is_told_and_stops_nothing(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", folder)

    await kept.stage.open()
    (kept.path.parent / "backups").mkdir()
    monkeypatch.setattr("pathlib.Path.iterdir", refuse)  # the mode of a folder means nothing to root
    await (await Store.open(f"sqlite:///{kept.path}")).close()
    await kept.upkeep.start()
    assert kept.told[0].startswith("No backup could be made. ")
    assert "(Permission denied)" in kept.told[0]


async def test_a_backup_that_fails_is_told_and_stops_nothing(kept: Kept) -> None:
    await kept.stage.open()
    (kept.path.parent / "backups").write_text("in the way")
    await kept.upkeep.start()
    assert kept.told[0].startswith("No backup could be made. ")
    assert "!heist and an amount" in (await kept.stage.say("ann", "!heist 5"))[0]


async def test_an_older_database_is_copied_before_it_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, called = tmp_path / "rabble.db", list[str]()

    def look() -> None:
        with closing(sqlite3.connect(file)) as connection:
            called.append(*connection.execute("SELECT version_num FROM alembic_version").fetchone())

    present = migrations.NEWEST

    def upgrade_to_another(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    url = f"sqlite:///{file}"
    await (await Store.open(url, before_upgrade=look)).close()
    monkeypatch.setattr(migrations, "NEWEST", "9999")  # as if there were another one
    monkeypatch.setattr(migrations, "_upgrade", upgrade_to_another)
    for _ in range(2):
        await (await Store.open(url, before_upgrade=look)).close()
    assert called == [present]  # neither when it was new, nor when it was up to date


async def test_whatever_brings_an_older_database_up_to_date_backs_it_up_and_nobody_else_has_it_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, saved = f"sqlite:///{tmp_path / 'rabble.db'}", tmp_path / "backups"

    def upgrade_to_another(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    bot = await Store.open(url, alone=True)
    monkeypatch.setattr(migrations, "NEWEST", "9999")  # as if there were another one
    monkeypatch.setattr(migrations, "_upgrade", upgrade_to_another)
    with pytest.raises(StoreError, match="in use by another process"):
        await Store.open(url)  # as `chatbot archive` does
    await bot.close()
    assert not saved.exists()
    store = await Store.open(url)
    assert len(list(saved.glob("rabble-*.db"))) == 1
    await (await Store.open(url, alone=True)).close()
    await store.close()


async def test_tables_go_into_the_archive_by_themselves_when_they_are_old(kept: Kept) -> None:
    keeping = Upkeep(kept.stage.store, kept.stage.bot, kept.stage.watch, Backups(None), kept.told.append, 90)
    stage = await kept.stage.open()
    await keeping.start()
    for _ in range(2):
        await stage.say("ann", "!heist 20")
        await stage.turn(600)

    async def archived() -> int:
        async with stage.store.reading() as connection:
            return int((await connection.execute(text("SELECT count(*) FROM archive"))).scalar_one())

    stage.watch.set_calendar(90 * DAY - 3100)
    await stage.turn(CHECK_INTERVAL)
    assert await archived() == 1  # by then the first is 90 days old
    await stage.turn(CHECK_INTERVAL)
    assert await archived() == 2
    assert [*kept.told, *(await audit(stage.store)).breaches] == []


async def test_books_in_doubt_are_not_archived(kept: Kept) -> None:
    keeping = Upkeep(kept.stage.store, kept.stage.bot, kept.stage.watch, Backups(None), kept.told.append, 90)
    stage = await kept.stage.open()
    await stage.say("ann", "!heist 20")
    await stage.turn(600)
    await doctor(stage.store, LOSS)
    await keeping.start()
    stage.watch.set_calendar(100 * DAY)
    await stage.turn(2 * CHECK_INTERVAL)
    async with stage.store.reading() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM archive"))).scalar_one() == 0


class Unhurried:
    """A copy that takes until somebody wants to leave."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(
        self, source: Path, target: Path, leave: Callable[[], bool] = backup.never_cancelled
    ) -> None:
        self.begun.set()
        while not leave():
            time.sleep(0.01)
        raise backup.BackupCancelled


async def test_the_end_waits_for_no_backup_that_takes_long(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    unhurried = Unhurried()
    monkeypatch.setattr(backup, "copy_database", unhurried)
    await kept.upkeep.start(longest_wait=0)
    await asyncio.to_thread(unhurried.begun.wait)
    monkeypatch.setattr(upkeep, "FINAL_BACKUP_TIMEOUT", 0.1)
    began = time.monotonic()
    await (await kept.stage.open()).say("ann", "hello")
    await kept.upkeep.stop()  # which gives up the one that was under way, and its own
    assert time.monotonic() - began < 2.0
    assert (kept.copies, kept.told) == (0, [])


async def test_a_large_database_is_not_copied_at_the_end(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    await kept.upkeep.start()
    await (await kept.stage.open()).say("ann", "hello")
    monkeypatch.setattr(upkeep, "FINAL_BACKUP_BYTES", 1000)
    await kept.upkeep.stop()
    assert kept.copies == 1  # of the start


@pytest.mark.slow
async def test_backups_without_room_are_told(kept: Kept) -> None:
    await kept.upkeep.start()
    (first,) = (kept.path.parent / "backups").glob("*.db")
    kept.upkeep.backups = Backups(kept.path, first.stat().st_size * 5 // 2)
    await kept.stage.turn(2 * DAY)
    assert kept.copies == 2
    assert kept.told == [
        f"The backup {first} was removed: all together would take more than CHATBOT_BACKUP_MB."
    ]


@pytest.mark.slow
async def test_backups_that_give_way_to_the_one_before_an_upgrade_are_told(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def upgrade(_: str, *, alone: bool, before_upgrade: Callable[[], object]) -> None:
        assert alone
        await asyncio.to_thread(before_upgrade)
        raise StoreError("that was all")

    await kept.upkeep.start()
    await kept.stage.turn(2 * DAY)
    before = set((kept.path.parent / "backups").glob("*.db"))
    monkeypatch.setattr(Store, "open", upgrade)
    monkeypatch.setattr(app, "_stop_on_signals", lambda _: None)
    settings, told = Settings(database=f"sqlite:///{kept.path}", backup_mb=1), list[str]()
    with pytest.raises(StoreError, match="that was all"):
        await app.serve(settings, Discretion(), told.append)
    gone = [each for each in before if not each.exists()]
    assert gone
    assert sorted(told) == sorted(map(backup.removed, gone))
