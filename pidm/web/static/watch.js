// Watch: a training session or a match, as it runs or afterwards.
import { h, problem, put } from "./dom.js";
import { get, listen } from "./api.js";
import { auctionTable, callEl, contractEl, diagram, handsOf, handText, result, signed } from "./bridge.js";

export async function show(main, { parts }) {
  const [kind, name] = parts;
  if (kind === "session" || kind === "match") return follow(main, kind, name);
  put(main, h("h1", {}, "Watch"), h("p.wait", {}, "One moment …"));
  const found = await get("/api/watch");
  const list = (heading, names, view, hint) => h("section.card", {}, h("h2", {}, heading), names.length ? h("ul.plain", {}, names.map((one) => h("li", {}, h("a", { href: `#/watch/${view}/${encodeURIComponent(one)}` }, one)))) : h("p.soft", {}, hint));
  put(main, h("h1", {}, "Watch"), h("div.columns.even", {},
    list("Training sessions", found.sessions, "session", ["None was named. Start one, and name its folder:", h("pre.small", {}, "pidm cotrain two_over_one --out session\npidm serve session")]),
    list("Matches", found.matches, "match", ["None was named. Start one with --out, and name its file:", h("pre.small", {}, "pidm match two_over_one sayc --out match.json\npidm serve match.json")])));
}

function follow(main, kind, name) {
  const opened = new Set();
  let wanted = false;
  let busy = false;
  const draw = async () => {
    if (busy) { wanted = true; return; }
    busy = true;
    try {
      const found = await get(`/api/watch/${kind}`, { name });
      for (const one of main.querySelectorAll("details")) one.open ? opened.add(one.dataset.key) : opened.delete(one.dataset.key);
      (kind === "match" ? drawMatch : drawSession)(main, name, found, opened);
    } catch (error) { put(main, h("h1", {}, name), problem(error)); }
    busy = false;
    if (wanted) { wanted = false; draw(); }
  };
  put(main, h("p.wait", {}, "One moment …"));
  return listen(`/api/watch/events?${new URLSearchParams({ kind, name })}`, { changed: draw }, draw);
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

// A curve with a band: points [x, y, error or null].
function curve(points, label, zero = true) {
  const width = 640, height = 220, left = 52, bottom = 26, right = 8, top = 10;
  if (!points.length) return h("p.soft", {}, "Nothing yet.");
  const all = points.flatMap(([, y, error]) => [y - 2 * (error || 0), y + 2 * (error || 0)]);
  const calm = points.length > 8 ? points.slice(Math.floor(points.length / 8)).flatMap(([, y, error]) => [y - 2 * (error || 0), y + 2 * (error || 0)]) : all;
  let low = Math.min(...calm, ...(zero ? [0] : [])), high = Math.max(...calm, ...(zero ? [0] : []));
  if (high - low < 1e-6) { high += 0.5; low -= 0.5; }
  const first = points[0][0], last = Math.max(points.at(-1)[0], first + 1);
  const x = (value) => left + ((value - first) / (last - first)) * (width - left - right);
  const y = (value) => top + (1 - (Math.min(Math.max(value, low), high) - low) / (high - low)) * (height - top - bottom);
  const line = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const band = points.filter(([, , error]) => error !== null && error !== undefined);
  const edge = [...band.map(([at, value, error]) => `${x(at).toFixed(1)},${y(value + 2 * error).toFixed(1)}`), ...band.reverse().map(([at, value, error]) => `${x(at).toFixed(1)},${y(value - 2 * error).toFixed(1)}`)].join(" ");
  const text = (at, to, words, anchor) => svg("text", { x: at, y: to, "text-anchor": anchor, class: "axis" }, words);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" },
    svg("line", { x1: left, x2: width - right, y1: y(low), y2: y(low), class: "rule" }),
    text(left - 6, y(low) + 4, low.toFixed(2), "end"), text(left - 6, y(high) + 8, high.toFixed(2), "end"),
    text(left, height - 6, String(first), "start"), text(width - right, height - 6, String(points.at(-1)[0]), "end"));
  if (zero && low < 0 && high > 0) root.append(svg("line", { x1: left, x2: width - right, y1: y(0), y2: y(0), class: "zero" }), text(left - 6, y(0) + 4, "0", "end"));
  if (edge) root.append(svg("polygon", { points: edge, class: "band" }));
  root.append(svg("polyline", { points: line, class: "line" }));
  return root;
}

const state = (running) => h("span.chip", { class: running ? "" : "warn" }, running ? "running" : "not running");

// ---------------------------------------------------------------- a session

