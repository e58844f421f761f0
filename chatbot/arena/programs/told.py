"""What a program is told at a table of any game, in plain values, and how its answer becomes an action."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from chatbot.kernel.codec import plain
from chatbot.kernel.contest import Tongue
from chatbot.kernel.game import Seat

if TYPE_CHECKING:
    from chatbot.kernel.kit import AnyKit

_LONGEST = 10_000  # characters of an answer


@dataclass(frozen=True, slots=True)
class ProgramView:
    """What a player at a table is told. A program gets all of it but the judge."""

    game: int  # from 0, within the match
    seat: Seat
    credits: int
    view: Any  # the rules' own, for this seat
    permits: Callable[[Any], bool]


def tongue(kit: AnyKit) -> Tongue:
    """Talk of any game: the view and the menu as plain values.

    An answer is a number, the place of an action on the menu from 0; or the action itself, in the
    form of the menu, which need not be on it: the rules judge. The seat may be left out; null passes.
    """
    codec, names = kit.codec, {each.__name__: each for each in kit.actions}

    def ask(told: ProgramView, menu: Sequence[Any]) -> Mapping[str, object]:
        return {
            "game": told.game,
            "seat": told.seat,
            "credits": told.credits,
            "table": plain(told.view),
            "menu": [json.loads(codec.dump(each)) for each in menu],
        }

    def read(told: ProgramView, menu: Sequence[Any], answer: object) -> Any:
        chosen = _parsed(answer)
        if chosen is None:
            return None
        if isinstance(chosen, int) and not isinstance(chosen, bool):
            if not 0 <= chosen < len(menu):
                raise ValueError(f"the menu has places 0 to {len(menu) - 1}, not {str(chosen)[:40]}")
            return menu[chosen]
        action = codec.load(json.dumps(_own(chosen, told.seat, names)))
        if not told.permits(action):
            raise ValueError(f"the rules do not permit {str(chosen)[:80]} now")
        return action

    return Tongue(ask=ask, read=read)


def _parsed(answer: object) -> object:
    """Take what came back: a text may be JSON as well."""
    if not isinstance(answer, str):
        return answer
    if len(answer) > _LONGEST:
        raise ValueError(f"an answer has at most {_LONGEST} characters, not {len(answer)}")
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        raise ValueError(f"expected a place on the menu or an action, got {answer[:40]!r}") from None


def _own(chosen: object, seat: Seat, names: Mapping[str, type]) -> object:
    """Make sure that it is one of the game's actions, and the seat's own."""
    if not isinstance(chosen, dict) or len(chosen) != 1:
        raise ValueError(f"expected a place on the menu or one action, got {str(chosen)[:40]}")
    ((name, given),) = chosen.items()
    if name not in names or not isinstance(given, dict):
        raise ValueError(f"expected one of {', '.join(names)}, got {str(chosen)[:40]}")
    seated = any(each.name == "seat" for each in fields(names[name]))
    if seated and given.get("seat", seat) != seat:
        raise ValueError("an action is for one's own seat")
    return {name: {"seat": seat, **given} if seated else given}
