// Lists that open above the page: the options of a menu, the entries of a context menu, suggestions for the composer.
import { h, uniqueId } from "./dom.js";
import { emoji } from "./markdown.js";

const GAP = 6;
let open = null;

/** Closes the list that is open, if any. `sent`: a choice of several is sent, as by a press beside the list. */
export const closeMenu = (sent = false) => open?.close(sent);
export const openMenu = () => open;

/**
 * A list at an anchor, in the layer above everything.
 * options: {value, label, description?, emoji?, default?, group?}; role "listbox" or "menu".
 * `choose(values)` gets the values. With max > 1 the choice is sent by Done, and by a press beside the list.
 */
export class Menu {
  constructor(anchor, { options, label, min = 1, max = 1, role = "listbox", key = null, keepsFocus = false, choose, closed }) {
    closeMenu();
    Object.assign(this, { anchor, options, min, max, role, key, keepsFocus, choose, closed, active: -1, typed: "" });
    this.ticked = new Set(options.filter((each) => each.default).map((each) => each.value));
    this.multiple = max > 1;
    this.list = h("div", { class: "options", role, id: uniqueId("list"), tabIndex: -1, "aria-label": label });
    if (this.multiple) this.list.setAttribute("aria-multiselectable", "true");
    this.done = this.multiple && h("button", { type: "button", class: "button primary", onclick: () => this.close(true) }, "Done");
    this.box = h("div", { class: "menu", popover: "manual" }, this.list, this.done);
    this.box.addEventListener("keydown", (event) => this.pressed(event));
    (anchor.closest("dialog, .view") ?? document.body).append(this.box);
    this.draw();
    this.box.showPopover();
    this.place();
    anchor.setAttribute("aria-expanded", "true");
    anchor.setAttribute("aria-controls", this.list.id);
    open = this;
    this.move(Math.max(0, options.findIndex((each) => each.default)));
    if (!keepsFocus) this.list.focus({ preventScroll: true });
  }

  draw() {
    const item = this.role === "menu" ? "menuitem" : "option";
    this.items = this.options.map((option, index) => h(
      "div",
      {
        id: `${this.list.id}-${index}`, class: "option", role: item, "data-value": option.value,
        onclick: () => this.pick(index), onpointermove: () => this.move(index, false),
      },
      option.emoji && (option.emoji.id ? emoji(option.emoji.name, option.emoji.id, true) : h("span", { class: "glyph" }, option.emoji.name)),
      h("span", { class: "words" }, h("span", { class: "label" }, option.label), option.description && h("span", { class: "small" }, option.description)),
      this.multiple && h("span", { class: "tick", "aria-hidden": "true" }),
    ));
    this.list.replaceChildren(...this.items);
    this.mark();
  }

  /** Takes up the present options of the same menu. Ticks stay. */
  renew(anchor, options) {
    this.anchor = anchor;
    anchor.setAttribute("aria-expanded", "true");
    anchor.setAttribute("aria-controls", this.list.id);
    const values = (list) => JSON.stringify(list.map((each) => [each.value, each.label, each.description]));
    if (values(options) === values(this.options)) return;
    const { scrollTop } = this.list;
    const active = this.options[this.active]?.value;
    this.options = options;
    this.ticked = new Set([...this.ticked].filter((value) => options.some((each) => each.value === value)));
    this.draw();
    this.move(Math.max(0, options.findIndex((each) => each.value === active)), false);
    this.list.scrollTop = scrollTop;
  }

  mark() {
    if (this.role === "menu") return;
    this.items.forEach((item, index) => item.setAttribute("aria-selected", String(this.ticked.has(this.options[index].value))));
    if (this.done) this.done.disabled = this.ticked.size < this.min;
  }

