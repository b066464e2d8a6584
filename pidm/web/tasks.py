"""What the workers can do, by name: plain data in, plain data out."""

from __future__ import annotations

from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Deal
from pidm.language.finding import short_place
from pidm.web import explore_tasks as explore
from pidm.web import match_tasks
from pidm.web import review_tasks as review
from pidm.web import watch_tasks as watch
from pidm.web.loaded import SystemsNow, system, table
from pidm.web.requests import Progress, Task, auction_of, limit_of, pair_of


def practice_board(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A deal of a kind for the side of a seat."""
    from pidm.play.practice_deals import practice_board as dealt

    seat = Seat.from_str(args["seat"])
    board = dealt(
        table(args["ns"], args["ew"]), (seat, seat.partner), args["kind"], args["seed"], args["number"]
    )
    hands = {str(one): str(board.deal[one]) for one in Seat}
    return {"hands": hands, "dealer": str(board.dealer), "vul": str(board.vul)}


def bid_on(args: dict[str, Any], progress: Progress) -> list[str]:
    """The calls of the engine until it is a person's turn or the auction is over."""
    from pidm.play.calling import bidder_of

    deal, auction = Deal.from_str(args["deal"]), auction_of(args)
    people = {Seat.from_str(seat) for seat in args["people"]}
    ns, ew, systems_now = pair_of(args["ns"], args), pair_of(args["ew"], args), SystemsNow()
    made: list[str] = []
    while not auction.over and auction.actor not in people:
        mine, rivals = (ns, ew) if auction.actor.side == "NS" else (ew, ns)
        bidder = bidder_of(mine, rivals=rivals, systems=systems_now)
        call = bidder.bid(deal[auction.actor], auction).call
        made.append(str(call))
        progress(list(made))
        auction = auction.after(call)
    return made


def outcome(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """What a finished board is worth double dummy, beside par and what the engine would have reached."""
    from pidm.bridge.scoring import imps, par
    from pidm.play.solved_deals import Solver, default_store, ns_score

    deal, auction = Deal.from_str(args["deal"]), auction_of(args)
    solved = Solver(default_store()).tables([deal])[0]
    best = par(deal, auction.vul, auction.dealer, solved)

    def scored(one: Auction) -> tuple[int | None, int]:
        contract = one.contract
        if contract is None:
            return None, 0
        tricks = int(solved["SHDCN".index(contract.strain), int(contract.declarer)])
        return tricks, ns_score(contract, one.vul, tricks)

    tricks, score = scored(auction)
    start = {**args, "calls": [], "people": []}
    alone = auction_of({**args, "calls": bid_on(start, lambda call: None)})
    engine_tricks, engine_score = scored(alone)
    return {
        "contract": str(auction.contract) if auction.contract else None,
        "tricks": tricks,
        "score": score,
        "table": solved.tolist(),
        "par": {
            "score": best.score,
            "contracts": [str(contract) for contract in best.contracts],
            "tricks": list(best.tricks),
        },
        "engine": {
            "calls": [str(call) for call in alone.calls],
            "contract": str(alone.contract) if alone.contract else None,
            "tricks": engine_tricks,
            "score": engine_score,
        },
        "imps_par": imps(score - best.score),
        "imps_engine": imps(score - engine_score),
    }


def weigh(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """One call of an auction judged: what the system says, what the simulation thinks."""
    from pidm.match.review import meanings
    from pidm.play.weighing import weigh as weighed

    at = int(args["at"])
    whole, deal = auction_of(args), Deal.from_str(args["deal"])
    auction = auction_of({**args, "calls": args["calls"][:at]})
    here = table(args["ns"], args["ew"])
    verdict = weighed(here, deal[auction.actor], auction, whole.calls[at], limit_of(args))
    found = verdict.to_dict()
    told = meanings(here, auction, (option.call for option in verdict.options))
    for option in found["options"]:
        option["shows"] = told.get(Call.from_str(option["call"]), "")
        for rule in option["rules"]:
            rule["place"] = short_place(rule["place"])
    return {**found, "at": at, "seat": str(auction.actor)}


def systems(args: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """What is to be told about systems before one is chosen."""
    found = []
    for name in args["names"]:
        spec = system(name).spec
        found.append(
            {
                "name": name,
                "title": spec.name,
                "about": (spec.about or "").strip(),
                "conventions": [
                    {"name": one, "about": (spec.all_conventions[one].about or "").strip()}
                    for one in sorted(spec.conventions)
                    if one in spec.all_conventions
                ],
            }
        )
    return found


TASKS: dict[str, Task] = {
    "examples": watch.examples,
    "explain": explore.explain,
    "files": explore.files,
    "frequency": explore.frequency,
    "hands": explore.hands,
    "lint": explore.lint,
    "match": match_tasks.match,
    "records": review.records,
    "review_board": review.review_board,
    "review_file": review.review_file,
    "search": explore.search,
    "session": watch.session,
    "source": explore.source,
    "standings": review.standings,
    "practice_board": practice_board,
    "bid_on": bid_on,
    "outcome": outcome,
    "weigh": weigh,
    "systems": systems,
}
