"""The journal of a ladder keeps whole lines, belongs to one process, and does not guess at damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.ladder.entrants import LadderEntrant
from arena.ladder.journal import (
    NAME,
    LadderDuel,
    LadderJournal,
    LadderRoster,
    LadderRound,
    LadderTerms,
)
from chatbot.kernel.game import Failure

if TYPE_CHECKING:
    from pathlib import Path

    from arena.ladder.journal import LadderRecord

RECORDS: list[LadderRecord] = [
    LadderTerms("heist", 100, "s"),
    LadderEntrant("a", "än", "Ann", "python3 a.py"),
    LadderRoster(("a", "b"), (("c", "It is broken."),), "limits"),
    LadderRound((("a", "b"),)),
    LadderDuel(1, ("a", "b"), 0, 1, ("5", "3"), 100, ({}, {"late": 2})),
]


def written(folder: Path) -> bytes:
    with LadderJournal(folder) as journal:
        for each in RECORDS:
            journal.append(each)
    return (folder / NAME).read_bytes()


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    written(tmp_path)
    with LadderJournal(tmp_path) as journal:
        assert journal.records == RECORDS


@pytest.mark.parametrize("name", ["index.html", "players", "logs", "fonts"])
def test_a_ladder_takes_the_place_of_no_other_site(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(Failure, match=f"has '{name}' in it, and no ladder: name another folder"):
        LadderJournal(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_wherever_a_crash_cuts_it_off_its_whole_lines_count_and_it_goes_on(tmp_path: Path) -> None:
    whole = written(tmp_path)
    for length in range(0, len(whole), 7):
        (tmp_path / NAME).write_bytes(whole[:length])
        kept = whole[:length].count(b"\n")
        with LadderJournal(tmp_path) as journal:
            assert journal.records == RECORDS[:kept]
            for each in RECORDS[kept:]:
                journal.append(each)
        assert (tmp_path / NAME).read_bytes() == whole


def test_what_a_crash_cut_off_is_gone_whatever_follows_and_also_if_nothing_does(tmp_path: Path) -> None:
    whole = written(tmp_path)
    cut_off = b'{"kind": "roster", ' + b"x" * 1000  # longer than any line of this journal
    (tmp_path / NAME).write_bytes(whole + cut_off)
    with LadderJournal(tmp_path):
        pass
    assert (tmp_path / NAME).read_bytes() == whole
    (tmp_path / NAME).write_bytes(whole + cut_off)
    with LadderJournal(tmp_path) as journal:
        journal.append(LadderRound((("a", "b"),)))
    with LadderJournal(tmp_path) as journal:
        assert journal.records == [*RECORDS, LadderRound((("a", "b"),))]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"nonsense\n", 6),
        (b'{"kind": "duel"}\n', 6),
        (b'{"kind": "song", "number": 1}\n', 6),
        (b'["round"]\n', 6),
        (b'{"kind": "round", "pairs": [["a"]]}\n', 6),
    ],
)
def test_a_line_that_is_none_of_its_own_is_told(line: bytes, number: int, tmp_path: Path) -> None:
    whole = written(tmp_path) + line
    (tmp_path / NAME).write_bytes(whole)
    with pytest.raises(Failure, match=rf"line {number}: this is no line of a ladder's journal\.$"):
        LadderJournal(tmp_path)
    assert (tmp_path / NAME).read_bytes() == whole


def test_the_terms_come_first_and_once(tmp_path: Path) -> None:
    whole = written(tmp_path)
    for wrong, number in ((whole.partition(b"\n")[2], 1), (whole + whole, 6)):
        (tmp_path / NAME).write_bytes(wrong)
        with pytest.raises(Failure, match=rf"line {number}: the terms of a ladder are its first line\.$"):
            LadderJournal(tmp_path)


def test_a_full_disk_is_told_in_a_sentence_and_the_lines_before_it_stand(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    whole = written(tmp_path)
    journal = LadderJournal(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 5, hard))
    try:
        with pytest.raises(Failure, match=r"journal\.jsonl cannot be written: File too large\.$"), journal:
            journal.append(RECORDS[-1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with LadderJournal(tmp_path) as journal:
        assert journal.records == RECORDS


def test_two_processes_do_not_play_one_ladder(tmp_path: Path) -> None:
    with (
        LadderJournal(tmp_path),
        pytest.raises(Failure, match=r"^Another process plays the ladder in '.*'\.$"),
    ):
        LadderJournal(tmp_path)
    with LadderJournal(tmp_path):
        pass
