// Calls, hands and auctions as players see them.
import { h } from "./dom.js";

export const SEATS = ["N", "E", "S", "W"];
export const SUITS = ["S", "H", "D", "C"];
export const SYMBOL = { S: "♠", H: "♥", D: "♦", C: "♣", N: "NT" };
export const SEAT_NAME = { N: "North", E: "East", S: "South", W: "West" };
const NAME = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", N: "notrump" };
const ONE = { S: "spade", H: "heart", D: "diamond", C: "club", N: "notrump" };
const WORDS = { P: "Pass", X: "Dbl", XX: "Rdbl" };
const COLUMNS = ["W", "N", "E", "S"];

export const side = (seat) => ("NS".includes(seat) ? "NS" : "EW");
export const partner = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
export const seatOf = (dealer, at) => SEATS[(SEATS.indexOf(dealer) + at) % 4];
export const vulnerable = (vul, seat) => vul === "Both" || vul === side(seat);
export const vulWords = (vul) => ({ None: "nobody", Both: "both sides" })[vul] || vul;
export const boardWords = (dealer, vul) => `Dealer ${SEAT_NAME[dealer]}, ${vulWords(vul)} vulnerable`;

// Names of files as players write them: jacoby_2nt is Jacoby 2NT.
const OWN_NAMES = { sayc: "SAYC", two_over_one: "Two over one" };
export const title = (name) =>
  OWN_NAMES[name] ||
  name.replaceAll("_", " ").replace(/\b(\d)nt\b/, "$1NT").replace(/\b(\d)([cdhs])\b/, (_, level, one) => level + SYMBOL[one.toUpperCase()])
    .replace(/^./, (letter) => letter.toUpperCase());

// ---------------------------------------------------------------- calls

// A symbol with the variation selector that keeps phones from drawing emoji.
export function suit(letter) {
  return h(`span.s.${letter}`, { "aria-hidden": "true" }, letter === "N" ? "NT" : SYMBOL[letter] + "\uFE0E");
}

export function spoken(call) {
  const words = { P: "pass", X: "double", XX: "redouble" }[call];
  return words || `${call[0]} ${call[0] === "1" ? ONE[call[1]] : NAME[call[1]]}`;
}

export const plain = (call) => WORDS[call] || call[0] + SYMBOL[call[1]];

export function callEl(call) {
  if (call in WORDS) return h(`span.call.${call}`, {}, WORDS[call]);
  if (call.length !== 2) return h("span.call", {}, call);
  return h("span.call", {}, h("span.sr", {}, spoken(call)), h("span", { "aria-hidden": "true" }, call[0], suit(call[1])));
}

export const callsEl = (calls) => calls.map((call, at) => [at ? " " : "", callEl(call)]);

export function contractEl(text) {
  if (!text) return h("span", {}, "Passed out");
  const match = /^(\d)([SHDCN])(X{0,2}) by ([NESW])$/.exec(text);
  if (!match) return h("span", {}, text);
  const [, level, strain, doubled, by] = match;
  const said = { "": "", X: " doubled", XX: " redoubled" }[doubled];
  return h("span.call", {}, h("span.sr", {}, `${spoken(level + strain)}${said} by ${SEAT_NAME[by]}`),
    h("span", { "aria-hidden": "true" }, level, suit(strain), doubled.replaceAll("X", "×"), ` ${by}`));
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

// Text with hands and bids in it, as players write them; with `calls` also P, X and XX.
export function signs(text, calls = false) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(/[AKQJT2-9]*(?:\.[AKQJT2-9]*){3}|\b[1-7](?:NT?|[SHDC])\b|\b(?:P|XX?)\b/g)) {
    const [one] = match;
    if (one.includes(".") ? one.length !== 16 : !/\d/.test(one) && !calls) continue;
    found.push(shows(text.slice(from, match.index)), one.includes(".") ? handText(one) : callEl(one.replace("NT", "N")));
    from = match.index + one.length;
  }
  return [...found, shows(text.slice(from))];
}

// ---------------------------------------------------------------- hands

// Fingers tap where others point.
export const touch = () => matchMedia("(pointer: coarse)").matches;
export const pointAt = (words) => `${touch() ? "Tap" : "Point at"} ${words}`;

const POINTS = { A: 4, K: 3, Q: 2, J: 1 };
export const points = (hand) => [...hand].reduce((sum, card) => sum + (POINTS[card] || 0), 0);

const spokenHand = (hand) =>
  hand.split(".").map((cards, at) => `${NAME[SUITS[at]]} ${cards ? [...cards].join(" ").replace("T", "10") : "none"}`).join(", ");

// A ten is two letters and one card.
const cardsOf = (cards) => [...cards].map((card) => (card === "T" ? h("span.ten", {}, "10") : card));

// One line: ♠KJ84 ♥Q1073 ♦A5 ♣982.
export function handText(hand) {
  return h("span.num.nowrap", {}, hand.split(".").map((cards, at) => [at ? " " : "", suit(SUITS[at]), h("span", {}, cards ? cardsOf(cards) : "–")]));
}

// Four lines, as in a diagram.
export function handEl(hand, seat, player = "") {
  return h("section.hand", {},
    h("h3", {}, SEAT_NAME[seat], h("span.small.soft", {}, ` ${points(hand)}`, h("span.sr", {}, " points"))),
    player ? h("p.who", {}, player) : "",
    hand.split(".").map((cards, at) => h("div.suit", {},
      h("b", {}, suit(SUITS[at]), h("span.sr", {}, NAME[SUITS[at]])),
      cards ? h("span.cards", {}, cardsOf(cards)) : h("span.void", {}, "—"))));
}

