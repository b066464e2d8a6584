// Small pictures of numbers.
import { h } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

// Round numbers between two ends, about so many.
export function ticks(low, high, about = 4) {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high + 1e-9; at += 1) found.push(Number((at * step).toFixed(10)));
  return found;
}

// A curve with a band: points [x, y, error or null]. `lines`: further levels, [y, words].
export function curve(points, label, { zero = true, lines = [], percent = false, of = "" } = {}) {
  if (!points.length) return h("p.soft", {}, "Nothing yet.");
  // Letters of a picture shrink with it: a narrow screen gets a narrower one.
  const width = innerWidth < 600 ? 380 : 640, height = 230, left = 46, right = 16, top = 12, bottom = 34;
  // The first few boards say nothing, and their wide band would flatten all the rest.
  const calm = points.length > 8 ? points.slice(Math.floor(points.length / 8)) : points;
  const ends = calm.flatMap(([, y, error]) => [y - 2 * (error || 0), y + 2 * (error || 0)]).concat(lines.map(([y]) => y), zero ? [0] : []);
  let low = Math.min(...ends), high = Math.max(...ends);
  const room = Math.max((high - low) * 0.06, 1e-3);
  low -= low < 0 || !zero ? room : 0;
  high += room;
  const first = points[0][0], last = Math.max(points.at(-1)[0], first + 1);
  const x = (value) => left + ((value - first) / (last - first)) * (width - left - right);
  const y = (value) => top + (1 - (Math.min(Math.max(value, low), high) - low) / (high - low)) * (height - top - bottom);
  const at = (across, value) => `${x(across).toFixed(1)},${y(value).toFixed(1)}`;
  const number = (value) => (percent ? `${Math.round(100 * value)}%` : String(value).replace("-", "−"));
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
  for (const value of ticks(low, high)) {
    root.append(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value === 0 ? "zero" : "rule" }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end", class: "axis" }, number(value)));
  }
  for (const value of ticks(first, last, 6).filter(Number.isInteger)) {
    root.append(svg("text", { x: x(value), y: height - 14, "text-anchor": "middle", class: "axis" }, String(value)));
  }
  if (of) root.append(svg("text", { x: width - right, y: height - 1, "text-anchor": "end", class: "axis" }, of));
  for (const [value, words] of lines) {
    root.append(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "limit" }),
      svg("text", { x: left + 4, y: y(value) + (value > 0 ? 14 : -6), class: "axis" }, words));
  }
  const band = points.filter(([, , error]) => error !== null && error !== undefined);
  if (band.length > 1) {
    const edge = [...band.map(([n, value, error]) => at(n, value + 2 * error)), ...[...band].reverse().map(([n, value, error]) => at(n, value - 2 * error))];
    root.append(svg("polygon", { points: edge.join(" "), class: "band" }));
  }
  const [end, value] = points.at(-1);
  root.append(svg("polyline", { points: points.map(([n, one]) => at(n, one)).join(" "), class: "line" }),
    svg("circle", { cx: x(end), cy: y(value), r: 4, class: "end" }));
  return root;
}

// One bar for each number, down for what is lost.
export function bars(values, label) {
  const width = 300, height = 54, gap = 3;
  const most = Math.max(...values.map(Math.abs), 2);
  const step = Math.min(width / Math.max(values.length, 1), 28);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${label}: ${values.map((one) => one.toFixed(1)).join(", ")}`, class: "chart bars" },
    svg("line", { x1: 0, x2: width, y1: 3, y2: 3, class: "rule" }));
  values.forEach((value, at) => root.append(svg("rect", {
    x: at * step, y: 3, width: step - gap, height: Math.max((Math.abs(value) / most) * (height - 6), 2), rx: 2, class: value < -0.3 ? "bad" : "good",
  })));
  return root;
}
