// Practise: sit down, bid a board, see what your calls were worth.
import { copy, h, problem, put, say } from "./dom.js";
import { get, listen, post } from "./api.js";
import {
  asPbn, asText, auctionTable, callEl, contractEl, ddTable, diagram, handEl, handsOf, meaningEl, partner, plain, result, SEAT_NAME,
  side, signed, spoken, suit, title, viewer,
} from "./bridge.js";

const STRAINS = ["C", "D", "H", "S", "N"];

function sessionName() {
  let name = sessionStorage.getItem("session");
  if (!name) {
    name = crypto.getRandomValues(new Uint32Array(2)).join("-");
    sessionStorage.setItem("session", name);
  }
  return name;
}

export async function show(main, { parts, query }) {
  if (parts[0] === "table") return atTable(main, parts[1], query.get("seat") || "S");
  return lobby(main, query);
}

// ---------------------------------------------------------------- before the board

async function lobby(main, query) {
  put(main, h("h1", {}, "Practise"), h("p.wait", {}, "Reading the systems …"));
  const [{ systems, broken, kinds }, history] = await Promise.all([get("/api/systems"), get("/api/history", { session: sessionName() })]);
  const kept = JSON.parse(localStorage.getItem("practise") || "{}");
  const want = (key, fallback) => query.get(key) || kept[key] || fallback;
  const options = (list, chosen) => list.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  const named = systems.map((one) => [one.name, title(one.name)]);
  const us = h("select", { id: "us" }, options(named, want("us", systems[0].name)));
  const them = h("select", { id: "them" }, options(named, want("them", systems[0].name)));
  const kind = h("select", { id: "kind" });
  const fillKinds = () => {
    const card = systems.find((one) => one.name === us.value).conventions;
    const chosen = kind.value || want("kind", "random");
    put(kind, h("optgroup", { label: "Deals" }, options(Object.entries(kinds), chosen)),
      h("optgroup", { label: "A convention comes up" }, options(card.map((one) => [one.name, title(one.name)]), chosen)));
  };
  fillKinds();
  us.addEventListener("change", fillKinds);
  const seat = h("select", { id: "seat" }, options(["S", "N", "E", "W"].map((one) => [one, SEAT_NAME[one]]), want("seat", "S")));
  const who = h("select", { id: "who" }, options([["1", "The engine"], ["2", "A person, by a link"]], query.get("two") ? "2" : "1"));
  const seconds = h("select", { id: "seconds" }, options([["0", "By the rules alone"], ["0.5", "Half a second a call"], ["2", "Two seconds a call"]], want("seconds", "0.5")));
  const trouble = h("div");
  const deal = h("button.main", { type: "submit" }, "Deal");
  const form = h("form.card.stack", {
    onsubmit: async (event) => {
      event.preventDefault();
      deal.disabled = true;
      put(trouble, h("p.wait", {}, "Dealing …"));
      const chosen = { us: us.value, them: them.value, kind: kind.value, seat: seat.value, seconds: seconds.value };
      localStorage.setItem("practise", JSON.stringify(chosen));
      try {
        const seats = who.value === "2" ? [seat.value, partner(seat.value)] : [seat.value];
        const body = { us: us.value, them: them.value, kind: kind.value, seats, seconds: Number(seconds.value), session: sessionName() };
        if (query.get("seed")) Object.assign(body, { seed: Number(query.get("seed")), number: Number(query.get("number") || 1) });
        else body.number = Number(sessionStorage.getItem("number") || 0) % 9999 + 1;
        const table = await post("/api/tables", body);
        sessionStorage.setItem("number", body.number);
        location.hash = `#/practise/table/${table.id}?seat=${seat.value}`;
      } catch (error) {
        put(trouble, problem(error));
        deal.disabled = false;
      }
    },
  }, h("div.row", {},
    h("label", {}, "We play", us), h("label", {}, "They play", them), h("label", {}, "Deals", kind)),
  h("div.row", {}, h("label", {}, "I sit", seat), h("label", {}, "My partner", who), h("label", {}, "The engine thinks", seconds), deal), trouble);
  put(main, h("h1", {}, "Practise"),
    broken.map((one) => problem(new Error(`${one.name} cannot be played:\n${one.error}`))),
    query.get("seed") ? h("p", {}, "This link deals a board that somebody has bid before.") : h("p.soft", {}, "Bid a board with the engine as your partner and opponents. Afterwards you see all hands, par, and what each of your calls was worth."),
    form, h("div.stack", {}, h("p"), scoreCard(history)));
  if (query.get("go")) form.requestSubmit();
  else deal.focus();
  return () => {};
}

