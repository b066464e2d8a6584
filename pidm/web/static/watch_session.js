// A training session: its curves, what was learned in words, the hands behind it, and the match at the end.
import { card, facts, h, plural, problem, put } from "./dom.js";
import { get } from "./api.js";
import { callEl, callsEl, handText, signed, signs, title, vulWords } from "./bridge.js";
import { curve } from "./charts.js";
import { meanOf } from "./watch_match.js";

export function drawSession(main, name, found, opened) {
  const { settings, nets } = found;
  const first = found.curve[0], last = found.curve.at(-1);
  const finished = !found.running && nets.length >= settings.nets;
  const state = found.running ? ["running", "running"] : finished ? ["", "finished"] : ["warn", "stopped"];
  const changed = nets.filter((net) => net.changes.length).length;
  const learns = `${title(settings.system)}${settings.partner ? ` with a partner who plays ${title(settings.partner)}` : ""}: ${plural(settings.nets, "auction")} to learn, ${plural(settings.examples, "example")} for each.`;
  const points = (key, error) => found.curve.map((row) => [row.round + 1, row[key], error ? row[error] : null]);
  put(main, h("div.stack", {},
    h("div.row.mid.spread.heading", {}, h("div", {}, h("h1", {}, "Training: ", name, " ", h("span.chip", { class: state[0] }, state[1])), h("p.small.soft", {}, learns)), h("a.button", { href: "#/watch" }, "‹ All to watch")),
    card("", facts([
      [`${nets.length} of ${settings.nets}`, "auctions learned"], [changed, "of them bid otherwise than the rules"], [found.examples, "examples tagged"],
      last ? [`${signed(last.score, 2)} ±${last.error.toFixed(2)}`, `IMPs a problem without search${first !== last ? `, at first ${signed(first.score, 2)}` : ""}`] : null,
      last ? [`${(100 * last.lookahead_ratio).toFixed(0)}%`, `of decisions still open${first !== last ? `, at first ${(100 * first.lookahead_ratio).toFixed(0)}%` : ""}`] : null])),
    h("div.columns.even", {},
      card("IMPs a problem, with its band of two standard errors", curve(points("score", "error"), "IMPs a problem by round", { zero: false, of: "round" })),
      card("Decisions that a search would still be needed for", curve(points("lookahead_ratio"), "Share of open decisions by round", { percent: true, of: "round" }))),
    matches(found, finished),
    h("section.card", { id: "nets" }, h("h2", {}, "What was learned"), nets.length ? nets.map((net) => netEl(name, net, opened)) : h("p.soft", {}, "Nothing yet.")),
    h("section.card", {}, h("details", { "data-key": "log", open: opened.has("log") || !nets.length }, h("summary", {}, "Log"), h("pre.small.scroll", {}, found.log.join("\n"))))));
}

// The nets against the rules they were learned from.
function matches(found, finished) {
  const { system } = found.settings;
  const line = (one) => h("tr", {}, h("td", {}, h("a", { href: `#/watch/match/${encodeURIComponent(one.name)}` }, one.name), one.running ? h("span.chip.running", {}, "running") : ""),
    h("td.wide-only", {}, `${one.a} against ${one.b}`), h("td.r.wide-only", {}, plural(one.boards, "board")), h("td.r", {}, h("b", {}, meanOf(one))));
  const hint = [h("p.soft", {}, finished ? "Do the nets win against the rules alone? A match tells; its result appears here:" : "When the session is over, a match tells whether the nets win against the rules alone; its result appears here:"),
    h("pre.commands", {}, `pidm match ${system},refinements=${found.folder} ${system} --no-search --boards 1000 --out ${found.folder}/match.json`)];
  return h("section.card", { id: "matches" }, h("h2", {}, "The match at the end"),
    found.matches.length ? h("div.scroll", {}, h("table.lines", {}, h("thead", {}, h("tr", {}, h("th", {}, "Match"), h("th.wide-only", {}, "Pairs"), h("th.r.wide-only", {}, "Boards"), h("th.r", {}, "First pair, a board"))), h("tbody", {}, found.matches.map(line)))) : hint);
}

function netEl(name, net, opened) {
  const key = `${net.partner} ${net.auction}`;
  const changed = new Set(net.changes);
  const more = h("div");
  const load = async () => {
    put(more, h("p.wait.small", {}, "One moment …"));
    try {
      const { examples } = await get("/api/watch/examples", { name, auction: net.auction });
      put(more, examples.length ? exampleTable(examples) : h("p.small.soft", {}, "No examples are kept."));
    } catch (error) { put(more, problem(error)); }
  };
  const details = h("details.net", { "data-key": key, open: opened.has(key), ontoggle: () => details.open && !more.hasChildNodes() && load() },
    h("summary", {}, callsEl(net.auction.split(" ")), h("span.soft.small", {}, ` ${plural(net.examples, "example")} `), net.partner ? h("span.chip", {}, "partner") : "", " ", net.changes.length ? h("span.chip.warn", {}, "not what the rules say") : ""),
    h("ul.says.small", {}, net.says.map((line) => h("li", { class: changed.has(line) ? "warn" : "" }, signs(line, true)))), more);
  if (details.open) load();
  return details;
}

function exampleTable(examples) {
  const line = (one) => h("tr", {}, h("td", {}, handText(one.hand)), h("td", {}, vulWords(one.vul)), h("td", {}, callEl(one.call)),
    h("td", {}, Object.entries(one.values).map(([call, value], at) => [at ? ", " : "", callEl(call), ` ${signed(value, 2)}`])));
  return h("div.scroll.examples", {}, h("table.lines.small", {},
    h("thead", {}, h("tr", {}, h("th", {}, "Hand"), h("th", {}, "Vulnerable"), h("th", {}, "Best"), h("th", {}, "What each call is worth in IMPs"))),
    h("tbody", {}, examples.slice(0, 60).map(line))));
}
