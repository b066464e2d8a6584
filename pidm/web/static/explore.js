// Explore: click through any auction of a system.
import { h, problem, put, say } from "./dom.js";
import { get, listen } from "./api.js";
import { auctionTable, callEl, handText, plain, SEAT_NAME, SEATS, seatOf, side, spoken, suit, title } from "./bridge.js";

let systems = null;

export async function show(main, { parts, query }) {
  if (!main.querySelector(".explore")) put(main, h("h1", {}, "Explore"), h("p.wait", {}, "Reading the systems …"));
  systems = systems || (await get("/api/systems"));
  const here = {
    system: parts[0] || localStorage.getItem("explore") || systems.systems[0].name, calls: (parts[1] || "").split("-").filter(Boolean),
    dealer: query.get("dealer") || "N", vul: query.get("vul") || "None", beside: query.get("beside") || "", against: query.get("against") || "",
    file: query.get("file") || "", line: Number(query.get("line") || 0), words: query.get("words") || "", lint: query.get("lint") || "",
  };
  localStorage.setItem("explore", here.system);
  const stopper = new AbortController();
  const columns = [here.system, here.beside].filter(Boolean);
  const answers = await Promise.all(columns.map((system) => explained(here, system).catch((error) => error)));
  const found = answers[0];
  const panels = columns.map((system, at) => (answers[at] instanceof Error ? problem(answers[at]) : calls(here, system, answers[at], stopper.signal, at > 0)));
  const aside = h("div.stack.aside");
  put(main, h("div.explore.stack", {}, bar(here),
    found instanceof Error ? h("div.columns.thirds", {}, panels[0], aside) : [
      h("div.columns.wide", {}, h("section.card", { id: "auction" }, crumbs(here, found), auctionTable({ dealer: here.dealer, vul: here.vul, calls: found.calls, made: found.made, turn: found.actor }, (at) => {
        put(document.getElementById("told"), h("p.small", {}, callEl(found.made[at].call), " ", found.made[at].shows));
      }), h("div", { id: "told", "aria-live": "polite" })), shown(found)),
      here.beside ? h("div.columns.even", {}, panels) : h("div.columns.thirds", {}, panels, aside),
      here.beside ? aside : "",
    ]));
  fillAside(aside, here, stopper.signal);
  let first = true;
  const stop = listen(`/api/follow?${new URLSearchParams({ system: here.system })}`, {
    changed: ({ error }) => {
      if (!first || (error && !(found instanceof Error))) {
        say("The system's file has changed.");
        here.lint = "1";
        refresh(here, error, aside);
      }
      first = false;
    },
  });
  return () => { stop(); stopper.abort(); };
}

function refresh(here, error, aside) {
  if (error) { put(aside, h("h2", {}, "The file has a mistake"), problem(new Error(error))); return; }
  systems = null;
  location.replace(to(here, { lint: "1", at: Date.now() }));
}

function explained(here, system) {
  return get("/api/explain", { system, calls: here.calls.join("-"), dealer: here.dealer, vul: here.vul, against: here.against });
}

export function to(here, change = {}) {
  const all = { ...here, ...change };
  const rest = {};
  for (const key of ["dealer", "vul", "beside", "against", "file", "line", "words", "lint", "at"]) {
    const value = all[key];
    if (value && !(key === "dealer" && value === "N") && !(key === "vul" && value === "None")) rest[key] = value;
  }
  const query = new URLSearchParams(rest).toString();
  return `#/explore/${encodeURIComponent(all.system)}/${all.calls.join("-")}${query ? `?${query}` : ""}`;
}