function drawSession(main, name, found, opened) {
  const last = found.curve.at(-1);
  const settings = found.settings;
  const fact = (value, words) => h("div", {}, h("b", {}, value), h("span", {}, words));
  put(main, h("div.row.mid.spread", {}, h("h1", {}, `Session ${name}`), state(found.running)),
    h("p.small.soft", {}, `${settings.system}${settings.partner ? ` with ${settings.partner}` : ""}, ${settings.nets} nets asked for, ${settings.examples} examples each`),
    h("section.card", {}, h("div.facts", {}, fact(found.nets.length, "auctions learned"), fact(found.examples, "examples tagged"),
      last ? fact(`${signed(last.score, 2)} ±${last.error.toFixed(2)}`, "IMPs per problem, without search") : "", last ? fact(`${(100 * last.lookahead_ratio).toFixed(0)}%`, "of decisions still open") : "")),
    h("div.columns.even", { style: { marginTop: "1rem" } },
      h("section.card", {}, h("h2", {}, "IMPs per problem, by round"), curve(found.curve.map((row) => [row.round + 1, row.score, row.error]), "IMPs per problem by round", false)),
      h("section.card", {}, h("h2", {}, "Share of decisions that are open"), curve(found.curve.map((row) => [row.round + 1, row.lookahead_ratio, null]), "Share of open decisions by round"))),
    h("section.card", { style: { marginTop: "1rem" }, id: "nets" }, h("h2", {}, "What was learned"), found.nets.length ? found.nets.map((net) => netEl(name, net, opened)) : h("p.soft", {}, "Nothing yet.")),
    h("section.card", { style: { marginTop: "1rem" } }, h("h2", {}, "Log"), h("pre.small.scroll", {}, found.log.join("\n"))));
}

function netEl(name, net, opened) {
  const key = `${net.partner} ${net.auction}`;
  const changed = new Set(net.changes);
  const more = h("div");
  const load = async () => {
    put(more, h("p.wait.small", {}, "One moment …"));
    try {
      const { examples } = await get("/api/watch/examples", { name, auction: net.auction });
      put(more, examples.length ? h("div.scroll", {}, h("table.lines.small", {}, h("thead", {}, h("tr", {}, h("th", {}, "Hand"), h("th", {}, "Vul"), h("th", {}, "Best"), h("th", {}, "What each call is worth"))),
        h("tbody", {}, examples.slice(0, 60).map((one) => h("tr", {}, h("td", {}, handText(one.hand)), h("td", {}, one.vul), h("td", {}, callEl(one.call)), h("td", {}, Object.entries(one.values).map(([call, value], at) => [at ? ", " : "", callEl(call), ` ${signed(value, 2)}`]))))))) : h("p.small.soft", {}, "No examples are kept."));
    } catch (error) { put(more, problem(error)); }
  };
  const details = h("details", { "data-key": key, open: opened.has(key), ontoggle: () => details.open && !more.hasChildNodes() && load() },
    h("summary", {}, net.auction.split(" ").map((call) => [callEl(call), " "]), h("span.soft.small", {}, ` ${net.examples} examples `), net.partner ? h("span.chip", {}, "partner") : "", net.changes.length ? h("span.chip.warn", {}, "not what the rules say") : ""),
    h("pre.small.scroll", {}, net.says.map((line) => [h("span", { class: changed.has(line) ? "warn" : "" }, line), "\n"])), more);
  if (details.open) load();
  return details;
}

// ---------------------------------------------------------------- a match

function drawMatch(main, name, found, opened) {
  const imps = found.scoring !== "matchpoints";
  const mean = imps ? `${signed(found.mean, 2)} IMPs` : `${(50 + 100 * found.mean).toFixed(1)}%`;
  const error = found.error === null ? "" : imps ? ` ±${found.error.toFixed(2)}` : ` ±${(100 * found.error).toFixed(1)}`;
  const fact = (value, words) => h("div", {}, h("b", {}, value), h("span", {}, words));
  const sprt = found.sprt;
  put(main, h("div.row.mid.spread", {}, h("h1", {}, name), found.running ? state(true) : ""),
    h("p", {}, h("b", {}, "A "), found.a, h("br"), h("b", {}, "B "), found.b),
    h("section.card", {}, h("div.facts", {}, fact(`${mean}${error}`, "A, per board"), fact(found.boards, "boards"), fact(`${found.won} : ${found.lost}`, `won and lost, ${found.boards - found.won - found.lost} tied`),
      sprt ? fact(sprt.accepted || "undecided", `sequential test: ratio ${Number(sprt.log_likelihood_ratio).toFixed(2)}, bounds ${Number(sprt.bounds[0]).toFixed(2)} and ${Number(sprt.bounds[1]).toFixed(2)}`) : "")),
    h("section.card", { style: { marginTop: "1rem" } }, h("h2", {}, "Mean after each board, with its band of two standard errors"), curve(found.curve, "Mean after each board")),
    h("section.card", { style: { marginTop: "1rem" }, id: "swings" }, h("h2", {}, "The largest boards"), found.swings.length ? found.swings.map((one) => swing(one, found, opened)) : h("p.soft", {}, "No board was won or lost yet.")));
}

function swing(one, found, opened) {
  const key = `board ${one.board}`;
  return h("details", { "data-key": key, open: opened.has(key) },
    h("summary", {}, `Board ${one.board}: `, h("b", { class: one.imps > 0 ? "good" : "bad" }, `${signed(one.imps)} IMPs`), " ", one.tables.map((table, at) => [at ? " and " : "", contractEl(table.contract), " ", result(table.contract, table.tricks)])),
    h("div.columns.even", {}, one.tables.map((table) => h("div", {}, h("p.small", {}, `NS: ${table.ns === found.a ? "A" : "B"} ${table.ns}`), auctionTable({ dealer: one.dealer, vul: one.vul, calls: table.calls, made: [] }),
      h("p.small", {}, contractEl(table.contract), " ", result(table.contract, table.tricks), table.score === null ? "" : `, NS ${signed(table.score)}`)))),
    one.deal ? diagram(handsOf(one.deal), one.dealer, one.vul, one.board, "small-diagram") : "");
}
