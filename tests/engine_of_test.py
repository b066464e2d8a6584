"""A tiny bidding program that speaks JSON lines, with faults on demand.

    engine_of_test.py [--crash HCP] [--illegal HCP] [--garbage HCP] [--hang HCP] [--single]

Opens one of its longest suit with 12 points, else passes. A hand with as many points as an option says brings
about that fault.
"""

import itertools
import json
import sys
import time


def points(hand):
    return sum("JQKA".index(card) + 1 for card in hand if card in "JQKA")


def call(request, faults):
    hand, auction = request["hand"], request["auction"]
    fault = next((name for name, hcp in faults.items() if hcp == points(hand)), "")
    if fault == "--crash":
        print("out of luck", file=sys.stderr)
        sys.exit(3)
    if fault == "--hang":
        time.sleep(60)
    if fault == "--illegal":
        return "XX"
    if fault == "--garbage":
        return "eight spades"
    if points(hand) < 12 or any(one != "P" for one in auction):
        return "P"
    suits = hand.split(".")
    longest = max(range(4), key=lambda suit: len(suits[suit]))
    return "1" + "SHDC"[longest]


def main(words):
    faults = {
        name: int(hcp) for name, hcp in itertools.pairwise(words) if name.startswith("--") and hcp.isdigit()
    }
    for line in sys.stdin:
        message = json.loads(line)
        if isinstance(message, list) and "--single" in words:
            print(json.dumps({"error": {"message": "one at a time"}}), flush=True)
            continue
        many = message if isinstance(message, list) else [message]
        answers = [{"id": one["id"], "call": call(one, faults)} for one in many]
        print(json.dumps(answers if isinstance(message, list) else answers[0]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
