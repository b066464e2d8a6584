// Explore: click through any auction of a system.
import { card, choice, h, plural, problem, put, say } from "./dom.js";
import { get, listen } from "./api.js";
import { auctionTable, callEl, chips, handText, inPlay, plain, pointAt, SEAT_NAME, SEATS, seatOf, shows, side, signs, spoken, suit, title, vulWords } from "./bridge.js";
import { fillAside, placeLink } from "./explore_aside.js";
import { here as read, silent, to } from "./explore_address.js";

const narrow = () => matchMedia("(max-width: 59.99rem)").matches;
// Whether a call of the list was chosen.
let goingOn = false;

export async function show(main, { parts, query }) {
  if (!main.querySelector(".explore")) put(main, h("h1", {}, "Explore"), h("p.wait", {}, "One moment …"));
  const { systems } = await get("/api/catalogue");
  const here = read(parts, query, systems);
  const columns = [here.system, here.beside].filter(Boolean);
  const answers = await Promise.all(columns.map((system) => get("/api/explain", position(here, system)).catch((error) => error)));
  const [found] = answers;
  const panels = columns.map((system, at) => (answers[at] instanceof Error ? problem(answers[at]) : calls(here, system, answers[at], at > 0)));
  const asked = here.file || here.words || here.lint;
  const aside = h("div.stack.aside", { class: asked ? "asked" : "" });
  const fromTheStart = h("a.button", { href: systems.includes(here.system) ? to(here, { calls: [] }) : "#/explore" }, "From the start");
  put(main, h("div.explore.stack", {}, bar(here, systems),
    found instanceof Error ? [h("h1.sr", {}, "Explore"), h("div.columns.thirds", {}, h("div", {}, panels[0], h("p", {}, fromTheStart)), aside)] : [
      h("div.columns.wide", {}, auctionCard(here, found), shown(found)),
      ...(!here.beside ? [h("div.columns.thirds", {}, panels, aside)] : asked ? [aside, h("div.columns.even", {}, panels)] : [h("div.columns.even", {}, panels), aside]),
    ]));
  // Whoever went on from the foot of a long list sees the auction; on a narrow screen what was asked for stands before the list.
  if (goingOn) main.querySelector("#auction").scrollIntoView({ block: "nearest" });
  else if (asked && (narrow() || here.beside)) aside.scrollIntoView();
  goingOn = false;
  fillAside(aside, here);
  follow(here, found, aside);
}

const position = (here, system, calls = here.calls) =>
  ({ system, calls: calls.join("-"), dealer: here.dealer, vul: here.vul, against: here.against });

// When a file of the system is saved, the page shows it as it is now, with what lint finds. `found` is what is
// shown, with the mark of the files it was read from; or what was wrong, with them or with the auction.
async function follow(here, found, aside) {
  const whole = found instanceof Error ? await get("/api/explain", { ...position(here, here.system, []), dealer: "N", vul: "None" }).catch(() => ({})) : found;
  let known = !whole.mark;
  const asked = { system: here.system, against: here.against, mark: whole.mark || "" };
  listen(`/api/follow?${new URLSearchParams(asked)}`, {
    changed: ({ error }) => {
      const old = error && known;
      known = false;
      if (old) return;
      say("The system’s file has changed.");
      if (error) put(aside, card("The file has a mistake", problem(new Error(error))));
      else location.replace(to(here, { lint: "1", at: Date.now() }));
    },
  });
}

