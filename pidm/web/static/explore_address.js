// Every auction has an address of its own:  #/explore/SYSTEM/1N-P-2C?dealer=E&vul=NS&beside=sayc

const KEYS = ["dealer", "vul", "beside", "against", "file", "line", "words", "lint", "at"];
const USUAL = { dealer: "N", vul: "None" };

// Whether opponents always pass, so that a click goes on with our side.
export const silent = () => localStorage.getItem("silent") !== "no";

export function here(parts, query, systems) {
  const last = [localStorage.getItem("explore"), systems[0]].find((name) => systems.includes(name));
  const found = { system: parts[0] || last, calls: (parts[1] || "").split("-").filter(Boolean) };
  for (const key of KEYS) found[key] = query.get(key) || USUAL[key] || "";
  found.line = Number(found.line || 0);
  if (systems.includes(found.system)) localStorage.setItem("explore", found.system);
  return found;
}

export function to(from, change = {}) {
  const all = { ...from, at: "", ...change };
  const rest = Object.fromEntries(KEYS.filter((key) => all[key] && all[key] !== USUAL[key]).map((key) => [key, all[key]]));
  const query = new URLSearchParams(rest).toString();
  return `#/explore/${encodeURIComponent(all.system)}/${all.calls.join("-")}${query ? `?${query}` : ""}`;
}