// Thirteen cards side by side, black and red in turn, as players hold them.
export function fan(hand) {
  const suits = hand.split(".");
  const cards = ["S", "H", "C", "D"].flatMap((letter) => [...suits[SUITS.indexOf(letter)]].map((rank) => [rank, letter]));
  return h("div.fan", { role: "img", "aria-label": spokenHand(hand) },
    cards.map(([rank, letter]) => h("span.pc", {}, h(`i.${letter}`, {}, h("b", {}, cardsOf(rank)), suit(letter)))));
}

// The board itself: red sides are vulnerable, the dealer is ringed.
export function compass(dealer, vul, middle = "") {
  return h("div.compass", { role: "img", "aria-label": `Dealer ${SEAT_NAME[dealer]}, vulnerable: ${vulWords(vul)}` },
    SEATS.map((seat) => h(`span.side-${seat}`, { class: vulnerable(vul, seat) ? "v" : "nv" }, h("i", { class: seat === dealer ? "d" : "" }, seat))),
    h("span.mid", {}, middle));
}

export function diagram(hands, dealer, vul, middle = "", extra = "", players = {}) {
  return h("div.diagram", { class: extra },
    SEATS.filter((seat) => hands[seat]).map((seat) => h(`div.at-${seat}`, {}, handEl(hands[seat], seat, players[seat]))),
    compass(dealer, vul, middle));
}

export function handsOf(deal) {
  const [first, rest] = deal.split(":");
  const start = SEATS.indexOf(first);
  return Object.fromEntries(rest.split(" ").map((hand, at) => [SEATS[(start + at) % 4], hand]));
}

// ---------------------------------------------------------------- auctions

// The auction in columns from west on. `look(at)` is called when a call is looked at, `marks[at]` stands beside it.
export function auctionTable(state, look = null, marks = {}) {
  const cells = Array(COLUMNS.indexOf(state.dealer)).fill(null);
  state.calls.forEach((call, at) => cells.push({ call, at }));
  if (state.turn) cells.push({ turn: true });
  const rows = [];
  for (let start = 0; start < Math.max(cells.length, 1); start += 4) rows.push(cells.slice(start, start + 4));
  const cell = (one, column) => {
    const seat = COLUMNS[column];
    const mine = seat === state.seat ? "me" : "";
    if (!one) return h("td", { class: mine });
    if (one.turn) return h("td.turn", { class: mine }, h("span", { "aria-label": "to call" }, "?"));
    const told = (state.made || [])[one.at];
    const alert = told && told.alert;
    const content = [callEl(one.call), alert ? h("sup.warn", { "aria-hidden": "true" }, "!") : "", marks[one.at] || ""];
    if (!look) return h("td", { class: mine }, content);
    return h("td", { class: mine }, h("button", {
      type: "button", class: alert ? "alerted" : "", "data-at": one.at, title: told ? told.shows : "",
      "aria-label": `${SEAT_NAME[seat]} ${spoken(one.call)}${alert ? ", alerted" : ""}`,
      onmouseenter: () => look(one.at), onfocus: () => look(one.at), onclick: () => look(one.at),
    }, content));
  };
  const head = COLUMNS.map((seat) =>
    h("th", { scope: "col", class: vulnerable(state.vul, seat) ? "v" : "nv" }, SEAT_NAME[seat],
      vulnerable(state.vul, seat) ? h("span.sr", {}, ", vulnerable") : ""));
  return h("table.auction", { "aria-label": "Auction" }, h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map((row) => h("tr", {}, [0, 1, 2, 3].map((column) => cell(row[column], column))))));
}

// What a call shows, in words; no range is broken at the end of a line.
export const shows = (text) => text.split(/(\d+-\d+)/).map((part, at) => (at % 2 ? h("span.nowrap", {}, part) : part));

// What hands with which experience makes the call have beyond what it shows.
export const inPlay = (told) => (told.in_play ? h("span.soft.in-play", {}, "; in play ", shows(told.in_play)) : "");

export const chips = (told) => [
  told.forcing, told.alert ? (told.alert === told.shows ? "alert" : `alert: ${told.alert}`) : "",
  told.natural && told.rules.length && !told.forbidden ? "not discussed" : "", told.forbidden ? "ruled out by the system" : "",
].filter(Boolean).map((text) => [h("span.chip", { class: /^alert|^ruled/.test(text) ? "warn" : "" }, signs(text)), " "]);

// What is to be told about one call.
export function meaningEl(told) {
  return [
    h("p", {}, callEl(told.call), " ", told.seat ? h("span.soft.small", {}, SEAT_NAME[told.seat]) : "", " ", chips(told)),
    h("p", {}, told.forbidden ? "In this auction the system never makes this call." : told.rules.length ? [shows(told.shows), inPlay(told)] : "Nobody has agreed what this shows."),
    told.note ? h("p.small.soft", {}, signs(told.note)) : "",
    told.rules.slice(0, 2).map((rule) => h("p.small.soft.source-of", {}, rule.title, rule.title ? " · " : "", h("span.place", {}, rule.place))),
  ];
}

// Tricks by declarer and strain; without a table the same with the tricks left open.
export function ddTable(table) {
  const strains = ["S", "H", "D", "C", "N"];
  const order = [4, 0, 1, 2, 3];
  return h("table.dd", { "aria-label": "Tricks double dummy" },
    h("thead", {}, h("tr", {}, h("th", {}, h("span.sr", {}, "Declarer")), order.map((at) => h("th", { scope: "col" }, suit(strains[at]), h("span.sr", {}, NAME[strains[at]]))))),
    h("tbody", {}, SEATS.map((seat, column) => h("tr", {}, h("th", { scope: "row" }, seat), order.map((at) => h("td.num", {}, table ? table[at][column] : "·"))))));
}
