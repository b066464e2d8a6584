// Boards for the world: as text, PBN and LIN, and as addresses of hand viewers.
// A board is { hands, dealer, vul, calls, number, notes: { number of the call: text }, said: a sentence on all of it }.
import { copy, h } from "./dom.js";
import { plain, SEAT_NAME, SEATS, SUITS, vulWords } from "./bridge.js";

const noted = (board) => Object.entries(board.notes || {}).map(([at, text]) => [Number(at), text]);

export function asText(board) {
  const rows = [];
  for (let at = 0; at < board.calls.length; at += 4) rows.push(board.calls.slice(at, at + 4).map(plain).join(" "));
  return [
    `${board.number ? `Board ${board.number}, d` : "D"}ealer ${SEAT_NAME[board.dealer]}, vulnerable: ${vulWords(board.vul)}`,
    ...SEATS.filter((seat) => board.hands[seat]).map((seat) => `${seat}  ${board.hands[seat]}`),
    ...rows,
    ...noted(board).map(([at, text]) => `${plain(board.calls[at])} (call ${at + 1}): ${text}`),
    ...(board.said ? [board.said] : []),
  ].join("\n");
}

export function asPbn(board) {
  const notes = noted(board);
  const tag = (name, value) => `[${name} "${String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
  const words = board.calls.map((call, at) => {
    const number = notes.findIndex(([one]) => one === at);
    return `${{ P: "Pass" }[call] || (call[1] === "N" ? `${call}T` : call)}${number < 0 ? "" : ` =${number + 1}=`}`;
  });
  const rows = [];
  for (let at = 0; at < words.length; at += 4) rows.push(words.slice(at, at + 4).join(" "));
  return [
    ...(board.number ? [tag("Board", board.number)] : []),
    tag("Dealer", board.dealer), tag("Vulnerable", { Both: "All" }[board.vul] || board.vul),
    tag("Deal", `N:${SEATS.map((seat) => board.hands[seat]).join(" ")}`),
    tag("Auction", board.dealer), ...rows,
    ...notes.map(([, text], at) => tag("Note", `${at + 1}:${text}`)),
    ...(board.said ? [`{${board.said.replaceAll("}", ")")}}`] : []), "",
  ].join("\n");
}

export function asLin(board) {
  const order = ["S", "W", "N", "E"];
  const hand = (seat) => board.hands[seat].split(".").map((cards, at) => SUITS[at] + cards).join("");
  const vul = { None: "o", NS: "n", EW: "e", Both: "b" }[board.vul];
  const calls = board.calls.map((call, at) => {
    const note = (board.notes || {})[at];
    return `mb|${{ P: "p", X: "d", XX: "r" }[call] || call}|${note ? `an|${note.replaceAll("|", "/")}|` : ""}`;
  });
  return `md|${order.indexOf(board.dealer) + 1}${order.map(hand).join(",")}|${board.number ? `ah|Board ${board.number}|` : ""}sv|${vul}|${calls.join("")}`;
}

const VIEWERS = [
  ["Hand viewer", "https://www.bridgebase.com/tools/handviewer.html?lin="],
  ["Bridge Solver", "https://dds.bridgewebs.com/bsol2/ddummy.htm?lin="],
];

// The buttons under a board.
export function shareRow(board, ...more) {
  const button = (words, text, what) => h("button", { type: "button", onclick: () => copy(text(board), what) }, words);
  return h("div.row.share-row", {}, more,
    button("Copy text", asText, "Copied as text"), button("PBN", asPbn, "Copied as PBN"), button("LIN", asLin, "Copied as LIN"),
    VIEWERS.map(([name, start]) => h("a.button", { href: start + encodeURIComponent(asLin(board)), target: "_blank", rel: "noopener noreferrer" }, name, h("span", { "aria-hidden": "true" }, " ↗"))));
}
