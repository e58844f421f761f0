"""A file of Fluent that is parsed piece by piece, and late, is what the parser makes of it as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chatbot.speech.fluent_entries import FluentEntry, LazyMessages, entries_of, references

ROOT = Path(__file__).parents[3]
FILES = sorted(
    [
        *ROOT.glob("data/locales/*/*.ftl"),
        *ROOT.glob("data/themes/*/*.ftl"),
        *ROOT.glob("chatbot/games/*/locales/*.ftl"),
    ]
)
PIECES = (
    "a = text\n",
    "a-b = { $who } and { other }\n",
    "b =\n    block { NUMBER($x) }\n  of two\n",
    "c = { $n ->\n    [one] { $n } credit\n   *[other] { $n } credits\n  } more\n",
    "d = {\n",
    "}\n",
    "{ $who }\n",
    "    .text-2 = other\n",
    "    continued\n",
    "e = \n",
    "-term = { $n ->\n[0] x\n*[other] y\n}\n",
    'f = {"{rank}"} of { -term }\n',
    "# a comment\n",
    "### of the file\n",
    "#no comment\n",
    "#### none either\n",
    "no message\n",
    "\n",
    "  \n",
    "g = { f($x) }{ h.text }{ -1 }\n",
    "h = last without an end",
)


def assert_same(source: str) -> None:
    """Require that the pieces of a text are those that the parser finds in all of it."""
    found, junk = entries_of(source)
    body = FluentParser(with_spans=False).parse(source).body
    expected = [each for each in body if isinstance(each, FTL.Message | FTL.Term)]
    assert list(junk) == [each.content for each in body if isinstance(each, FTL.Junk)]
    assert [each.node.id.name for each in found] == [each.id.name for each in expected]
    for entry, node in zip(found, expected, strict=True):
        assert entry.id.startswith("-") == isinstance(node, FTL.Term)
        assert entry.is_text == (node.value is not None)
        assert entry.node.equals(node, ignored_fields=["span", "comment"]), entry.node.to_json()


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.relative_to(ROOT).as_posix())
def test_every_file_that_ships_is_read_as_the_parser_reads_it_and_nearly_all_of_it_late(file: Path) -> None:
    source = file.read_text(encoding="utf-8-sig")
    found, junk = entries_of(source)
    assert junk == ()
    assert sum(each._node is not None for each in found) <= len(found) / 10 + 1
    assert_same(source)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
@example("a = {\nb = text\n}\n")
@example("a = text\n{ $who }\n")
@example("a = text\n\n    continued\n")
@example("# a comment\n    continued\na = text\n")
@example(" a = text\n")
@example("#")
@example("a = { $n->\n   *[other] b\n}\n")
def test_pieces_in_any_order_are_read_as_the_parser_reads_them(source: str) -> None:
    assert_same(source)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_file_with_a_slip_of_the_pen_is_read_as_the_parser_reads_it(data: st.DataObject) -> None:
    source = "".join(data.draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5)))
    place = data.draw(st.integers(0, len(source)))
    written = data.draw(st.text('{}[]*.-#$">= \n\tax0', max_size=3))
    assert_same(source[:place] + written + source[place + data.draw(st.integers(0, 2)) :])


def test_what_is_only_looked_for_is_not_parsed() -> None:
    entries, _ = entries_of("a = text\nb = { a }\n-c = term\nd =\n    .text = nothing else\n")
    messages = LazyMessages(entries)
    assert list(messages) == ["a", "b"]
    assert len(messages) == 2
    assert "a" in messages
    assert "-c" not in messages
    assert [each._node for each in messages.entries] == [None, None]
    assert references(messages["b"]) == {"a"}
    assert [each._node is None for each in messages.entries] == [True, False]


def test_of_several_messages_for_one_id_the_last_is_found() -> None:
    entries, _ = entries_of("a = text\na = other\n")
    found = LazyMessages(entries)["a"]
    assert found.value is not None
    assert [each.to_json()["value"] for each in found.value.elements] == ["other"]


def test_an_entry_that_is_none_is_no_message() -> None:
    with pytest.raises(ValueError, match=r"expected an entry, got 'a = \{ '"):
        _ = FluentEntry("a", "a = { ").node
