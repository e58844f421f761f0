"""JavaScript and Python agree about tables byte for byte, and both catch whoever tampers with a replay."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from itertools import islice

import pytest

from chatbot.ledger.books.journal import VOID as CALLED_OFF
from tests.web.board.checking import (
    NODE,
    Asked,
    in_javascript,
    is_caught_in_javascript,
    is_caught_in_python,
    report,
    told_of,
)
from tests.web.board.evenings import Documents, many
from tests.web.board.tamperings import GAMES, TAMPERINGS, VOID

pytestmark = [pytest.mark.slow, pytest.mark.skipif(NODE is None, reason="node is not installed")]

FEW, MANY = 30, 1_000  # tables
FIRST = int(os.environ.get("EVENING_SEED", "1"))
"""The seed of the first evening whose tables are compared."""


def agree(count: int) -> Counter[str]:
    """Compare what both report of so many tables; return how many of each game there were."""
    documents, games = Documents(), Counter[str]()
    tables = many(count, FIRST)
    while some := list(islice(tables, 100)):
        asked = [Asked(documents.write(each), told_of(each)) for each in some]
        for record, result in zip(some, in_javascript(asked), strict=True):
            assert "failure" not in result, (record.id, result)
            assert [each for each in result["findings"] if not each["holds"]] == [], record.id
            assert result["report"].encode() == report(record).encode(), record.id
            games[record.game] += 1
    return games


def test_javascript_and_python_agree_about_tables_byte_for_byte() -> None:
    assert agree(FEW).total() == FEW


@pytest.mark.nightly
def test_javascript_and_python_agree_about_a_thousand_tables_of_all_games() -> None:
    games = agree(MANY)
    assert games.total() == MANY
    assert set(games) == set(GAMES)


def test_there_are_a_hundred_kinds_of_tampering_at_least() -> None:
    assert len({each.name for each in TAMPERINGS}) == len(TAMPERINGS) >= 100


@cache
def _tables() -> dict[str, tuple[str, dict[str, str]]]:
    """Return a document of each game, and of a table that was called off, with what the chat was told."""
    documents, chosen = Documents(), dict[str, tuple[str, dict[str, str]]]()
    for record in many(400):
        kind = VOID if record.state == CALLED_OFF else record.game
        if kind in chosen or not any(step.entries for step in record.steps):
            continue
        text = documents.write(record)
        content = json.loads(text)
        if kind == VOID and not record.others:
            continue
        if kind != VOID and (len(content["frames"]) < 2 or not content["draws"]):
            continue
        if kind in {"chickenpoker", "sixcardpoker"} and not content["choices"]:
            continue
        chosen[kind] = text, told_of(record)
        if len(chosen) == len(GAMES) + 1:
            break
    return chosen


BY_WHAT_WAS_TOLD = {
    "javascript": {
        "another room",
        "a later version",
        "an end at another time",
        "an opening at another time",
        "another posting",
        "a turn without an action",
        "an action of no game",
        "a payment to somebody else",
        "a payment by somebody else",
        "a payment for another reason",
        *(
            f"{what} of {game}"
            for game in ("heist", "highshow")
            for what in ("a payment less", "a payment twice")
        ),
        *(
            f"{what} of {game}"
            for game in GAMES
            for what in (
                "a setting more",
                "one setting less",
                "another one who acted",
                "an action with a field more",
            )
        ),
    },
    "python": {
        "another room",
        "an end at another time",
        "an opening at another time",
        "another posting",
        "a posting twice",
        "another one who acted of chickenpoker",
        "another one who acted of pokermarket",
        *(
            f"{what} of {game}"
            for game in GAMES
            for what in ("one setting less", "an action with a field more")
        ),
    },
}
"""Kinds that leave a story which is possible in itself: who forges so makes all hashes anew, and only a hash
that the chat was told tells their file from the true one. To JavaScript, which does not know the rules, more
stories are possible."""


def test_both_catch_a_hundred_kinds_of_tampering() -> None:
    tables = _tables()
    others = {
        kind: (json.loads(text), json.loads(json.loads(text)["proof"])) for kind, (text, _) in tables.items()
    }
    whole = [Asked(*each) for each in tables.values()]
    assert not any(map(is_caught_in_python, whole))
    assert not any(map(is_caught_in_javascript, in_javascript(whole)))
    tampered = [Asked(each.apply(tables[each.game][0], others), tables[each.game][1]) for each in TAMPERINGS]
    kinds = [each.name for each in TAMPERINGS]
    javascript = dict(zip(kinds, map(is_caught_in_javascript, in_javascript(tampered)), strict=True))
    python = dict(zip(kinds, map(is_caught_in_python, tampered), strict=True))
    assert [kind for kind, is_caught in javascript.items() if not is_caught] == []
    assert [kind for kind, is_caught in python.items() if not is_caught] == []
    untold = [Asked(each.text, {}) for each in tampered]
    javascript = dict(zip(kinds, map(is_caught_in_javascript, in_javascript(untold)), strict=True))
    python = dict(zip(kinds, map(is_caught_in_python, untold), strict=True))
    assert {kind for kind, is_caught in javascript.items() if not is_caught} == BY_WHAT_WAS_TOLD["javascript"]
    assert {kind for kind, is_caught in python.items() if not is_caught} == BY_WHAT_WAS_TOLD["python"]
