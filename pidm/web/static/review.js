// Review: drop last night's file, see which calls were expensive.
import { copy, h, problem, put, say } from "./dom.js";
import { get, listen, post } from "./api.js";
import { asPbn, asText, auctionTable, callEl, contractEl, diagram, result, SEAT_NAME, signed, title, viewer } from "./bridge.js";
import { verdictEl } from "./practise.js";

export async function show(main, { parts }) {
  return parts[0] ? one(main, parts[0], parts[1]) : lobby(main);
}

async function lobby(main) {
  put(main, h("h1", {}, "Review"), h("p.wait", {}, "One moment …"));
  const [{ systems }, before] = await Promise.all([get("/api/systems"), get("/api/reviews")]);
  const options = (chosen) => systems.map((system) => h("option", { value: system.name, selected: system.name === chosen }, title(system.name)));
  const ns = h("select", { id: "ns" }, options(localStorage.getItem("review-ns") || systems[0].name));
  const ew = h("select", { id: "ew" }, options(localStorage.getItem("review-ew") || systems[0].name));
  const trouble = h("div", { "aria-live": "polite" });
  const begin = async (body) => {
    localStorage.setItem("review-ns", ns.value);
    localStorage.setItem("review-ew", ew.value);
    put(trouble, h("p.wait", {}, `Reading ${body.name} …`));
    try {
      const review = await post("/api/reviews", { ...body, NS: ns.value, EW: ew.value });
      location.hash = `#/review/${review.id}`;
    } catch (error) { put(trouble, problem(error)); }
  };
  const take = async (file) => {
    if (!file) return;
    if (file.size > 3.5e6) { put(trouble, problem(new Error(`${file.name} is too large: at most 3.5 MB are taken.`))); return; }
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text;
    try { text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { text = new TextDecoder("windows-1252").decode(bytes); }
    begin({ name: file.name, text });
  };
  const input = h("input", { type: "file", id: "file", accept: ".pbn,.lin", class: "sr", onchange: () => take(input.files[0]) });
  const drop = h("label.drop", {
    for: "file", ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); }, ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); drop.classList.remove("over"); take(event.dataTransfer.files[0]); },
  }, h("b", {}, "Drop a PBN or LIN file here"), h("span", {}, "or click to choose one"), input);
  put(main, h("h1", {}, "Review"), h("p.soft", {}, "Every call of every board: does it fit the system, what would the engine call, what did it cost, and which call lost par?"),
    h("section.card.stack", {}, h("div.row", {}, h("label", {}, "North–South play", ns), h("label", {}, "East–West play", ew)), drop, trouble,
      before.files.length ? h("div", {}, h("h2", {}, "Files at hand"), h("div.row", {}, before.files.map((file) => h("button", { type: "button", onclick: () => begin({ name: file.split(/[/\\]/).at(-1), file }) }, file)))) : ""),
    before.reviews.length ? h("section.card", { style: { marginTop: "1rem" } }, h("h2", {}, "Earlier reviews"), h("table.lines", {}, h("tbody", {}, before.reviews.map((review) => h("tr", {}, h("td", {}, h("a", { href: `#/review/${review.id}` }, review.name)), h("td.r", {}, `${review.boards} boards`), h("td.soft", {}, new Date(1000 * review.at).toLocaleString())))))) : "");
}

async function one(main, id, at) {
  const state = { boards: [], told: null };
  let waiting = null;
  const draw = () => {
    waiting = null;
    if (!state.told) return;
    if (at !== undefined) drawBoard(main, id, Number(at), state);
    else drawTable(main, id, state);
  };
  const later = () => { waiting = waiting || setTimeout(draw, 150); };
  put(main, h("p.wait", {}, "One moment …"));
  const first = await get(`/api/reviews/${id}`);
  state.told = first;
  first.boards.forEach((board, place) => { if (board) state.boards[place] = board; });
  draw();
  if (first.over) return () => {};
  const stop = listen(`/api/reviews/${id}/events`, {
    board: ({ at: place, board }) => { state.boards[place] = board; later(); },
    review: (told, done) => { state.told = told; if (told.over) { done(); say("The review is ready."); } later(); },
  });
  return () => { stop(); clearTimeout(waiting); };
}

