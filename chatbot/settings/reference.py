"""All settings there are, as a table in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatbot.settings.fields import Entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.say import Message
    from chatbot.settings.fields import Group, Groups, Setting

LONGEST, NONE = 60, "none"  # of a default: characters, and what stands for one that is empty


def table(groups: Groups, word: Callable[[Message], str]) -> str:
    """Write one table for each group."""
    return "\n\n".join("\n".join(lines(each, word)) for each in groups.values()) + "\n"


def lines(group: Group, word: Callable[[Message], str]) -> Iterator[str]:
    """Write the table of one group, line by line."""
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
    """List the settings of a group; one where keys are open, for example."""
    if isinstance(group, Entries):
        return [group.find(group.unset, group.example[0])]
    return group.listed(group.unset)


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
