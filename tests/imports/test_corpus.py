"""Files as other bots, spreadsheets and people write them, each with what must come out.

`form` in corpus.json says where the form of a real export is described; the people in it are invented.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from chatbot.community.imports.columns import Columns
from chatbot.community.imports.reading import ReadingOptions, read
from chatbot.community.imports.sheets import SheetError

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "corpus.json").read_text(encoding="utf-8"))
COLUMNS = "name", "id", "credits", "watched", "watched_unit", "ids_only"


def options(case: dict[str, Any]) -> ReadingOptions:
    values = case.get("options", {})
    columns = {name: value for name, value in values.items() if name in COLUMNS}
    others = {name: value for name, value in values.items() if name not in COLUMNS}
    return ReadingOptions(columns=Columns(**columns), **others)


def called(case: dict[str, Any]) -> str:
    said = ",".join(f"{name}={value}" for name, value in case.get("options", {}).items())
    return f"{case['file']} {said}".strip()


@pytest.mark.parametrize("case", CASES, ids=called)
def test_a_file_brings_what_it_says_or_a_sentence(case: dict[str, Any]) -> None:
    content = (HERE / "corpus" / case["file"]).read_bytes()
    if "refused" in case:
        with pytest.raises(SheetError, match=case["refused"]):
            read(content, options(case))
        return
    file = read(content, options(case))
    assert [[*row] for row in file.rows] == case["rows"]
    assert file.rows.fault_count == case["left_out"]
    for notice in case["notices"]:
        assert any(re.search(notice, each) for each in file.notices), file.notices
    file.rows.close()


def test_the_corpus_is_as_large_as_it_is_said_to_be() -> None:
    files = {each.name for each in (HERE / "corpus").iterdir()}
    assert files == {case["file"] for case in CASES}
    assert len(files) >= 60
    assert len({case["form"] for case in CASES if case["form"]}) >= 20