function bar(here, systems) {
  const named = systems.map((name) => [name, title(name)]);
  if (!systems.includes(here.system)) named.push([here.system, here.system]);
  const pick = (words, key, list) => choice(`explore-${key}`, words, list, here[key], (event) => {
    location.hash = to(here, { [key]: event.target.value, file: "", words: "" });
  });
  const words = h("input", { type: "search", id: "words", value: here.words, placeholder: "stayman, 4+ spades, …", minLength: 2, maxLength: 80, required: true });
  const quiet = h("input", {
    type: "checkbox", id: "silent", checked: silent(),
    onchange: (event) => { localStorage.setItem("silent", event.target.checked ? "yes" : "no"); dispatchEvent(new Event("hashchange")); },
  });
  const more = here.dealer !== "N" || here.vul !== "None" || here.against;
  return h("div.explore-bar", {},
    pick("System", "system", named), pick("Compare with", "beside", [["", "—"], ...named]),
    h("form.search", { role: "search", onsubmit: (event) => { event.preventDefault(); location.hash = to(here, { words: words.value, file: "", lint: "" }); } },
      h("label", {}, "Search rules and conventions", words), h("button", { type: "submit" }, "Search")),
    h("details.more", { open: more || localStorage.getItem("explore-more") === "yes", },
      h("summary", { onclick: (event) => localStorage.setItem("explore-more", event.currentTarget.parentElement.open ? "no" : "yes") }, "Dealer, vulnerability, opponents"),
      h("div.row", {}, pick("Dealer", "dealer", SEATS.map((seat) => [seat, SEAT_NAME[seat]])),
        pick("Vulnerable", "vul", ["None", "NS", "EW", "Both"].map((vul) => [vul, vulWords(vul)])),
        pick("Opponents (East–West) play", "against", [["", "the same system"], ...named]),
        h("label.tick", {}, quiet, "They always pass"))));
}

function auctionCard(here, found) {
  const told = h("p.told.small.soft", { "aria-live": "polite" }, here.calls.length ? `${pointAt("a call")} to see what it showed.` : "Choose an opening below.");
  const look = (at) => put(told, callEl(found.made[at].call), " ", shows(found.made[at].shows), inPlay(found.made[at]));
  const back = [...here.calls.slice(0, -1)];
  // Where opponents only pass, their passes go with the call before.
  if (silent() && here.calls.at(-1) === "P") back.pop();
  return h("section.card", { id: "auction" },
    h("div.row.mid.spread", {}, h("h1", {}, here.calls.length ? "The auction" : "The opening"),
      h("div.row.mid", {}, found.forced ? h("span.chip.warn", {}, found.forced) : "", found.agreed ? h("span.chip", {}, `${found.agreed} agreed`) : "",
        here.calls.length ? [h("a.button.slim", { href: to(here, { calls: back }), id: "back" }, "One back"), h("a.button.slim", { href: to(here, { calls: [] }) }, "From the start")] : "")),
    auctionTable({ dealer: here.dealer, vul: here.vul, calls: found.calls, made: found.made, turn: found.actor }, look), told);
}

// What was shown so far, as ranges on small scales.
function shown(found) {
  const scale = (name, [low, high], most) => {
    const from = Math.min(low, most), until = Math.min(high, most);
    const words = low === high ? `${low}` : high >= (name === "hcp" ? 37 : 13) ? (low ? `${low}+` : "any") : `${low}–${high}`;
    return h("div.scale", { role: "img", "aria-label": `${name === "hcp" ? "points" : title({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" }[name])}: ${words}` },
      h("span.scale-name", {}, name === "hcp" ? "HCP" : suit(name)),
      h("span.track", {}, h("span.range", { class: words === "any" ? "any" : "", style: { left: `${(100 * from) / most}%`, width: `${(100 * Math.max(until - from, 0.4)) / most}%` } })),
      h("span.num.small", {}, words));
  };
  const seen = new Set(found.calls.map((_, at) => seatOf(found.dealer, at)));
  return h("section.card", { class: seen.size ? "" : "nothing-shown" }, h("h2", {}, "Shown so far"), h("div.scales", {}, ["W", "N", "E", "S"].map((seat) =>
    h("div", { class: seen.has(seat) ? "" : "quiet" }, h("h3", {}, SEAT_NAME[seat]),
      scale("hcp", found.ranges[seat].hcp, 25), ["S", "H", "D", "C"].map((one) => scale(one, found.ranges[seat][one], 10)),
      h("p.small.soft", {}, seen.has(seat) ? shows(found.shown[seat]) : "has not called")))));
}

