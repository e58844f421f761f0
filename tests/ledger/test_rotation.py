"""Backups do not pile up: which are kept, which go, and when the next is due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chatbot.ledger.store import backup
from tests.ledger.copied import DAYS, HOURS, NOW, names

from .samples import AT

if TYPE_CHECKING:
    from datetime import timedelta


@pytest.mark.parametrize(
    ("ages", "kept"),
    [
        pytest.param([], [], id="nothing to do"),
        pytest.param([0 * DAYS, 4 * DAYS], [0, 1], id="few and young"),
        pytest.param([n * DAYS for n in range(8)], [0, 1, 2, 3, 4, 5], id="five days are not too old"),
        pytest.param([n * DAYS + HOURS for n in range(8)], [0, 1, 2, 3, 4], id="an hour more is"),
        pytest.param([0 * DAYS] + [30 * DAYS + n * HOURS for n in range(9)], [0, 1, 2, 3, 4], id="away"),
        # It is three in the morning: number 28 is the newest of the day before yesterday.
        pytest.param([n * HOURS for n in range(40)], [*range(24), 28], id="too many for five days"),
        pytest.param(
            [0 * DAYS, 1 * HOURS] + [-3650 * DAYS - n * HOURS for n in range(23)], list(range(25)),
            id="from the future, but there is room",
        ),
        pytest.param(
            [n * HOURS for n in range(24)] + [-3651 * DAYS, -3650 * DAYS, -3649 * DAYS], list(range(25)),
            id="from the future they go first",
        ),
    ],
)  # fmt: skip
def test_25_of_five_days_are_kept_but_always_the_newest_five(
    folder: Path, ages: list[timedelta], kept: list[int]
) -> None:
    folder.mkdir()
    files = [folder / f"rabble-{NOW - age:%Y%m%d-%H%M%S}.db" for age in ages]
    for file in files:
        file.touch()
    backup.rotate(folder, "rabble", NOW)
    assert set(folder.iterdir()) == {files[number] for number in kept}


@pytest.mark.parametrize(
    "name",
    [
        "rabble.db",
        "rabble-20200101-000000.db.bak",
        "rabble-20200101-000000.former",
        "rabble-20200101-000000-.db",
        "rabble-20200101.db",
        "rabble-20201301-000000.db",  # no such month
        "rabble-20200101-00000\u0660.db",
        "rabble2-20200101-000000.db",
        "my-rabble-20200101-000000.db",
        "rabble-20200101-000000-20200101-000000.db",
        "rabbleX20200101-000000.db",
    ],
)
def test_rotation_removes_only_what_bears_our_name(folder: Path, name: str) -> None:
    folder.mkdir()
    (folder / name).touch()
    for day in range(1, 7):
        (folder / f"rabble-2020020{day}-000000.db").touch()
    backup.rotate(folder, "rabble", AT)
    wanted = [f"rabble-2020020{day}-000000.db" for day in range(2, 7)]  # the newest five, all years old
    assert names(folder) == sorted([name, *wanted])


def test_a_stem_with_signs_of_patterns_matches_itself_only(folder: Path) -> None:
    folder.mkdir()
    ours = [f"r.b+[a]-2020020{day}-000000.db" for day in range(1, 7)]
    for name in (*ours, "rxb+[a]-20200101-000000.db"):
        (folder / name).touch()
    backup.rotate(folder, "r.b+[a]", AT)
    assert names(folder) == sorted([*ours[1:], "rxb+[a]-20200101-000000.db"])


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ([], True),
        ([23 * HOURS], False),
        ([24 * HOURS], True),
        ([30 * HOURS, 2 * HOURS], False),
        ([-3650 * DAYS], True),  # made by a wrong clock
        ([-3650 * DAYS, 2 * HOURS], False),
        ([-3650 * DAYS, 25 * HOURS], True),
    ],
)
def test_a_backup_is_due_a_day_after_the_newest_that_is_not_from_the_future(
    database: Path, folder: Path, ages: list[timedelta], expected: bool
) -> None:
    assert backup.due(database, folder, AT)  # there is no folder yet
    folder.mkdir()
    for age in ages:
        (folder / f"rabble-{NOW - age:%Y%m%d-%H%M%S}.db").touch()
    assert backup.due(database, folder, NOW) is expected


MB = 10**6


def test_a_backup_that_cannot_be_removed_stays_and_is_not_told_as_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    newest, held, old = (folder / f"rabble-{NOW - age * DAYS:%Y%m%d-%H%M%S}.db" for age in range(3))
    for file in (newest, held, old):
        file.write_bytes(b"12345678")
    unlink = Path.unlink

    def refusing(path: Path) -> None:
        if path == held:
            raise PermissionError("it is open in another program")
        unlink(path)

    monkeypatch.setattr(Path, "unlink", refusing)
    assert backup.fit(folder, "rabble", NOW, 8) == [old]
    assert set(folder.iterdir()) == {newest, held}


@pytest.mark.parametrize(
    ("most", "ages", "kept"),
    [
        # Each takes 10 MB.
        pytest.param(100, [n * HOURS for n in range(10)], list(range(10)), id="there is room for all"),
        pytest.param(1, [0 * DAYS, 1 * DAYS], [0], id="the newest is kept however large it is"),
        pytest.param(39, [n * DAYS for n in range(5)], [0, 1, 2], id="the oldest go first"),
        # At three in the morning: numbers 0, 3 and 4 are the newest of their days.
        pytest.param(30, [n * HOURS for n in (0, 1, 2, 4, 28)], [0, 3, 4], id="one of each day goes first"),
    ],
)
def test_all_backups_together_have_a_size(
    folder: Path, most: int, ages: list[timedelta], kept: list[int]
) -> None:
    folder.mkdir()
    files = [folder / f"rabble-{NOW - age:%Y%m%d-%H%M%S}.db" for age in ages]
    for file in files:
        with file.open("wb") as opened:
            opened.truncate(10 * MB)  # of which the disk sees nothing
    dropped = backup.fit(folder, "rabble", NOW, most * MB)
    assert set(folder.iterdir()) == {files[number] for number in kept}
    assert set(dropped) == set(files) - {files[number] for number in kept}