function scoreCard(history) {
  if (!history.boards.length && !history.all.boards) return "";
  const facts = (name, one) => h("div", {}, h("b", {}, one.boards ? `${signed(-one.lost / one.boards, 2)} IMPs` : "–"), h("span", {}, `${name}: per board, over ${one.boards} ${one.boards === 1 ? "board" : "boards"}`));
  return h("section.card", {}, h("h2", {}, "Your score"),
    h("div.facts", {}, facts("This session", history.session), facts("All time", history.all)),
    history.boards.length ? h("div.scroll", {}, h("table.lines", {}, h("thead", {}, h("tr", {}, h("th", {}, "Board"), h("th", {}, "Deals"), h("th", {}, "Contract"), h("th.r", {}, "NS"), h("th.r", {}, "Calls cost"), h("th.r", {}, "Against par"))),
      h("tbody", {}, history.boards.slice(0, 12).map((one) => h("tr", {}, h("td", {}, h("a", { href: link(one) }, `${one.asked.number}`)), h("td", {}, title(one.asked.kind)), h("td", {}, contractEl(one.contract)), h("td.r", {}, signed(one.score)), h("td.r", {}, one.lost === null ? "–" : signed(-one.lost, 2)), h("td.r", {}, signed(one.imps_par))))))) : "");
}

function link(one) {
  const asked = one.asked;
  return `#/practise?${new URLSearchParams({ us: asked.us, them: asked.them, kind: asked.kind, seat: one.people[0], seconds: asked.seconds, seed: asked.seed, number: asked.number })}`;
}

// ---------------------------------------------------------------- at the table

