"""Proposes what makes two hands better, by pairs and high cards. Started once; asked in lines of JSON."""

import json
import sys
from collections import Counter

RANKS = "23456789TJQKA"


def worth(hand):  # cards that come often first, and then high ones: neither straights nor flushes
    times = Counter(card[0] for card in hand)
    return sorted(((times[card[0]], RANKS.index(card[0])) for card in hand), reverse=True)


def swapped(hand, gone, come):
    return [come if card == gone else card for card in hand]


def propose(view):
    hands, own = view["hands"], view["own"]
    best, answer = worth(hands[own]), "pass"
    for other, hand in enumerate(hands):
        for give in hands[own]:
            for take in hand if other != own else []:
                mine = worth(swapped(hands[own], give, take))
                if mine > best and worth(swapped(hand, take, give)) > worth(hand):
                    best, answer = mine, {"swap": [give, take]}
    return answer


def decide(view):
    if view["proposal"] is None:
        return propose(view)
    give, take = view["proposal"]  # from the seat whose turn it is
    hand = view["hands"][view["own"]]
    return "accept" if worth(swapped(hand, take, give)) > worth(hand) else "decline"


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "decide":  # the first line only says hello
        print(json.dumps({"id": asked["id"], "answer": decide(asked["view"])}), flush=True)
