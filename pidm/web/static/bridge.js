// Calls, hands and auctions as players see them.
import { h } from "./dom.js";

export const SEATS = ["N", "E", "S", "W"];
export const SUITS = ["S", "H", "D", "C"];
export const SYMBOL = { S: "♠", H: "♥", D: "♦", C: "♣", N: "NT" };
const NAME = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", N: "notrump" };
const ONE = { S: "spade", H: "heart", D: "diamond", C: "club", N: "notrump" };
export const SEAT_NAME = { N: "North", E: "East", S: "South", W: "West" };

export const side = (seat) => ("NS".includes(seat) ? "NS" : "EW");
export const partner = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
export const seatOf = (dealer, at) => SEATS[(SEATS.indexOf(dealer) + at) % 4];
export const vulnerable = (vul, seat) => vul === "Both" || vul === side(seat);
export const title = (name) => name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());

// A symbol with the variation selector that keeps phones from drawing emoji.
export function suit(letter) {
  return h(`span.s.${letter}`, { "aria-hidden": "true" }, letter === "N" ? "NT" : SYMBOL[letter] + "\uFE0E");
}

export function spoken(call) {
  if (call === "P") return "pass";
  if (call === "X") return "double";
  if (call === "XX") return "redouble";
  return `${call[0]} ${call[0] === "1" ? ONE[call[1]] : NAME[call[1]]}`;
}

export function plain(call) {
  return { P: "Pass", X: "Dbl", XX: "Rdbl" }[call] || call[0] + SYMBOL[call[1]];
}

export function callEl(call) {
  if (call.length !== 2 || call === "XX") {
    const words = { P: "Pass", X: "Dbl", XX: "Rdbl" };
    return h(`span.call.${call}`, {}, words[call] || call);
  }
  return h("span.call", {}, h("span.sr", {}, spoken(call)), h("span", { "aria-hidden": "true" }, call[0], suit(call[1])));
}

export function contractEl(text) {
  if (!text) return h("span", {}, "Passed out");
  const match = /^(\d)([SHDCN])(X{0,2}) by ([NESW])$/.exec(text);
  if (!match) return h("span", {}, text);
  const [, level, strain, doubled, by] = match;
  const words = `${level} ${NAME[strain]}${doubled ? (doubled === "X" ? " doubled" : " redoubled") : ""} by ${SEAT_NAME[by]}`;
  return h("span.call", {}, h("span.sr", {}, words), h("span", { "aria-hidden": "true" }, level, suit(strain), doubled.replaceAll("X", "×"), ` ${by}`));
}

// Words with suits and calls in them, suits coloured: "5+ hearts", "KJ84.QT73.A5.982".
export function handText(hand) {
  return h("span.num", {}, hand.split(".").map((cards, at) => [at ? " " : "", suit(SUITS[at]), h("span", {}, cards || "–")]));
}

export function result(contract, tricks) {
  if (!contract || tricks === null || tricks === undefined) return "";
  const over = tricks - Number(contract[0]) - 6;
  return over === 0 ? "=" : over > 0 ? `+${over}` : `−${-over}`;
}

export const signed = (number, digits = 0) => {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : (number > 0 ? "+" : "−") + text;
};

const POINTS = { A: 4, K: 3, Q: 2, J: 1 };
export const points = (hand) => [...hand].reduce((sum, card) => sum + (POINTS[card] || 0), 0);

export function handEl(hand, seat, extra = {}) {
  const lines = hand.split(".").map((cards, at) => h("div.suit", {},
    h("b", {}, suit(SUITS[at]), h("span.sr", {}, NAME[SUITS[at]])),
    cards ? h("span.cards", {}, cards.replaceAll("T", "10")) : h("span.void", {}, "—")));
  const heading = h("h3", {}, extra.name || SEAT_NAME[seat], h("span.small.soft", {}, ` ${points(hand)}`, h("span.sr", {}, " points")));
  return h("section.hand", { class: extra.mine ? "mine" : "" }, heading, lines);
}

export function compass(dealer, vul, middle = "") {
  const place = { N: "1 / 2", E: "2 / 3", S: "3 / 2", W: "2 / 1" };
  return h("div.compass", { role: "img", "aria-label": `Dealer ${SEAT_NAME[dealer]}, vulnerable: ${vul}` },
    SEATS.map((seat) => h("span", {
      class: `${vulnerable(vul, seat) ? "v" : "nv"} ${seat === dealer ? "d" : ""}`, style: { gridArea: place[seat] },
    }, seat)), h("span.mid", {}, middle));
}

export function diagram(hands, dealer, vul, middle = "", extra = "") {
  const area = { N: "n", E: "e", S: "s", W: "w" };
  return h("div.diagram", { class: extra },
    SEATS.filter((seat) => hands[seat]).map((seat) => h(`div.${area[seat]}`, {}, handEl(hands[seat], seat))),
    compass(dealer, vul, middle));
}

export function handsOf(deal) {
  const [first, rest] = deal.split(":");
  const start = SEATS.indexOf(first);
  return Object.fromEntries(rest.split(" ").map((hand, at) => [SEATS[(start + at) % 4], hand]));
}

