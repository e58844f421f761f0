"""Holds what moderators did against what they typed: audit rows, settings and the credits they moved."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chatbot.kernel.house_seats import HOUSE
from tests.simulator.keeping import KEEPERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.simulator.books import Books, ChangeSet, Choices
    from tests.simulator.lines import Spoken
    from tests.simulator.world import World

COMMUNITY = frozenset({"credits", "earning", "excluded", "regulars"})  # groups that count in all its rooms
WORDS = frozenset(
    {
        "!set", "!preset", "!talk", "!pause", "!unpause", "!enable", "!exclude", "!grant", "!take", "!undo",
    }
)  # fmt: skip
"""What a moderator must have typed for a setting or a purse to be changed."""
ASKED = {
    "setting": WORDS | {"!confirm"},  # of a preset that overwrites something
    "season": frozenset({"!confirm", "!undo"}),
    "link": frozenset({"!link", "!unlink"}),
    **dict.fromkeys(("void", "due"), frozenset({"!cancel"})),
}
"""What must have been typed for changes of other kinds."""


def owner(group: str, room: str, community: str) -> str:
    """Name whose settings a group's are."""
    return f"community {community}" if group in COMMUNITY else room


class ChangeSets:
    """`settings` are those that there were before anybody changed one."""

    def __init__(self, settings: Choices) -> None:
        self._settings = {key: dict(values) for key, values in settings.items()}
        self._seen = 0  # rows that have been looked at

    def breaches(self, books: Books, spoken: Mapping[str, Spoken]) -> Iterator[str]:
        """Tell what was done otherwise than it was asked for or noted."""
        rows = books.change_sets[self._seen :]
        linking = any(row.kind == "link" for row in rows)  # then wallets are not those of a moment ago
        for row in rows:
            yield from _unasked(row, spoken, books)
            if row.kind == "setting":
                yield from self._unlike(row)
            elif row.kind == "money" and not linking:
                yield from _unpaid(row, books)
            elif row.kind == "season" and not linking:
                yield from _uneven(row, books)
            if row.undoes and row.posting:
                yield from _unreversed(row, books)
        self._seen = len(books.change_sets)
        yield from self._overwritten(books)
        yield from _twice(books)

    def _unlike(self, row: ChangeSet) -> Iterator[str]:
        """Follow a setting from row to row."""
        values = self._settings.setdefault((owner(row.subject, row.room, row.community), row.subject), {})
        if values.get(row.key) != row.old:
            yield f"change {row.number} has {row.key} as {row.old}, but it was {values.get(row.key)}"
        if row.new is None:
            values.pop(row.key, None)
        else:
            values[row.key] = row.new

    def _overwritten(self, books: Books) -> Iterator[str]:
        for key in {**self._settings, **books.settings}:
            noted, kept = self._settings.get(key, {}), books.settings.get(key, {})
            if noted != kept:
                yield f"the settings of {key} are {kept}, but by what was noted {noted}"


def misremembered(world: World, books: Books) -> Iterator[str]:
    """Tell which settings count that are not those that are kept, once nothing is under way."""
    for room in (
        each for each in world.rooms.values() if not world.bot.parts.settings_changes.is_stale(each)
    ):
        for group, selection in room.chosen.items():
            kept = books.settings.get((owner(group, room.id, room.community), group), {})
            counts = {key: str(value) for key, value in selection.choices.items()}
            if counts != kept:
                yield f"in {room.id} {group} counts as {counts}, but is kept as {kept}"


def _unasked(row: ChangeSet, spoken: Mapping[str, Spoken], books: Books) -> Iterator[str]:
    said, words = spoken.get(_line(row.change_set)), ASKED.get(row.kind, WORDS)
    if row.kind == "season" and row.actor == HOUSE and row.change_set.startswith("season:"):
        return  # its time had come
    if said is None or books.person(books.home(said.line.account)) != books.person(row.actor):
        yield f"change {row.number} of {row.subject} by {row.actor} is not what they asked for: {said}"
    elif row.kind != "link" and said.line.role not in KEEPERS:
        yield f"change {row.number} of {row.subject} by {row.actor} is not what a moderator asked for: {said}"
    elif said.line.text.split()[0].lower() not in words:
        yield f"change {row.number} of {row.subject} was made by {said}"


def _line(change_set: str) -> str:
    """Name the line that a change set answers; in that of a link the seat stands behind it."""
    return ":".join(change_set.removeprefix("change-set:").split(":")[:2])


def _uneven(row: ChangeSet, books: Books) -> Iterator[str]:
    """Tell whose wallets a season that began afresh has not brought to what the others have."""
    if row.posting is None or int(row.new or 0) < int(row.old or 0):
        return
    held, touched = Counter[str](), set[str]()
    for each in books.moves:
        if touched and each.posting != row.posting:
            break
        for account, change in ((each.source, -each.credits), (each.target, each.credits)):
            kind, community, seat = f"{account}::".split(":", 2)
            own = f"{kind}:{community}:{books.root(seat.removesuffix('::'))}"
            held[own] += change
            touched |= {own} if kind == "wallet" and each.posting == row.posting else set()
    if len({held[each] for each in touched}) > 1:
        yield f"change {row.number} begins afresh with {[(each, held[each]) for each in sorted(touched)]}"


def _unpaid(row: ChangeSet, books: Books) -> Iterator[str]:
    """Hold what is noted of a purse against what it held, and what was moved."""
    before, after, found = 0, 0, False
    theirs = [each for each in books.everyone(row.subject) if books.root(each) == books.root(row.subject)]
    wallet = {f"wallet:{row.community}:{each}" for each in theirs}
    for each in books.moves:
        change = each.credits * ((each.target in wallet) - (each.source in wallet))
        found = found or each.posting == row.posting
        before += 0 if found else change
        after += change if each.posting == row.posting else 0
    if (row.old, row.new) != (str(before), str(before + after)) or not found:
        yield f"change {row.number}: {wallet} went from {before} to {before + after}, not as {row}"


def _unreversed(row: ChangeSet, books: Books) -> Iterator[str]:
    """Tell where what was taken back is not what had been moved."""
    first = {each.posting for each in books.change_sets if each.change_set == row.undoes}
    moved, back = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for each in books.moves:
        if each.why in {"link", "bankroll"}:
            continue  # what a wallet that stands for another has handed on
        moved[each.target, each.source] += each.credits * (each.posting in first)
        back[each.source, each.target] += each.credits * (each.posting == row.posting)
    if row.kind == "season":  # as far as it is still there; taken back in turn, the season ends anew
        wrong = int(row.new or 0) < int(row.old or 0) and bool(back - moved)
    else:
        wrong = +moved != +back
    if wrong:
        yield f"change {row.number} takes back {back} of {moved}"


def _twice(books: Books) -> Iterator[str]:
    undone = Counter(each.undoes for each in books.change_sets if each.undoes and each.part == 1)
    yield from (
        f"change set {change_set} was undone {times} times"
        for change_set, times in undone.items()
        if times > 1
    )
