// Run in a page: texts whose contrast with what is behind them is too low, with the ratio.
const read = (text) => {
  const plain = text.match(/rgba?\(([^)]+)\)/), mixed = text.match(/color\(srgb ([^)]+)\)/);
  const parts = (plain || mixed)[1].split(/[ ,/]+/).map(Number);
  return [...parts.slice(0, 3).map((one) => (plain ? one : 255 * one)), parts[3] ?? 1];
};
const over = (front, back) => [0, 1, 2].map((at) => front[at] * front[3] + back[at] * (1 - front[3])).concat(1);
const luminance = (colour) => {
  const [r, g, b] = colour.map((one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (one, other) => {
  const [more, less] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
};
const behind = (element) => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) {
    const style = getComputedStyle(one);
    const gradient = style.backgroundImage.match(/rgba?\([^)]+\)/);
    layers.push(read(gradient ? gradient[0] : style.backgroundColor));
    if (layers.at(-1)[3] === 1) break;
  }
  return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255, 1]);
};
const faint = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = texts.currentNode.textContent.trim(), element = texts.currentNode.parentElement;
  const box = element.getBoundingClientRect();
  // What cannot be used is meant to be pale, and what nobody sees has no colour.
  if (!text || !box.width || !box.height || element.closest(".sr, .skip, noscript, :disabled, #toast, .gone, option")) continue;
  const style = getComputedStyle(element), size = parseFloat(style.fontSize), back = behind(element);
  const [r, g, b, own] = read(element instanceof SVGElement ? style.fill : style.color);
  let alpha = own;
  for (let one = element; one; one = one.parentElement) alpha *= Number(getComputedStyle(one).opacity);
  const found = ratio(over([r, g, b, alpha], back), back);
  if (found < (size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5)) faint.push(`${text.slice(0, 40)}: ${found.toFixed(2)}`);
}
return faint;
