"""Texts cut to what Discord takes; it does not say how it counts, so UTF-16, the stricter way, is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 1990  # units of a message: Discord takes 2000


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shortened(text: str, most: int) -> str:
    """Cut at a word; a longer word is cut too. Nothing becomes a mark that shows nothing."""
    if units(text) <= most:
        return text or "\N{ZERO WIDTH SPACE}"
    while units(text) > most - 1:
        head, _, _ = text.rpartition(" ")
        text = head if units(head) > most // 2 else text[:-1]
    return text.rstrip(" ,;:.\\") + "…"


def pieces(text: str) -> list[str]:
    """Cut a text at words so that each piece fits into one message."""
    if units(text) <= LONGEST:
        return [text]
    half = text.rfind(" ", 1, len(text) // 2 + 1)
    cut = half if half > 0 else len(text) // 2
    return [*pieces(text[:cut].rstrip()), *pieces(text[cut:].lstrip())]


def fitted(rows: Sequence[str], most: int) -> tuple[str, int]:
    """Join the rows that fit, each on a line; gives also how many do not."""
    kept: list[str] = []
    size = 0
    for row in rows:
        size += units(row) + 1
        if size > most:
            break
        kept.append(row)
    return "\n".join(kept), len(rows) - len(kept)
