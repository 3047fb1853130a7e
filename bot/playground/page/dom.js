// Small helpers for elements.

/** An element: properties by name, listeners as `onclick`, anything with a dash as an attribute; falsy children are left out. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name.includes("-") || name === "role") element.setAttribute(name, value === true ? "true" : value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

let numbers = 0;
export const uniqueId = (prefix) => `${prefix}-${(numbers += 1)}`;

/** Says something to screen readers. */
export function announce(text) {
  const live = document.getElementById("live") ??
    document.body.appendChild(h("div", { id: "live", class: "unseen", role: "status" }));
  live.textContent = text;
}

const COLOURS = ["#b85c34", "#2f7d5c", "#4b6fb5", "#8a57a3", "#66752f", "#9c4f72", "#8a6430", "#3f7280"];

/** The round picture of a person: the first letter on a colour of their own. */
export function portrait(hello, id) {
  if (id === hello.bot) return h("img", { class: "portrait", src: "icon.svg", alt: "" });
  const place = Object.keys(hello.keys).indexOf(id);
  const style = { background: COLOURS[Math.max(place, 0) % COLOURS.length] };
  return h("span", { class: "portrait", style, "aria-hidden": "true" }, (hello.names[id] ?? "?")[0]);
}

/** A modal dialog with a title. It closes by Esc, by its cross, and by a press beside it, and is removed then. */
export function dialog(title, props, ...children) {
  const id = uniqueId("title");
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => shown.close() }, "✕");
  const head = h("header", {}, h("h2", { id }, title), close);
  const shown = h("dialog", { "aria-labelledby": id, ...props }, head, ...children);
  const before = document.activeElement;
  shown.addEventListener("pointerdown", (event) => event.target === shown && shown.close());
  shown.addEventListener("close", () => {
    shown.remove();
    if (before?.isConnected) before.focus();
  });
  document.body.append(shown);
  shown.showModal();
  return shown;
}
