// A match: its mean with a band, the sequential test, the largest boards with both auctions side by side.
import { card, facts, h, put } from "./dom.js";
import { auctionTable, contractEl, diagram, handsOf, result, signed } from "./bridge.js";
import { curve } from "./charts.js";

const atImps = (found) => found.scoring !== "matchpoints";

export function meanOf(found) {
  if (!found.boards) return "–";
  if (atImps(found)) return `${signed(found.mean, 2)}${found.error === null ? "" : ` ±${found.error.toFixed(2)}`} IMPs`;
  return `${(50 + 100 * found.mean).toFixed(1)}${found.error === null ? "" : ` ±${(100 * found.error).toFixed(1)}`}%`;
}

export function drawMatch(main, name, found, opened) {
  const state = found.over ? ["", "finished"] : found.running ? ["running", "running"] : ["warn", "stopped"];
  const tied = found.boards - found.won - found.lost;
  put(main, h("div.stack", {},
    h("div.row.mid.spread.heading", {}, h("div", {}, h("h1", {}, "Match: ", name, " ", h("span.chip", { class: state[0] }, state[1])), h("p.small", {}, h("b", {}, "A"), ` ${found.a}`, h("br"), h("b", {}, "B"), ` ${found.b}`)), h("a.button", { href: "#/watch" }, "‹ All to watch")),
    card("", facts([[meanOf(found), "for A, a board", found.error !== null && Math.abs(found.mean) > 2 * found.error ? (found.mean > 0 ? "good" : "bad") : ""], [found.boards, found.over ? "boards" : "boards so far"],
      [`${found.won} : ${found.lost}`, `boards won and lost, ${tied} tied`], found.sprt ? [verdict(found), "sequential test", found.sprt.accepted ? "good" : ""] : null])),
    h("div.columns", { class: found.sprt ? "even" : "whole" },
      card(`${atImps(found) ? "IMPs a board" : "Matchpoints above the average"}, with a band of two standard errors`, curve(found.curve, "Mean after each board", { of: "boards" })),
      found.sprt ? sequential(found) : ""),
    h("section.card", { id: "swings" }, h("h2", {}, "The largest boards"), found.swings.length ? found.swings.map((one) => swing(one, found, opened)) : h("p.soft", {}, "No board was won or lost yet."))));
}

function verdict({ sprt }) {
  if (!sprt.accepted) return "undecided";
  return `${signed(sprt[sprt.accepted], 2)}`;
}

// Wald's test: the ratio of the likelihoods of two means, until one of them is clearly right.
function sequential({ sprt }) {
  const low = signed(sprt.low, 2), high = signed(sprt.high, 2);
  const share = (100 * (sprt.ratio - sprt.bounds[0])) / (sprt.bounds[1] - sprt.bounds[0]);
  const few = !sprt.accepted && sprt.decisive < sprt.fewest ? ` It decides only from ${sprt.fewest} boards on that are not tied; so far there are ${sprt.decisive}.` : "";
  const there = sprt.ratio <= sprt.bounds[0] ? low : sprt.ratio >= sprt.bounds[1] ? high : "";
  const told = sprt.accepted ? `Decided: a mean of ${signed(sprt[sprt.accepted], 2)} is clearly the better account of these boards.`
    : there ? `Is the mean rather ${low} or ${high}? So far ${there}, by a ratio of ${signed(sprt.ratio, 2)}.`
    : `Is the mean rather ${low} or ${high}? Undecided: the ratio stands at ${signed(sprt.ratio, 2)}; it must reach ${signed(sprt.bounds[0], 2)} or ${signed(sprt.bounds[1], 2)}.`;
  return h("section.card", { id: "sprt" }, h("h2", {}, "The sequential test"),
    curve(sprt.curve.map(([at, ratio]) => [at, ratio, null]), `Logarithm of the likelihood ratio after each board, now ${sprt.ratio}`, { lines: [[sprt.bounds[0], `accepts ${low}`], [sprt.bounds[1], `accepts ${high}`]], of: "boards" }),
    h("div.gauge", { role: "img", "aria-label": told }, h("span", {}, low), h("span.track", {}, h("span.needle", { style: { left: `${Math.min(Math.max(share, 0), 100)}%` } })), h("span", {}, high)),
    h("p.small.soft", {}, told, few));
}

function swing(one, found, opened) {
  const key = `board ${one.board}`;
  const won = one.points > 0 ? "good" : "bad";
  const points = atImps(found) ? `${signed(one.imps)} IMPs` : `${signed(100 * one.points)}%`;
  const room = (table) => h("div", {},
    h("p.small", {}, h("b", {}, table.ns === found.a ? "A" : "B"), ` sits North–South: `, contractEl(table.contract), " ", result(table.contract, table.tricks), table.score === null ? "" : `, NS ${signed(table.score)}`),
    auctionTable({ dealer: one.dealer, vul: one.vul, calls: table.calls, made: [] }));
  return h("details.swing", { "data-key": key, open: opened.has(key) },
    h("summary", {}, h("span.swing-line", {}, h("b.num", { class: won }, points), h("span.soft", {}, `Board ${one.board}`),
      one.tables.map((table) => h("span", {}, h("b.small", {}, table.ns === found.a ? "A: " : "B: "), contractEl(table.contract), " ", result(table.contract, table.tricks))))),
    h("div.columns.even", {}, one.tables.map(room)), diagram(handsOf(one.deal), one.dealer, one.vul, one.board, "small-diagram"));
}
