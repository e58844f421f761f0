"""Every message that the program can say has words in every language, with the same placeholders."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as FTL  # noqa: N812  (the libraries own name for it)
from fluent.syntax.visitor import Visitor

from chatbot.kernel.game import Role, Seat
from chatbot.kernel.say import Arguments, Credits, Listing, Message, Name, Quote
from chatbot.speech.words import Words, languages

ROOT = Path(__file__).parents[3]
HOUSE = sorted((ROOT / "data" / "locales").glob("en/*.ftl"))
GAMES = sorted((ROOT / "chatbot" / "games").glob("*/locales/en.ftl"))
COMPLETE = ("en", "ko")
"""The languages that ship; another one may be as short as a line."""
FILES = [each.relative_to(ROOT).as_posix() for each in (*HOUSE, *GAMES)]
"""The English files: of the house, and of each game."""


class Variables(Visitor):
    """Collects the placeholders of a message."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: FTL.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def messages(language: str, file: str) -> dict[str, set[str]]:
    path = ROOT / re.sub(r"\ben(?=/|\.ftl$)", language, file)
    resource = FluentParser().parse(path.read_text(encoding="utf-8"))
    found = {}
    for entry in resource.body:
        assert not isinstance(entry, FTL.Junk), f"{path}: {entry.content}"
        if isinstance(entry, FTL.Message):
            assert entry.id.name not in found, f"{path} has {entry.id.name} twice"
            collector = Variables()
            collector.visit(entry)
            found[entry.id.name] = collector.names
    return found


def test_there_are_english_and_korean() -> None:
    assert {*COMPLETE} <= {*languages()}


@pytest.mark.parametrize("file", FILES)
def test_every_language_says_the_same_messages_with_the_same_placeholders(file: str) -> None:
    for language in COMPLETE:
        assert messages(language, file) == messages("en", file), language


@pytest.mark.slow
def test_every_message_that_the_code_names_exists() -> None:
    known = Words("en").ids
    for path in (ROOT / "chatbot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
                _check(node.args[0], known, path)


def _check(first: ast.expr, known: set[str], path: Path) -> None:
    """A constant must be an id; of one put together, some id must have that shape."""
    if isinstance(first, ast.IfExp):
        _check(first.body, known, path)
        _check(first.orelse, known, path)
    elif isinstance(first, ast.Constant):
        assert first.value in known, (
            f"{path.name} says {first.value!r}: add it to the locales, in English and Korean"
        )
    elif isinstance(first, ast.JoinedStr):
        shape = _shape(first)
        assert any(shape.fullmatch(each) for each in known), f"{path.name} says {shape.pattern}"


def _shape(text: ast.JoinedStr) -> re.Pattern[str]:
    parts = [str(part.value) if isinstance(part, ast.Constant) else None for part in text.values]
    return re.compile("".join(".+" if part is None else re.escape(part) for part in parts))


@pytest.mark.slow
def test_every_message_is_said_by_somebody() -> None:
    """Words that nothing uses are dead: each id stands in the code, or has the shape of one put together."""
    constants, shapes = set(), []
    for path in (path for folder in ("arena", "chatbot", "cogs") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr) and re.search(r"[a-z]\\-|-[a-z]", _shape(node).pattern):
                shapes.append(_shape(node))
    static = (ROOT / "chatbot" / "web" / "static").rglob("*")
    page = "".join(each.read_text(encoding="utf-8") for each in static if each.suffix in {".js", ".html"})
    texts = "".join((ROOT / file).read_text(encoding="utf-8") for file in FILES)
    templates = re.findall(r"`((?:overlay|page|setup|desk|board|replay)-[^`]+)`", page)
    shapes += [re.compile(re.sub(r"\$\{[^}]*\}", ".+", each)) for each in templates]
    for file in FILES:
        for each in messages("en", file):
            if f"{{ {each} }}" in texts:  # another message refers to it
                continue
            elsewhere = re.search(rf"{each}\b(?!-)", page) or re.search(r"page-mark-|^option-", each)
            assert each in constants or elsewhere or any(shape.fullmatch(each) for shape in shapes), each


@pytest.mark.parametrize("language", languages())
def test_roles_have_words(language: str) -> None:
    words = Words(language)
    assert {f"role-{role.value}" for role in Role} <= words.ids
    assert {f"a-{role.value}" for role in Role} <= words.ids


def test_an_unknown_language_message_or_placeholder_is_an_error_that_names_it() -> None:
    with pytest.raises(LookupError, match="xx"):
        Words("xx")
    with pytest.raises(LookupError, match="no-such-message"):
        Words("en").text(Message("no-such-message"), str)
    with pytest.raises(LookupError, match="name"):
        Words("en").text(Message("name"), str)


def test_a_listing_shows_the_best_and_counts_the_others() -> None:
    rows = tuple(Message("word", {"word": f"w{number}"}) for number in range(23))
    text = Words("en").text(
        Message(
            "heist-results", {"results": Listing(rows), "crew": 1, "together": "0", "who": "", "told": 0}
        ),
        str,
    )
    assert text == "Results: " + ", ".join(f"w{number}" for number in range(20)) + " and 3 more."


def test_names_and_quotes_are_made_harmless() -> None:
    args: Arguments = {"who": Name(Seat("test:x")), "balance": Credits(5)}
    text = Words("en").text(Message("credits-of", args), lambda _: "ev\u202eil\nname")
    assert text == "evil name has 5 credits."
    quoted = Words("en").text(Message("not-an-amount", {"text": Quote("a\u200bb" * 100)}), str)
    assert "\u200b" not in quoted
    assert len(quoted) < 120


def test_however_long_a_list_is_it_is_said() -> None:
    rows = tuple(
        Message("top-row", {"place": 1, "who": Name(Seat(f"t:{each}")), "balance": Credits(5)})
        for each in range(20)
    )
    shown = Words("en").text(
        Message("top", {"rows": Listing(rows)}), lambda seat: seat[2:].rjust(20, "n"), lambda name: name * 10
    )
    assert len(shown) > 4000
    assert shown.startswith("Richest: 1. nnn")
    assert shown.count("5 credits") == 20


@pytest.mark.parametrize(
    ("message", "one", "more"),
    [
        ("tables-full", "Somebody is playing here already; ", "2 are playing here already; "),
        ("rewards-row", ", one point: game with 1, once in a second", ", 2 points: game with 1, once in 2 "),
        ("rewards-row-stakeless", ", one point: ", ", 2 points: "),
        ("limit-cooldown", "one second of rest", "2 seconds of rest"),
    ],
)
def test_one_of_a_thing_is_told_as_one(message: str, one: str, more: str) -> None:
    for number, told in ((1, one), (2, more)):
        counted = dict.fromkeys(("most", "cost", "seconds", "value"), number)
        args: Arguments = {**counted, "title": "title", "game": "game", "stake": 1, "word": "!word"}
        assert told in Words("en").text(Message(message, args), str)


def test_a_text_that_is_said_again_is_that_of_its_own_variant() -> None:
    words, plain = Words("en", {"heist-note-over": "Over. || Gone."}), Words("en")
    for _ in range(2):
        said = [words.text(Message("heist-note-over", variant=each), str) for each in range(4)]
        assert said == ["Over.", "Gone.", "Over.", "Gone."]
        assert plain.text(Message("heist-note-over"), str) == "The dust has settled."
