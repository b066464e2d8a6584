"""A tiny bidding program that speaks JSON lines, with faults on demand.

    engine_of_test.py [--crash HCP] [--illegal HCP] [--garbage HCP] [--hang HCP] [--single] [--MANNER]

Opens one of its longest suit with 12 points, else passes. A hand with as many points as an option says brings
about that fault. The manners are those of `misbehave`.
"""

import itertools
import json
import subprocess
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


def misbehave(words, answers):
    """What is printed instead of the answers, by bad manners."""
    first = answers[0]
    if "--greets" in words:
        print("Hello, I am an engine")
    if "--late" in words:
        print(json.dumps({**first, "id": first["id"] - 1, "call": "7N"}))
    if "--backwards" in words:
        answers.reverse()
    if "--brackets" in words:
        return "[" * 100_000
    if "--digits" in words:
        return json.dumps({**first, "instances": 0}).replace("0}", "9" * 5000 + "}")
    if "--infinite" in words:
        return json.dumps({**first, "expected": 0}).replace("0}", "1e400}")
    if "--nobody" in words:
        return json.dumps({"call": "P"})
    if "--endless" in words:
        while True:
            sys.stdout.write("x" * 100_000)
    if "--flood" in words:
        while True:
            print("nothing to say " * 100)
    if "--chatter" in words:
        while True:
            print("much to say " * 1000, file=sys.stderr)
    return None


def main(words):
    if "--deaf" in words:
        time.sleep(60)
    if "--family" in words:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        with open(words[words.index("--family") + 1], "a") as file:
            print(child.pid, file=file)
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
        instead = misbehave(words, answers)
        if instead is None:
            instead = json.dumps(answers if isinstance(message, list) else answers[0])
        print(instead, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