function bar(here) {
  const options = (list, chosen) => list.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  const named = systems.systems.map((one) => [one.name, title(one.name)]);
  const broken = systems.broken.map((one) => [one.name, `${title(one.name)} (mistakes)`]);
  const pick = (name, key, list) => h("label", {}, name, h("select", { id: `explore-${key}`, onchange: (event) => { location.hash = to(here, { [key]: event.target.value, file: "", words: "" }); } }, options(list, here[key])));
  const silent = h("input", { type: "checkbox", id: "silent", checked: localStorage.getItem("silent") !== "no", onchange: (event) => localStorage.setItem("silent", event.target.checked ? "yes" : "no") });
  const words = h("input", { type: "search", id: "words", value: here.words, placeholder: "stayman, 4+ spades, …", minLength: 2, maxLength: 80 });
  return h("div.row.spread", {},
    h("div.row", {}, pick("System", "system", [...named, ...broken]), pick("Beside it", "beside", [["", "—"], ...named]), pick("Opponents play", "against", [["", "the same"], ...named]),
      pick("Dealer", "dealer", SEATS.map((seat) => [seat, SEAT_NAME[seat]])), pick("Vulnerable", "vul", [["None", "Nobody"], ["NS", "NS"], ["EW", "EW"], ["Both", "Both"]]),
      h("label.tick", {}, silent, " Opponents pass")),
    h("form.row", { role: "search", onsubmit: (event) => { event.preventDefault(); location.hash = to(here, { words: words.value, file: "", lint: "" }); } },
      h("label", {}, "Search rules and conventions", words), h("button", { type: "submit" }, "Search"),
      h("a.button", { href: to(here, { lint: "1", file: "", words: "" }) }, "Lint")));
}

function crumbs(here, found) {
  return h("div.row.mid.spread", {}, h("h1", {}, here.calls.length ? "The auction" : "The opening"),
    h("div.row", {}, here.calls.length ? [h("a.button", { href: to(here, { calls: back(here) }), id: "back" }, "One back"), h("a.button", { href: to(here, { calls: [] }) }, "From the start")] : "",
      found.forced ? h("span.chip.warn", {}, found.forced) : "", found.agreed ? h("span.chip", {}, `${found.agreed} agreed`) : ""));
}

function back(here) {
  const calls = here.calls.slice(0, -1);
  // Where opponents only pass, their passes go with the call before.
  return localStorage.getItem("silent") !== "no" && here.calls.at(-1) === "P" ? calls.slice(0, -1) : calls;
}

// What was shown so far, as ranges on small scales.
function shown(found) {
  const scale = (name, [low, high], most) => h("div.scale", { role: "img", "aria-label": `${name} ${low} to ${high}` },
    h("span.scale-name", {}, name === "hcp" ? "HCP" : suit(name)),
    h("span.track", {}, h("span.range", { style: { left: `${(100 * Math.min(low, most)) / most}%`, width: `${(100 * Math.max(Math.min(high, most) - Math.min(low, most), 0.35)) / most}%` } })),
    h("span.num.small", {}, low === high ? low : high >= (name === "hcp" ? 37 : 13) ? `${low}+` : `${low}–${high}`));
  const seen = new Set(found.calls.map((_, at) => seatOf(found.dealer, at)));
  return h("section.card", {}, h("h2", {}, "Shown so far"), h("div.scales", {}, ["W", "N", "E", "S"].map((seat) => h("div", { class: seen.has(seat) ? "" : "quiet" },
    h("h3", {}, SEAT_NAME[seat]), scale("hcp", found.ranges[seat].hcp, 25), ["S", "H", "D", "C"].map((one) => scale(one, found.ranges[seat][one], 10)),
    h("p.small.soft", {}, seen.has(seat) ? found.shown[seat] : "")))));
}

