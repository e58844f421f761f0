"""The simulator's own checks notice each kind of breach: a check that finds nothing proves nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from chatbot.bot.lifecycle import Lifecycle
from chatbot.community.earning.payments import Payments
from chatbot.community.members import LinkedAccounts
from chatbot.delivery.outbox import Outbox
from chatbot.ledger.books.books import Books
from chatbot.ledger.books.forwarding import Forwarding
from chatbot.ledger.store.store import Store
from chatbot.rooms.settings.changes import SettingsChanges
from chatbot.tables.phase_timer import PhaseTimer
from chatbot.tables.table import GameTable
from tests.bot.stage import Stage
from tests.named_books import numbered, shifted, show_names
from tests.simulator.__main__ import main
from tests.simulator.books import Reader, breaches
from tests.simulator.lines import AMOUNTS, NONSENSE, meant
from tests.simulator.stage import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chatbot.kernel.say import Say
    from chatbot.rooms.channel import Delivery


HOUSE = (
    "INSERT INTO purse (community, kind, owner, balance) "
    "SELECT id, 'house', '', {} FROM community WHERE name = 'town'"
)
DOCTORED = [
    ([shifted("mint:town", 1)], "town sums to 1"),
    (
        [
            shifted("wallet:town:test:ann", 1),
            shifted("mint:town", -1),
        ],
        "wallet:town:test:ann does not hold the sum of its transfers",
    ),
    (
        ["UPDATE transfer SET credits = credits + 1 WHERE why = 'stake'"],
        "does not hold the sum of its transfers",
    ),
    (["DELETE FROM transfer WHERE why = 'stake'"], "does not hold the sum of its transfers"),
    (
        [
            HOUSE.format(-100),
            f"UPDATE transfer SET source = {numbered('house:town')} WHERE why = 'stake'",  # noqa: S608
            shifted("wallet:town:test:ann", 100),
        ],
        "house:town is at -100",
    ),
    (["DELETE FROM posting WHERE id = 'line:a:1'"], "belongs to no posting"),
    (["UPDATE transfer SET community = 'port' WHERE why = 'stake'"], "leaves its community"),
    (["DELETE FROM journal WHERE turn = 1"], "has the turns [2"),
    (["UPDATE journal SET turn = turn + 1 WHERE turn = (SELECT max(turn) FROM journal)"], "its steps"),
    (["UPDATE step SET turns = turns + 1"], "its steps"),
    (["DELETE FROM journal", "DELETE FROM step"], "has the turns []"),
    (["DELETE FROM game_table"], "but no table"),
    (["UPDATE person SET same_as = 'other:zed' WHERE seat = 'test:ann'"], "but is other:zed's"),
    (["UPDATE game_table SET state = 'settled', closed_at = 0"], "holds 100 though its table is settled"),
    (["UPDATE transfer SET table_id = NULL WHERE why = 'stake'"], "touches pot:a-table-1 from table None"),
    (
        [
            "UPDATE game_table SET state = 'void', closed_at = 0",
            HOUSE.format(100),
            (
                "INSERT INTO transfer "  # noqa: S608
                "(posting, number, community, table_id, source, target, credits, why, actor, created_at) "
                "SELECT posting, 9, community, table_id, target, "
                f"{numbered('house:town')}, credits, 'refund', actor, created_at FROM transfer "
                "WHERE why = 'stake'"
            ),
            "UPDATE purse SET balance = 0 WHERE kind = 'pot'",
        ],
        "wallet:town:test:ann was not given back 100",
    ),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Make the books of a table where ann has staked 100 credits and bob could not stake 999."""
    path = tmp_path_factory.mktemp("books") / "rabble.db"

    async def evening() -> None:
        store = await Store.open(f"sqlite:///{path.as_posix()}")
        stage = await Stage(store).open()
        await stage.say("ann", "!heist 100", line="a:1")
        await stage.say("bob", "!heist 999", line="a:2")
        await store.close()

    asyncio.run(evening())
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, template: bytes) -> str:
    copy = tmp_path / "rabble.db"
    copy.write_bytes(template)
    return str(copy)


def found(path: str) -> list[str]:
    reader = Reader(path)
    with closing(reader):
        return list(breaches(reader.read()[0]))


