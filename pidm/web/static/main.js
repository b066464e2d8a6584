// The frame: addresses, preferences, one view at a time. A view is told by `signal` that it was left.
import { h, put, problem, say } from "./dom.js";
import { nextVisit } from "./api.js";

const views = {
  practise: () => import("./practise.js"),
  explore: () => import("./explore.js"),
  review: () => import("./review.js"),
  watch: () => import("./watch.js"),
};
const main = document.getElementById("main");

// #/explore/two_over_one/1N-P?dealer=N  ->  { view, parts, query }
export function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view in views ? view : "practise", parts, query: new URLSearchParams(query || "") };
}

async function show(moved) {
  const here = address();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${here.view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const signal = nextVisit();
  try {
    const module = await views[here.view]();
    if (signal.aborted) return;
    document.title = `${here.view[0].toUpperCase()}${here.view.slice(1)} · pidm`;
    await module.show(main, { ...here, signal });
    if (moved) settle();
  } catch (error) {
    if (signal.aborted) return;
    put(main, h("h1", {}, "That did not work"), problem(error),
      h("p", {}, h("a.button", { href: `#/${here.view}` }, "To the start")));
  }
}

// Who came here by a link that is gone now goes on from the top of the view, and hears where that is.
function settle() {
  if (document.activeElement && document.activeElement !== document.body) return;
  main.focus({ preventScroll: true });
  say(main.querySelector("h1")?.textContent || document.title);
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