function atTable(main, id, seat) {
  const place = h("div");
  put(main, h("p.wait", {}, "One moment …"));
  let state = null;
  let chosen = null;
  let typed = "";
  let drawn = "";

  const call = async (what) => {
    if (!state || state.turn !== seat || !state.legal.includes(what)) return;
    chosen = null;
    state = { ...state, calls: [...state.calls, what], turn: "…", legal: [] };
    draw();
    try {
      update(await post(`/api/tables/${id}/call?seat=${seat}`, { call: what }));
    } catch (error) {
      put(main, problem(error));
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
      put(main, h("div.row.mid.spread", {}, h("h1", {}, `Board ${state.asked.number}`), h("p.small.soft.wide-only", {}, `${title(state.asked.us)} against ${title(state.asked.them)} · ${title(state.asked.kind)}`)),
        invitation(state, seat),
        h("div.columns", {}, h("div.stack", {}, h("section.card", { id: "hand" }), h("section.card", { id: "auction" })),
          h("div.stack.bidding", {}, h("section.card", { id: "box" }), h("section.card.meaning", { id: "meaning", "aria-live": "off" }))));
    }
    put(document.getElementById("hand"), h("div.row.mid.spread", {}, handEl(state.hands[seat], seat, { mine: true, name: `${SEAT_NAME[seat]} (you)` }), diagram({}, state.dealer, state.vul)));
    put(document.getElementById("auction"), auctionTable({ ...state, seat }, (at) => tell(state.made[at])), state.trouble ? problem(new Error(state.trouble)) : "");
    put(document.getElementById("box"), biddingBox(state, seat, chosen, choose, call));
    tell(null);
  };

  const tell = (told) => {
    const panel = document.getElementById("meaning");
    if (!panel) return;
    if (told) put(panel, meaningEl(told));
    else put(panel, h("p.soft.small", {}, state.turn === seat ? "Point at a call to see what it shows. Underlined calls have a rule." : "The engine is thinking …"),
      h("p.soft.small", {}, h("kbd", {}, "1"), " ", h("kbd", {}, "n"), " bids 1NT, ", h("kbd", {}, "p"), " passes, ", h("kbd", {}, "x"), " doubles, ", h("kbd", {}, "r"), " redoubles, ", h("kbd", {}, "Esc"), " forgets."));
  };

  const choose = (what, firm) => {
    const told = state.possible.find((one) => one.call === what) || { call: what, seat, shows: "Nobody has agreed what this would show.", rules: [] };
    if (firm) {
      chosen = what;
      for (const button of document.querySelectorAll(".box [data-call]")) button.setAttribute("aria-pressed", String(button.dataset.call === what));
      const confirm = document.getElementById("confirm");
      if (confirm) put(confirm, `Bid ${plain(what)}`).disabled = false;
    }
    tell(told);
  };

  const update = (next) => {
    if (state && next.version < state.version) return;
    const before = state;
    state = next;
    draw();
    if (!state.over && state.turn === seat && state.legal.length && (!before || before.calls.length !== state.calls.length || !before.legal.length)) {
      const last = state.calls.slice(-3).map(spoken).join(", ");
      say(`${last ? `${last}. ` : ""}Your turn.`);
    }
  };

  const key = (event) => {
    if (!state || state.over || event.ctrlKey || event.metaKey || event.altKey || /SELECT|INPUT|TEXTAREA/.test(event.target.tagName)) return;
    const letter = event.key.toUpperCase();
    const direct = { P: "P", X: "X", D: typed ? null : "X", R: "XX" }[letter];
    if (event.key === "Escape") { typed = ""; chosen = null; draw(); }
    else if (/^[1-7]$/.test(letter)) typed = letter;
    else if (typed && STRAINS.includes(letter)) { call(typed + letter); typed = ""; }
    else if (direct) { call(direct); typed = ""; }
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", key);
  const stop = listen(`/api/tables/${id}/events?seat=${seat}`, {
    table: (next, done) => { update(next); if (next.judged) done(); },
  }, async () => {
    try { update(await get(`/api/tables/${id}`, { seat })); } catch (error) { put(main, h("h1", {}, "Practise"), problem(error), h("p", {}, h("a.button.main", { href: "#/practise" }, "Deal a new board"))); }
  });
  return () => { stop(); removeEventListener("keydown", key); };
}

function invitation(state, seat) {
  if (state.people.length < 2) return "";
  const other = state.people.find((one) => one !== seat);
  const url = `${location.origin}/#/practise/table/${state.id}?seat=${other}`;
  return h("p.small", {}, `Your partner sits ${SEAT_NAME[other]}: `, h("a", { href: url, target: "_blank" }, "this link"), " ", h("button", { type: "button", onclick: () => copy(url, "Link copied") }, "Copy"));
}

function biddingBox(state, seat, chosen, choose, call) {
  const mine = state.turn === seat;
  const touch = matchMedia("(hover: none)").matches;
  const button = (what, content, extra = "") => h("button", {
    type: "button", class: `${extra} ${state.possible.some((one) => one.call === what && one.rules.length) && mine ? "said" : ""}`,
    disabled: !mine || !state.legal.includes(what), "data-call": what, "aria-label": spoken(what), "aria-pressed": String(chosen === what),
    onmouseenter: () => mine && choose(what, false), onfocus: () => mine && choose(what, false),
    // A finger cannot point without pressing: the first tap shows what the call means, the second makes it.
    onclick: (event) => (event.pointerType === "touch" && event.currentTarget.getAttribute("aria-pressed") !== "true" ? choose(what, true) : call(what)),
  }, content);
  const grid = h("div.box", { role: "group", "aria-label": "Bidding box" },
    button("P", "Pass", "wide pass"), button("X", "Dbl", "wide dbl"), button("XX", "Rdbl", "one rdbl"),
    [1, 2, 3, 4, 5, 6, 7].map((level) => STRAINS.map((strain) => button(level + strain, [level, suit(strain)]))));
  if (touch) grid.append(h("button.main.full", { type: "button", id: "confirm", disabled: !chosen, onclick: () => call(document.querySelector(".box [aria-pressed=true]")?.dataset.call) }, chosen ? `Bid ${plain(chosen)}` : "Choose a call"));
  return [h("h2", {}, mine ? "Your call" : state.turn === "…" || !state.turn ? "…" : `${SEAT_NAME[state.turn] || ""} to call`), grid];
}

// ---------------------------------------------------------------- after the auction

function drawResult(place, state, seat) {
  const us = side(seat);
  const sign = us === "NS" ? 1 : -1;
  const outcome = state.outcome;
  const opened = new Set([...place.querySelectorAll("details[open]")].map((one) => one.dataset.at));
  const told = h("div.meaning.small", { id: "meaning" }, h("p.soft", {}, "Point at a call to see what it showed."));
  const cost = state.verdicts.reduce((sum, one) => sum + (one.cost || 0), 0);
  const marks = Object.fromEntries(state.verdicts.map((one) => [one.at, one.clear && one.cost > 0.3 ? h("sup.bad", {}, signed(-one.cost, 1)) : h("sup.good", {}, "✓")]));
  const board = { hands: state.hands, dealer: state.dealer, vul: state.vul, calls: state.calls, number: state.asked.number };
  const again = `${location.origin}/${link({ asked: state.asked, people: state.people })}`;
  const view = viewer(board);
  put(place,
    h("div.row.mid.spread", {}, h("h1", {}, `Board ${state.asked.number}: `, contractEl(outcome ? outcome.contract : null), outcome && outcome.contract ? ` ${result(outcome.contract, outcome.tricks)}` : ""),
      h("div.row", {}, h("a.button", { href: `#/practise?${new URLSearchParams({ ...paramsOf(state), seed: state.asked.seed, number: state.asked.number })}&go=1` }, "Again"),
        h("a.button.main", { href: `#/practise?${new URLSearchParams({ ...paramsOf(state), go: Date.now() })}`, id: "next" }, "Next board"))),
    h("div.columns", {},
      h("div.stack", {},
        h("section.card", {}, diagram(state.hands, state.dealer, state.vul, state.asked.number)),
        h("section.card", {}, h("h2", {}, "Auction"), auctionTable({ ...state, seat }, (at) => put(told, meaningEl(state.made[at])), marks), told)),
      h("div.stack", {},
        h("section.card", {}, outcome ? [
          h("div.facts", {},
            h("div", {}, h("b", {}, signed(sign * outcome.score)), h("span", {}, "your score, double dummy")),
            h("div", {}, h("b", {}, signed(sign * outcome.par.score)), h("span", {}, "par: ", outcome.par.contracts.slice(0, 2).map((one, at) => [at ? ", " : "", contractEl(one)]), outcome.par.contracts.length ? "" : "passed out")),
            h("div", {}, h("b", {}, `${signed(sign * outcome.imps_par)} IMPs`), h("span", {}, "against par")),
            h("div", {}, h("b", { class: cost > 0.3 ? "bad" : "good" }, state.judged ? `${signed(-cost, 1)} IMPs` : "…"), h("span", {}, state.judged ? "what your calls cost" : `judging, ${state.verdicts.length} of ${state.to_judge}`))),
          h("p"),
          h("p.small", {}, "Four engines bid ", outcome.engine.calls.map((one) => [callEl(one), " "]), "to ", contractEl(outcome.engine.contract), ` ${result(outcome.engine.contract, outcome.engine.tricks)}: `, signed(sign * outcome.engine.score), " for your side; you ", outcome.imps_engine * sign >= 0 ? "win " : "lose ", `${Math.abs(outcome.imps_engine)} ${Math.abs(outcome.imps_engine) === 1 ? "IMP" : "IMPs"} against them.`),
          ddTable(outcome.table),
        ] : h("p.wait", {}, "Solving the board …"), state.trouble ? problem(new Error(state.trouble)) : ""),
        h("section.card", { id: "verdicts" }, h("h2", {}, state.people.length > 1 ? "Your calls and your partner's" : "Your calls"), state.verdicts.map((one) => verdictEl(one, state, opened)), state.judged ? "" : h("p.wait", {}, "The engine simulates …")),
        h("section.card.small", {}, h("div.row", {},
          h("button", { type: "button", onclick: () => copy(again, "Link copied") }, "Copy link to this deal"),
          h("button", { type: "button", onclick: () => copy(asText(board)) }, "Copy text"),
          h("button", { type: "button", onclick: () => copy(asPbn(board)) }, "PBN"),
          h("button", { type: "button", onclick: () => copy(view.lin) }, "LIN"),
          h("a.button", { href: view.url, target: "_blank", rel: "noopener noreferrer" }, "Hand viewer ↗"),
          h("a.button", { href: `#/explore/${encodeURIComponent(state.systems[us.toLowerCase()])}/${state.calls.join("-")}?dealer=${state.dealer}&vul=${state.vul}` }, "Explore the auction"))))));
  if (state.judged && !place.dataset.said) {
    place.dataset.said = "1";
    say(`The board is over. Your calls cost ${cost.toFixed(1)} IMPs.`);
  }
}

function paramsOf(state) {
  const asked = state.asked;
  return { us: asked.us, them: asked.them, kind: asked.kind, seat: state.people[0], seconds: asked.seconds };
}

const FITS = { system: "as the system says", judgement: "a matter of judgement", outside: "not what the system says" };

export function verdictEl(one, state, opened = new Set()) {
  const words = one.made === one.best && !one.worlds ? "the only call that comes into question"
    : one.cost === null ? "the simulation could not tell"
      : one.cost <= 0 ? (one.made === one.best ? "the engine's choice" : "as good as the engine's choice")
        : `loses ${one.cost.toFixed(2)} IMPs (±${(one.error || 0).toFixed(2)})${one.clear ? "" : ", which may be chance"}`;
  const most = Math.max(...one.options.map((option) => Math.abs(option.behind || 0)), 0.5);
  const rows = one.options.map((option) => h("div.option", {},
    h("span", {}, callEl(option.call), option.call === one.made ? [h("span.sr", {}, " your call"), h("span", { "aria-hidden": "true" }, " ◂")] : ""),
    h("span.r.num", {}, option.behind === null ? "" : option.behind === 0 ? "best" : signed(-option.behind, 2), option.behind ? h("span.soft", {}, ` ±${(option.error || 0).toFixed(2)}`) : ""),
    h("span", {}, option.behind ? h("span.bar", { class: option.behind > 0 ? "neg" : "", style: { width: `${Math.round((90 * Math.abs(option.behind)) / most)}px` } }) : ""),
    h("p.small.soft", {}, option.shows)));
  const heading = h("p", {}, callEl(one.made), h("span.small.soft", {}, ` ${SEAT_NAME[one.seat]} `), h("span.chip", { class: one.fits === "outside" ? "warn" : "" }, FITS[one.fits]), " ",
    h("span", { class: one.clear ? "bad" : "" }, words), one.preferred !== one.made ? [h("span", {}, "; the system says "), callEl(one.preferred)] : "");
  const body = one.options.length > 1 ? h("details", { "data-at": one.at, open: opened.has(String(one.at)) || (one.clear && one.cost > 0.5) },
    h("summary.small", {}, one.worlds ? `What else: ${one.worlds} deals simulated` : "What else"),
    rows,
    one.glimpses.length ? h("details", { "data-at": `${one.at}g`, open: opened.has(`${one.at}g`) }, h("summary.small", {}, `${one.glimpses.length} of the simulated deals`),
      h("div.glimpses", {}, one.glimpses.map((glimpse) => h("div.card", {}, diagram(handsOf(glimpse.deal), state.dealer, state.vul, "", "small-diagram"),
        h("p.small.num", {}, one.options.map((option, at) => [at ? ", " : "", callEl(option.call), ` ${signed(glimpse.scores[at])}`])))))) : "") : "";
  return h("article.verdict", {}, heading, body);
}
