"""Words to actions: what people type behind `!sixcard` and `!set`, and how an action is typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chatbot.games.sixcardpoker.rules.cards import FACES, HELD, SIZES, arrange
from chatbot.games.sixcardpoker.rules.moves import Accept, Arrange, Arrive, Decline, LeaveIt, Open
from chatbot.kernel import stakes
from chatbot.kernel.amounts import require_whole_groups
from chatbot.kernel.commands import Command, Kind, MoveRequest, Option
from chatbot.kernel.game import Refusal
from chatbot.kernel.house_seats import of_house
from chatbot.kernel.say import Message, Name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chatbot.games.sixcardpoker.rules.cards import Arrangement
    from chatbot.games.sixcardpoker.rules.moves import Action
    from chatbot.games.sixcardpoker.rules.rules import SixCardPoker
    from chatbot.kernel.game import Seat

ARGUMENTS = "[STAKE] | @name [STAKE] | accept | decline | rules"
HANDS_ARGUMENTS = "HIGH MIDDLE LOW | auto"
AUTO = "auto"
ANSWERS: Mapping[str, type[Accept | Decline]] = {"accept": Accept, "decline": Decline}
WORDED = ("half", "all")  # amounts without a digit

_BETWEEN = re.compile(r"[\s|/,;+.-]+")  # what people write between hands


def read_open(game: SixCardPoker, request: MoveRequest) -> Open | Accept | Decline:
    """Read `50`, `@bob 50`, `accept`: the words may stand in any order."""
    rivals = [word for word in request.words if word in request.members]
    words = [word for word in request.words if word not in request.members]
    answer = ANSWERS.get(words[0].lower()) if words else None
    require_whole_groups(words)
    if len(words) > 1 or len(rivals) > 1 or (answer is not None and rivals):
        raise Refusal(Message("sixcard-usage"))
    if answer is Accept and request.seat in request.engaged:
        raise Refusal(Message("sixcard-already"))
    if answer is not None:
        return answer(request.seat)
    stake = _stake(words[0], request.purse) if words else game.usual_stake
    rival = _rival(request)
    return Open(request.seat, stake, rival, by_seat=rival is not None and not request.confides)


def read_hands(game: SixCardPoker, request: MoveRequest) -> Arrange | LeaveIt:  # noqa: ARG001
    """Read `144 23 1`, `1 4 4 | 2 3 | 1` or `auto`; which cards there are is for the rules to say."""
    text = " ".join(request.words)
    if text.lower() == AUTO:
        return LeaveIt(request.seat)
    return Arrange(request.seat, str(_arrangement(text)), request.public)


def shares(words: Sequence[str]) -> bool:
    """Whether what stands behind `!set` looks like cards: settings begin with the name of a game."""
    return bool(words) and (words[0][0].isdigit() or words[0].lower() == AUTO)


def line(action: Action) -> str:
    """Write an action as somebody would type it: by `!set`, the word that all texts teach."""
    match action:
        case Open():
            rival = "" if action.rival is None else f"@{action.rival} "
            return f"!sixcard {rival}{action.credits}"
        case Accept():
            return "!sixcard accept"
        case Decline():
            return "!sixcard decline"
        case Arrive():
            return "!seat"  # it is done by opening that page, and by no move
        case Arrange():
            return f"!set {action.hands}"
        case LeaveIt():
            return f"!set {AUTO}"


def _stake(text: str, purse: int) -> int:
    """Read what is staked; 0 is for honour.

    Raises:
        Refusal: it is no amount; what has no digit was not meant as one.
    """
    if text.isalpha() and text.lower() not in WORDED:
        raise Refusal(Message("sixcard-usage"))
    return stakes.read(text, purse)


def _rival(request: MoveRequest) -> Seat | None:
    """Return who is challenged.

    Raises:
        Refusal: they are the house's own, or play already, or people cannot be told their cards alone.
    """
    rival = next(iter(request.members.values()), None)
    if rival is None:
        return None
    if of_house(rival):
        raise Refusal(Message("sixcard-house"))
    if not request.confides and not request.has_seats:
        raise Refusal(Message("sixcard-no-secrets"))
    if rival in request.engaged:
        raise Refusal(Message("sixcard-busy", {"who": Name(rival)}))
    return rival


def _arrangement(text: str) -> Arrangement:
    """Read three hands; six cards in a row, or one by one, are taken in their order.

    Raises:
        Refusal: that is something else than three, two and one of the cards 1 to 4. It does not repeat what
            was typed, which is nobody else's business in a duel.
    """
    parts = [each for each in _BETWEEN.split(text) if each]
    cards = "".join(parts)
    if not parts or set(cards) - {str(face) for face in FACES}:
        raise Refusal(Message("sixcard-hands"))
    sizes = tuple(map(len, parts))
    if len(cards) != HELD or sizes not in {SIZES, (HELD,), (1,) * HELD}:
        raise Refusal(Message("sixcard-sizes"))
    numbers = [int(each) for each in cards]
    return arrange(numbers[:3], numbers[3:5], numbers[5:])


COMMANDS = (
    Command(
        "sixcard", read_open, aliases=("6card", "sixcardpoker"), arguments=ARGUMENTS, opens=True,
        options=(
            Option("opponent", Kind.MEMBER),
            Option("stake", Kind.AMOUNT, suggest=stakes.suggest),
            Option("answer", Kind.WORD, choices=tuple(ANSWERS), answers=True),
        ),
    ),
    Command(
        "arrange", read_hands, aliases=("set",), arguments=HANDS_ARGUMENTS, shares=shares,
        options=(Option("hands", Kind.TEXT, required=True, suggest=lambda *_: (AUTO,), moves=True),),
    ),
)  # fmt: skip
