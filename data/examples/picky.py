"""Keeps the cards near the top of the deck, as far as it is known. Started once; asked in lines of JSON."""

import json
import sys


def decide(view):
    seen = [*view["kept"], *view["rejected"], view["shown"]]
    highest = (min(seen) + max(seen) + view["cards"] - 1) / 2  # the middle of what the highest card can be
    margin = view["cards"] * view["needed"] / (view["left"] + 1)  # so far down are as many as are needed
    if view["penalty"] != "none":
        margin = max(margin, view["cards"] / 2)  # looking for better ones costs
    return "keep" if view["shown"] > highest - margin else "another"


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "decide":  # the first line only says hello
        print(json.dumps({"id": asked["id"], "answer": decide(asked["view"])}), flush=True)
