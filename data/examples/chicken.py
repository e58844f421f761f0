"""Beats whatever the others showed in this round of the last game. Speaks the lines of chickp."""

import sys


def answer(text):
    print(text, flush=True)


hand, number, seen = [], 0, {}  # seen: the highest card of the others, by round
for line in sys.stdin:
    if line.strip() == "RESET":
        own, n = int(next(sys.stdin)), int(next(sys.stdin))
        players = next(sys.stdin).split()
        hand, number = list(range(1, n + 1)), 0
        answer("example")
        continue
    words = [int(word) for word in line.split()]  # id card id card … of the previous round
    shown = dict(zip(words[::2], words[1::2], strict=True))
    others = [card for player, card in shown.items() if player != own]
    if others:
        seen[number - 1] = max(others)
    higher = [card for card in hand if card > seen.get(number, 0)]
    card = min(higher or hand)
    hand.remove(card)
    number += 1
    answer(card)
