// Review: drop last night's file, see which calls were expensive.
import { card, choice, h, plural, problem, put, say } from "./dom.js";
import { get, listen, post } from "./api.js";
import { title, touch } from "./bridge.js";
import { atHome } from "./visit.js";
import { drawBoard } from "./review_board.js";
import { drawTournament } from "./review_table.js";

const LARGEST = 3.5e6;

export async function show(main, { parts, signal }) {
  await (parts[0] ? one(main, parts[0], parts[1], signal) : lobby(main, signal));
}

async function lobby(main, signal) {
  put(main, h("h1", {}, "Review"), h("p.wait", {}, "One moment …"));
  const [{ systems }, before] = await Promise.all([get("/api/catalogue"), get("/api/reviews")]);
  const named = systems.map((name) => [name, title(name)]);
  const known = (name) => (systems.includes(name) ? name : systems[0]);
  const ns = choice("ns", "North–South play", named, known(localStorage.getItem("review-ns")));
  const ew = choice("ew", "East–West play", named, known(localStorage.getItem("review-ew")));
  const value = (label) => label.querySelector("select").value;
  const trouble = h("div", { "aria-live": "polite" });

  const begin = async (body) => {
    localStorage.setItem("review-ns", value(ns));
    localStorage.setItem("review-ew", value(ew));
    put(trouble, h("p.wait", {}, `Reading ${body.name} …`));
    try {
      const review = await post("/api/reviews", { ...body, NS: value(ns), EW: value(ew) });
      location.hash = `#/review/${review.id}`;
    } catch (error) { put(trouble, problem(error)); }
  };
  const take = async (file) => {
    if (!file) return;
    if (file.size > LARGEST) { put(trouble, problem(new Error(`${file.name} is too large: at most 3.5 MB are taken.`))); return; }
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (signal.aborted) return;
    let text;
    try { text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { text = new TextDecoder("windows-1252").decode(bytes); }
    begin({ name: file.name, text });
  };
  const input = h("input.sr", { type: "file", id: "file", accept: ".pbn,.lin", onchange: () => take(input.files[0]) });
  const drop = h("label.drop", {
    for: "file", ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); }, ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); drop.classList.remove("over"); take(event.dataTransfer.files[0]); },
  }, h("span.drop-sign", { "aria-hidden": "true" }, "⤓"), h("b", {}, touch() ? "Choose a PBN or LIN file" : "Drop a PBN or LIN file here"),
  h("span.soft", {}, touch() ? "" : "or click to choose one; ", atHome() ? "it stays on this computer" : "it goes to the computer where pidm runs, and stays there"), input);
  const atHand = before.files.map((file) => h("button", { type: "button", onclick: () => begin({ name: file.split(/[/\\]/).at(-1), file }) }, file));
  const rows = before.reviews.map((review) => h("tr", {}, h("td", {}, h("a", { href: `#/review/${review.id}` }, review.name)),
    h("td.r", {}, plural(review.boards, "board")), h("td.soft.r", {}, new Date(1000 * review.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }))));
  put(main, h("h1", {}, "Review"),
    h("p.lead", {}, "Last night’s boards, call by call: does it fit the system, what would the engine call, what did it cost, and which call lost par?"),
    h("div.columns.thirds", {},
      h("section.card.stack", {}, h("div.fields", {}, ns, ew), drop, trouble, atHand.length ? h("div.row.mid", {}, h("span.soft.small", {}, "Files at hand:"), atHand) : ""),
      card("Earlier reviews", rows.length ? h("table.lines.small", {}, h("tbody", {}, rows)) : h("p.soft.small", {}, "None yet. Your club’s scoring program or online platform writes the PBN or LIN file of an evening; look for “export” or “download”."))));
}

async function one(main, id, at, signal) {
  const state = { boards: [], told: null };
  let waiting = null;
  const draw = () => {
    waiting = null;
    if (at !== undefined) drawBoard(main, id, Number(at), state);
    else drawTournament(main, id, state);
  };
  const later = () => { waiting = waiting || setTimeout(draw, 150); };
  if (!main.querySelector(".reviewed")) put(main, h("p.wait", {}, "One moment …"));
  state.told = await get(`/api/reviews/${id}`);
  state.told.boards.forEach((board, place) => { if (board) state.boards[place] = board; });
  draw();
  if (at !== undefined) scrollTo(0, 0);
  const key = (event) => {
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey || /SELECT|INPUT/.test(event.target.tagName)) return;
    const next = Number(at) + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] || 0);
    if (next !== Number(at) && next >= 0 && next < state.told.count) location.hash = `#/review/${id}/${next}`;
  };
  addEventListener("keydown", key, { signal });
  signal.addEventListener("abort", () => clearTimeout(waiting));
  if (!state.told.over) listen(`/api/reviews/${id}/events`, {
    // Of a board's own page only the board itself and the end of the review change anything.
    board: ({ at: place, board }) => { state.boards[place] = board; if (at === undefined || place === Number(at)) later(); },
    review: (told, done) => { state.told = told; if (told.over) { done(); say("The review is ready."); } if (at === undefined) later(); },
  });
}
