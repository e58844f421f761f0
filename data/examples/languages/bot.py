# Bank Heist: stakes one credit, and goes in with the others.
import json
import sys

if len(sys.argv) > 1:
    print(1)
else:
    for line in sys.stdin:
        question = json.loads(line)
        if question["type"] == "decide":
            print(json.dumps({"id": question["id"], "answer": 1}), flush=True)
