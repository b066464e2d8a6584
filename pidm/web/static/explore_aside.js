// Beside the calls: what the system is, a file of it, what a search found, what lint finds.
import { h, plural, problem, put } from "./dom.js";
import { get } from "./api.js";
import { callEl, handText, title } from "./bridge.js";
import { to } from "./explore_address.js";

export async function fillAside(aside, here, signal) {
  try {
    if (here.file) await source(aside, here, signal);
    else if (here.words) await search(aside, here, signal);
    else if (here.lint) await lint(aside, here, signal);
    else await about(aside, here, signal);
  } catch (error) { if (error.name !== "AbortError") put(aside, problem(error)); }
}

// The line of a file; with a name before it, which on a narrow screen stands alone.
export function placeLink(here, place, name = "") {
  const [file, line] = place.split(":");
  const href = to(here, { file, line: line || 1, words: "", lint: "" });
  return h("a.place", { href, title: place }, name ? [h("span", {}, name), " "] : "", h("code", { class: name ? "wide-only" : "" }, place.split("/").at(-1)));
}

const panel = (aside, here, name, close, ...children) => put(aside, h("section.card", {},
  h("div.row.mid.spread", {}, h("h2", {}, name), h("a.button.slim", { href: to(here, close) }, "Close")), children));

async function about(aside, here, signal) {
  put(aside, h("section.card", {}, h("h2", {}, title(here.system)), h("p.wait.small", {}, "Reading the card …")));
  const found = await get("/api/systems", {}, signal);
  const one = found.systems.find((system) => system.name === here.system);
  if (!one) { put(aside); return; }
  put(aside, h("section.card", {}, h("h2", {}, title(one.name)), h("p.small.about", {}, one.about),
    one.conventions.length ? [h("h3", {}, `${plural(one.conventions.length, "convention")} on the card`),
      h("ul.card-list", {}, one.conventions.map((convention) =>
        h("li", {}, h("a", { href: to(here, { words: convention.name.replaceAll("_", " ") }), title: convention.about }, title(convention.name)))))] : ""));
}

async function source(aside, here, signal) {
  const found = await get("/api/source", { system: here.system, file: here.file }, signal);
  const lines = found.text.split("\n").map((text, at) => h("div", { class: at + 1 === here.line ? "marked" : "" }, h("span.no", { "aria-hidden": "true" }, at + 1), text || " "));
  const code = h("pre.source", { tabIndex: 0, "aria-label": `${here.file}, line ${here.line}` }, lines);
  panel(aside, here, h("span.place", {}, here.file), { file: "", line: "" }, code);
  const marked = code.querySelector(".marked");
  if (marked) code.scrollTop = marked.offsetTop - code.clientHeight / 3;
}

async function search(aside, here, signal) {
  put(aside, h("section.card", {}, h("p.wait", {}, "Searching …")));
  const found = await get("/api/search", { system: here.system, words: here.words }, signal);
  const convention = (one) => h("li", {}, h("b", {}, title(one.name)), one.on ? "" : h("span.soft", {}, " (not on this card)"),
    one.example ? [" ", h("a.button.slim", { href: to(here, { calls: one.example }) }, "Show the auction")] : "", one.about ? h("p.small.soft", {}, one.about) : "");
  const rule = (one) => h("li.small", {}, h("b", {}, one.auction || "opening", " : ", one.call), ` ${one.shows} `, h("br"), h("span.soft", {}, one.title, " ", placeLink(here, one.place)));
  const count = `${plural(found.found, "rule")}${found.found > found.rules.length ? `, the first ${found.rules.length}` : ""}`;
  panel(aside, here, `“${here.words}”`, { words: "" },
    found.conventions.length ? h("ul.plain", {}, found.conventions.map(convention)) : "",
    h("p.small.soft", {}, found.found || found.conventions.length ? count : "Nothing was found. Try the name of a convention, or fewer words."),
    h("ul.plain", {}, found.rules.map(rule)));
}

async function lint(aside, here, signal) {
  // The files and their examples first: that is quick. Then deals are bid, which takes a while.
  put(aside, h("section.card", {}, h("h2", {}, "Lint"), h("p.wait", {}, "Reading the files …")));
  showLint(aside, here, await get("/api/lint", { system: here.system }, signal), true);
  showLint(aside, here, await get("/api/lint", { system: here.system, deals: "yes" }, signal), false);
}

function showLint(aside, here, found, more) {
  const sample = (text) => {
    const [hand, call] = text.split(" ");
    return h("div", {}, handText(hand), " ", call ? callEl(call) : "");
  };
  const finding = (one) => h("li", {}, one.where ? h("b", {}, one.where, " ") : "", one.what,
    one.samples.length ? h("div.soft", {}, one.samples.map(sample)) : "", one.place ? h("div", {}, placeLink(here, one.place)) : "");
  const kinds = [...new Set(found.findings.map((one) => one.kind))];
  const done = found.deals ? `${found.deals} deals, ${found.decisions} calls` : "Only the files were read: there are mistakes.";
  panel(aside, here, `Lint: ${found.in_order ? "in order" : "not in order"}`, { lint: "" },
    h("p.small.soft", { class: more ? "wait" : "" }, more ? "Files and examples were read; bidding deals by the system …" : done),
    kinds.map((kind) => h("details", { open: ["error", "name", "example", "forced"].includes(kind) },
      h("summary", {}, `${found.kinds[kind]} (${found.totals[kind]})`),
      h("ul.plain.small", {}, found.findings.filter((one) => one.kind === kind).map(finding)))));
  aside.firstChild.id = "lint";
}