// The auction in columns from west on. `chosen(at)` is called when a call is looked at.
export function auctionTable(state, chosen = null, marks = {}) {
  const order = ["W", "N", "E", "S"];
  const cells = Array(order.indexOf(state.dealer)).fill(null);
  state.calls.forEach((call, at) => cells.push({ call, at }));
  if (state.turn) cells.push({ turn: true });
  const rows = [];
  for (let start = 0; start < Math.max(cells.length, 1); start += 4) rows.push(cells.slice(start, start + 4));
  const cell = (one, column) => {
    if (!one) return h("td");
    if (one.turn) return h("td.turn", { class: order[column] === state.seat ? "me" : "" }, h("span", { "aria-label": "to call" }, "?"));
    const told = (state.made || [])[one.at];
    const mark = marks[one.at];
    return h("td", { class: order[column] === state.seat ? "me" : "" },
      h("button", {
        type: "button", class: told && told.alert ? "alerted" : "", "data-at": one.at,
        title: told ? told.shows : "", "aria-label": `${SEAT_NAME[order[column]]} ${spoken(one.call)}${told && told.alert ? ", alerted" : ""}`,
        onmouseenter: () => chosen && chosen(one.at), onfocus: () => chosen && chosen(one.at), onclick: () => chosen && chosen(one.at),
      }, callEl(one.call), told && told.alert ? h("sup.warn", { "aria-hidden": "true" }, "!") : "", mark || ""));
  };
  return h("table.auction", { "aria-label": "Auction" },
    h("thead", {}, h("tr", {}, order.map((seat) => h("th", { scope: "col", class: vulnerable(state.vul, seat) ? "v" : "nv" }, SEAT_NAME[seat])))),
    h("tbody", {}, rows.map((row) => h("tr", {}, [0, 1, 2, 3].map((column) => cell(row[column], column))))));
}

// What is to be told about one call.
export function meaningEl(told, link = null) {
  const remarks = [told.forcing, told.alert && told.alert !== told.shows ? `alert: ${told.alert}` : told.alert ? "alert" : "", told.forbidden ? "taken away by a negative rule" : ""].filter(Boolean);
  return [
    h("p", {}, callEl(told.call), " ", told.seat ? h("span.soft.small", {}, SEAT_NAME[told.seat]) : "", " ", remarks.map((text) => [h("span.chip", { class: text.startsWith("alert") ? "warn" : "" }, text), " "])),
    h("p", {}, told.shows),
    told.note ? h("p.small.soft", {}, told.note) : "",
    told.rules.length ? h("p.small.soft", {}, told.rules.slice(0, 2).map((rule, at) => [at ? h("br") : "", rule.title, rule.title ? " · " : "", link ? h("a.place", { href: link(rule.place) }, rule.place) : h("span.place", {}, rule.place)])) : h("p.small.soft", {}, "No rule speaks of it."),
  ];
}

export function ddTable(table) {
  const strains = ["S", "H", "D", "C", "N"];
  const order = [4, 0, 1, 2, 3];
  return h("table.dd", { "aria-label": "Tricks double dummy" },
    h("thead", {}, h("tr", {}, h("th", {}, ""), order.map((at) => h("th", { scope: "col" }, suit(strains[at]))))),
    h("tbody", {}, SEATS.map((seat, column) => h("tr", {}, h("th", { scope: "row" }, seat), order.map((at) => h("td.num", {}, table[at][column]))))));
}

// The address of the board in the hand viewer that most players know.
export function viewer(board) {
  const order = ["S", "W", "N", "E"];
  const hands = board.hands;
  const md = order.map((seat) => hands[seat].split(".").map((cards, at) => SUITS[at] + cards).join("")).join(",");
  const vul = { None: "o", NS: "n", EW: "e", Both: "b" }[board.vul];
  const calls = board.calls.map((call) => `mb|${{ P: "p", X: "d", XX: "r" }[call] || call}|`).join("");
  const lin = `md|${order.indexOf(board.dealer) + 1}${md}|sv|${vul}|${calls}`;
  return { lin, url: `https://www.bridgebase.com/tools/handviewer.html?lin=${encodeURIComponent(lin)}` };
}

export function asText(board) {
  const lines = [`Dealer ${SEAT_NAME[board.dealer]}, vulnerable ${board.vul}`];
  for (const seat of SEATS) lines.push(`${seat}  ${board.hands[seat]}`);
  lines.push(board.calls.map(plain).join(" "));
  return lines.join("\n");
}

export function asPbn(board) {
  const deal = SEATS.map((seat) => board.hands[seat]).join(" ");
  const rows = [];
  const words = board.calls.map((call) => ({ P: "Pass" }[call] || (call[1] === "N" ? call + "T" : call)));
  for (let at = 0; at < words.length; at += 4) rows.push(words.slice(at, at + 4).join(" "));
  const board_ = board.number ? `[Board "${board.number}"]\n` : "";
  return `${board_}[Dealer "${board.dealer}"]\n[Vulnerable "${{ Both: "All" }[board.vul] || board.vul}"]\n[Deal "N:${deal}"]\n[Auction "${board.dealer}"]\n${rows.join("\n")}\n`;
}
