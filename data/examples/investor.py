"""Spends successes on better odds at first, and harvests later. Started once; asked in lines of JSON."""

import json
import sys


def decide(view):
    bank = view["bank"]
    chance, odds = view["chances"][bank], view["odds"][bank]
    if view["round"] == 1:
        return int(view["credits"] * max(0, chance - (1 - chance) / odds)) if odds else 0
    others_stay = view["committed"] >= 0.8 * view["acted"]
    return "acquire intel" if others_stay and view["game"] < 300 else "!guncheck"


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "decide":  # the first line only says hello
        print(json.dumps({"id": asked["id"], "answer": decide(asked["view"])}), flush=True)
