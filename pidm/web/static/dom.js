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
  return add(el, children);
}

export function add(el, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    el.append(child instanceof Node ? child : String(child));
  }
  return el;
}

// What an element is to who uses it; drawn anew, it is another element and the same thing.
const sameAs = (one) => [one.tagName, one.id, ...Object.values(one.dataset), one.id ? "" : one.textContent].join("\n");

// Draws the inside of an element. Who was at a button or link of it by keyboard stays there, if it is still there.
export function put(el, ...children) {
  const was = el.contains(document.activeElement) && el !== document.activeElement ? document.activeElement : null;
  const thing = was && sameAs(was);
  el.replaceChildren();
  add(el, children);
  if (was) [...el.getElementsByTagName(was.tagName)].find((one) => sameAs(one) === thing)?.focus({ preventScroll: true });
  return el;
}

// Tells who cannot see the page what has happened.
export function say(text) {
  document.getElementById("live").textContent = text;
}

let fading = null;
// The same for everybody: a word at the foot of the page that goes away by itself.
export function toast(text) {
  const el = document.getElementById("toast");
  el.textContent = text;
  el.classList.add("up");
  say(text);
  clearTimeout(fading);
  fading = setTimeout(() => el.classList.remove("up"), 1800);
}

export function problem(error) {
  const text = error.message || String(error);
  // As a sentence, unless it begins with the name of something.
  return h("p.error", { role: "alert" }, /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text);
}

// The same with a way on.
export const problemWith = (text, words, act) =>
  h("div.error-with", {}, problem(new Error(text)), h("button", { type: "button", onclick: act }, words));

export async function copy(text, what = "Copied") {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    // Browsers give the clipboard only to pages of this very computer; who came over the network gets it so.
    const area = put(document.body.appendChild(h("textarea.sr")), text);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(what);
}

export const options = (list, chosen) =>
  list.map(([value, text]) => h("option", { value, selected: value === chosen }, text));

export function choice(id, words, list, chosen, onchange) {
  return h("label", {}, words, h("select", { id, onchange }, options(list, chosen)));
}

// Numbers that matter, large, each with a few words: [value, words, class of the value].
export const facts = (list) =>
  h("div.facts", {}, list.filter(Boolean).map(([value, words, kind]) =>
    h("div", {}, h("b", { class: kind || "" }, value), h("span", {}, words))));

export const heading = (title, ...aside) =>
  h("div.row.mid.spread.heading", {}, h("h1", {}, title), h("div.row.mid", {}, aside));

export const card = (title, ...children) => h("section.card", {}, title ? h("h2", {}, title) : "", children);

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