// Every possible call with one line of meaning.
function calls(here, system, found, signal, second) {
  if (!found.actor) return h("section.card", {}, h("p", {}, "The auction is over."));
  const shares = {};
  const rows = found.possible.filter((one) => one.rules.length || one.forbidden).map((one) => {
    const silent = localStorage.getItem("silent") !== "no";
    const next = [...here.calls, one.call];
    const share = h("td.r.share", {}, h("span.soft", {}, "…"));
    shares[one.call] = share;
    const more = h("div");
    const remarks = [one.forcing, one.alert ? (one.alert === one.shows ? "alert" : `alert: ${one.alert}`) : "", one.forbidden ? "forbidden" : ""].filter(Boolean);
    const target = to(here, { system: second ? here.system : system, calls: silent && one.call !== "P" ? [...next, "P"] : next, file: "", line: "", words: "" });
    return h("tr", {}, h("td", {}, h("a.callink", { href: target, "aria-label": `${spoken(one.call)}: go on` }, callEl(one.call))),
      h("td", {}, h("span", {}, one.shows), " ", remarks.map((text) => [h("span.chip", { class: /^alert|forbidden/.test(text) ? "warn" : "" }, text), " "]), one.note ? h("p.small.soft", {}, one.note) : "",
        h("p.small.soft.rules", {}, one.rules.slice(0, 2).map((rule, at) => [at ? " " : "", at && rule.title === one.rules[0].title ? "" : `${rule.title} `, placeLink(here, system, rule.place)]), " ",
          h("button.link", { type: "button", "aria-expanded": "false", onclick: (event) => hands(event.currentTarget, more, here, system, next) }, "ten hands")), more),
      share);
  });
  const note = h("p.small.soft", {}, "Counting how often each call comes up …");
  get("/api/frequency", { system, calls: here.calls.join("-"), dealer: here.dealer, vul: here.vul, against: here.against }, signal).then((counted) => {
    for (const [call, cell] of Object.entries(shares)) {
      const share = counted.shares[call] || 0;
      put(cell, counted.hands ? [h("span.num", {}, share >= 10 ? `${share.toFixed(0)}%` : share ? `${share.toFixed(1)}%` : "–"), h("span.bar", { style: { width: `${Math.max(share * 0.6, share ? 2 : 0)}px`, minWidth: 0 } })] : "");
    }
    const rest = Object.entries(counted.shares).filter(([call]) => !(call in shares)).map(([call, share]) => `${plain(call)} ${share.toFixed(1)}%`);
    put(note, counted.hands ? `Of ${counted.hands} hands dealt to fit the auction${rest.length ? `; without a rule: ${rest.join(", ")}` : ""}.` : "No hand was found that fits this auction.");
  }).catch((error) => { if (error.name !== "AbortError") put(note, error.message); });
  const us = side(found.actor) === side(here.dealer) ? "" : " (the other side)";
  return h("section.card", { class: "possible" }, h("h2", {}, `${title(system)}: ${SEAT_NAME[found.actor]} may call${us}`), note, found.in_force.length ? h("p.small", {}, found.in_force.map((one) => [h("span.chip", {}, title(one)), " "])) : "",
    h("table.lines.calls", {}, h("thead", {}, h("tr", {}, h("th", {}, "Call"), h("th", {}, "Shows"), h("th.r", {}, "How often"))), h("tbody", {}, rows)));
}

function placeLink(here, system, place) {
  const [file, line] = place.split(":");
  return h("a.place", { href: to(here, { file, line: line || 1, words: "", lint: "" }), title: place }, place.split("/").at(-1));
}

async function hands(button, more, here, system, next) {
  if (button.getAttribute("aria-expanded") === "true") { button.setAttribute("aria-expanded", "false"); put(more); return; }
  button.setAttribute("aria-expanded", "true");
  put(more, h("p.wait.small", {}, "Dealing …"));
  try {
    const found = await get("/api/hands", { system, calls: next.join("-"), dealer: here.dealer, vul: here.vul, against: here.against });
    put(more, found.hands.length ? h("ul.hands", {}, found.hands.map((hand) => h("li", {}, handText(hand)))) : h("p.small.soft", {}, "No hand was found."));
  } catch (error) { put(more, problem(error)); }
}

// ---------------------------------------------------------------- source, search, lint

async function fillAside(aside, here, signal) {
  try {
    if (here.file) await sourcePanel(aside, here, signal);
    else if (here.words) await searchPanel(aside, here, signal);
    else if (here.lint) await lintPanel(aside, here, signal);
    else aboutPanel(aside, here);
  } catch (error) { if (error.name !== "AbortError") put(aside, problem(error)); }
}

