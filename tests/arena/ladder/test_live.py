"""While a ladder is played, a file says what is going on, and it follows from the journal alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from arena.ladder import ladder
from arena.ladder.book import LadderBook
from arena.ladder.journal import LadderJournal
from arena.ladder.live import LIVE, live, write_live
from arena.ladder.standings import standings
from chatbot.kernel.game import Failure
from tests.arena.ladder.stage import SAYS, climbed, order, program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # each duel is on the disk before the next


def read(site: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((site / LIVE).read_text(encoding="utf-8"))
    return content


def test_while_it_is_played_it_says_who_plays_and_who_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[dict[str, Any]]()
    write = write_live

    def noting(folder: Path, book: LadderBook, *, over: bool = False) -> None:
        write(folder, book, over=over)
        seen.append(read(folder))

    monkeypatch.setattr(ladder, "write_live", noting)
    monkeypatch.setattr(ladder, "_INTERVAL", 0.0)
    book = climbed(order(tmp_path / "site", "low", "chancy", "high"))
    assert seen[0]["duels"] == 0
    assert seen[0]["results"] == []
    names = {"builtin:low", "builtin:chancy", "builtin:high"}
    running = [each for each in seen if each["playing"]]
    assert len(running) >= len(book.duels)
    for each in running:
        assert {player["name"] for player in each["playing"]} < names
    played = [[book.entrants[key].name for key in duel.players] for duel in book.duels]
    told = {each["duels"]: [player["name"] for player in each["playing"]] for each in running}
    assert [told[number] for number in range(len(played))] == played
    of_round = [each for each in running if each["round"] == 1]
    assert len(of_round[0]["next"]) == len(of_round) - 1
    assert [len(each["next"]) for each in of_round] == list(range(len(of_round)))[::-1]
    assert not seen[-1]["playing"]
    assert seen[-1]["over"]


def test_at_its_end_it_has_the_table_and_the_last_results(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    program(programs, "mine", SAYS.format(3))
    book = climbed(replace(order(tmp_path / "site", "low", "high", programs=programs), most=4))
    content = read(tmp_path / "site")
    assert content["over"] is True
    assert (content["playing"], content["next"]) == (None, [])
    assert [each["name"] for each in content["ratings"]] == ["builtin:high", "mine", "builtin:low"]
    assert [each["rank"] for each in content["ratings"]] == [1, 2, 3]
    places = standings(book).active
    assert [each["rating"] for each in content["ratings"]] == [round(each.rating.points) for each in places]
    assert [each["author"] for each in content["ratings"]] == ["", "Ann", ""]
    newest = content["results"][0]
    assert newest["duel"] == len(book.duels)
    assert len(content["results"]) == min(5, len(book.duels))
    for each in content["results"]:
        scores = [float(score) for score in each["scores"]]
        assert each["winner"] == (None if scores[0] == scores[1] else scores.index(max(scores)))


def test_it_follows_from_the_journal_alone(tmp_path: Path) -> None:
    climbed(order(tmp_path / "site", "low", "high"))
    with LadderJournal(tmp_path / "site") as journal:
        again = LadderBook(journal.records)
    assert live(again, over=True) == read(tmp_path / "site")


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    book = climbed(order(tmp_path / "site", "low", "high"))
    with pytest.raises(Failure, match="cannot be written"):
        write_live(tmp_path / "nowhere", book)
