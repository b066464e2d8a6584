// The table of the tournament: who lost what in the bidding, by which calls, and all boards.
import { card, facts, h, plural, problem, put } from "./dom.js";
import { post } from "./api.js";
import { callEl, callsEl, contractEl, result, SEAT_NAME, signed, title } from "./bridge.js";

const lostOn = (board) => board.reviewed.reduce((sum, call) => sum + call.lost, 0);

export function lostBy(board) {
  const call = board.reviewed.find((one) => one.at === board.lost_at);
  return call ? [callEl(call.made), h("span.soft.small", {}, h("span.wide-only", {}, ` ${board.players[call.seat] || SEAT_NAME[call.seat]},`), ` ${call.par_lost}`, h("span.wide-only", {}, ` ${call.par_lost === 1 ? "IMP" : "IMPs"}`))] : "";
}

export function drawTournament(main, id, { told, boards }) {
  const { standings } = told;
  const buttons = told.over
    ? [h("a.button.main", { href: `/api/reviews/${id}/file.html`, download: "", title: "The whole review as one file that opens in any browser" }, "Page to mail"),
      h("a.button", { href: `/api/reviews/${id}/file.pbn`, download: "", title: "Your file with what was found as notes" }, "PBN with notes")]
    : h("button", { type: "button", id: "stop", onclick: () => post(`/api/reviews/${id}/stop`, {}) }, "Stop here");
  const played = `North–South play ${title(told.systems.NS)}, East–West ${title(told.systems.EW)}.${told.stopped ? " Stopped before the end." : ""}`;
  put(main, h("div.reviewed.stack", {},
    h("div.row.mid.spread.heading", {}, h("div", {}, h("h1", {}, told.title), h("p.small.soft", {}, played)), h("div.row.mid", {}, buttons, h("a.button", { href: "#/review" }, "Another file"))),
    told.over ? "" : h("div", {}, h("progress", { max: told.count, value: told.done, "aria-label": `${told.done} of ${told.count} boards` }),
      h("p.small.num.soft", {}, `${told.done} of ${plural(told.count, "board")} reviewed`)),
    told.trouble ? problem(new Error(told.trouble)) : "",
    told.errors.length ? h("details", {}, h("summary", {}, `${plural(told.errors.length, "board")} could not be read`), h("ul.small", {}, told.errors.map((error) => h("li", {}, error)))) : "",
    overview(told, boards),
    h("div.columns.below.reviewed-boards", {}, h("div.stack", {}, boardsCard(id, boards)),
      h("div.stack", {}, standings.pairs ? [dearest(id, standings.dearest),
        standing("Pairs and players", [["Pair", standings.pairs], ["Player", standings.players]]), standing("Kinds of decisions", [["Decision", standings.kinds]])]
        : card("The most expensive calls", h("p.soft", {}, "Who lost what, and by which calls, stands here when all boards are reviewed."))))));
}

// The evening in four numbers, of the boards that are reviewed so far.
function overview(told, boards) {
  const seen = boards.filter((board) => board && !board.trouble);
  const calls = seen.flatMap((board) => board.reviewed);
  const lost = calls.reduce((sum, call) => sum + call.lost, 0);
  const atPar = seen.filter((board) => board.par && board.lost_at === null).length;
  return card("", facts([[told.over ? plural(seen.length, "board") : `${told.done} of ${told.count}`, told.over ? plural(calls.length, "call") : `boards, ${plural(calls.length, "call")}`],
    [plural(calls.filter((call) => call.mistake).length, "mistake"), "calls that clearly lose half an IMP or more"],
    [`${lost.toFixed(1)} IMPs`, "lost in the bidding"], [`${atPar} of ${seen.length}`, "boards where both sides reached their par"]]));
}

function standing(name, tables) {
  const most = Math.max(...tables.flatMap(([, rows]) => rows.map((row) => row.lost)), 1);
  const head = (words) => h("thead", {}, h("tr", {}, h("th", {}, words), h("th.r", {}, "Calls"), h("th.r.wide-only", { title: "Calls that are not what the system says" }, "Off system"), h("th.r", {}, "Mistakes"), h("th.r", {}, "IMPs lost")));
  const line = (row) => h("tr", {}, h("td", {}, row.name[0].toUpperCase() + row.name.slice(1), h("span.bar.neg.under", { style: { width: `${(100 * row.lost) / most}%` } })),
    h("td.r", {}, row.calls), h("td.r.wide-only", {}, row.outside || "–"), h("td.r", {}, row.mistakes || "–"), h("td.r", {}, row.lost ? row.lost.toFixed(1) : "–"));
  return card(name, tables.map(([words, rows]) => h("div.scroll", {}, h("table.lines.standing", {}, head(words), h("tbody", {}, rows.map(line))))));
}

function dearest(id, calls) {
  const line = (call) => h("tr", {}, h("td", {}, h("a", { href: `#/review/${id}/${call.place}` }, call.board ?? call.place + 1)), h("td", {}, call.who),
    h("td.small.wide-only", {}, callsEl(call.auction.slice(-5))), h("td", {}, callEl(call.call)), h("td", {}, callEl(call.best)), h("td.r.bad", {}, `−${call.lost.toFixed(1)}`));
  return h("section.card", { id: "dearest" }, h("h2", {}, "The most expensive calls"),
    calls.length ? h("div.scroll", {}, h("table.lines", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Board"), h("th", {}, "Who"), h("th.wide-only", {}, "After"), h("th", {}, "Called"), h("th", {}, "Better"), h("th.r", {}, "IMPs"))),
      h("tbody", {}, calls.map(line)))) : h("p", {}, "No clear mistakes: well bid."));
}

function boardsCard(id, boards) {
  const line = (board, place) => board && h("tr", {}, h("td", {}, h("a", { href: `#/review/${id}/${place}` }, board.board ?? place + 1)),
    board.trouble ? h("td.soft", { colSpan: 5 }, board.trouble) : [
      h("td.nowrap", {}, contractEl(board.contract), " ", result(board.contract, board.tricks)), h("td.r.wide-only", {}, board.score === null ? "" : signed(board.score)),
      h("td.r", {}, board.par ? signed(board.par.score) : ""), h("td.nowrap", {}, lostBy(board)), h("td.r", { class: lostOn(board) ? "bad" : "" }, lostOn(board) ? signed(-lostOn(board), 1) : "")]);
  return h("section.card", {}, h("h2", {}, "Boards"), h("div.scroll", {}, h("table.lines", { id: "boards" },
    h("thead", {}, h("tr", {}, h("th", {}, "Board"), h("th", {}, "Contract"), h("th.r.wide-only", { title: "Double dummy" }, "NS"), h("th.r", {}, "Par"), h("th", {}, "Par lost by"), h("th.r", {}, h("span.wide-only", {}, "Calls cost"), h("span.narrow-only", {}, "Cost")))),
    h("tbody", {}, boards.map(line)))));
}