function aboutPanel(aside, here) {
  const one = systems.systems.find((system) => system.name === here.system);
  if (!one) return;
  put(aside, h("section.card", {}, h("h2", {}, one.title), h("p.small.about", {}, one.about),
    h("details", {}, h("summary", {}, `${one.conventions.length} conventions on the card`), h("ul.small", {}, one.conventions.map((convention) => h("li", {}, h("a", { href: to(here, { words: convention.name.replaceAll("_", " ") }) }, title(convention.name)), convention.about ? `: ${convention.about.split(". ")[0]}` : ""))))));
}

async function sourcePanel(aside, here, signal) {
  const found = await get("/api/source", { system: here.system, file: here.file }, signal);
  const lines = found.text.split("\n").map((text, at) => h("div", { class: at + 1 === here.line ? "marked" : "", id: at + 1 === here.line ? "marked" : "" }, h("span.no", { "aria-hidden": "true" }, at + 1), text || " "));
  const code = h("pre.source", { tabIndex: 0, "aria-label": `${here.file}, line ${here.line}` }, lines);
  put(aside, h("section.card", {}, h("div.row.mid.spread", {}, h("h2.place", {}, here.file), h("a.button", { href: to(here, { file: "", line: "" }) }, "Close")), code));
  const marked = code.querySelector(".marked");
  if (marked) code.scrollTop = marked.offsetTop - code.clientHeight / 3;
}

async function searchPanel(aside, here, signal) {
  put(aside, h("section.card", {}, h("p.wait", {}, "Searching …")));
  const found = await get("/api/search", { system: here.system, words: here.words }, signal);
  put(aside, h("section.card", {}, h("div.row.mid.spread", {}, h("h2", {}, `“${here.words}”`), h("a.button", { href: to(here, { words: "" }) }, "Close")),
    found.conventions.length ? h("ul.plain", {}, found.conventions.map((one) => h("li", {}, h("b", {}, title(one.name)), one.on ? "" : h("span.soft", {}, " (not on the card)"), one.example ? [" ", h("a", { href: to(here, { calls: one.example }) }, "show")] : "", one.about ? h("p.small.soft", {}, one.about) : ""))) : "",
    h("p.small.soft", {}, `${found.found} rules${found.found > found.rules.length ? `, the first ${found.rules.length}` : ""}`),
    h("ul.plain", {}, found.rules.map((rule) => h("li.small", {}, h("b", {}, `${rule.auction || "–"} : ${rule.call}`), ` ${rule.shows} `, h("br"), rule.title, " ", placeLink(here, here.system, rule.place))))));
}

async function lintPanel(aside, here, signal) {
  // The files and their examples first: that is quick. Then deals are bid, which takes a while.
  put(aside, h("section.card", {}, h("h2", {}, "Lint"), h("p.wait", {}, "Reading the files …")));
  showLint(aside, here, await get("/api/lint", { system: here.system }, signal), true);
  showLint(aside, here, await get("/api/lint", { system: here.system, deals: "yes" }, signal), false);
}

function showLint(aside, here, found, more) {
  const kinds = [...new Set(found.findings.map((one) => one.kind))];
  put(aside, h("section.card", { id: "lint" }, h("div.row.mid.spread", {}, h("h2", {}, `Lint: ${found.in_order ? "in order" : "not in order"}`), h("a.button", { href: to(here, { lint: "" }) }, "Close")),
    h("p.small.soft", { class: more ? "wait" : "" }, more ? "Files and examples were read; bidding deals by the system …" : found.deals ? `${found.deals} deals, ${found.decisions} calls` : "Only the files were read: there are mistakes."),
    kinds.map((kind) => h("details", { open: ["error", "name", "example", "forced"].includes(kind) }, h("summary", {}, `${found.kinds[kind]} (${found.totals[kind]})`),
      h("ul.plain.small", {}, found.findings.filter((one) => one.kind === kind).map((one) => h("li", {}, one.where ? h("b", {}, one.where, " ") : "", one.what, one.samples.length ? h("div.soft", {}, one.samples.map((sample) => { const [hand, call] = sample.split(" "); return h("div", {}, handText(hand), " ", call ? callEl(call) : ""); })) : "", one.place ? [h("br"), placeLink(here, here.system, one.place)] : "")))))));
}
