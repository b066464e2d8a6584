// A page for one board of a review.
import { card, facts, h, plural, put } from "./dom.js";
import { auctionTable, callEl, contractEl, diagram, pointAt, result, SEAT_NAME, shows, signed } from "./bridge.js";
import { lostBy } from "./review_table.js";
import { shareRow } from "./share.js";
import { verdictEl } from "./verdict.js";

export function drawBoard(main, id, at, { told, boards }) {
  const board = boards[at];
  // At either end the way on stands there all the same, out of reach, so that the others stay in their place.
  const move = (to, words) => (to >= 0 && to < told.count ? h("a.button", { href: `#/review/${id}/${to}` }, words) : h("span.button.gone", { "aria-hidden": "true" }, words));
  const top = h("div.row.mid.spread.heading", {}, h("h1", {}, `Board ${board ? board.board ?? at + 1 : at + 1}`, h("span.soft.small", {}, ` ${told.title}`)),
    h("div.row.mid", {}, move(at - 1, "‹ Before"), move(at + 1, "Next ›"), h("a.button", { href: `#/review/${id}` }, "All boards")));
  const show = (...children) => put(main, h("div.reviewed", {}, top, children));
  if (!board) { show(h("p.wait", {}, "This board is not reviewed yet.")); return; }
  if (board.trouble) { show(card("", h("p", {}, `This board could not be reviewed: ${board.trouble}.`))); return; }
  const remarkable = board.reviewed.filter((call) => call.mistake || call.fits === "outside");
  const verdict = (call) => verdictEl(call, { who: board.players[call.seat] || SEAT_NAME[call.seat] });
  const others = board.reviewed.filter((call) => !remarkable.includes(call) && call.worlds);
  show(h("div.columns", {}, h("div.stack", {}, handsCard(board), auctionCard(board)),
    h("div.stack", {}, summary(board),
      h("section.card", { id: "verdicts" }, h("h2", {}, "What is to be said"),
        remarkable.length ? remarkable.map(verdict) : h("p.soft", {}, "Nothing to remark: every call fits the system and none was clearly expensive."),
        others.length ? h("details", {}, h("summary", {}, plural(others.length, "other decision that was simulated", "other decisions that were simulated")), others.map(verdict)) : ""),
      Object.keys(board.hands).length === 4 ? takeAway(board, told) : "")));
}

const handsCard = (board) => card("", diagram(board.hands, board.dealer, board.vul, board.board, "", board.players));

function auctionCard(board) {
  const marks = Object.fromEntries(board.reviewed.map((call) => [call.at,
    call.mistake ? h("sup.bad", {}, signed(-call.lost, 1)) : call.fits === "outside" ? h("sup.warn", {}, "?") : ""]));
  const panel = h("div.meaning.low.small", { id: "meaning" }, h("p.soft", {}, `${pointAt("a call")} to see what it shows in the system.`));
  const tell = (number) => {
    const call = board.reviewed.find((one) => one.at === number);
    if (!call) { put(panel, h("p.soft", {}, "The hand behind this call is not known.")); return; }
    put(panel, h("p", {}, callEl(call.made), ` ${board.players[call.seat] || SEAT_NAME[call.seat]}: `, shows(call.shows)),
      call.reach && call.par_lost ? h("p.soft", {}, `Double dummy, NS could reach ${signed(call.reach[0])} before this call and ${signed(call.reach[1])} after it: ${plural(call.par_lost, "IMP")}.`) : "");
  };
  return card("Auction", auctionTable({ ...board, turn: null, made: [] }, tell, marks), panel);
}

function summary(board) {
  const par = board.par && (board.par.contracts.length ? board.par.contracts.slice(0, 2).map((one, at) => [at ? ", " : "", contractEl(one)]) : "passed out");
  return card("", facts([
    [[contractEl(board.contract), " ", result(board.contract, board.tricks)], `double dummy${board.taken === null ? "" : `; ${board.taken} tricks taken`}`],
    board.score === null ? null : [signed(board.score), "for NS, double dummy"],
    board.par ? [signed(board.par.score), ["par: ", par]] : null,
  ]), board.par ? h("p", {}, board.lost_at === null ? "Both sides reached their par." : ["Par was lost by ", lostBy(board), "."]) : "");
}

function takeAway(board, told) {
  const notes = Object.fromEntries(board.reviewed.filter((call) => call.remark).map((call) => [call.at, call.remark]));
  const { hands, dealer, vul, calls } = board;
  return h("section.card.small", {}, h("h2", {}, "Take it with you"), shareRow({ hands, dealer, vul, calls, number: board.board, notes, said: board.said },
    h("a.button", { href: `#/explore/${encodeURIComponent(told.systems.NS)}/${calls.join("-")}?dealer=${dealer}&vul=${vul}&against=${told.systems.EW}` }, "Explore the auction")));
}
