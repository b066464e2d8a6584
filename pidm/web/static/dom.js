// Small helpers: elements from data, never from strings of HTML.

export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const el = document.createElement(name || "div");
  if (classes.length) el.className = classes.join(" ");
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "class") el.className = `${el.className} ${value}`.trim();
    else if (key === "style") Object.assign(el.style, value);
    else if (key in el && key !== "list" && key !== "form") el[key] = value;
    else el.setAttribute(key, value === true ? "" : value);
  }
  add(el, children);
  return el;
}

export function add(el, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    el.append(child instanceof Node ? child : String(child));
  }
  return el;
}

export function put(el, ...children) {
  el.replaceChildren();
  return add(el, children);
}

export function say(text) {
  document.getElementById("live").textContent = text;
}

export function problem(error) {
  return h("p.error", { role: "alert" }, error.message || String(error));
}

export async function copy(text, what = "Copied") {
  await navigator.clipboard.writeText(text);
  say(what);
}