function drawTable(main, id, { told, boards }) {
  const percent = told.count ? Math.round((100 * told.done) / told.count) : 100;
  const names = (rows, heading) => h("div.scroll", {}, h("table.lines", {}, h("thead", {}, h("tr", {}, h("th", {}, heading), h("th.r", {}, "calls"), h("th.r", {}, "not the system"), h("th.r", {}, "mistakes"), h("th.r", {}, "IMPs lost"))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, row.name), h("td.r", {}, row.calls), h("td.r", {}, row.outside), h("td.r", {}, row.mistakes), h("td.r", {}, row.lost.toFixed(1)))))));
  const lost = (board) => board.reviewed.reduce((sum, call) => sum + call.lost, 0);
  put(main,
    h("div.row.mid.spread", {}, h("h1", {}, told.title), h("div.row", {},
      told.over ? [h("a.button.main", { href: `/api/reviews/${id}/file.html`, download: "" }, "HTML to mail"), h("a.button", { href: `/api/reviews/${id}/file.pbn`, download: "" }, "PBN with notes")]
        : h("button", { type: "button", onclick: () => post(`/api/reviews/${id}/stop`, {}) }, "Stop"), h("a.button", { href: "#/review" }, "Another file"))),
    h("p.small.soft", {}, `North–South play ${title(told.systems.NS)}, East–West ${title(told.systems.EW)}.`, told.stopped ? " Stopped before the end." : ""),
    h("progress", { max: told.count, value: told.done, "aria-label": `${told.done} of ${told.count} boards`, class: told.over ? "gone" : "" }), told.over ? "" : h("p.small.num", {}, `${told.done} of ${told.count} boards, ${percent}%`),
    told.trouble ? problem(new Error(told.trouble)) : "",
    told.errors.length ? h("details", {}, h("summary", {}, `${told.errors.length} boards could not be read`), h("ul.small", {}, told.errors.map((error) => h("li", {}, error)))) : "",
    told.standings.pairs ? [h("div.columns", {},
      h("section.card", { id: "dearest" }, h("h2", {}, "The most expensive calls"), told.standings.dearest.length ? h("div.scroll", {}, h("table.lines", {}, h("thead", {}, h("tr", {}, h("th", {}, "Board"), h("th", {}, "Who"), h("th.wide-only", {}, "After"), h("th", {}, "Call"), h("th", {}, "Engine"), h("th.r", {}, "IMPs"))),
        h("tbody", {}, told.standings.dearest.map((call) => h("tr", {}, h("td", {}, h("a", { href: `#/review/${id}/${call.place}` }, call.board ?? call.place + 1)), h("td", {}, call.who), h("td.small.wide-only", {}, call.auction.slice(-5).map((one) => [callEl(one), " "])), h("td", {}, callEl(call.call)), h("td", {}, callEl(call.best)), h("td.r", {}, call.lost.toFixed(1))))))) : h("p", {}, "No clear mistakes.")),
      h("div.stack", {}, h("section.card", {}, h("h2", {}, "IMPs lost in bidding"), names(told.standings.pairs, "Pair")), h("section.card", {}, names(told.standings.players, "Player")), h("section.card", {}, names(told.standings.kinds, "Kind of decision")))), h("p")] : "",
    h("section.card", {}, h("h2", {}, "Boards"), h("div.scroll", {}, h("table.lines", { id: "boards" }, h("thead", {}, h("tr", {}, h("th", {}, "Board"), h("th", {}, "Contract"), h("th.r", {}, "NS, double dummy"), h("th.r", {}, "Par"), h("th", {}, "Par lost by"), h("th.r", {}, "Calls cost"))),
      h("tbody", {}, boards.map((board, place) => (board ? h("tr", {}, h("td", {}, h("a", { href: `#/review/${id}/${place}` }, board.board ?? place + 1)), h("td", {}, board.trouble || contractEl(board.contract), " ", result(board.contract, board.tricks)), h("td.r", {}, board.score === null ? "" : signed(board.score)), h("td.r", {}, board.par ? signed(board.par.score) : ""),
        h("td", {}, lostBy(board)), h("td.r", {}, lost(board) ? signed(-lost(board), 1) : "")) : "")))))));
}

