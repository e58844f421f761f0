"""The reference of all settings, as tables in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.settings.fields import Entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.say import Message
    from chatbot.settings.fields import Group, Groups, Setting

LONGEST = 60  # characters of a default value
NONE = "none"  # what is written for an empty default value


def table(groups: Groups, word: Callable[[Message], str]) -> str:
    """Return one table for each group; `word` puts messages into words."""
    return "\n\n".join("\n".join(lines(each, word)) for each in groups.values()) + "\n"


def lines(group: Group, word: Callable[[Message], str]) -> Iterator[str]:
    """Yield the lines of the table of a group."""
    yield f"| `!set {group.name} …` | default | means | takes | for example |"
    yield "| --- | --- | --- | --- | --- |"
    more = ", …" if isinstance(group, Entries) else ""
    for each in settings_of(group):
        example = f"`!set {group.name} {each.key} {each.example}`"
        cells = (
            f"`{each.key}`{more}",
            _short(each.default) or NONE,
            word(each.help),
            word(each.expected),
            example,
        )
        yield f"| {' | '.join(map(_escaped, cells))} |"


def settings_of(group: Group) -> Sequence[Setting]:
    """Return the settings of a group; of one with open keys, only its example."""
    if isinstance(group, Entries):
        return [group.find(group.unset, group.example[0])]
    return group.listed(group.unset)


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
