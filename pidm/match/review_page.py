"""A review as one HTML file that can be mailed: no scripts, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from pidm.bridge.calls import Call, Contract
from pidm.match.review import in_words
from pidm.match.standings import standings

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
COLUMNS = "WNES"
Board = Mapping[str, Any]
"""A reviewed board as plain data."""
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?lin="
FITS = {
    "system": "fits the system",
    "judgement": "a matter of judgement",
    "outside": "not what the system says",
}

STYLE = """
:root { color-scheme: light dark; --bg: #f6f5f1; --card: #fff; --ink: #1c2321; --soft: #5a6560;
  --line: #dcdad2; --accent: #0b6b4f; --tint: #e7f2ed; --bad: #b3261e; --S: #16181d; --H: #c8102e; --D:
  #c8102e;
  --C: #16181d; --N: #23408e }
@media (prefers-color-scheme: dark) { :root { --bg: #121615; --card: #1c2220; --ink: #e9edea; --soft:
  #a3afa9;
  --line: #343d39; --accent: #54c79d; --tint: #1d322a; --bad: #ff8a80; --S: #eef1f4; --H: #ff6b76;
  --D: #ff6b76; --C: #eef1f4; --N: #9db6ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.45 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 1rem }
section, article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding:
  1rem;
  margin: 1rem 0; overflow-x: auto }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 0 0 .6rem } a { color: var(--accent) }
table { border-collapse: collapse } td, th { padding: .2rem .6rem; text-align: left; vertical-align: top
  }
th { font-size: .8rem; color: var(--soft) } .lines td { border-top: 1px solid var(--line) }
.r { text-align: right; font-variant-numeric: tabular-nums } .soft { color: var(--soft) }
.bad { color: var(--bad); font-weight: 600 } .S { color: var(--S) } .H { color: var(--H) }
.D { color: var(--D) } .C { color: var(--C) } .N { color: var(--N) } .board, .two { display: flex;
  flex-wrap: wrap; gap: 1.5rem }
.deal td { padding: .3rem .8rem; white-space: nowrap } .deal b { font-size: .85rem; color: var(--soft) }
.auction th, .auction td { width: 4.6rem; text-align: center }
.board > div { flex: 1 1 20rem }
.mid { text-align: center; background: var(--tint); border-radius: 8px }
@media (max-width: 36rem) { main { padding: .5rem } section, article { padding: .7rem } .two { gap: 1rem }
  .two table { width: 100% } .wide { display: none } td, th { padding: .2rem .3rem }
  .deal td { padding: .2rem .4rem } }
"""


def page(boards: Sequence[Board], title: str, systems: Mapping[str, str]) -> str:
    """The whole file; `systems` says what NS and EW are taken to play."""
    played = ", ".join(f"{side} {escape(name.replace('_', ' '))}" for side, name in systems.items())
    found = standings(boards)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="soft">{len(boards)} boards reviewed by pidm, on the assumption that the pairs play '
        f"{played}. What a call costs is its mean loss over simulated deals against the engine's call; "
        "a loss counts if it is at least twice its standard error. Par is double dummy.</p>",
        *_standings(found),
    ]
    for number, board in enumerate(boards):
        parts += _board(board, number)
    return "\n".join([*parts, "</main></body></html>", ""])


def _standings(found: Mapping[str, Any]) -> Iterable[str]:
    yield '<section><h2>IMPs lost in bidding</h2><div class="two">'
    for name, key in (("Pairs", "pairs"), ("Players", "players"), ("Kinds of decisions", "kinds")):
        head = (
            f"<th>{name}<th class=r>calls<th class='r wide'>not the system"
            "<th class=r>mistakes<th class=r>IMPs lost"
        )
        rows = "".join(
            f"<tr><td>{escape(row['name'])}<td class=r>{row['calls']}<td class='r wide'>{row['outside']}"
            f"<td class=r>{row['mistakes']}<td class=r>{row['lost']:.1f}"
            for row in found[key]
        )
        yield f"<table class=lines><thead><tr>{head}</thead><tbody>{rows}</tbody></table>"
    yield "</div></section>"
    if found["dearest"]:
        yield "<section><h2>The most expensive calls</h2><table class=lines><thead><tr><th>board<th>who"
        yield "<th class=wide>auction<th>call<th>engine<th class=r>IMPs</thead><tbody>"
        for one in found["dearest"]:
            auction = " ".join(map(_call, one["auction"]))
            yield (
                f'<tr><td><a href="#b{one["place"]}">{_text(one["board"], one["place"])}</a>'
                f"<td>{escape(one['who'])}"
                f"<td class=wide>{auction}<td>{_call(one['call'])}<td>{_call(one['best'])}"
                f"<td class=r>{one['lost']:.1f}"
            )
        yield "</tbody></table></section>"


def _board(board: Board, number: int) -> Iterable[str]:
    yield f'<article id="b{number}"><h2>Board {_text(board["board"], number)}</h2>'
    if board["trouble"]:
        yield f"<p>{escape(board['trouble'])}</p></article>"
        return
    yield f'<div class="board">{_diagram(board)}<div>{_auction(board)}'
    summary = f"<p>{_contract(board['contract'])}"
    if board["tricks"] is not None:
        summary += f", {board['tricks']} tricks double dummy"
    if board["taken"] is not None:
        summary += f", {board['taken']} taken"
    if board["par"] is not None:
        words = in_words(board)
        summary += f". {_signs(escape(words[0].upper() + words[1:]))}"
    yield f"{summary}.</p></div></div>"
    told = [call for call in board["reviewed"] if call["mistake"] or call["fits"] == "outside"]
    if told:
        yield "<table class=lines><tbody>" + "".join(map(_told, told)) + "</tbody></table>"
    else:
        yield '<p class="soft">Nothing to remark.</p>'
    if board["lin"]:
        yield f'<p><a href="{VIEWER}{quote(board["lin"])}" rel="noopener noreferrer">Hand viewer</a></p>'
    yield "</article>"


def _told(call: Mapping[str, Any]) -> str:
    options = []
    for option in call["options"]:
        if option["behind"] is None:
            continue
        error = f" ±{option['error']:.1f}" if option["error"] else ""
        worth = "best" if option["behind"] == 0 else f"{-option['behind']:+.1f}{error}"
        options.append(f"{_call(option['call'])} {worth}")
    cost = ""
    if call["mistake"]:
        cost = f"<span class=bad>loses {call['lost']:.1f} IMPs</span>, engine {_call(call['best'])}"
    says = "" if call["preferred"] == call["made"] else f", the system says {_call(call['preferred'])}"
    deals = f" · {call['worlds']} deals: {', '.join(options)}" if options and call["worlds"] else ""
    return (
        f"<tr><td>{call['seat']}<td>{_call(call['made'])}<td>{FITS[call['fits']]}{says}. {cost}"
        f"<br><span class=soft>{escape(call['shows'])}{deals}</span>"
    )


def _diagram(board: Board) -> str:
    def hand(seat: str) -> str:
        held = board["hands"].get(seat)
        name = f"<b>{seat} {escape(board['players'].get(seat, ''))}</b>"
        if held is None:
            return name
        suits = (
            f'<span class="{suit}">{SYMBOLS[suit]}</span> {escape(cards.replace("T", "10")) or "—"}'
            for suit, cards in zip("SHDC", held.split("."))
        )
        return name + "<br>" + "<br>".join(suits)

    vul = {"None": "nobody vul", "Both": "both vul"}.get(board["vul"], f"{board['vul']} vul")
    middle = f"<td class=mid>dealer {board['dealer']}<br>{vul}"
    return (
        f"<table class=deal><tr><td><td>{hand('N')}<td><tr><td>{hand('W')}{middle}<td>{hand('E')}"
        f"<tr><td><td>{hand('S')}<td></table>"
    )


def _auction(board: Board) -> str:
    by_number = {call["at"]: call for call in board["reviewed"]}
    cells = [""] * COLUMNS.index(board["dealer"])
    for at, call in enumerate(board["calls"]):
        told = by_number.get(at)
        shows = f' title="{escape(told["shows"])}"' if told else ""
        mark = f"<sup class=bad>−{told['lost']:.1f}</sup>" if told and told["mistake"] else ""
        cells.append(f"<span{shows}>{_call(call)}</span>{mark}")
    rows = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    body = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows)
    head = "".join(f"<th>{seat}" for seat in COLUMNS)
    return f"<table class=auction><thead><tr>{head}</thead><tbody>{body}</tbody></table>"


def _call(text: str) -> str:
    call = Call.from_str(text)
    if not call.is_bid:
        return {"P": "Pass", "X": "Dbl", "XX": "Rdbl"}[str(call)]
    return f"<b>{call.level}{_strain(call.strain)}</b>"


def _signs(words: str) -> str:
    """Bids in a sentence as players write them, and the calls of somebody in words."""

    def bid(found: re.Match[str]) -> str:
        level, strain, doubled = found.groups()
        return f"<b>{level}{_strain(strain)}</b>{'×' * len(doubled)}"

    words = re.sub(r"\b(P|XX?)(?= of [NESW]\b)", lambda found: _call(found[1]), words)
    return re.sub(r"\b([1-7])([SHDCN])(X{0,2})\b", bid, words)


def _strain(strain: str) -> str:
    return f'<span class="{strain}">{SYMBOLS.get(strain, "NT")}</span>'


def _contract(text: str | None) -> str:
    if text is None:
        return "Passed out"
    contract = Contract.from_str(text)
    return f"{contract.level}{_strain(contract.strain)}{'×' * contract.doubled} by {contract.declarer}"


def _text(board: int | None, number: int) -> str:
    return str(board if board is not None else number + 1)
