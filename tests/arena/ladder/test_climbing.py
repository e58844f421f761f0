"""A ladder that is stopped anywhere goes on to the same bytes; who comes later is rated without a replay."""

from __future__ import annotations

import gzip
import html
import re
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arena.ladder.journal import NAME
from arena.ladder.standings import standings
from arena.programs.program import Limits
from chatbot.kernel.game import Failure
from tests.arena.ladder.stage import SAYS, climbed, contents, names, order, program, rules, with_house

if TYPE_CHECKING:
    from pathlib import Path

    from arena.ladder.book import LadderBook


pytestmark = pytest.mark.slow  # each duel is on the disk before the next


def ranked(book: LadderBook) -> list[str]:
    return [each.entrant.name for each in standings(book).active]


def test_who_says_more_is_ahead(tmp_path: Path) -> None:
    book = climbed(order(tmp_path / "site", "low", "chancy", "high"))
    assert ranked(book)[-1] == "builtin:low"


def test_wherever_it_was_killed_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "chancy", "high")
    climbed(ordered)
    whole = contents(ordered.site)
    journal = whole[NAME]
    ends = [place + 1 for place, byte in enumerate(journal) if byte == ord("\n")]
    for end in [0, *ends[::3]]:
        torn = end % 10  # bytes of the next line that were written
        (ordered.site / NAME).write_bytes(journal[: end + torn])
        climbed(ordered)
        assert contents(ordered.site) == whole
    shutil.rmtree(ordered.site / "logs")
    shutil.rmtree(ordered.site / "players")
    (ordered.site / NAME).write_bytes(journal[: ends[-3]])
    climbed(ordered)
    found = contents(ordered.site)
    assert {name: text for name, text in found.items() if not name.startswith("logs/")} == {
        name: text for name, text in whole.items() if not name.startswith("logs/")
    }
    assert all(whole[name] == text for name, text in found.items())


def test_a_run_that_has_nothing_to_do_changes_nothing(tmp_path: Path) -> None:
    ordered, told = order(tmp_path / "site", "low", "high"), list[str]()
    climbed(ordered)
    before = contents(ordered.site)
    climbed(replace(ordered, seed=None), told)
    assert contents(ordered.site) == before
    assert told == []


def test_without_a_seed_a_fresh_one_is_kept(tmp_path: Path) -> None:
    book = climbed(order(tmp_path / "site", "low", "high", seed=None))
    assert book.terms is not None
    assert book.terms.seed == "fresh"


