"""Makes other tables out of recordings: of any number of people, of other names, or ending with a swap."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FIRST, LEAST, MOST, ALL = (
    0.6,
    0.45,
    1.5,
    14.0,
)  # seconds: before names roll by, of each ten, and of all of them
LOOK = 1.6  # at the last of them
TEN = 10
LONGEST = 25  # letters that a name has at Twitch
LATIN = "QuietMooseEagerQuokkaWiggly"
KOREAN = "조용한고라니와재빠른너구리그리고느긋한수달"


def names(count: int) -> list[str]:
    """Return different names, of which many begin alike, and one in three is Korean."""
    found: list[str] = []
    for number in range(count):
        letters = KOREAN if number % 3 == 1 else LATIN
        mark = "" if number < LONGEST else str(number)
        length = max(1 + (number * 7) % LONGEST, len(mark) + 1)
        name = letters[: length - len(mark)] + mark
        found.append(name if name not in found else name[: LONGEST - 1 - len(str(number))] + f"_{number}")
    return found


def crowded(events: Sequence[dict[str, Any]], called: Sequence[str]) -> list[dict[str, Any]]:
    """Return the events of a recorded heist as if people called so had played it, who join in their order.

    Those of the recording come again and again, with their answers and outcomes. All are in when the last of
    the recording is.
    """
    full = max(len(each["seats"]) for each in _tables(events))
    return [_with(each, lambda table: _of(table, called, full)) for each in events]


def _of(table: dict[str, Any], called: Sequence[str], full: int) -> dict[str, Any]:
    view = table["view"]
    most = len(table["seats"])
    here = max(1, len(called) * most // full)
    numbers = range(here)
    seats = [
        table["seats"][number % most] | {"seat": f"test:c{number}", "name": called[number]}
        for number in numbers
    ]
    crew = [view["crew"][number % most] | {"seat": f"test:c{number}"} for number in numbers]
    outcomes = [
        view["outcomes"][number % len(view["outcomes"])] | {"seat": f"test:c{number}"}
        for number in numbers
        if view["outcomes"]
    ]
    changed = view | {"crew": crew, "outcomes": outcomes, "heisters": here}
    return table | {"seats": seats, "view": changed}


def renamed(events: Sequence[dict[str, Any]], called: Sequence[str]) -> list[dict[str, Any]]:
    """Return the events of a recording whose players have other names, in the order of their seats."""
    seats = list(dict.fromkeys(each["seat"] for table in _tables(events) for each in table["seats"]))
    known = dict(zip(seats, called, strict=False))

    def named(table: dict[str, Any]) -> dict[str, Any]:
        return table | {"seats": [each | {"name": known[each["seat"]]} for each in table["seats"]]}

    return [_with(each, named) for each in events]


def swapped(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events of a recorded Poker Market that ends with a swap between the two best hands."""
    first, second = (place["hand"] for place in _tables(events)[-1]["view"]["ranked"]["places"][:2])
    given, taken = first[-1], second[0]
    ends = {given: taken, taken: given}

    def changed(table: dict[str, Any]) -> dict[str, Any]:
        ranked = table["view"]["ranked"]
        if ranked is None:
            return table
        places = [
            each | {"hand": [ends.get(card, card) for card in each["hand"]]} for each in ranked["places"]
        ]
        return table | {"view": table["view"] | {"ranked": ranked | {"places": places}}}

    return [_with(each, changed) for each in events]


def rolling(outcomes: Sequence[dict[str, Any]]) -> tuple[list[float], float]:
    """Return when each ten of many heisters are shown, and when the winner is, in seconds after the end.

    Those who backed out, who were caught and who got away come one kind after the other.
    """
    kinds = Counter(
        each["fate"] if each["fate"] in {"returned", "escaped"} else "caught" for each in outcomes
    )
    count = sum(-(-each // TEN) for each in kinds.values())
    each = max(LEAST, min(MOST, ALL / count))
    return [FIRST + number * each for number in range(count)], FIRST + count * each + LOOK


def _tables(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each["table"] for each in events if isinstance(each.get("table"), dict)]


def _with(event: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    return event | {"table": change(event["table"])} if isinstance(event.get("table"), dict) else event
