"""Puts its lowest pair in the Middle, and a high card Low. Started once; asked in lines of text."""

import sys

for line in sys.stdin:
    cards = [int(word) for word in line.split()]  # six of them, ascending
    pair = min(card for card in cards if cards.count(card) > 1)  # there always is one: four values, six cards
    for _ in range(2):
        cards.remove(pair)
    low = cards.pop()
    print(*cards, "|", pair, pair, "|", low, flush=True)
