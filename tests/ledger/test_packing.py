"""What is packed comes back to the last letter, for ever; and what would not is refused."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.kernel.game import Seat
from chatbot.ledger.archive import packing
from chatbot.ledger.archive.packing import (
    Head,
    PostingRow,
    StepRow,
    TableRows,
    TransferRow,
    TurnRow,
    Unpackable,
)
from chatbot.ledger.books import purses
from chatbot.ledger.books.purses import Purse

HEAD = Head("0011223344", "twitch-1", 1_000_000, 1_060_000)
ANN, POT = purses.wallet("twitch-1", Seat("twitch:7")), purses.pot("twitch-1", "0011223344")
BOOKED = TableRows.of(
    '{"rake":5}',
    bytes(range(32)),
    [
        PostingRow("line:tw:a", "twitch-1", 1, 1_000_000),
        PostingRow("clock:0011223344:2", "twitch-1", 1, 1_060_000),
    ],
    [
        TransferRow("line:tw:a", 1, "twitch-1", HEAD.id, ANN, POT, 50, "stake", "twitch:7", 1_000_000),
        TransferRow(
            "clock:0011223344:2",
            1,
            "twitch-1",
            HEAD.id,
            POT,
            ANN,
            50,
            "won",
            "",
            1_060_000,
        ),
    ],
    [
        TurnRow(
            HEAD.id, 1, '{"Sit":{"seat":"twitch:7","record":null}}', '{"twitch:7":240}', "tw:a", 1_000_000
        ),
        TurnRow(HEAD.id, 2, '{"Timeout":{"phase":"lobby","seconds":60}}', "{}", "", 1_060_000),
    ],
    [StepRow("line:tw:a", HEAD.id, 1, 1), StepRow("clock:0011223344:2", HEAD.id, 2, 1)],
)
# What version 1 has once written, of BOOKED: it must be read as long as there are archives.
WRITTEN = (
    "01a598c90dc4300c035be2c8cee56e9cab8060816d7f0567910bc92b6fe933904810749265355db70e0744a6a0a"
    "84ab5e7fa569db27a0d1a35694680118854d434b474647a064626e6b3f5fc3bdae660339f6fca4503dbac74b5f9"
    "460f878dab2ef65972fa8730bb5ece81300b21c6642fffbc74217bf8f801"
)
DICTIONARY = "6e4a6a3587f4d7b9911691ce21eae007764eb2f901dc872c6326a8b78a13a131"
DIGEST = "bfa4b0b63b24aa5b6b58eaf9040e69e47dda2f5e02a1f7156f7e7c391b786c25"


def test_what_was_packed_once_is_read_for_ever() -> None:
    assert packing.unpack(HEAD, bytes.fromhex(WRITTEN)) == BOOKED
    assert packing.pack(HEAD, BOOKED)[1].hex() == DIGEST


def test_the_dictionary_is_the_one_that_it_was() -> None:
    assert hashlib.sha256(packing._dictionary()).hexdigest() == DICTIONARY


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(TEXTS, TEXTS, TEXTS, TEXTS, st.integers(1, 10**15))
def test_texts_of_any_kind_come_back(action: str, line: str, why: str, seat: str, credits_: int) -> None:
    turn, second = BOOKED.turns
    moved, last = BOOKED.transfers[1], BOOKED.transfers[0]
    wallet = Purse("player", "twitch-2" if line else "twitch-1", seat)
    changed = replace(
        BOOKED,
        turns=(turn._replace(action=action, purses=action, line=line), second),
        transfers=(last, moved._replace(source=wallet, credits=credits_, why=f"w{why}")),
    )
    assert packing.unpack(HEAD, packing.pack(HEAD, changed)[0]) == changed


@pytest.mark.parametrize(
    "wrong",
    [
        replace(BOOKED, turns=BOOKED.turns[:1]),
        replace(BOOKED, postings=BOOKED.postings[:1]),
        replace(BOOKED, turns=(BOOKED.turns[0], BOOKED.turns[1]._replace(at=7))),
        replace(BOOKED, steps=(BOOKED.steps[0]._replace(turn=2), BOOKED.steps[1])),
        replace(BOOKED, transfers=(BOOKED.transfers[0]._replace(number=2), BOOKED.transfers[1])),
        replace(BOOKED, transfers=(BOOKED.transfers[0]._replace(community="other"), BOOKED.transfers[1])),
    ],
)
def test_rows_that_would_not_come_back_are_refused(wrong: TableRows) -> None:
    with pytest.raises(Unpackable, match=HEAD.id):
        packing.pack(HEAD, wrong)


@pytest.mark.parametrize("body", [b"", b"\x01", b"\x02abc", b"\x01abcdefgh", bytes.fromhex(WRITTEN)[:-3]])
def test_what_is_damaged_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError, match="archive"):
        packing.unpack(HEAD, body)
