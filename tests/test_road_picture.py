"""The picture of a line's way says how many calls go up and down between the packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.road_picture import drawn

SVG = "{http://www.w3.org/2000/svg}"
BEFORE = {("bot", "speech"): 2, ("speech", "rooms"): 5, ("event loop", "bot"): 1}
NOW = {("bot", "rooms"): 4, ("rooms", "a new one"): 1}


def test_a_picture_counts_the_calls_between_packages_and_those_that_go_up() -> None:
    picture = ET.fromstring(drawn("!heist <69>", {"467d90f8": BEFORE, "now": NOW}))  # noqa: S314
    texts = [each.text for each in picture.iter(f"{SVG}text")]
    assert texts[0] == "!heist <69>"
    assert "467d90f8: 8 calls between 3 packages, 5 of them up" in texts
    assert "now: 5 calls between 3 packages, 0 of them up" in texts
    assert texts.count("a new one") == 2, "each panel has all packages, a strange one at the bottom"
    assert texts.index("a new one") > texts.index("speech")


def test_calls_up_are_drawn_at_the_other_side_in_another_colour() -> None:
    picture = ET.fromstring(drawn("!credits", {"now": BEFORE}))  # noqa: S314
    arcs = [each.attrib for each in picture.iter(f"{SVG}path")]
    assert sorted(each["stroke"] for each in arcs) == ["#2563a8", "#2563a8", "#c2352b"]
    (up,) = [each["d"] for each in arcs if each["stroke"] == "#c2352b"]
    others = [each["d"] for each in arcs if each["stroke"] != "#c2352b"]
    start = float(up[1:].split()[0])
    assert all(float(each[1:].split()[0]) > start for each in others)
    assert [each.text for each in picture.iter(f"{SVG}text") if each.text == "5"] == ["5"]


@pytest.mark.slow
def test_the_way_of_a_line_is_drawn_alone_where_there_is_no_such_commit(tmp_path: Path) -> None:
    file = tmp_path / "way.svg"
    words = ["--picture", str(file), "--line", "!credits", "--vs", "no-such-commit"]
    command = [sys.executable, "-m", "benchmarks.road", *words]
    process = subprocess.run(
        command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True
    )
    assert "The commit no-such-commit is not in this copy of the project." in process.stderr
    texts = [each.text or "" for each in ET.fromstring(file.read_text("utf-8")).iter(f"{SVG}text")]  # noqa: S314
    assert texts[0] == "!credits"
    assert {"bot", "community", "ledger", "kernel"} <= {*texts}
    assert len([each for each in texts if each.startswith("now: ")]) == 1


@pytest.mark.slow
def test_a_folder_that_is_not_there_is_said_before_anything_is_counted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.road", "--picture", str(tmp_path / "gone" / "way.svg")]
    process = subprocess.run(
        command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert process.stderr.splitlines()[-1].endswith(f"--picture: there is no folder {tmp_path / 'gone'}")
