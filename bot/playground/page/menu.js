// Lists that open above the page: the options of a menu, the entries of a context menu, suggestions for the composer.
import { h, keepFocus, uniqueId } from "./dom.js";
import { emoji } from "./markdown.js";

const GAP = 6;
let open = null;

/** Closes the list that is open, if any. `sent`: a choice of several is sent, as by a press beside the list. */
export const closeMenu = (sent = false) => open?.close(sent);
export const openMenu = () => open;

/**
 * A list at an anchor, in a layer above everything. A press beside the list only closes it.
 * options: {value, label, description?, emoji?, default?}; role "listbox" or "menu".
 * `choose(values)` gets the values. With max > 1 the choice is sent by Done, and by a press beside the list.
 * keepsFocus: suggestions for a text field, whose form can be used meanwhile. active: Enter chooses the first one.
 */
export class Menu {
  constructor(anchor, { options, label, min = 1, max = 1, role = "listbox", key = null, keepsFocus = false, active = true, point, choose }) {
    closeMenu();
    Object.assign(this, { anchor, options, min, max, role, key, keepsFocus, point, choose, active: -1, typed: "", back: keepFocus(anchor) });
    this.ticked = new Set(options.filter((each) => each.default).map((each) => each.value));
    this.multiple = max > 1;
    this.list = h("div", { class: "options", role, id: uniqueId("list"), tabIndex: -1, "aria-label": label });
    if (this.multiple) this.list.setAttribute("aria-multiselectable", "true");
    this.done = this.multiple && h("button", { type: "button", class: "button primary", onclick: () => this.close(true) }, "Done");
    this.box = h("div", { class: "menu", onkeydown: (event) => this.pressed(event) }, this.list, this.done);
    const beside = (event) => event.target === this.layer && this.close(true);
    const layer = { class: "layer", popover: "manual", onclick: beside, onauxclick: beside, onmousedown: (event) => keepsFocus && event.preventDefault() };
    this.layer = h("div", { ...layer, oncontextmenu: (event) => event.preventDefault() }, this.box);
    (anchor.closest("dialog, .view") ?? document.body).append(this.layer);
    this.draw();
    this.layer.showPopover();
    this.place();
    this.mark();
    open = this;
    if (active) this.move(Math.max(0, options.findIndex((each) => each.default)));
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
  }

  /** Takes up the present options of the same menu. Ticks stay. */
  renew(anchor, options) {
    this.anchor = anchor;
    this.mark();
    const values = (list) => JSON.stringify(list.map((each) => [each.value, each.label, each.description]));
    if (values(options) === values(this.options)) return;
    const { scrollTop } = this.list;
    const active = this.options[this.active]?.value;
    this.options = options;
    this.ticked = new Set([...this.ticked].filter((value) => options.some((each) => each.value === value)));
    this.draw();
    this.mark();
    this.move(Math.max(0, options.findIndex((each) => each.value === active)), false);
    this.list.scrollTop = scrollTop;
  }

  mark() {
    this.anchor.setAttribute("aria-expanded", "true");
    this.anchor.setAttribute("aria-controls", this.list.id);
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
    const at = (this.keepsFocus ? this.anchor.form : this.anchor).getBoundingClientRect();
    if (this.keepsFocus) this.layer.style.height = `${at.top}px`;
    const wide = Math.min(Math.max(at.width, 240), room.width - 2 * GAP);
    const below = room.height - at.bottom - 2 * GAP;
    const above = at.top - 2 * GAP;
    const up = this.keepsFocus || (below < 220 && above > below);
    const tall = Math.max(120, Math.min(this.role === "menu" ? Infinity : 420, up ? above : below));
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
    (this.keepsFocus ? this.anchor : this.list).setAttribute("aria-activedescendant", item.id);
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

  /** Takes a key of the list, or of the text field with suggestions. Returns whether it means something here. */
  pressed(event) {
    const { key, target } = event;
    const [typing, onList] = [this.keepsFocus, target === this.list];
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const picks = key === "Enter" ? this.active >= 0 && !this.multiple : typing ? key === "Tab" && !event.shiftKey : key === " " && onList;
    if (step) this.move(Math.max(this.active, step < 0 ? 0 : -1) + step);
    else if (key === "Enter" && this.multiple && onList) this.close(true);
    else if (picks) this.pick(Math.max(0, this.active));
    else if (key === "Escape" || (key === "Tab" && !(this.multiple && onList))) this.close();
    else if (typing || event.ctrlKey || event.metaKey) return false;
    else if (key === "Home" || key === "End") this.move(key === "Home" ? 0 : -1);
    else if (key.length === 1) this.find(key);
    else return false;
    if (key === "Tab" && !picks) return true;
    event.preventDefault();
    event.stopPropagation();
    return true;
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
    const focused = this.layer.contains(document.activeElement);
    this.layer.remove();
    this.anchor.setAttribute("aria-expanded", "false");
    this.anchor.removeAttribute("aria-controls");
    this.anchor.removeAttribute("aria-activedescendant");
    if (focused) this.back();
    if (sent && this.multiple && this.changed && this.ticked.size >= this.min) {
      this.choose(this.options.map((each) => each.value).filter((value) => this.ticked.has(value)));
    }
  }
}

for (const event of ["resize", "scroll"]) {
  addEventListener(event, (happened) => open && !open.box.contains(happened.target) && open.place(), true);
}

/** A menu of entries ({label, act}) at an element or a point of the window. */
export function contextMenu(anchor, label, entries, point) {
  const options = entries.map((entry, index) => ({ ...entry, value: String(index) }));
  return new Menu(anchor, { options, label, role: "menu", point, choose: ([value]) => entries[Number(value)].act() });
}
