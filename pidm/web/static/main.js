// The frame: addresses, preferences, one view at a time.
import { h, put, problem } from "./dom.js";

const views = {
  practise: () => import("./practise.js"),
  explore: () => import("./explore.js"),
  review: () => import("./review.js"),
  watch: () => import("./watch.js"),
};
const main = document.getElementById("main");
let leave = () => {};
let showing = null;

// #/explore/two_over_one/1N-P?dealer=N  ->  { view, parts, query }
export function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view in views ? view : "practise", parts, query: new URLSearchParams(query || "") };
}

async function show() {
  const here = address();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${here.view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const mine = (showing = Symbol(here.view));
  leave();
  // Until a view is there, to leave it means that what it still waits for must not be drawn over the next one.
  const visit = new AbortController();
  leave = () => visit.abort();
  try {
    const module = await views[here.view]();
    if (mine !== showing) return;
    document.title = `${here.view[0].toUpperCase()}${here.view.slice(1)} · pidm`;
    const left = await module.show(main, { ...here, signal: visit.signal });
    if (mine === showing) leave = left || leave;
    else if (left) left();
  } catch (error) {
    if (mine !== showing) return;
    put(main, h("h1", {}, "That did not work"), problem(error),
      h("p", {}, h("a.button", { href: "#/practise" }, "To the start")));
  }
}

function preference(name, values, button) {
  const root = document.documentElement;
  const set = (value) => {
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
    localStorage.setItem(name, value);
    button.setAttribute("aria-pressed", String(value === values[values.length - 1]));
  };
  set(localStorage.getItem(name) || values[0]);
  button.addEventListener("click", () => {
    set(values[(values.indexOf(root.dataset[name] || values[0]) + 1) % values.length]);
  });
}

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
preference("theme", dark ? ["", "light", "dark"] : ["", "dark"], document.getElementById("theme"));
preference("colours", ["2", "4"], document.getElementById("colours"));
addEventListener("hashchange", show);
show();
