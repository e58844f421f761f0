"""The patterns behind messages: what can stand in one, and somebody's own text in its place.

Whoever writes a text of their own writes `{who}` where a name shall stand. Everything else in it is taken
as it is: nothing of what the files of words can do happens there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fluent.syntax import ast as FTL  # noqa: N812  (the libraries own name for it)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLACE = re.compile(r"\{\s*\$?([^{}]*[^{}\s])\s*\}")


def placeholders(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> dict[str, FTL.Placeable]:
    """Find what can stand in a message, in all of its variants, and how each is written there."""
    found: dict[str, FTL.Placeable] = {}
    for name, placeable in _places(message.value, entries):
        plain = isinstance(placeable.expression, FTL.VariableReference)
        if name not in found or not plain:
            found[name] = placeable
    return found


def typed(message: FTL.Message, entries: Mapping[str, FTL.Message]) -> str:
    """Write a message as somebody would type it; of several variants, the usual one."""
    return " ".join(_typed(message.value, entries).split())


def named(text: str) -> list[str]:
    """List what a text that somebody typed has between braces."""
    return list(dict.fromkeys(PLACE.findall(text)))


def written(message: str, text: str, shown: Mapping[str, FTL.Placeable]) -> FTL.Message:
    """Make a message of what somebody typed; what is not `shown` between braces stays as it is."""
    elements: list[FTL.TextElement | FTL.Placeable] = []
    end = 0
    for place in PLACE.finditer(text):
        if place[1] in shown:
            elements += [FTL.TextElement(text[end : place.start()]), shown[place[1]]]
            end = place.end()
    return FTL.Message(FTL.Identifier(message), FTL.Pattern([*elements, FTL.TextElement(text[end:])]))


def variants(message: FTL.Message) -> int:
    """Count the variants of a message that is nothing but a choice between some."""
    expressions = [each.expression for each in _placeables(message.value)]
    return sum(len(each.variants) for each in expressions if isinstance(each, FTL.SelectExpression))


def _placeables(pattern: FTL.Pattern | None) -> Iterator[FTL.Placeable]:
    yield from (each for each in pattern.elements if isinstance(each, FTL.Placeable)) if pattern else ()


def _places(
    pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message]
) -> Iterator[tuple[str, FTL.Placeable]]:
    for placeable in _placeables(pattern):
        match placeable.expression:
            case FTL.VariableReference() as variable:
                yield variable.id.name, placeable
            case FTL.FunctionReference() as function:
                yield _argument(function), placeable
            case FTL.MessageReference() as other:
                yield from _places(*_referred(other, entries))
            case FTL.SelectExpression() as choice:
                if isinstance(choice.selector, FTL.VariableReference):
                    yield choice.selector.id.name, FTL.Placeable(choice.selector)
                for variant in choice.variants:
                    yield from _places(variant.value, entries)


def _typed(pattern: FTL.Pattern | None, entries: Mapping[str, FTL.Message]) -> str:
    return "".join(_part(each, entries) for each in pattern.elements) if pattern else ""


def _part(element: FTL.TextElement | FTL.Placeable, entries: Mapping[str, FTL.Message]) -> str:
    expression = element.expression if isinstance(element, FTL.Placeable) else element
    text = ""
    match expression:
        case FTL.TextElement() | FTL.StringLiteral():
            text = str(expression.value)
        case FTL.VariableReference():
            text = f"{{{expression.id.name}}}"
        case FTL.FunctionReference():
            text = f"{{{_argument(expression)}}}"
        case FTL.MessageReference():
            text = _typed(*_referred(expression, entries))
        case FTL.SelectExpression():
            text = "".join(_typed(each.value, entries) for each in expression.variants if each.default)
    return text


def _referred(
    other: FTL.MessageReference, entries: Mapping[str, FTL.Message]
) -> tuple[FTL.Pattern | None, Mapping[str, FTL.Message]]:
    """Find the pattern that stands in another, if it is there; nothing stands in itself."""
    found = entries.get(other.id.name)
    others = {name: each for name, each in entries.items() if name != other.id.name}
    return found.value if found else None, others


def _argument(function: FTL.FunctionReference) -> str:
    first = next(iter(function.arguments.positional), None)
    return first.id.name if isinstance(first, FTL.VariableReference) else ""