def doctor(path: str, statements: list[str]) -> None:
    """Do to the books what the ledger never would, and the database would never let anybody do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        show_names(raw)
        raw.execute("PRAGMA ignore_check_constraints = ON")
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        for each in statements:
            raw.execute(each)


def test_sound_books_have_no_breach(path: str) -> None:
    assert found(path) == []


@pytest.mark.parametrize(("statements", "breach"), DOCTORED, ids=[breach for _, breach in DOCTORED])
def test_what_is_doctored_is_found(path: str, statements: list[str], breach: str) -> None:
    doctor(path, statements)
    assert any(breach in each for each in found(path)), found(path)


def test_what_is_committed_elsewhere_is_read_at_once(path: str) -> None:
    reader = Reader(path)
    with closing(reader):
        before, changed = reader.read()
        assert changed
        assert reader.read() == (before, False)
        doctor(path, ["UPDATE purse SET balance = 7 WHERE kind = 'mint'"])
        after, changed = reader.read()
        assert changed
        assert after != before


def test_amounts_are_read_as_the_manual_has_it() -> None:
    assert [meant(each, 250) for each in ("69", "1k", "2m", "25%", "half", "all", "3%")] == [
        69, 1000, 2_000_000, 62, 125, 250, 7,
    ]  # fmt: skip
    assert [each for each in NONSENSE if meant(each, 250) is not None] == []
    assert [each for each in AMOUNTS if meant(each, 250) is None] == []
    assert meant("all", 0) == 1, "which a purse of 0 cannot pay"


async def nothing(*_: object) -> None:
    """Stand in for what a mutant leaves out."""


def forgetful(*_: object) -> bool:
    """Stay where a table was before its step."""
    return False


def deaf(*_: object) -> None:
    """Let settings that are written count for nobody."""


async def miserly(*_: object) -> Counter[str]:
    """Pay nothing that was earned."""
    return Counter()


def stiff(_: object, account: str) -> str:
    """Let no wallet stand for another."""
    return account


def generous(_: object, changes: object) -> None:
    """Ask nobody for cover."""


def lonely(_: object, seat: str) -> list[str]:
    """Know of nobody who else they are."""
    return [seat]


def tacit(outbox: Outbox, channel: Any, room: Any, say: Say, account: Any) -> Delivery | None:
    """Tell nobody that they are in."""
    return None if say.message.id.endswith("-you-joined") else DELIVERY(outbox, channel, room, say, account)


DELIVERY = Outbox._delivery


@pytest.mark.parametrize(
    ("owner", "name", "mutant", "breach", "first"),
    [
        (Lifecycle, "resume", nothing, "stood before the restart, and is nowhere now", 0),
        (GameTable, "_advance", forgetful, "its journal", 0),
        (PhaseTimer, "start", nothing, "goes on without a clock", 0),
        (SettingsChanges, "_adopt", deaf, "but is kept as", 0),
        (Books, "_require_funds", generous, "raised|logged|refused", 5),
        (Payments, "pay", miserly, "nothing was paid for", 0),
        (Forwarding, "real", stiff, ", but is |Contradiction", 21),
        (LinkedAccounts, "seats", lonely, "times at table", 19),
        (Outbox, "_delivery", tacit, "was taken, but not told", 7),
    ],
)
def test_a_broken_program_is_found_out_within_thirty_evenings(
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    mutant: Callable[..., object],
    breach: str,
    first: int,
) -> None:
    """Play from a `first` evening that is known to show it, for as long as this holds."""
    monkeypatch.setattr(owner, name, mutant)
    told = []
    for report in map(play, range(first, first + 30)):
        told.append(report.breach)
        if any(each in report.breach for each in breach.split("|")):
            return
    pytest.fail(f"nobody noticed: {told}")


def test_a_breach_is_told_with_the_command_that_replays_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(GameTable, "_advance", forgetful)
    assert main(["--seeds", "3", "--jobs", "1", "--steps", "40"]) == 1
    shown = capsys.readouterr().out
    assert "again: uv run python -m tests.simulator --seed" in shown
    assert "--steps 40 --trace" in shown
