// Practise: choose what to practise, sit down, see the score.
import { card, choice, facts, h, options, plural, problem, put } from "./dom.js";
import { get, post } from "./api.js";
import { contractEl, partner, SEAT_NAME, signed, title } from "./bridge.js";
import { bars } from "./charts.js";
import { atTable } from "./table.js";
import { linkOf, sessionName } from "./visit.js";

const CONVENTION = "a convention";

export async function show(main, { parts, query, signal }) {
  if (parts[0] === "table") atTable(main, parts[1], query.get("seat") || "S", signal);
  else await lobby(main, query, signal);
}

async function lobby(main, query, signal) {
  put(main, h("h1", {}, "Practise"), h("p.wait", {}, "One moment …"));
  const [{ systems, kinds }, history] = await Promise.all([get("/api/catalogue"), get("/api/history", { session: sessionName() })]);
  const kept = JSON.parse(localStorage.getItem("practise") || "{}");
  const want = (key, fallback) => query.get(key) || kept[key] || fallback;
  const wanted = want("kind", "random");
  const named = systems.map((name) => [name, title(name)]);
  const known = (name) => (systems.includes(name) ? name : systems[0]);

  const us = choice("us", "We play", named, known(want("us")), () => fillConventions());
  const them = choice("them", "They play", named, known(want("them")));
  const seat = choice("seat", "I sit", ["S", "N", "E", "W"].map((one) => [one, SEAT_NAME[one]]), want("seat", "S"));
  const who = choice("who", "My partner", [["1", "The engine"], ["2", "A person, by a link"]], query.get("two") ? "2" : "1");
  const seconds = choice("seconds", "The engine thinks",
    [["0", "by rules alone"], ["0.5", "½ second a call"], ["2", "2 seconds a call"]], want("seconds", "0.5"));
  const value = (label) => label.querySelector("select").value;

  // What to practise: tiles, the last one with a list of the conventions on our card.
  const conventions = h("select", { id: "convention", "aria-label": "Convention", disabled: true, onchange: () => { chosen(CONVENTION).checked = true; } },
    h("option", {}, "Reading the card …"));
  const tile = (kind, name, about) => h("label.tile", {},
    h("input.sr", { type: "radio", name: "kind", value: kind, checked: kind === wanted || (kind === CONVENTION && !kinds.some((one) => one.name === wanted)) }),
    h("b", {}, name), h("span.small.soft", {}, about));
  const tiles = h("fieldset.tiles", {}, h("legend", {}, "Deals"), kinds.map((one) => tile(one.name, one.title, one.about)),
    tile(CONVENTION, "A convention comes up", conventions));
  const chosen = (kind) => [...tiles.querySelectorAll("input")].find((one) => (kind ? one.value === kind : one.checked));
  const kindOf = () => (chosen().value !== CONVENTION ? chosen().value : conventions.disabled ? wanted : conventions.value);

  let cards = null;
  const fillConventions = () => {
    const found = cards && cards.systems.find((one) => one.name === value(us));
    if (!found) return;
    const before = conventions.disabled ? wanted : conventions.value;
    put(conventions, options(found.conventions.map((one) => [one.name, title(one.name)]), before));
    conventions.disabled = !found.conventions.length;
  };

  const trouble = h("div", { "aria-live": "polite" });
  const deal = h("button.main.large", { type: "submit" }, "Deal");
  const sitDown = async () => {
    deal.disabled = true;
    put(trouble, h("p.wait", {}, "Dealing …"));
    const asked = { us: value(us), them: value(them), kind: kindOf(), seat: value(seat), seconds: value(seconds) };
    localStorage.setItem("practise", JSON.stringify(asked));
    const seats = value(who) === "2" ? [asked.seat, partner(asked.seat)] : [asked.seat];
    const number = query.get("seed") ? Number(query.get("number") || 1) : (Number(sessionStorage.getItem("number") || 0) % 9999) + 1;
    const body = { ...asked, seconds: Number(asked.seconds), seats, number, session: sessionName() };
    if (query.get("seed")) body.seed = Number(query.get("seed"));
    try {
      const table = await post("/api/tables", body);
      sessionStorage.setItem("number", number);
      location.hash = `#/practise/table/${table.id}?seat=${asked.seat}`;
    } catch (error) {
      put(trouble, problem(error));
      deal.disabled = false;
    }
  };
  const form = h("form.card.stack.sit-down", { onsubmit: (event) => { event.preventDefault(); sitDown(); } },
    tiles, h("div.fields", {}, us, them, seat, who, seconds, deal), trouble);

  const lead = query.get("seed") ? "This link deals a board that somebody has bid before: bid it, and compare."
    : "Bid a board with the engine in the other seats. Afterwards you see all four hands, par, and what each of your calls was worth.";
  put(main, h("h1", {}, "Practise"), h("p.lead", {}, lead), h("div.columns.thirds", {}, form, scoreCard(history)));
  if (query.get("go")) sitDown();
  get("/api/systems").then((found) => {
    cards = found;
    fillConventions();
    if (found.broken.length) put(trouble, found.broken.map((one) => problem(new Error(`${one.name} cannot be played:\n${one.error}`))));
  }).catch((error) => put(trouble, problem(error)));
  const key = (event) => { if (event.key === "Enter" && [document.body, main].includes(event.target)) sitDown(); };
  addEventListener("keydown", key, { signal });
}

function scoreCard(history) {
  const { boards, session, all } = history;
  const mean = (one, name) => [one.boards ? `${signed(-one.lost / one.boards, 2)}` : "–", `IMPs a board by your calls, ${name} (${plural(one.boards, "board")})`];
  const rows = boards.slice(0, 10).map((one) => h("tr", {},
    h("td", {}, h("a", { href: linkOf(one), title: `${title(one.asked.kind)}: bid it again` }, one.asked.number)),
    h("td", {}, contractEl(one.contract)),
    h("td.r", {}, signed((one.people[0] === "N" || one.people[0] === "S" ? 1 : -1) * one.score)),
    h("td.r", {}, one.lost === null ? "–" : signed(-one.lost, 1)), h("td.r", {}, signed(one.imps_par))));
  const heads = [["", "Board"], ["", "Contract"], [".r", "Score"], [".r", "Your calls"], [".r", "To par"]];
  const score = card("Your score", facts([mean(session, "this session"), mean(all, "all time")]),
    boards.length ? [
      bars(boards.slice(0, 24).reverse().map((one) => -(one.lost || 0)), "IMPs by your calls, board by board"),
      h("table.lines.small", {}, h("thead", {}, h("tr", {}, heads.map(([kind, words]) => h(`th${kind}`, {}, words)))), h("tbody", {}, rows)),
    ] : h("p.soft.small", {}, "No board in this session yet."));
  return h("div.stack", {}, all.boards ? score : "", all.boards < 5 ? howItGoes() : "");
}

const howItGoes = () => card("How it goes",
  h("ol.steps", {},
    h("li", {}, h("b", {}, "Deal."), " You see your hand and bid with the box: by mouse, finger or keyboard."),
    h("li", {}, h("b", {}, "Look."), " What a call means in your system stands beside the box before you make it; alerts are marked."),
    h("li", {}, h("b", {}, "Learn."), " For each of your calls: what the system says, what else came into question, and what it cost over some two hundred simulated deals.")),
  h("p.small.soft", {}, "Rather look around first? ", h("a", { href: "#/explore" }, "Explore a system"), " or ", h("a", { href: "#/review" }, "review last night’s boards"), "."));
