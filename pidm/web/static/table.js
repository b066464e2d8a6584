// At the table: a hand, an auction, a bidding box.
import { copy, h, problem, problemWith, put, say } from "./dom.js";
import { get, listen, post } from "./api.js";
import { auctionTable, boardWords, compass, fan, meaningEl, plain, pointAt, points, SEAT_NAME, spoken, suit, title, touch } from "./bridge.js";
import { drawResult } from "./result.js";
import { atHome } from "./visit.js";

const STRAINS = ["C", "D", "H", "S", "N"];
const SHAPE = (hand) => hand.split(".").map((cards) => cards.length).join("=");

export function atTable(main, id, seat, signal) {
  const place = h("div");
  let state = null;
  let chosen = null;
  let typed = "";
  let drawn = "";
  let byButtons = false;
  if (!main.querySelector("#box, #verdicts")) put(main, h("h1", {}, "Practise"), h("p.wait", {}, "One moment …"));

  const call = async (what) => {
    if (!state || state.turn !== seat || !state.legal.includes(what)) return;
    chosen = null;
    state = { ...state, calls: [...state.calls, what], turn: "…", legal: [] };
    draw();
    try {
      update(await post(`/api/tables/${id}/call?seat=${seat}`, { call: what }));
    } catch (error) {
      put(main, h("h1", {}, "That did not work"), problem(error));
    }
  };

  const draw = () => {
    if (state.over) {
      if (drawn !== "over") {
        put(main, place);
        scrollTo(0, 0);
      }
      drawn = "over";
      drawResult(place, state, seat);
      return;
    }
    if (drawn !== "box") {
      drawn = "box";
      const { us, them, kind, number } = state.asked;
      put(main,
        h("div.row.mid.spread.heading.at-board", {}, h("h1.nowrap", {}, `Board ${number}`), h("p.small.soft", {}, h("span.wide-only", {}, `${title(us)} against ${title(them)} · ${state.deals || title(kind)}`), h("span.narrow-only", {}, boardWords(state.dealer, state.vul)))),
        invitation(state, seat),
        h("div.columns.at-table", {},
          h("div.stack", {}, h("section.felt", { id: "hand" }), h("section.card", { id: "auction" })),
          h("div.stack.bidding", {}, h("section.card", { id: "box" }), h("section.card.meaning", { id: "meaning", "aria-live": "off" }))));
    }
    const hand = state.hands[seat];
    put(document.getElementById("hand"),
      h("div.felt-head", {}, h("div", {}, h("h2", {}, `${SEAT_NAME[seat]} (you)`), h("p", {}, `${points(hand)} points, ${SHAPE(hand)}`)), compass(state.dealer, state.vul, state.asked.number)),
      fan(hand));
    put(document.getElementById("auction"), auctionTable({ ...state, seat }, (at) => tell(state.made[at])), state.trouble ? problemWith(state.trouble, "Try again", () => post(`/api/tables/${id}/go_on?seat=${seat}`, {})) : "");
    const box = document.getElementById("box");
    // Who calls by buttons is back at the box when it is their turn again; until then its buttons are out of reach.
    byButtons = box.contains(document.activeElement) || (byButtons && document.activeElement === document.body);
    put(box, biddingBox(state, seat, chosen, typed, choose, call));
    if (byButtons && state.turn === seat && document.activeElement === document.body) box.querySelector(".box").focus({ preventScroll: true });
    tell(null);
  };

  const tell = (told) => {
    const panel = document.getElementById("meaning");
    if (!panel) return;
    if (told) { put(panel, meaningEl(told)); return; }
    const key = (name) => h("kbd", {}, name);
    put(panel, h("p.soft.small", {}, state.turn === seat ? `${pointAt("a call")} to see what it shows. Calls with a line under them are in your system.` : `${pointAt("a call")} to see what it showed.`),
      h("p.soft.small.keys", {}, key("1"), " ", key("n"), " bids 1NT, ", key("p"), " passes, ", key("x"), " doubles, ", key("r"), " redoubles."));
  };

  const choose = (what, firm) => {
    const told = state.possible.find((one) => one.call === what) || { call: what, seat, shows: "", rules: [] };
    if (firm) {
      chosen = what;
      for (const button of document.querySelectorAll(".box [data-call]")) button.setAttribute("aria-pressed", String(button.dataset.call === what));
      const confirm = document.getElementById("confirm");
      if (confirm) put(confirm, what === "P" ? "Pass" : `Bid ${plain(what)}`).disabled = false;
    }
    tell(told);
  };

  const update = (next) => {
    if (state && next.version < state.version) return;
    const before = state;
    state = next;
    draw();
    const turned = !before || before.calls.length !== state.calls.length || !before.legal.length;
    if (!state.over && state.turn === seat && state.legal.length && turned) {
      const last = state.calls.slice(-3).map(spoken).join(", ");
      say(`${last ? `${last}. ` : ""}Your turn.`);
    }
  };

  const key = (event) => {
    if (!state || state.over || event.ctrlKey || event.metaKey || event.altKey || /SELECT|INPUT|TEXTAREA/.test(event.target.tagName)) return;
    const letter = event.key.toUpperCase();
    const direct = { P: "P", X: "X", D: typed ? null : "X", R: "XX" }[letter];
    if (event.key === "Escape") { typed = ""; chosen = null; draw(); }
    else if (/^[1-7]$/.test(letter)) { typed = letter; draw(); }
    else if (typed && STRAINS.includes(letter)) { const bid = typed + letter; typed = ""; draw(); call(bid); }
    else if (direct) { typed = ""; call(direct); }
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", key, { signal });
  const closed = (error) => put(main, h("h1", {}, "Practise"), problem(error), h("p", {}, h("a.button.main", { href: "#/practise" }, "Deal a new board")));
  listen(`/api/tables/${id}/events?seat=${seat}`, {
    table: (next, done) => { update(next); if (next.judged && (next.following || next.people.length < 2)) done(); },
  }, async () => { try { update(await get(`/api/tables/${id}`, { seat })); } catch (error) { closed(error); } });
}

function invitation(state, seat) {
  if (state.people.length < 2) return "";
  const other = state.people.find((one) => one !== seat);
  const url = `${location.origin}/#/practise/table/${state.id}?seat=${other}`;
  return h("div.invite", {},
    h("p", {}, `Your partner sits ${SEAT_NAME[other]} and comes by `, h("a", { href: url, target: "_blank" }, "this link"), " ", h("button", { type: "button", onclick: () => copy(url, "Link copied") }, "Copy")),
    atHome() ? h("p.small.soft", {}, "It works on this computer, in another window. For a partner on another device in your network start ", h("code", {}, "pidm serve --host 0.0.0.0"), ".") : "");
}

function biddingBox(state, seat, chosen, typed, choose, call) {
  const mine = state.turn === seat;
  const agreed = new Set(state.possible.filter((one) => one.rules.length && !one.natural).map((one) => one.call));
  const button = (what, content, extra = "") => h("button", {
    type: "button", class: `${extra} ${mine && agreed.has(what) ? "said" : ""} ${typed && what[0] === typed ? "row-typed" : ""}`,
    disabled: !mine || !state.legal.includes(what), "data-call": what, "aria-label": spoken(what), "aria-pressed": String(chosen === what),
    onmouseenter: () => mine && choose(what, false), onfocus: () => mine && choose(what, false),
    // A finger cannot point without pressing: the first tap shows what the call means, the second makes it.
    onclick: (event) => (event.pointerType === "touch" && event.currentTarget.getAttribute("aria-pressed") !== "true" ? choose(what, true) : call(what)),
  }, content);
  const grid = h("div.box", { role: "group", "aria-label": "Bidding box", tabIndex: -1 },
    [1, 2, 3, 4, 5, 6, 7].map((level) => STRAINS.map((strain) => button(level + strain, [level, suit(strain)], `strain-${strain}`))),
    button("P", "Pass", "wide pass"), button("X", "Dbl", "wide dbl"), button("XX", "Rdbl", "one rdbl"));
  if (touch()) {
    grid.append(h("button.main.full", {
      type: "button", id: "confirm", disabled: !chosen, onclick: () => call(document.querySelector(".box [aria-pressed=true]")?.dataset.call),
    }, chosen ? `Bid ${plain(chosen)}` : "Choose a call"));
  }
  const waiting = !SEAT_NAME[state.turn] ? "…" : `${SEAT_NAME[state.turn]} ${state.people.includes(state.turn) ? "(your partner) is to call" : "is thinking"} …`;
  return [h("h2", { class: mine ? "" : "soft" }, mine ? (typed ? `Your call: ${typed} …` : "Your call") : waiting), grid];
}