function lostBy(board) {
  const call = board.reviewed.find((one) => one.at === board.lost_at);
  return call ? [callEl(call.made), h("span.soft.small", {}, ` ${board.players[call.seat] || SEAT_NAME[call.seat]}, ${call.par_lost} IMPs`)] : "";
}

function drawBoard(main, id, at, { told, boards }) {
  const board = boards[at];
  const move = (to, text) => (to >= 0 && to < told.count ? h("a.button", { href: `#/review/${id}/${to}` }, text) : "");
  const heading = h("div.row.mid.spread", {}, h("h1", {}, `Board ${board ? board.board ?? at + 1 : at + 1}`), h("div.row", {}, move(at - 1, "Before"), move(at + 1, "Next"), h("a.button", { href: `#/review/${id}` }, "All boards")));
  if (!board) { put(main, heading, h("p.wait", {}, "This board is not reviewed yet.")); return; }
  if (board.trouble) { put(main, heading, h("p", {}, board.trouble)); return; }
  const marks = Object.fromEntries(board.reviewed.map((call) => [call.at, call.mistake ? h("sup.bad", {}, signed(-call.lost, 1)) : call.fits === "outside" ? h("sup.warn", {}, "?") : ""]));
  const panel = h("div.meaning.small", { id: "meaning" }, h("p.soft", {}, "Point at a call."));
  const tell = (number) => {
    const call = board.reviewed.find((one) => one.at === number);
    put(panel, call ? [h("p", {}, callEl(call.made), ` ${board.players[call.seat] || SEAT_NAME[call.seat]}: `, call.shows), call.reach && call.par_lost ? h("p.soft", {}, `Within reach before it: NS ${signed(call.reach[0])}; after it: ${signed(call.reach[1])} (${call.par_lost} IMPs)`) : ""] : "");
  };
  const told_ = board.reviewed.filter((call) => call.mistake || call.fits === "outside");
  const others = board.reviewed.filter((call) => !told_.includes(call) && call.worlds);
  const whole = Object.keys(board.hands).length === 4;
  const plain = { hands: board.hands, dealer: board.dealer, vul: board.vul, calls: board.calls, number: board.board };
  put(main, heading, h("div.columns", {},
    h("div.stack", {}, h("section.card", {}, diagram(board.hands, board.dealer, board.vul, board.board), h("p.small.soft", { style: { textAlign: "center" } }, Object.entries(board.players).map(([seat, name]) => `${seat} ${name}`).join(" · "))),
      h("section.card", {}, auctionTable({ ...board, turn: null }, tell, marks), panel)),
    h("div.stack", {}, h("section.card", {}, h("div.facts", {}, h("div", {}, h("b", {}, contractEl(board.contract), " ", result(board.contract, board.tricks)), h("span", {}, "double dummy", board.taken === null ? "" : `; ${board.taken} tricks taken`)),
      board.score === null ? "" : h("div", {}, h("b", {}, signed(board.score)), h("span", {}, "NS, double dummy")),
      board.par ? h("div", {}, h("b", {}, signed(board.par.score)), h("span", {}, "par: ", board.par.contracts.slice(0, 2).map((one, place) => [place ? ", " : "", contractEl(one)]))) : ""), h("p"),
    h("p", {}, board.lost_at === null ? "Both sides reached their par." : ["Par was lost by ", lostBy(board), "."])),
    h("section.card", { id: "verdicts" }, h("h2", {}, "What is to be said"), told_.length ? told_.map((call) => verdictEl(call, board)) : h("p.soft", {}, "Nothing to remark."),
      others.length ? h("details", {}, h("summary", {}, `${others.length} other decisions that were simulated`), others.map((call) => verdictEl(call, board))) : ""),
    whole ? h("section.card.small", {}, h("div.row", {}, h("button", { type: "button", onclick: () => copy(asText(plain)) }, "Copy text"), h("button", { type: "button", onclick: () => copy(asPbn(plain)) }, "PBN"), h("button", { type: "button", onclick: () => copy(viewer(plain).lin) }, "LIN"),
      h("a.button", { href: viewer(plain).url, target: "_blank", rel: "noopener noreferrer" }, "Hand viewer ↗"), h("a.button", { href: `#/explore/${encodeURIComponent(told.systems.NS)}/${board.calls.join("-")}?dealer=${board.dealer}&vul=${board.vul}` }, "Explore the auction"))) : "")));
}
