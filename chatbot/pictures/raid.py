"""Describe what a picture of a raid's result shows: everybody by name, or of a crowd the best and the groups.

Equal scenes give equal pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chatbot.kernel.board import RaidEnding, RaidResult
    from chatbot.kernel.game import Seat
    from chatbot.kernel.say import Message

MOST_NAMED = 20  # people who are all shown by name
BEST = 5  # of a larger crowd
MOST_HEADS = 12  # heads that are drawn for a group
MOST_CROSSERS = 2  # who are named as such
TINTS = 8
MINUS = "\N{MINUS SIGN}"
_FATES = ("escaped", "caught", "returned")  # in which order groups stand
_RAN, _ESCAPED, _CAUGHT, _RETURNED = "ran", "escaped", "caught", "returned"


@dataclass(frozen=True, slots=True)
class Raider:
    """Somebody who took part: their name, the number of their colour, and a fate and gain of `RaidEnding`."""

    name: str
    tint: int
    fate: str
    gain: int


@dataclass(frozen=True, slots=True)
class RaidGroup:
    """Those of a crowd who ended alike: how many they are, and the colours of the heads that are drawn."""

    fate: str
    caption: str
    count: int
    tints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ResultScene:
    """The result of a raid. `people` are sorted by gain; with `groups` they are only the best.

    `away` is the share of those who got away among those who went in. `crossed` is said of `crossers`.
    """

    title: str
    number: int
    look: str
    verdict: str
    away: float
    people: tuple[Raider, ...]
    groups: tuple[RaidGroup, ...] = ()
    crossed: str = ""
    crossers: tuple[str, ...] = ()
    returned: str = ""  # what is written instead of a gain of nothing, of who did not go in


def raid_of(raid: RaidResult, text: Callable[[Message], str], name: Callable[[Seat], str]) -> ResultScene:
    """Return the scene of a raid; `text` formats a message, and `name` returns the display name of a seat.

    Of a crowd only those who are shown are named.
    """
    crowd = len(raid.endings) > MOST_NAMED
    ranking = _ranked(raid.endings)
    best = [each for each in ranking if each.gain > 0][:BEST] if crowd else ranking
    tints = dict(_tints(raid.endings[: TINTS * 3], name))
    ran = [each for each in ranking if each.fate == _RAN]
    went = [each for each in raid.endings if each.fate != _RETURNED]
    return ResultScene(
        title=text(raid.target),
        number=raid.number,
        look=text(raid.look),
        verdict=text(raid.verdict),
        away=sum(each.fate != _CAUGHT for each in went) / max(len(went), 1),
        people=tuple(_person(each, name, tints) for each in best),
        groups=tuple(_groups(raid, text, tints)) if crowd else (),
        crossed=text(raid.crossed) if ran else "",
        crossers=_named(ran, name),
        returned=text(dict(raid.captions)[_RETURNED]),
    )


def signed(gain: int) -> str:
    """Write by how many credits somebody is richer, with a sign."""
    return f"{gain:+,d}".replace("-", MINUS) if gain else "0"


def _ranked(endings: Sequence[RaidEnding]) -> list[RaidEnding]:
    """Sort by gain; who did not go in comes last."""
    return sorted(endings, key=lambda each: (each.fate == _RETURNED, -each.gain))


def _person(ending: RaidEnding, name: Callable[[Seat], str], tints: dict[Seat, int]) -> Raider:
    display_name = name(ending.seat)
    return Raider(display_name, tints.get(ending.seat, _tint(display_name)), ending.fate, ending.gain)


def _named(ran: Sequence[RaidEnding], name: Callable[[Seat], str]) -> tuple[str, ...]:
    more = (f"+{len(ran) - MOST_CROSSERS}",) if len(ran) > MOST_CROSSERS else ()
    return (*(name(each.seat) for each in ran[:MOST_CROSSERS]), *more)


def _groups(raid: RaidResult, text: Callable[[Message], str], tints: dict[Seat, int]) -> Iterator[RaidGroup]:
    captions = dict(raid.captions)
    for fate in _FATES:
        of_fate = {_ESCAPED, _RAN} if fate == _ESCAPED else {fate}
        members = [each for each in raid.endings if each.fate in of_fate]
        colours = (tints.get(each.seat, number % TINTS) for number, each in enumerate(members[:MOST_HEADS]))
        if members or fate != _RETURNED:
            yield RaidGroup(fate, text(captions[fate]), len(members), tuple(colours))


def _tints(endings: Sequence[RaidEnding], name: Callable[[Seat], str]) -> Iterator[tuple[Seat, int]]:
    """Give each the colour of their name, or the next free one, as the overlay does in the same order."""
    used_tints: set[int] = set()
    for ending in endings:
        tint = _tint(name(ending.seat))
        while len(used_tints) < TINTS and tint in used_tints:
            tint = (tint + 1) % TINTS
        used_tints.add(tint)
        yield ending.seat, tint


def _tint(name: str) -> int:
    """Return the colour of a name, as the pages do (`tint` in `chatbot/web/static/dom.js`)."""
    total = 0
    for letter in name:
        total = (total * 31 + ord(letter)) % 65_521
    return total % TINTS
