// What is to be said of a call, in practice and in reviews.
import { h } from "./dom.js";
import { callEl, handEl, handsOf, plain, SEAT_NAME, SEATS, shows, signed } from "./bridge.js";

const FITS = { system: "as the system says", judgement: "a matter of judgement", outside: "not what the system says" };
// The other three from the left on; the player's own hand is the same in all deals.
const around = (seat) => [1, 2, 3].map((step) => SEATS[(SEATS.indexOf(seat) + step) % 4]);
const dear = (one) => one.clear && one.cost > 0.3;

// Beside a call in the auction.
export const markOf = (one) =>
  dear(one) ? h("sup.bad", {}, signed(-one.cost, 1)) : one.fits === "outside" ? h("sup.warn", {}, "?") : h("sup.good", {}, "✓");

// In the notes of a board that is copied.
export const remarkOn = (one) => (dear(one) ? `pidm: ${plain(one.best)}, this loses ${one.cost.toFixed(1)} IMPs (±${(one.error || 0).toFixed(1)})` : "");

function words(one) {
  if (one.made === one.best && !one.worlds) return "the only call that comes into question";
  if (one.cost === null) return "the simulation could not tell";
  if (one.cost <= 0) return one.made === one.best ? "the engine’s choice, too" : "as good as the engine’s choice";
  return `loses ${one.cost.toFixed(1)} IMPs on average (±${(one.error || 0).toFixed(1)})${one.clear ? "" : ", which may be chance"}`;
}

// `who` made the call; `opened` are the parts that stay open when it is drawn anew.
export function verdictEl(one, { who = SEAT_NAME[one.seat], opened = new Set() } = {}) {
  const badge = dear(one) ? ["bad", "✗"] : one.fits === "outside" || one.cost > 0 ? ["warn", "~"] : ["good", "✓"];
  const most = Math.max(...one.options.map((option) => Math.abs(option.behind || 0)), 0.5);
  const rows = one.options.map((option) => h("tr", { class: option.call === one.made ? "made" : "" },
    h("td", {}, callEl(option.call), option.call === one.made ? h("span.small.soft", {}, " made") : ""),
    h("td.worth", {}, option.behind === null ? "" : [
      h("span.num", {}, option.behind === 0 ? "best" : signed(-option.behind, 1), option.behind ? h("span.soft.small", {}, ` ±${(option.error || 0).toFixed(1)}`) : ""),
      option.behind ? h("span.bar", { class: option.behind > 0 ? "neg" : "", style: { width: `${Math.max((100 * Math.abs(option.behind)) / most, 2)}%` } }) : "",
    ]),
    h("td.small.soft", {}, option.shows ? shows(option.shows) : "no agreement")));
  const glimpses = one.glimpses.map((glimpse) => h("div.glimpse", {},
    h("div.three", {}, around(one.seat).map((seat) => handEl(handsOf(glimpse.deal)[seat], seat))),
    h("p.small.num", {}, one.options.map((option, at) => [at ? " · " : "", callEl(option.call), ` ${signed(glimpse.scores[at])}`]))));
  const whatElse = one.options.length < 2 ? "" : h("details", { "data-at": one.at, open: opened.has(String(one.at)) || dear(one) },
    h("summary.small", {}, one.worlds ? `What else? ${one.worlds} deals simulated` : "What else?"),
    h("table.lines.options", {}, h("thead.sr", {}, h("tr", {}, h("th", {}, "Call"), h("th", {}, "IMPs"), h("th", {}, "Shows"))), h("tbody", {}, rows)),
    glimpses.length ? h("details", { "data-at": `${one.at}g`, open: opened.has(`${one.at}g`) },
      h("summary.small", {}, `${glimpses.length} of these deals, with the points that can be expected after each call`), h("div.glimpses", {}, glimpses)) : "");
  return h("article.verdict", {},
    h("div.verdict-head", {}, h("span.badge", { class: badge[0], "aria-hidden": "true" }, badge[1]),
      h("p", {}, callEl(one.made), h("span.small.soft", {}, ` ${who}: `), h("span", { class: dear(one) ? "bad" : "" }, words(one)), ". ",
        h("span.chip", { class: one.fits === "outside" ? "warn" : "" }, FITS[one.fits]),
        one.preferred !== one.made ? [h("span.small.soft", {}, " The system says "), callEl(one.preferred)] : "")),
    whatElse);
}