// Every possible call with one line of meaning: what is agreed first, what would only be read as natural below.
function calls(here, system, found, second) {
  if (!found.actor) return card(title(system), h("p", {}, "The auction is over."), h("p", {}, h("a.button", { href: to(here, { calls: [] }) }, "From the start")));
  const shares = {};
  const spokenOf = found.possible.filter((one) => one.rules.length || one.forbidden);
  const row = (one) => {
    const next = [...here.calls, one.call];
    const target = to(here, { calls: silent() && one.call !== "P" ? [...next, "P"] : next, file: "", line: "", words: "", lint: "" });
    const share = (shares[one.call] = h("td.share", {}, h("span.soft", {}, "…")));
    const more = h("div");
    return h("tr", {},
      h("td", {}, h("a.callink", { href: target, onclick: () => { goingOn = true; }, "aria-label": `${spoken(one.call)}: go on` }, callEl(one.call))),
      h("td", {}, h("span", {}, one.forbidden ? "" : [shows(one.shows), inPlay(one)]), " ", chips({ ...one, natural: false }), one.note ? h("p.small.soft.note", {}, signs(one.note)) : "",
        h("p.small.soft.rules", {}, one.forbidden ? "" : [h("button.link", { type: "button", "aria-expanded": "false", onclick: (event) => hands(event.currentTarget, more, here, system, next) }, "ten hands"), " · "],
          one.rules.slice(0, 2).map((rule, at) => h("span", { class: at ? "wide-only" : "" }, at ? ", " : "", placeLink(here, rule.place, at && rule.title === one.rules[0].title ? "" : rule.title)))), more),
      share);
  };
  const agreed = spokenOf.filter((one) => !one.natural), natural = spokenOf.filter((one) => one.natural);
  const note = h("p.small.soft", {}, "Counting how often each call comes up …");
  get("/api/frequency", position(here, system)).then((counted) => {
    const most = Math.max(...Object.values(counted.shares), 1);
    for (const [call, cell] of Object.entries(shares)) {
      const share = counted.shares[call] || 0;
      const words = share >= 10 ? `${share.toFixed(0)}%` : share ? `${share.toFixed(1)}%` : "–";
      put(cell, counted.hands ? [h("span.num", {}, words), h("span.track", {}, h("span.bar", { style: { width: `${(100 * share) / most}%` } }))] : "");
    }
    const rest = Object.entries(counted.shares).filter(([call]) => !(call in shares)).map(([call, share]) => `${plain(call)} ${share.toFixed(1)}%`);
    put(note, counted.hands ? `Of ${counted.hands} hands dealt to fit the auction${rest.length ? `; without a rule: ${rest.join(", ")}` : ""}.` : "No hand was found that fits this auction.");
  }).catch((error) => put(note, error.message));
  const playing = here.against && here.against !== system ? `, playing ${title("NS".includes(found.actor) ? system : here.against)},` : "";
  const them = playing || (here.calls.length && side(found.actor) !== side(here.dealer) ? ", the other side," : "");
  return h("section.card.possible", {},
    h("h2", {}, second || here.beside ? `${title(system)}: ` : "", `${SEAT_NAME[found.actor]}${them} may call`), note,
    found.in_force.length ? h("p.small", {}, found.in_force.map((one) => [h("span.chip", {}, title(one)), " "])) : "",
    h("table.lines.calls", {}, h("thead", {}, h("tr", {}, h("th", {}, "Call"), h("th", {}, "Shows"), h("th.r", {}, "How often"))),
      h("tbody", {}, agreed.map(row)),
      natural.length ? h("tbody.natural", {}, h("tr", {}, h("th", { colSpan: 3, scope: "rowgroup" }, agreed.length ? "Not discussed, read as natural" : "Nothing is agreed here; calls are read as natural")), natural.map(row)) : ""));
}

async function hands(button, more, here, system, next) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) { put(more); return; }
  put(more, h("p.wait.small", {}, "Dealing …"));
  try {
    const found = await get("/api/hands", position(here, system, next));
    put(more, found.hands.length ? h("ul.hands", { "aria-label": plural(found.hands.length, "hand") }, found.hands.map((hand) => h("li", {}, handText(hand)))) : h("p.small.soft", {}, "No hand was found."));
  } catch (error) { put(more, problem(error)); }
}
