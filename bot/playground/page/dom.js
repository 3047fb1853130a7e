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

const CONTROLS = ".body :is(button, a):not(:disabled), .more, .sidebar button";
const controlsOf = (part) => [...part.querySelectorAll(CONTROLS)].filter((each) => each.checkVisibility());
const keyOf = ({ dataset }) => dataset.key ?? dataset.place ?? dataset.person;
const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent;

/**
 * Notes which element has the focus. The function that is returned gives the focus back to it. If its message or list
 * was drawn anew or is gone, the control gets it that has the same key or name, or else the nearest one.
 */
export function keepFocus(element = document.activeElement) {
  const part = element.closest(".list > *, .sidebar");
  const place = part ? controlsOf(part).indexOf(element) : 0;
  const beside = [part?.nextElementSibling, part?.previousElementSibling].map((each) => each?.id);
  return () => {
    if (element.isConnected && !element.disabled) return element.focus({ preventScroll: true });
    if (!part || document.activeElement !== document.body) return null;
    const here = document.getElementById(part.id);
    const near = here ?? beside.map((id) => document.getElementById(id)).find(Boolean);
    const [all, nearest] = [controlsOf(here ?? document), near ? controlsOf(near) : []];
    const alike = (name) => all.findLast((each) => name(element) && name(each) === name(element));
    const next = nearest[here ? Math.min(place, nearest.length - 1) : 0];
    // A window that shows several people by now has only frames.
    return (alike(keyOf) ?? alike(nameOf) ?? next ?? document.querySelector(".timeline"))?.focus({ preventScroll: true });
  };
}

/** A modal dialog with a title. It closes by Esc, by its cross, and by a press beside it, and is removed then. */
export function dialog(title, props, ...children) {
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => shown.close() }, "✕");
  const head = h("header", {}, h("h2", {}, title), close);
  const shown = h("dialog", { "aria-label": title, ...props }, h("div", {}, head, ...children));
  const back = keepFocus();
  let beside = false;
  shown.addEventListener("pointerdown", (event) => (beside = event.target === shown));
  shown.addEventListener("click", (event) => beside && event.target === shown && shown.close());
  shown.addEventListener("close", () => {
    shown.remove();
    back();
  });
  document.body.append(shown);
  shown.showModal();
  return shown;
}
