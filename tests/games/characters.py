"""Programs that play the contests by what they are sent and by chance, well and badly, and fail at times.

A character answers the same whoever asks, in this process or as `python3 characters.py GAME NAME SEED`.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Choose = Callable[[Any, random.Random], object]

RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class NoAnswer:
    """Stands in the place of an answer: why there is none, one of `late`, `ended`, `unreadable`."""

    kind: str


# High Show


def first(view: Any, draws: random.Random) -> str:
    return draws.choice(["keep", "cashout", " Keep ", "!cash  out".replace("  ", " ")])


def never(view: Any, draws: random.Random) -> str:
    return "another"


def some(view: Any, draws: random.Random) -> str:
    return draws.choice(["keep", "another", "See another", "!another"])


def above_the_mean(view: Any, draws: random.Random) -> str:
    seen = view["kept"] + view["rejected"]
    return "keep" if not seen or view["shown"] > sum(seen) / len(seen) else "another"


# Chicken Poker


def own_hand(view: Any) -> list[int]:
    hand: list[int] = view["hands"][view["own"] - 1]
    return hand


def any_card(view: Any, draws: random.Random) -> object:
    card = draws.choice(own_hand(view))
    return draws.choice([card, str(card), f" 0{card} "])


def lowest(view: Any, draws: random.Random) -> int:
    return min(own_hand(view))


def middle(view: Any, draws: random.Random) -> int:
    hand = own_hand(view)
    return hand[len(hand) // 2]


def just_above(view: Any, draws: random.Random) -> int:
    last = max(view["shown"][-1]) if view["shown"] else 0
    return min((card for card in own_hand(view) if card > last), default=own_hand(view)[0])


def by_numbers(view: Any, draws: random.Random) -> int:
    """Play another way by the number of the player on the next id, which tells whether these are right."""
    other = view["players"][view["own"] % len(view["players"])]
    return own_hand(view)[int(other) % len(own_hand(view))]


# Six Card Poker


def six_cards(view: Any) -> list[int]:
    return [int(card) for card in view.split()] if isinstance(view, str) else list(view["cards"])


def set_in_words(order: Sequence[int], draws: random.Random) -> str:
    """Write an arrangement in one of the ways in which it may be written."""
    high, middle, low = (list(map(str, hand)) for hand in (order[:3], order[3:5], order[5:]))
    return draws.choice(
        [
            " | ".join(map(" ".join, (high, middle, low))),
            " ".join(map("".join, (high, middle, low))),
            "|".join(map("".join, (high, middle, low))),
        ]
    )


def shuffled(view: Any, draws: random.Random) -> object:
    return set_in_words(draws.sample(six_cards(view), 6), draws)


def descending(view: Any, draws: random.Random) -> object:
    return set_in_words(sorted(six_cards(view), reverse=True), draws)


def pair_in_the_middle(view: Any, draws: random.Random) -> object:
    cards = sorted(six_cards(view), reverse=True)
    pair = max(card for card in cards if cards.count(card) > 1)
    cards.remove(pair)
    cards.remove(pair)
    order = [*cards[:3], pair, pair, cards[3]]
    return set_in_words(order, draws) if isinstance(view, str) else [order[:3], order[3:5], order[5:]]


# Poker Market


def worth(hand: Sequence[str]) -> list[tuple[int, int]]:
    times = Counter(card[0] for card in hand)
    return sorted(((times[card[0]], RANKS.index(card[0])) for card in hand), reverse=True)


def swapped(hand: Sequence[str], gone: str, come: str) -> list[str]:
    return [come if card == gone else card for card in hand]


def improving(view: Any, draws: random.Random) -> object:
    hands, own = view["hands"], view["own"]
    if view["proposal"] is not None:
        give, take = view["proposal"]
        return "accept" if worth(swapped(hands[own], take, give)) >= worth(hands[own]) else "decline"
    for _ in range(6):
        give, take = draws.choice(hands[own]), draws.choice(hands[another_seat(view, draws)])
        if worth(swapped(hands[own], give, take)) > worth(hands[own]):
            return {"swap": [give, take]}
    return "pass"


def another_seat(view: Any, draws: random.Random) -> int:
    return draws.choice([seat for seat in range(len(view["hands"])) if seat != view["own"]])


def passive(view: Any, draws: random.Random) -> object:
    return draws.choice(["pass", "Pass ", "!pass"] if view["proposal"] is None else ["decline", "!DECLINE"])


def generous(view: Any, draws: random.Random) -> object:
    if view["proposal"] is not None:
        return draws.choice(["accept", " Accept", "!accept"])
    give = draws.choice(view["hands"][view["own"]])
    take = draws.choice(view["hands"][another_seat(view, draws)])
    as_typed, with_suit = (
        take.replace("T", "10").lower(),
        give[0] + dict(zip("SHDC", "♠♥♦♣", strict=True))[give[1]],
    )
    return draws.choice(
        [
            {"swap": [give, take]},
            f"swap {give} {take}",
            {"swap": [give.lower(), as_typed]},
            f"swap {with_suit} {take}",
        ]
    )


def with_lower_numbers(view: Any, draws: random.Random) -> object:
    """Deal with players of lower numbers only, which tells whether numbers are right."""
    players, hands = view["players"], view["hands"]
    number = players[view["own"]]
    if view["proposal"] is not None:
        return "accept" if players[view["seat"]] < number else "decline"
    lower = [seat for seat, each in enumerate(players) if each < number]
    if not lower:
        return "pass"
    return {"swap": [draws.choice(hands[view["own"]]), draws.choice(hands[draws.choice(lower)])]}


@dataclass(frozen=True)
class Role:
    """What a character chooses, and how often it fails."""

    choose: Choose
    trouble: float = 0.0
    in_text: bool = False


ROLES: dict[str, dict[str, Role]] = {  # the names are in another order than that of Unicode
    "highshow": {
        "zed": Role(above_the_mean),
        "first": Role(first),
        "Émile": Role(some, 0.1),
        "never": Role(never),
        "broken": Role(above_the_mean, 0.6),
    },
    "chickenpoker": {
        "zed": Role(middle),
        "Émile": Role(middle, 0.02),  # they often tie
        "ann": Role(any_card, 0.05),
        "Bo": Role(just_above),
        "third": Role(by_numbers),
        "broken": Role(lowest, 0.3),
    },
    "sixcardpoker": {
        "zed": Role(pair_in_the_middle),
        "Émile": Role(pair_in_the_middle, 0.05, in_text=True),
        "ann": Role(shuffled, in_text=True),
        "Bo": Role(descending, 0.3),
    },
    "pokermarket": {
        "zed": Role(improving, 0.02),
        "Émile": Role(with_lower_numbers),
        "ann": Role(generous, 0.1),
        "Bo": Role(improving),
        "still": Role(passive),
        "broken": Role(generous, 0.5),
    },
}
NEITHER = ["Another!", "anothe", "", 0, ["another"], {"answer": "another"}, 3.5, "keep it", "see  another"]
NO_CARDS = [0, -1, 101, 1.0, 2.5, "", "one", "1.0", "+1", [1], {"answer": 1}, 10**30]
NO_ARRANGEMENTS = [
    "111 22 3", "12|344|1", "1 1 2", "", "4 4 4 | 4 4 | 4", "1 2 3 4 1 2", "112344", "1 1 2 | 3 4 | 4 |",
    [1, 1, 2, 3, 4, 4], [[1, 2, 3], [4, 1]], [["1"]], 112233, 1.5,
]  # fmt: skip
NO_TRADES = [
    "accept it", "swap", "swap AS", "swap AS AS", {"swap": "AS"}, {"swap": ["AS"]}, {"swap": ["AS", "XX"]},
    {"swap": ["AS", "AS"]}, {"swap": [1, 2]}, {"pass": 1}, 0, "", ["AS", "2C"], "!!pass", "yes",
]  # fmt: skip
WRONG: dict[str, list[object]] = {
    "highshow": NEITHER,
    "chickenpoker": NO_CARDS,
    "sixcardpoker": NO_ARRANGEMENTS,
    "pokermarket": NO_TRADES,
}


class Character:
    """A program that stays."""

    def __init__(self, game: str, name: str, seed: str) -> None:
        self._role, self._seed = ROLES[game][name], f"{seed}/{game}/{name}"
        self._wrong = [None, True, {}, *WRONG[game]]

    def __call__(self, line: str) -> list[str] | NoAnswer:
        """Return the lines that it writes when it is sent one, none for too long a time; or why it fails."""
        draws = random.Random(f"{self._seed}/{line}")
        asked = json.loads(line) if line.startswith("{") else None
        in_trouble = draws.random() < self._role.trouble
        answer = self._role.choose(line if asked is None else asked["view"], draws)
        if asked is None:
            return self._failing_in_text(str(answer), draws) if in_trouble else [str(answer)]
        number = asked["id"]
        if in_trouble:
            return self._failing_in_json(number, answer, draws)
        lines = [json.dumps({"id": number, "answer": answer})]
        before = json.dumps({"id": number - 1, "answer": "of another question"})
        return draws.choice([lines, lines, lines, lines * 2, [before, *lines] if number > 1 else lines])

    def _failing_in_text(self, answer: str, draws: random.Random) -> list[str] | NoAnswer:
        wrong = [[str(each), answer] for each in draws.sample(self._wrong, 3)]
        failures: list[list[str] | NoAnswer] = [[], NoAnswer("ended"), NoAnswer("unreadable"), *wrong]
        return draws.choice(failures)

    def _failing_in_json(self, number: int, answer: object, draws: random.Random) -> list[str] | NoAnswer:
        good = json.dumps({"id": number, "answer": answer})
        failures: list[list[str] | NoAnswer] = [
            [],
            NoAnswer("ended"),
            NoAnswer("unreadable"),
            ["not JSON", good],
            ["", good],
            [json.dumps([number, answer])],
            [json.dumps({"id": number})],
            [json.dumps({"answer": answer})],
            [json.dumps({"id": number + 1, "answer": answer}), good],
            [json.dumps({"id": str(number), "answer": answer})],
            [json.dumps({"id": 0, "answer": answer})],
            [json.dumps({"id": number, "answer": float("nan")})],
            *[[json.dumps({"id": number, "answer": wrong})] for wrong in draws.sample(self._wrong, 4)],
        ]
        return draws.choice(failures)


def main(game: str, name: str, seed: str) -> None:
    """Play as a process."""
    character = Character(game, name, seed)
    for line in sys.stdin:
        if '"hello"' in line:
            continue
        lines = character(line.rstrip("\n"))
        if lines == NoAnswer("ended"):
            sys.exit(1)
        written = [b"\xff\xfe"] if isinstance(lines, NoAnswer) else [each.encode() for each in lines]
        sys.stdout.buffer.write(b"".join(each + b"\n" for each in written))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