  /** Places the list inside the window: below its anchor, or above it, or at the bottom of a phone. */
  place() {
    const room = window.visualViewport ?? { width: innerWidth, height: innerHeight };
    const sheet = room.width < 500 && !this.keepsFocus;
    this.box.classList.toggle("sheet", sheet);
    if (sheet) return;
    const at = this.anchor.getBoundingClientRect();
    const wide = Math.min(Math.max(at.width, 240), room.width - 2 * GAP);
    const below = room.height - at.bottom - 2 * GAP;
    const above = at.top - 2 * GAP;
    const up = this.keepsFocus || (below < 220 && above > below);
    const tall = Math.max(120, Math.min(420, up ? above : below));
    const left = Math.min(Math.max(GAP, this.point?.x ?? at.left), room.width - wide - GAP);
    Object.assign(this.box.style, { left: `${left}px`, width: `${wide}px`, maxHeight: `${tall}px` });
    const height = Math.min(this.box.offsetHeight, tall);
    const top = up ? at.top - GAP - height : at.bottom + GAP;
    this.box.style.top = `${Math.min(Math.max(GAP, top), Math.max(GAP, room.height - height - GAP))}px`;
  }

  move(index, scroll = true) {
    if (!this.items.length) return;
    this.items[this.active]?.classList.remove("active");
    this.active = (index + this.items.length) % this.items.length;
    const item = this.items[this.active];
    item.classList.add("active");
    this.list.setAttribute("aria-activedescendant", item.id);
    if (scroll) item.scrollIntoView({ block: "nearest" });
  }

  pick(index = this.active) {
    const option = this.options[index];
    if (!option) return;
    if (!this.multiple) {
      const off = this.min === 0 && this.ticked.has(option.value);
      this.close();
      this.choose(off ? [] : [option.value]);
      return;
    }
    if (this.ticked.has(option.value)) this.ticked.delete(option.value);
    else if (this.ticked.size < this.max) this.ticked.add(option.value);
    this.changed = true;
    this.mark();
  }

  pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.move(this.active + step);
    else if (event.key === "Home") this.move(0);
    else if (event.key === "End") this.move(this.items.length - 1);
    else if (event.key === "Enter" && event.target === this.done) return;
    else if (event.key === "Enter" && this.multiple) this.close(true);
    else if (event.key === "Enter" || (event.key === " " && !this.keepsFocus)) this.pick();
    else if (event.key === "Escape" || (event.key === "Tab" && !(this.multiple && event.target === this.list))) this.close();
    else if (event.key.length === 1 && !this.keepsFocus && !event.ctrlKey && !event.metaKey) this.find(event.key);
    else return;
    if (event.key !== "Tab") {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  find(letter) {
    clearTimeout(this.forget);
    this.forget = setTimeout(() => (this.typed = ""), 700);
    this.typed += letter.toLowerCase();
    const fits = (option) => option.label.toLowerCase().startsWith(this.typed);
    const next = [...this.options.keys()].map((index) => (index + this.active + (this.typed.length === 1 ? 1 : 0)) % this.options.length);
    const found = next.find((index) => fits(this.options[index]));
    if (found !== undefined) this.move(found);
  }

  close(sent = false) {
    if (open !== this) return;
    open = null;
    const focused = this.box.contains(document.activeElement);
    this.box.remove();
    this.anchor.setAttribute("aria-expanded", "false");
    this.anchor.removeAttribute("aria-controls");
    this.anchor.removeAttribute("aria-activedescendant");
    if (focused && this.anchor.isConnected) this.anchor.focus({ preventScroll: true });
    this.closed?.();
    if (sent && this.multiple && this.changed && this.ticked.size >= this.min) {
      this.choose(this.options.map((each) => each.value).filter((value) => this.ticked.has(value)));
    }
  }
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.box.contains(event.target) && !open.anchor.contains(event.target)) closeMenu(true);
}, true);
for (const event of ["resize", "scroll"]) {
  addEventListener(event, (happened) => open && !open.box.contains(happened.target) && open.place(), true);
}

/** A menu of entries ({label, act}) at an element or a point of the window. */
export function contextMenu(anchor, label, entries, point) {
  const options = entries.map((entry, index) => ({ ...entry, value: String(index) }));
  const menu = new Menu(anchor, { options, label, role: "menu", choose: ([value]) => entries[Number(value)].act() });
  menu.point = point;
  menu.place();
  return menu;
}
