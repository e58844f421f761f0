"""Who is forgotten is not in any byte of the database, nor of its backups, and what stays is told before."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from chatbot.cli.members import _forget, _How
from chatbot.ledger.audit.checks import breaches
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.books.posting import Entry
from chatbot.ledger.changes import MONEY, REWARD, SETTING, Change, Changes, ChangeSet, Work
from chatbot.ledger.erasure import Erasure, NotOverwritten
from chatbot.ledger.imports.placeholders import Placeholders
from chatbot.ledger.member_export import FoundPerson, Persons
from chatbot.ledger.members import Members
from chatbot.ledger.named_words import Eraser
from chatbot.ledger.people import Account, People
from chatbot.ledger.rooms import Preferences
from chatbot.ledger.store import backup

from .conftest import opened
from .importing import bring
from .samples import AT, HOME, MINT, POT, doctor, gift, grant, joining, opening, settling, wallet

if TYPE_CHECKING:
    from chatbot.kernel.game import Seat
    from chatbot.ledger.store.store import Store

pytestmark = pytest.mark.slow

ANN, ZOE = Account("twitch", "1000001"), Account("twitch", "990041701")
NAME, LOGIN = "Zaphodia", "zaphodia_login"
MARKS = b"zaphodia", b"990041701"
SEASON = "INSERT INTO season_place VALUES ('den', 'heist', 1, 1, 'p2', 'Zaphodia', 50)"
ENTRY = "{who} sneaks in, and Zaphodia's friends cheer"


async def lived(store: Store) -> tuple[Seat, Seat]:
    """Let ZOE play, be talked about and be set things for, in all that a database keeps."""
    people, ledger = People(store), Ledger(store)
    await people.settle([ANN, ZOE])
    ann, zoe = people.home(ANN), people.home(ZOE)
    await Members(store).note(HOME, ann, "Ann", AT)
    await Members(store).note(HOME, zoe, NAME, AT)
    await bring(store, {LOGIN: 30}, file="points of zaphodia.csv")
    await Placeholders(store, people).inherit(Account("twitch", LOGIN), zoe, AT)
    for seat in (ann, zoe):
        await ledger.post(grant(seat, 100))
    await ledger.post(gift(zoe, ann, 20))
    await ledger.post(opening(zoe, 10))
    await ledger.post(joining(ann, 10))
    await ledger.post(settling(Entry(POT, wallet(zoe), 20, "win")))
    await talked(store, ann, zoe)
    await doctor(store, SEASON)
    return ann, zoe


async def talked(store: Store, ann: Seat, zoe: Seat) -> None:
    saved = Preferences(store)
    await saved.save("den", "texts", {"entry": ENTRY, "small-crew": "zaphodia"})
    await saved.save("den", "aliases", {"z": "give Zaphodia 5", "go": "heist"})
    await saved.save("community local", "regulars", {str(ZOE): NAME, str(ANN): "Ann"})
    made = (
        (ann, "Ann", Change(SETTING, "room", "talk", "full", "quiet"), "ZAPHODIA asked for it"),
        (ann, "Ann", Change(SETTING, "texts", "entry", None, ENTRY), "a joke"),
        (ann, "Ann", Change(SETTING, "aliases", "z", None, "give Zaphodia 5"), ""),
        (ann, "Ann", Change(SETTING, "regulars", str(ZOE), None, NAME), ""),
        (ann, "Ann", Change(REWARD, "heist", "title", "Rob", "Zaphodia's"), ""),
        (ann, "Ann", Change(MONEY, zoe, "", "1", "2"), "for Zaphodia"),
        (zoe, NAME, Change(SETTING, "room", "talk", "quiet", "full"), "so says 990041701"),
    )
    for number, (actor, name, change, why) in enumerate(made):
        change_set = ChangeSet(f"change-set:{number}", "den", HOME, AT, actor, name, (change,), why)
        await Changes(store).make(change_set, Work())


async def holding(store: Store, url: str) -> list[str]:
    """List the files of a database, or the relations of a server, in which a mark is found."""
    if url.startswith("sqlite"):
        folder = Path(url.removeprefix("sqlite:///")).parent
        files = [each for each in folder.rglob("*") if each.is_file()]
        return [each.name for each in files if any(mark in each.read_bytes().lower() for mark in MARKS)]
    relations = (
        "SELECT relname, pg_read_binary_file(pg_relation_filepath(oid), 0, 100000000, true) FROM pg_class "
        "WHERE relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace) "
        "AND relkind IN ('r', 'i', 't') AND oid >= 16384"
    )
    async with store._writer.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("CHECKPOINT"))
        rows = (await connection.execute(text(relations))).all()
    return [name for name, data in rows if any(mark in (data or b"").lower() for mark in MARKS)]


async def test_no_byte_of_a_database_names_who_is_forgotten(url: str) -> None:
    store = await opened(url)
    try:
        await lived(store)
        assert await holding(store, url)
        assert await Ledger(store).balance(MINT) == -230  # two grants of 100, and 30 that were imported
        person = await Persons(store).find(NAME)
        remains = await Erasure(store).weigh(person)
        assert {(each.group, each.key) for each in remains.words.reworded} == {
            ("texts", "entry"), ("texts", "small-crew"), ("aliases", "z"),
        }  # fmt: skip
        assert (remains.words.left, remains.words.left_in_changes) == ((), 0)
        await Erasure(store).forget(person, AT)
        assert await holding(store, url) == []
        assert await breaches(store) == []
        assert await Ledger(store).balance(MINT) == -110  # theirs were 100 + 30 - 20 - 10 + 20
        kept = await Preferences(store).load("den")
        assert kept["texts"]["entry"] == "{who} sneaks in, and gone's friends cheer"
        assert (await Preferences(store).load("community local"))["regulars"] == {str(ANN): "Ann"}
    finally:
        await store.close()


async def test_backups_that_know_them_are_listed_before_and_deleted_if_that_is_asked(
    sqlite_url: str, database: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await opened(sqlite_url)
    before = await asyncio.to_thread(backup.back_up, database, folder, AT)
    await lived(store)
    after = await asyncio.to_thread(backup.back_up, database, folder, AT)
    await store.close()
    await _forget(sqlite_url, NAME, None, _How(delete_backups=True, asks=False))
    told = capsys.readouterr().out
    assert f"The backup {before}" not in told
    assert f"The backup {after}. It will be deleted." in told
    assert (before.exists(), after.exists()) == (True, False)
    assert told.index("will be “give gone 5”") < told.index("Forgotten.")
    assert sum(each.suffix == ".db" for each in backup.files_of(database)) == 3  # one is new
    assert await holding(store, sqlite_url) == []


async def test_what_may_be_another_word_stays_and_is_told_before(sqlite_url: str) -> None:
    store = await opened(sqlite_url)
    ann, _ = await lived(store)
    await Preferences(store).save("den", "room", {"talk": "zaphodia"})
    change = Change(SETTING, "room", "talk", "zaphodia", "full")
    await Changes(store).make(ChangeSet("one", "den", HOME, AT, ann, "Ann", (change,)), Work())
    words = (await Erasure(store).weigh(await Persons(store).find(NAME))).words
    assert [(each.place, each.group, each.key, each.text) for each in words.left] == [
        ("den", "room", "talk", "zaphodia")
    ]
    assert words.left_in_changes == 1
    await store.close()


async def test_of_a_common_word_only_mentions_are_taken_from_the_words_of_others(sqlite_url: str) -> None:
    store = await opened(sqlite_url)
    await lived(store)
    person = await Persons(store).find(NAME)
    words = (await Erasure(store).weigh(person, only_mentions=True)).words
    assert {each.key for each in words.left} == {"entry", "small-crew", "z"}
    await Erasure(store).forget(person, AT, only_mentions=True)
    assert (await Preferences(store).load("den"))["texts"]["entry"] == ENTRY
    whys = [each.why for each in await Changes(store).newest("den")]
    assert "ZAPHODIA asked for it" in whys
    assert "for gone" in whys  # which is about them
    await store.close()


async def test_if_remains_cannot_be_overwritten_that_is_said(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> None:
        raise OSError("no space left")

    store = await opened(sqlite_url)
    await lived(store)
    monkeypatch.setattr(backup, "overwrite_deleted", full)
    with pytest.raises(NotOverwritten, match=r"They are forgotten, but .* \(no space left\)"):
        await Erasure(store).forget(await Persons(store).find(NAME), AT)
    assert "Zaphodia" not in json.dumps(await Preferences(store).load("den"))
    await store.close()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Ann", "Ann, annex and ANN's @ann; {ann} Ann_1", "gone, annex and gone's @gone; {ann} Ann_1"),
        ("바비", "바비가 이겼다, 나바비", "gone가 이겼다, 나바비"),
        ("이", "이 사람이 이겼다", "gone 사람이 이겼다"),  # alone it may be a part of any word
        ("太郎", "昨日太郎さんが", "昨日goneさんが"),
        ("C++", "for C++.", "for gone."),
        ("Änne", "as äNNE said", "as gone said"),
    ],
)
def test_a_name_is_found_as_a_word_of_its_script(name: str, before: str, after: str) -> None:
    assert Eraser.of(FoundPerson((), (), (name,))).without_names(before) == after


def test_accounts_are_found_whole() -> None:
    eraser = Eraser.of(FoundPerson((), (Account("twitch", "42"),), ()))
    assert eraser.without_names("@twitch:42 twitch:421 twitch:42") == "@gone twitch:421 gone"
