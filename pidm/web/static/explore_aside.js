// Beside the calls: what the system is, a file of it, what a search found, what lint finds.
import { h, plural, problem, put } from "./dom.js";
import { get } from "./api.js";
import { shows, signs, title } from "./bridge.js";
import { to } from "./explore_address.js";

export async function fillAside(aside, here) {
  try {
    if (here.file) await source(aside, here);
    else if (here.words) await search(aside, here);
    else if (here.lint) await lint(aside, here);
    else await about(aside, here);
  } catch (error) { put(aside, problem(error)); }
}

// The line of a file; with a name before it, which on a narrow screen stands alone.
export function placeLink(here, place, name = "") {
  const [file, line] = place.split(":");
  const href = to(here, { file, line: line || 1, words: "", lint: "" });
  return h("a.place", { href, title: place }, name ? [h("span", {}, name), " "] : "", h("code", { class: name ? "wide-only" : "" }, place.split("/").at(-1)));
}

const panel = (aside, here, name, close, ...children) => put(aside, h("section.card", {},
  h("div.row.mid.spread.panel-head", {}, h("h2", {}, name), h("a.button.slim", { href: to(here, close) }, "Close")), children));

async function about(aside, here) {
  put(aside, h("section.card", {}, h("h2", {}, title(here.system)), h("p.wait.small", {}, "Reading the card …")));
  const found = await get("/api/systems", {});
  const one = found.systems.find((system) => system.name === here.system);
  if (!one) { put(aside); return; }
  put(aside, h("section.card", {},
    h("div.row.mid.spread.panel-head", {}, h("h2", {}, title(one.name)), h("a.button.slim", { href: to(here, { lint: "1" }), title: "Mistakes, and what the system does with random deals" }, "Check the file")),
    one.about.split(/\n\s*\n/).map((text) => h("p.small", {}, signs(text))),
    one.conventions.length ? [h("h3", {}, `${plural(one.conventions.length, "convention")} on the card`),
      h("ul.card-list", {}, one.conventions.map((convention) =>
        h("li", {}, h("a", { href: to(here, { words: convention.name.replaceAll("_", " ") }), title: convention.about }, title(convention.name)))))] : ""));
}

async function source(aside, here) {
  const found = await get("/api/source", { system: here.system, file: here.file });
  const lines = found.text.split("\n").map((text, at) => h("div", { class: at + 1 === here.line ? "marked" : "" }, h("span.no", { "aria-hidden": "true" }, at + 1), text || " "));
  const code = h("pre.source", { tabIndex: 0, "aria-label": `${here.file}, line ${here.line}` }, lines);
  panel(aside, here, h("span.place", {}, here.file), { file: "", line: "" }, code);
  const marked = code.querySelector(".marked");
  if (marked) code.scrollTop = marked.offsetTop - code.clientHeight / 3;
}

async function search(aside, here) {
  put(aside, h("section.card", {}, h("p.wait", {}, "Searching …")));
  const found = await get("/api/search", { system: here.system, words: here.words });
  const convention = (one) => h("li", {}, h("b", {}, title(one.name)), one.on ? "" : h("span.soft", {}, " (not on this card)"),
    one.example ? [" ", h("a.button.slim", { href: to(here, { calls: one.example }) }, "Show the auction")] : "", one.about ? h("p.small.soft", {}, signs(one.about)) : "");
  const rule = (one) => h("li.small", {}, h("b.nowrap-calls", {}, one.auction ? signs(one.auction.replaceAll("|", " or "), true) : "opening", ": ", signs(one.call, true)), " ", shows(one.shows), " ", h("br"), h("span.soft", {}, signs(one.title), " ", placeLink(here, one.place)));
  const count = `${plural(found.found, "rule")}${found.found > found.rules.length ? `, the first ${found.rules.length}` : ""}`;
  panel(aside, here, `“${here.words}”`, { words: "" },
    found.conventions.length ? h("ul.plain", {}, found.conventions.map(convention)) : "",
    h("p.small.soft", {}, found.found || found.conventions.length ? count : "Nothing was found. Try the name of a convention, or fewer words."),
    h("ul.plain", {}, found.rules.map(rule)));
}

async function lint(aside, here) {
  // The files and their examples first: that is quick. Then deals are bid, which takes a while.
  put(aside, h("section.card", {}, h("h2", {}, "Check of the file"), h("p.wait", {}, "Reading the files …")));
  showLint(aside, here, await get("/api/lint", { system: here.system }), true);
  showLint(aside, here, await get("/api/lint", { system: here.system, deals: "yes" }), false);
}

function showLint(aside, here, found, more) {
  // Where calls are counted, the number stands after each of them.
  const counted = (one) => (["hole", "natural", "ambiguity"].includes(one.kind) ? one.what.replace(/ (\d+)(?=,|$)/g, " ($1 times)").replaceAll("(1 times)", "(once)") : one.what);
  const finding = (one) => h("li", {}, one.where ? h("b", {}, signs(one.where, true), " ") : "", signs(counted(one), true),
    one.samples.length ? h("div.soft", {}, one.samples.map((text) => h("div", {}, signs(text, true)))) : "", one.place ? h("div", {}, placeLink(here, one.place)) : "");
  const kinds = [...new Set(found.findings.map((one) => one.kind))];
  const dear = found.to_do.filter((one) => one.cost >= 1).slice(0, 5);
  const done = found.deals ? `${found.deals} deals were bid by the system, ${found.decisions} calls.` : "Only the files were read: there are mistakes.";
  panel(aside, here, `Check: ${found.in_order ? "no mistakes in the file" : "mistakes in the file"}`, { lint: "" },
    h("p.small.soft", { class: more ? "wait" : "" }, more ? "Files and examples were read; bidding deals by the system …" : done),
    dear.length ? [h("h3", {}, "To do next, with the IMPs that it costs on 100 boards"),
      h("ol.steps.small", {}, dear.map((one) => h("li", {}, h("b.num", {}, `${one.cost.toFixed(0)} ±${one.error.toFixed(0)}`), " ", signs(one.what.replaceAll("`", ""), true))))] : "",
    kinds.map((kind) => h("details", { open: ["error", "name", "example", "forced"].includes(kind) },
      h("summary", {}, `${found.kinds[kind][0].toUpperCase()}${found.kinds[kind].slice(1)} (${found.totals[kind]})`),
      h("ul.plain.small", {}, found.findings.filter((one) => one.kind === kind).map(finding)))));
  aside.firstChild.id = "lint";
}
