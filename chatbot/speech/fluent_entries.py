"""The entries of a file of Fluent, each of which is parsed when it is first used.

To parse the 2,000 messages of a language takes 0.15 s, and an evening uses a few hundred of them. So a file
is only cut into its entries, and those are left for later that a regular expression shows to be well-formed.
All others are parsed at once. If one of these is not well-formed, the whole file is, because only the parser
knows where the next entry begins then. The result is in any case what the parser makes of the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from fluent.syntax import FluentParser
from fluent.syntax import ast as FTL  # noqa: N812  (the name in Fluent's documentation)
from fluent.syntax.visitor import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Where each piece stands in its file takes 4 MB, and nobody asks.
_PARSER = FluentParser(with_spans=False)

FluentNode: TypeAlias = FTL.Message | FTL.Term

_NAME = "[a-zA-Z][a-zA-Z0-9_-]*+"  # whose hyphen is never the first character of an arrow
_PLACEABLE = rf'\{{ *(?:\$?{_NAME}|[A-Z][A-Z0-9_-]*+\(\${_NAME}\)|"[^"\\\n\r]*") *\}}'
_TEXT = rf"(?: *(?:[^ {{}}\n\r]|{_PLACEABLE}))+ *"
_VARIANT = rf"\[(?:{_NAME}|-?[0-9]+)\] *{_TEXT}\n *"
_CHOICE = rf"\{{ *\${_NAME} *-> *\n *(?:{_VARIANT})*\*{_VARIANT}(?:{_VARIANT})*\}}"
_TEXTS = rf"(?: *(?:[^ {{}}\n\r]|{_PLACEABLE}|{_CHOICE}))+ *"
_BLANK = r"(?:\n *)*"
_COMMENT = re.compile(rf"#{{1,3}}(?: [^\n\r]*|(?=\n)){_BLANK}")
_SIMPLE = re.compile(rf"(-?{_NAME}) *= *{_TEXTS}(?:\n{_BLANK} +\.{_NAME} *= *{_TEXTS})*{_BLANK}")
"""An entry that the parser takes without an error: texts of one line with simple placeholders and choices."""
_START = re.compile(r"^(?=[a-zA-Z#-])", re.MULTILINE)
"""Before a line at which the parser goes on after an error, and before no other line of such an entry."""


class FluentEntry:
    """A message or term by its id, which begins with `-` for a term; `is_text` says whether it has a text.

    Others have only attributes.
    """

    __slots__ = ("_node", "_source", "id", "is_text")

    def __init__(
        self, name: str, source: str, node: FluentNode | None = None, *, is_text: bool = True
    ) -> None:
        self.id, self.is_text = name, is_text
        self._source, self._node = source, node

    @classmethod
    def of(cls, node: FluentNode) -> FluentEntry:
        """Return the entry of a message or term that was parsed already."""
        name = node.id.name if isinstance(node, FTL.Message) else f"-{node.id.name}"
        return cls(name, "", node, is_text=node.value is not None)

    @property
    def node(self) -> FluentNode:
        """The message or term.

        Raises:
            ValueError: the parser does not take it after all.
        """
        if self._node is None:
            node = _PARSER.parse_entry(self._source)
            if not isinstance(node, FTL.Message | FTL.Term):
                raise ValueError(f"expected an entry, got {self._source!r}")
            self._node, self._source = node, ""
        return self._node

    @property
    def is_message(self) -> bool:
        """Whether it is a message with a text."""
        return self.is_text and not self.id.startswith("-")


class LazyMessages(Mapping[str, FTL.Message]):
    """Messages by their ids, each parsed when it is first looked up; of several for one id, the last."""

    def __init__(self, entries: Iterable[FluentEntry]) -> None:
        self._entries = {each.id: each for each in entries if each.is_message}

    def __getitem__(self, name: str) -> FTL.Message:
        node = self._entries[name].node
        assert isinstance(node, FTL.Message), f"expected a message, got {node!r}"  # noqa: S101
        return node

    def __contains__(self, name: object) -> bool:  # that of `Mapping` would parse it
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entries(self) -> Iterable[FluentEntry]:
        """What it consists of."""
        return self._entries.values()


def entries_of(source: str) -> tuple[Sequence[FluentEntry], Sequence[str]]:
    """Return the entries of the text of a file in their order, and the texts that are none."""
    start, *pieces = _START.split(source)
    if start.strip(" \n"):
        return _parsed(source)
    entries: list[FluentEntry] = []
    for piece in pieces:
        simple = _SIMPLE.fullmatch(piece)
        if simple is not None:
            entries.append(FluentEntry(simple[1], piece))
        elif _COMMENT.fullmatch(piece) is None:
            nodes, junk = _parsed(piece)
            if junk:
                return _parsed(source)
            entries += nodes
    return entries, ()


def references(node: FluentNode) -> frozenset[str]:
    """Return the ids of the messages and terms to which a message or term refers."""
    collector = _References()
    collector.visit(node)
    return frozenset(collector.ids)


def _parsed(source: str) -> tuple[Sequence[FluentEntry], Sequence[str]]:
    body = _PARSER.parse(source).body
    entries = [FluentEntry.of(each) for each in body if isinstance(each, FTL.Message | FTL.Term)]
    return entries, [str(each.content) for each in body if isinstance(each, FTL.Junk)]


class _References(Visitor):
    def __init__(self) -> None:
        self.ids: set[str] = set()

    def visit_MessageReference(self, node: FTL.MessageReference) -> None:  # noqa: N802
        self.ids.add(node.id.name)

    def visit_TermReference(self, node: FTL.TermReference) -> None:  # noqa: N802
        self.ids.add(f"-{node.id.name}")
        self.generic_visit(node)
