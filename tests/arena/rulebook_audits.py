"""Audits of logs by the rulebooks alone, `docs/program/contest-*.md`, with nothing of the program.

Each audit takes the log of a run, works out what the decisions in it score, and compares that with what the
log says. It returns how many games there are, and raises AssertionError at the first that is scored
otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

HEADER = re.compile(r"^#####GAME (\d+): (.*)######$")
FACES = "23456789TJQKA"


def games(log: str) -> list[tuple[str, list[str]]]:
    """Cut a log into games: what the header says, and the lines below it."""
    parts: list[tuple[str, list[str]]] = []
    for line in log.splitlines():
        header = HEADER.match(line)
        if header:
            parts.append((header[2], []))
        elif not line.startswith("#####"):  # as matches do
            parts[-1][1].append(line)
    return parts


def chicken_poker(log: str, cards: int) -> int:
    """Audit a log of Chicken Poker: ties, forfeits, the last player, points."""
    parts = games(log)
    for header, lines in parts:
        listed = [re.fullmatch(r"(.+) \((\d+)\) (\d+)", each) for each in header.split(", ")]
        ids = {each[1]: int(each[2]) for each in listed if each}
        told = {int(each[2]): int(each[3]) for each in listed if each}
        hands = {player: set(range(1, cards + 1)) for player in told}
        points = dict.fromkeys(told, 0)
        for line in lines:
            forfeit = re.fullmatch(r"round \d+: (.+) forfeits the game", line)
            if forfeit:
                del hands[ids[forfeit[1]]]
                points[ids[forfeit[1]]] = 0
                continue
            shown_text, _, outcome = line.partition(": ")[2].partition(", ")
            shown = {int(a): int(b) for a, b in (each.split(":") for each in shown_text.split())}
            assert shown.keys() == hands.keys(), line
            for player, card in shown.items():
                hands[player].remove(card)
            highest = max(shown.values())
            tied = sorted(player for player, card in shown.items() if card == highest)
            winner = tied[highest % len(tied)]
            assert outcome == f"{winner} takes {sum(shown.values())}", line
            points[winner] += sum(shown.values())
        if len(hands) == 1:
            ((last, hand),) = hands.items()
            points[last] += sum(hand)
        assert points == told, header
    return len(parts)


def six_card_poker(log: str) -> int:
    """Audit a log of Six Card Poker: three hands, points, who wins."""
    parts = games(log)
    for header, lines in parts:
        sides = [
            re.fullmatch(r"(.+): (\d{3}) (\d{2}) (\d), points (\S+) (\S+) (\S+)", each) for each in lines
        ]
        (first, second) = sides
        assert first is not None
        assert second is not None
        points = [_hand_points(a, b) for a, b in zip(first.groups()[1:4], second.groups()[1:4], strict=True)]
        words = {Fraction(1): "1", Fraction(1, 2): "½", Fraction(0): "0"}
        assert [words[each] for each in points] == list(first.groups()[4:])
        assert [words[1 - each] for each in points] == list(second.groups()[4:])
        total = sum(points)
        winner = first[1] if total > Fraction(3, 2) else second[1] if total < Fraction(3, 2) else "nobody"
        assert header == f"{winner} wins", header
        held = Counter("".join(first.groups()[1:4])) + Counter("".join(second.groups()[1:4]))
        assert all(count <= 4 for count in held.values())
    return len(parts)


def _hand_points(own: str, other: str) -> Fraction:
    def worth(hand: str) -> tuple[int, ...]:
        digits = sorted(map(int, hand), reverse=True)
        if len(digits) == 3:
            return (sum(digits),)
        return (int(len(digits) == 2 and digits[0] == digits[1]), *digits)

    mine, theirs = worth(own), worth(other)
    return Fraction(1) if mine > theirs else Fraction(0) if mine < theirs else Fraction(1, 2)


def high_show(log: str, keep: int, penalty: str) -> int:
    """Audit a log of High Show: forced cards, what rejections cost, profits."""
    kind, _, given = penalty.partition("=")
    parts = games(log)
    for header, lines in parts:
        start, _, row = header.partition(", ")
        lowest, deck = int(start.removeprefix("K ")), [int(each) for each in row.split()]
        count = len(deck)
        assert sorted(deck) == list(range(lowest, lowest + count))
        assert 1 <= lowest <= 3 * count
        usual = {
            "none": Fraction(0), "linear": Fraction(count, 10), "value": Fraction(1, 4),
            "turn": Fraction(2 * (count + lowest), count + 4), "turnvalue": Fraction(1, 8),
        }  # fmt: skip
        rate = Fraction(given) if given else usual[kind]
        for line in lines:
            found = re.fullmatch(r"(.+): keeps ([\d ]+), penalty (\S+), profit (\S+)", line)
            assert found is not None
            kept = [int(each) for each in found[2].split()]
            assert len(kept) == keep
            cost, done = Fraction(0), 0
            for turn, card in enumerate(deck, 1):
                if done == keep:
                    break
                if card == kept[done]:
                    done += 1
                    continue
                assert keep - done < count - turn + 1, "a card was rejected that was needed"
                times = {"none": 0, "linear": 1, "turn": turn, "value": card, "turnvalue": turn * card}[kind]
                cost += rate * times
            assert done == keep
            assert (Fraction(found[3]), Fraction(found[4])) == (cost, sum(kept) - cost), line
    return len(parts)


def poker_market(log: str) -> int:
    """Audit a log of Poker Market: turns, swaps, ranks of hands, points."""
    parts = games(log)
    for header, lines in parts:
        names = header.split(", ")
        hands = {
            name: line.removeprefix(f"{name}: ").split() for name, line in zip(names, lines, strict=False)
        }
        assert len({card for hand in hands.values() for card in hand}) == 5 * len(names)
        *turns, points = lines[len(names) :]
        for number, line in enumerate(turns):
            own = names[number % len(names)]
            about = f"round {number // len(names) + 1}: {own}"
            if line == f"{about} passes":
                continue
            offer = re.fullmatch(re.escape(about) + r" offers (\S+) for (\S+), (.+) (accepts|declines)", line)
            assert offer is not None, line
            give, take, partner = offer[1], offer[2], offer[3]
            assert give in hands[own]
            assert take in hands[partner]
            if offer[4] == "accepts":
                hands[own][hands[own].index(give)] = take
                hands[partner][hands[partner].index(take)] = give
        order = sorted(range(len(names)), key=lambda seat: (_poker_rank(hands[names[seat]]), seat))
        scores = {names[seat]: place for place, seat in enumerate(order, 1)}
        assert points == f"points: {', '.join(f'{name} {scores[name]}' for name in names)}", header
    return len(parts)


def _poker_rank(hand: list[str]) -> tuple[int, ...]:
    faces = sorted((FACES.index(card[:-1].replace("10", "T")) for card in hand), reverse=True)
    groups = sorted(Counter(faces).items(), key=lambda each: (-each[1], -each[0]))
    counts, decide = [count for _, count in groups], [face for face, _ in groups]
    flush = len({card[-1] for card in hand}) == 1
    straight = len(groups) == 5 and faces[0] - faces[4] == 4
    if faces == [12, 3, 2, 1, 0]:  # the ace is low
        straight, decide = True, [3, 2, 1, 0, -1]
    kinds = [
        (flush and straight, 8), (counts[0] == 4, 7), (counts == [3, 2], 6), (flush, 5), (straight, 4),
        (counts[0] == 3, 3), (counts == [2, 2, 1], 2), (counts[0] == 2, 1), (True, 0),
    ]  # fmt: skip
    return (next(kind for holds, kind in kinds if holds), *decide)
