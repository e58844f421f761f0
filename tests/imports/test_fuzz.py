"""Thousands of damaged files end in a plan or a sentence, and bring what the plan has shown and no more."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.community.imports.reading import ReadingOptions, read
from chatbot.community.imports.service import BalanceImports, ImportRequest
from chatbot.community.imports.sheets import SheetError
from chatbot.kernel.amounts import MOST
from chatbot.kernel.game import Failure, Seat
from chatbot.ledger.books import purses
from chatbot.ledger.books.ledger import Ledger
from chatbot.ledger.members import Members
from chatbot.ledger.store.store import Store

if TYPE_CHECKING:
    from chatbot.community.imports.reading import BalanceFile
    from chatbot.ledger.imports.merging import Same

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
AT = datetime(2026, 1, 2, tzinfo=UTC)
TOKENS = (
    *(each.encode() for each in ",;\"\0\n\r\t'-.{}[]:("),
    *(b"1e99", b"9" * 40, b"null", b"NaN", b"\xff", b"\xed\xa0\x80"),
    *(b"PK\x03\x04", b"SQLite format 3\0", "\u0661".encode()),
)
SAME: tuple[Same, ...] = "fault", "add", "most", "first"


def mutated(content: bytes, draw: random.Random, most: int) -> bytes:
    """Return a file that was cut, doubled, flipped, or mixed with another, up to `most` times."""
    data = bytearray(content)
    for _ in range(draw.randint(1, most)):
        place = draw.randrange(len(data) + 1)
        span = draw.randint(1, 40)
        match draw.randrange(6):
            case 0:
                data[place:place] = draw.choice(TOKENS)
            case 1:
                del data[place : place + span]
            case 2:
                data[place:place] = data[place : place + span]
            case 3:
                data[place : place + 1] = bytes([draw.randrange(256)])
            case 4:
                data = data[:place] or data
            case _:
                other = draw.choice(CORPUS).read_bytes()
                data[place:] = other[draw.randrange(len(other) + 1) :]
    return bytes(data)


def chosen(draw: random.Random) -> ReadingOptions:
    """Return options as somebody might try them."""
    return ReadingOptions(
        same=draw.choice(SAME),
        negative="zero" if draw.random() < 0.3 else "fault",
        decimal="." if draw.random() < 0.3 else None,
    )


def files(seed: int, count: int, most: int = 6, suffix: str = "") -> list[tuple[bytes, ReadingOptions]]:
    """Return damaged files; those of a suffix with few mutations can mostly be read."""
    draw = random.Random(seed)
    small = [each for each in CORPUS if each.stat().st_size < 50_000 and each.name.endswith(suffix)]
    return [(mutated(draw.choice(small).read_bytes(), draw, most), chosen(draw)) for _ in range(count)]


def check(content: bytes, options: ReadingOptions) -> None:
    try:
        file = read(content, options)
    except SheetError as error:
        sentence = str(error)
    else:
        _require_sound(file)
        return
    assert sentence.endswith(".")


def _require_sound(file: BalanceFile) -> None:
    people = [row.who for row in file.rows]
    assert len(people) == len(set(people))
    assert all(0 <= row.credits <= MOST and row.minutes >= 0 for row in file.rows)
    file.rows.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_file_is_read_or_refused_in_a_sentence(seed: int) -> None:
    for content, options in files(seed, 100):
        check(content, options)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_ten_thousand_damaged_files_are_read_or_refused(seed: int) -> None:
    for content, options in files(seed, 1000):
        check(content, options)


async def bring_and_compare(store: Store, content: bytes, options: ReadingOptions) -> bool:
    """Import a damaged file, and require that what was brought is what its dry run has shown."""
    request = ImportRequest("a.csv", content, "local", "twitch", "add", options, skips_bad=True, again=True)
    imports, ledger = BalanceImports(store), Ledger(store)
    mint = purses.mint("local")
    before = await ledger.balance(mint)
    try:
        looked = await imports.look(request)
        done = await imports.bring(request, AT)
    except Failure:
        assert await ledger.balance(mint) == before
        return False
    assert (done.plan, done.faults) == (looked.plan, looked.faults)
    assert before - await ledger.balance(mint) == looked.plan.increase
    return True


async def fuzz_through(store: Store, seed: int, count: int) -> int:
    await Members(store).note("local", Seat("p1"), "ann", AT)
    outcomes = [await bring_and_compare(store, *each) for each in files(seed, count, 2, ".csv")]
    return sum(outcomes)


async def test_what_a_damaged_file_brings_is_what_its_plan_has_shown(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'rabble.db'}")
    brought = await fuzz_through(store, 7, 25)
    await store.close()
    assert brought > 3


@pytest.mark.nightly
@pytest.mark.slow
async def test_what_thousands_of_damaged_files_bring_is_what_their_plans_have_shown(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'rabble.db'}")
    brought = await fuzz_through(store, 8, 1000)
    await store.close()
    assert brought > 100
