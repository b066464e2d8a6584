// After the auction: all hands, par, and what each call was worth.
import { card, copy, facts, h, plural, problem, problemWith, put, say } from "./dom.js";
import { get, post } from "./api.js";
import { auctionTable, callEl, callsEl, contractEl, ddTable, diagram, meaningEl, pointAt, result, side, signed } from "./bridge.js";
import { shareRow } from "./share.js";
import { markOf, remarkOn, verdictEl } from "./verdict.js";
import { linkOf, sessionName } from "./visit.js";

export function drawResult(place, state, seat) {
  const us = side(seat);
  const sign = us === "NS" ? 1 : -1;
  const { outcome, verdicts, asked } = state;
  const opened = new Set([...place.querySelectorAll("details[open]")].map((one) => one.dataset.at));
  const told = h("div.meaning.low", { id: "meaning" }, h("p.soft.small", {}, `${pointAt("a call")} to see what it showed.`));
  const cost = verdicts.reduce((sum, one) => sum + (one.cost || 0), 0);
  const marks = Object.fromEntries(verdicts.map((one) => [one.at, markOf(one)]));
  const notes = Object.fromEntries(verdicts.map((one) => [one.at, remarkOn(one)]).filter(([, text]) => text));
  const board = { hands: state.hands, dealer: state.dealer, vul: state.vul, calls: state.calls, number: asked.number, notes };
  const goOn = async (event, again) => {
    event.currentTarget.disabled = true;
    try {
      const table = await post(`/api/tables/${state.id}/next?seat=${seat}`, { again });
      sessionStorage.setItem("number", table.asked.number);
      location.hash = `#/practise/table/${table.id}?seat=${seat}`;
    } catch (error) { put(place, problem(error)); }
  };
  const next = state.following
    ? h("button.main", { type: "button", id: "next", onclick: (event) => goOn(event, false) }, state.people.length > 1 ? "Join your partner at the next board" : "Next board")
    : [h("button", { type: "button", id: "again", onclick: (event) => goOn(event, true) }, "Again"),
      h("button.main", { type: "button", id: "next", onclick: (event) => goOn(event, false) }, "Next board")];
  put(place,
    h("div.row.mid.spread.heading", {},
      h("h1", {}, `Board ${asked.number}: `, outcome ? [contractEl(outcome.contract), " ", result(outcome.contract, outcome.tricks)] : "the auction is over"),
      h("div.row.mid", {}, h("a.button", { href: "#/practise" }, "Other deals"), next)),
    card("", summary(state, sign, cost), state.trouble ? problemWith(state.trouble, "Try again", () => post(`/api/tables/${state.id}/go_on?seat=${seat}`, {}).then((next) => drawResult(place, next, seat))) : ""),
    h("div.columns.below", {},
      h("div.stack", {},
        card("", diagram(state.hands, state.dealer, state.vul, asked.number), h("div.under-diagram", {}, ddTable(outcome && outcome.table))),
        h("section.card.small.last", {}, h("h2", {}, "Take it with you"), shareRow(board,
          h("button", { type: "button", onclick: () => copy(`${location.origin}/${linkOf(state)}`, "Link copied") }, "Link to this deal"),
          h("a.button", { href: exploreOf(state) }, "Explore the auction")))),
      h("div.stack", {},
        card("Auction", auctionTable({ ...state, seat }, (at) => put(told, meaningEl(state.made[at])), marks), told),
        h("section.card", { id: "verdicts" }, h("h2", {}, state.people.length > 1 ? "Your calls and your partner’s" : "Your calls"),
          verdicts.map((one) => verdictEl(one, { opened })),
          state.judged ? "" : h("p.wait", {}, `Simulating: ${verdicts.length} of ${plural(state.to_judge, "call")} judged …`)))));
  if (state.judged) session(place.querySelector("#session"));
  if (state.judged && !place.dataset.said) {
    place.dataset.said = "1";
    say(`The board is over. Your calls cost ${cost.toFixed(1)} IMPs.`);
  }
}

// Before the board is solved the numbers are left open, so that nothing moves when they come.
function summary(state, sign, cost) {
  const { outcome } = state;
  const yours = [state.judged ? `${signed(-cost, 1)} IMPs` : "…", state.judged ? "what your calls cost" : "judging your calls", !state.judged ? "" : cost > 0.3 ? "bad" : "good"];
  if (!outcome) return [facts([yours, ["…", "your score, double dummy"], ["…", "par"], ["…", "against par"]]), h("p.small.engine", {}, "Solving the board …"), h("p.small.soft", { id: "session" }, "\u00a0")];
  const par = outcome.par.contracts.length ? outcome.par.contracts.slice(0, 2).map((one, at) => [at ? ", " : "", contractEl(one)]) : "passed out";
  const ahead = outcome.imps_engine * sign;
  const against = ahead === 0 ? "the same as yours" : `${plural(Math.abs(ahead), "IMP")} ${ahead > 0 ? "for" : "against"} you`;
  return [
    facts([
      yours,
      [signed(sign * outcome.score), "your score, double dummy"],
      [signed(sign * outcome.par.score), ["par: ", par]],
      [`${signed(sign * outcome.imps_par)} IMPs`, "against par"],
    ]),
    h("p.small.engine", {}, "The engine in all four seats bids ", callsEl(outcome.engine.calls), ": ", contractEl(outcome.engine.contract), " ", result(outcome.engine.contract, outcome.engine.tricks),
      `, ${signed(sign * outcome.engine.score)} for your side, ${against}.`),
    h("p.small.soft", { id: "session" }, "\u00a0"),
  ];
}

// The score over the session, under that of the board.
async function session(el) {
  if (!el) return;
  const found = await get("/api/history", { session: sessionName() });
  const one = found.session;
  if (one.boards) put(el, `This session: ${plural(one.boards, "board")}, ${signed(-one.lost / one.boards, 2)} IMPs a board by your calls, ${signed(one.imps_par)} IMPs against par.`);
}

const exploreOf = ({ systems, calls, dealer, vul }) =>
  `#/explore/${encodeURIComponent(systems.ns)}/${calls.join("-")}?${new URLSearchParams({ dealer, vul, against: systems.ew })}`;
