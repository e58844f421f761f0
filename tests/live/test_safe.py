"""A name is shown as one plain, short line, whatever somebody made of it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatbot.live.safe import isolated, safe_text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ann", "ann"),
        ("  ann  bee ", "ann bee"),
        ("ann\nbob", "ann bob"),
        ("\u202eevil", "evil"),  # right-to-left override
        ("a\u200bb\u2060c\ufeffd", "abcd"),  # zero width
        ("\uff41\uff4e\uff4e", "ann"),  # full width
        ("a\x00\x1b[31mb", "a[31mb"),
        ("김철수", "김철수"),
        ("", "?"),
        ("\u200b", "?"),
        ("z" + "\u0335" * 30, "z" + "\u0335" * 2),  # marks piled on a letter
        ("x" * 40, "x" * 31 + "…"),
    ],
)
def test_hostile_names_become_plain(name: str, shown: str) -> None:
    assert safe_text(name) == shown


def test_only_what_is_written_from_right_to_left_is_isolated() -> None:
    assert isolated("ann") == "ann"
    assert isolated("\u05d0\u05d1") == "\u2068\u05d0\u05d1\u2069"


@given(st.text(max_size=200))
def test_no_name_is_long_empty_or_hides_anything(name: str) -> None:
    shown = safe_text(name)
    assert 1 <= len(shown) <= 32
    assert not any(unicodedata.category(each) in {"Cc", "Cf", "Zl", "Zp"} for each in shown)
    assert shown == shown.strip()
