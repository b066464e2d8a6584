// Watch: a training session or a match, as it runs or afterwards.
import { card, h, problem, put } from "./dom.js";
import { get, listen } from "./api.js";
import { drawMatch } from "./watch_match.js";
import { drawSession } from "./watch_session.js";

export async function show(main, { parts }) {
  const [kind, name] = parts;
  if (kind === "session" || kind === "match") { follow(main, kind, name); return; }
  put(main, h("h1", {}, "Watch"), h("p.wait", {}, "One moment …"));
  const found = await get("/api/watch");
  const list = (heading, names, view, hint) => card(heading, names.length
    ? h("ul.plain", {}, names.map((one) => h("li", {}, h("a", { href: `#/watch/${view}/${encodeURIComponent(one)}` }, one)))) : hint);
  const commands = (...lines) => h("pre.commands", {}, lines.join("\n"));
  put(main, h("h1", {}, "Watch"),
    h("p.lead", {}, "Training and matches of engines, while they run or afterwards. They are started on the command line; pidm serve is told where their results are."),
    h("div.columns.even", {},
      list("Training sessions", found.sessions, "session", [h("p.soft", {}, "No session was named. Two partners refine their system together:"), commands("pidm cotrain two_over_one --out session", "pidm serve session")]),
      list("Matches", found.matches, "match", [h("p.soft", {}, "No match was named. Two systems play the same boards:"), commands("pidm match two_over_one sayc --out match.json", "pidm serve match.json")])));
}

function follow(main, kind, name) {
  const opened = new Set();
  const draw = kind === "match" ? drawMatch : drawSession;
  let wanted = false;
  let busy = false;
  const look = async () => {
    if (busy) { wanted = true; return; }
    busy = true;
    try {
      const found = await get(`/api/watch/${kind}`, { name });
      for (const one of main.querySelectorAll("details")) one.open ? opened.add(one.dataset.key) : opened.delete(one.dataset.key);
      draw(main, name, found, opened);
    } catch (error) { put(main, h("h1", {}, name), problem(error), h("p", {}, h("a.button", { href: "#/watch" }, "‹ All to watch"))); }
    busy = false;
    if (wanted) { wanted = false; look(); }
  };
  put(main, h("p.wait", {}, "One moment …"));
  listen(`/api/watch/events?${new URLSearchParams({ kind, name })}`, { changed: look }, look);
}