def test_who_comes_later_is_rated_and_nothing_is_played_again(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high")
    before = climbed(ordered)
    after = climbed(with_house(ordered, "low", "high", "chancy"))
    assert after.duels[: len(before.duels)] == before.duels
    assert ranked(after)[0] == "builtin:high"
    assert all(
        "builtin:chancy" in names(after, each.players) for each in after.duels[len(before.duels) :][:2]
    )


def test_who_leaves_keeps_its_results_and_has_no_rank(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high", "chancy")
    climbed(ordered)
    book = climbed(with_house(ordered, "low", "high"))
    (former,) = standings(book).former
    assert former.entrant.name == "builtin:chancy"
    assert former.rank is None
    assert f"players/{former.entrant.key}.html" in contents(ordered.site)


def test_a_round_that_was_stopped_is_given_up_when_others_play(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high", "chancy")
    climbed(ordered)
    journal = contents(ordered.site)[NAME]
    lines = journal.splitlines(keepends=True)
    third = [place for place, line in enumerate(lines) if b'"duel"' in line][2]
    (ordered.site / NAME).write_bytes(b"".join(lines[:third]))
    book = climbed(with_house(ordered, "low", "high"))
    assert [each.number for each in book.duels] == [*range(1, len(book.duels) + 1)]
    assert {key for duel in book.duels[2:] for key in duel.players} == {*book.active}


@pytest.mark.parametrize("change", ["games", "seed", "game"])
def test_a_ladder_of_other_terms_is_another_one_and_nothing_is_changed(change: str, tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high")
    climbed(ordered)
    before = contents(ordered.site)
    other = {
        "games": replace(ordered, rules=rules(games=3)),
        "seed": replace(ordered, seed="t"),
        "game": replace(ordered, rules=rules(game="highshow")),
    }[change]
    with pytest.raises(Failure, match=r"is one of heist with 2 games a duel and the seed 's'; give the same"):
        climbed(other)
    assert contents(ordered.site) == before


def test_one_alone_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"^A ladder takes two players at least; --house adds built-in ones\.$"):
        climbed(order(tmp_path / "site", "low"))
    assert not (tmp_path / "site").exists()


def test_the_log_of_each_duel_is_there_and_nothing_tells_the_time(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high")
    book = climbed(ordered)
    for duel in book.duels:
        packed = (ordered.site / f"logs/{duel.number:06}.txt.gz").read_bytes()
        assert gzip.decompress(packed) == b"game 0: [1, 5]\ngame 1: [2, 10]\n" if duel.meeting % 2 else True
        assert packed[4:8] == bytes(4)  # the time in the header of gzip (RFC 1952)


def test_the_pages_load_nothing_from_elsewhere_and_have_no_script(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high")
    climbed(ordered)
    for name, content in contents(ordered.site).items():
        if name.endswith((".html", ".css")):
            text = content.decode()
            assert "<script" not in text
            assert "http:" not in text
            assert "https:" not in text
            assert "//" not in text.replace("*/", "")


def test_ratings_of_a_single_round_can_be_seen(tmp_path: Path) -> None:
    ordered = replace(order(tmp_path / "site", "low", "high"), most=1)
    climbed(ordered)
    front = contents(ordered.site)["index.html"].decode()
    assert "in 1 round;" in front
    curves = re.findall(r'<polyline[^>]* points="([^"]*)"', front)
    assert len(curves) == 2
    for corners in curves:
        (left, height), (right, same) = (each.split(",") for each in corners.split())
        assert height == same
        assert float(left) < float(right)
    lines = re.findall(r'<polyline data-line="(\d)"[^>]*><title>([^<]*)', front)
    assert sorted(lines) == re.findall(r'<li data-line="(\d)">([^<]*)', front), "the legend has their colours"


def test_the_front_page_tells_who_was_left_out_and_why_if_anybody_was(tmp_path: Path) -> None:
    program(tmp_path / "programs", "nameless", name="")
    ordered = replace(order(tmp_path / "site", "low", "high", programs=tmp_path / "programs"), most=1)
    book = climbed(ordered)
    assert book.roster is not None
    ((name, why),) = book.roster.left_out
    front = contents(ordered.site)["index.html"].decode()
    assert f"<b>{name}</b> {html.escape(why)}" in front
    everybody = replace(order(tmp_path / "other", "low", "high"), most=1)
    climbed(everybody)
    assert "Left out" not in contents(everybody.site)["index.html"].decode()


def test_a_page_of_a_player_lists_each_duel_from_its_side(tmp_path: Path) -> None:
    ordered = replace(order(tmp_path / "site", "low", "high"), most=1)
    book = climbed(ordered)
    rows = {}
    for key in book.active:
        page = contents(ordered.site)[f"players/{key}.html"].decode()
        cells = re.findall(r"<td[^>]*>(.*?)</td>", page)
        rows[names(book, [key])[0]] = [re.sub(r"<[^>]*>", "", each).strip() for each in cells][-7:]
    low, high = rows["builtin:low"], rows["builtin:high"]
    assert (low[1:3], high[1:3]) == (["builtin:high", "lost"], ["builtin:low", "won"])
    assert low[3:5] == high[4:2:-1]
    assert low[5] == high[5] == "–", "neither failed"


def test_names_and_authors_cannot_write_html(tmp_path: Path) -> None:
    for name in ("a", "b"):
        program(tmp_path / "programs", name, name=f"<b>{name}</b>", author="<img src=x onerror=y>")
    ordered = order(tmp_path / "site", programs=tmp_path / "programs")
    climbed(replace(ordered, most=1))
    for name, content in contents(ordered.site).items():
        if name.endswith(".html"):
            assert b"<img" not in content
            assert b"<b>a" not in content


def test_programs_are_tried_first_and_who_fails_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    programs, told = tmp_path / "programs", list[str]()
    program(programs, "good", SAYS.format(4))
    program(programs, "better", SAYS.format(6))
    program(programs, "quits", "sys.exit(3)")
    program(programs, "babbles", "while asked(): say('five')")
    program(programs, "breaks", "asked()['nothing']")
    program(programs, "nameless", name="")
    ordered = replace(order(tmp_path / "site", "high", programs=programs), most=2)
    book = climbed(ordered, told)
    assert ranked(book) == ["better", "builtin:high", "good"]
    assert book.roster is not None
    assert dict(book.roster.left_out).keys() == {"quits", "babbles", "breaks", "nameless"}
    left_out = dict(book.roster.left_out)
    quits, _, line = left_out["quits"].partition(" To try it: ")
    assert quits == "It failed in its trial (game 0: ended: it ended with exit code 3)."
    if (sh := shutil.which("sh")) is not None:
        done = subprocess.run([sh, "-c", line], cwd=programs / "quits", capture_output=True, check=False)
        assert done.returncode == 3
    assert left_out["babbles"].startswith("It failed in its trial (game 0: unreadable: ")
    assert left_out["breaks"].startswith(
        "It failed in its trial (game 0: ended: it ended with exit code 1); it wrote: KeyError: 'nothing'. To"
    )
    assert told[:4] == [f"{name} is left out: {why}" for name, why in sorted(left_out.items())]


def test_a_changed_program_is_a_new_entrant_and_the_former_one_stays_in_the_ratings(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    program(programs, "mine", SAYS.format(2))
    before = climbed(replace(order(tmp_path / "site", "low", "high", programs=programs), most=2))
    assert ranked(before) == ["builtin:high", "mine", "builtin:low"]
    program(programs, "mine", SAYS.format(7))
    after = climbed(replace(order(tmp_path / "site", "low", "high", programs=programs), most=3))
    assert ranked(after)[0] == "mine"
    assert [each.entrant.name for each in standings(after).former] == ["mine"]
    assert after.duels[: len(before.duels)] == before.duels


FAILS_AFTER_ITS_TRIAL = """
starts = {mark!r}
with open(starts, "a") as file:
    file.write("x")
if len(open(starts).read()) > 1:
    asked()
    sys.exit("<no view>")
while q := asked(): answer(q, 3)
"""


def test_its_page_shows_an_author_how_a_program_failed_and_how_to_see_it_again(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    own = program(programs, "mine", FAILS_AFTER_ITS_TRIAL.format(mark=(tmp_path / "starts").as_posix()))
    book = climbed(replace(order(tmp_path / "site", "low", programs=programs), most=1))
    key = next(each.key for each in book.entrants.values() if not each.house)
    page = (tmp_path / "site" / "players" / f"{key}.html").read_text(encoding="utf-8")
    shown = re.search(r"<li>Duel 1: ended: it ended with exit code 1<pre><code>(.*?)</code></pre></li>", page)
    assert shown is not None
    line = html.unescape(shown[1])
    assert str(tmp_path) not in line  # its author has it elsewhere
    assert line.endswith(" | python3 -I -S bot.py")
    if (sh := shutil.which("sh")) is not None:
        done = subprocess.run([sh, "-c", line], cwd=own, capture_output=True, text=True, check=False)
        assert done.stderr.strip() == "<no view>"
    low = next(each.key for each in book.entrants.values() if each.house)
    assert "Failures" not in (tmp_path / "site" / "players" / f"{low}.html").read_text(encoding="utf-8")


def test_what_contains_programs_is_written_down(tmp_path: Path) -> None:
    ordered = order(tmp_path / "site", "low", "high")
    book = climbed(ordered)
    assert book.roster is not None
    assert book.roster.containment in {"limits", "deadlines"}
    assert ordered.rules.limits == Limits(seconds=30.0, farewell=0.2, sandbox=False)
