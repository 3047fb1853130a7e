// The line below the messages: text, and slash commands with their options.
import { h, uniqueId } from "./dom.js";
import { closeMenu, Menu, openMenu } from "./menu.js";

const [INTEGER, BOOLEAN, USER, CHANNEL, NUMBER] = [4, 5, 6, 7, 10];

export class Composer {
  constructor(view) {
    this.view = view;
    this.command = null;
    this.commands = [];
    this.text = h("input", {
      type: "text", class: "line", role: "combobox", autocomplete: "off", "aria-expanded": "false", "aria-autocomplete": "list", "aria-haspopup": "listbox",
      oninput: () => this.suggest(), onkeydown: (event) => this.pressed(event), maxLength: 2000,
    });
    this.fields = h("div", { class: "fields", hidden: true });
    this.send = h("button", { type: "submit", class: "button primary send", "aria-label": "Send" }, "➤");
    const slash = h("button", { type: "button", class: "icon slash", "aria-label": "Commands", onclick: () => this.write("/") }, "/");
    this.element = h("form", { class: "composer", onsubmit: (event) => this.submit(event) }, slash, this.text, this.fields, this.send);
  }

  /** Takes up the place that is shown. */
  async enter(name) {
    this.text.placeholder = `Message ${name}`;
    this.text.setAttribute("aria-label", `Message ${name}`);
    const offered = await this.view.act({ do: "commands" });
    this.commands = offered.CHAT_INPUT;
    this.view.entries = offered;
  }

  /** Puts a text into the line, as if it was typed. */
  write(text) {
    this.leave();
    this.text.value = text;
    this.text.focus();
    const exact = this.commands.find((each) => `/${each.path}` === text);
    if (exact) this.compose(exact);
    else this.suggest();
  }

  suggest() {
    const { value } = this.text;
    if (!value.startsWith("/")) return closeMenu();
    const typed = value.slice(1).toLowerCase();
    const fits = (each) => each.shown.toLowerCase().includes(typed) || each.path.includes(typed);
    const found = this.commands.filter(fits).sort((one, other) => Number(other.path.startsWith(typed)) - Number(one.path.startsWith(typed)));
    const options = found.map((each) => ({ value: each.path, label: `/${each.shown}`, description: each.about }));
    return this.offer(this.text, options, "Commands", ([path]) => this.compose(this.commands.find((each) => each.path === path)));
  }

  offer(anchor, options, label, choose) {
    if (!options.length) return closeMenu();
    const menu = new Menu(anchor, { options, label, choose, keepsFocus: true });
    anchor.setAttribute("aria-activedescendant", `${menu.list.id}-0`);
    return menu;
  }

  pressed(event) {
    const menu = openMenu();
    if (menu?.keepsFocus && ["ArrowDown", "ArrowUp", "Enter", "Escape", "Tab"].includes(event.key)) {
      if (event.key === "Tab") event.preventDefault();
      menu.pressed(event.key === "Tab" ? new KeyboardEvent("keydown", { key: "Enter" }) : event);
      if (openMenu() === menu) menu.anchor.setAttribute("aria-activedescendant", menu.list.getAttribute("aria-activedescendant"));
    } else if (event.key === "Escape" && this.command) this.leave();
    else if (event.key === "Backspace" && this.command && event.target.value === "" && event.target.dataset.option) this.drop(event.target.dataset.option);
  }

  /** Shows a command with fields for its options. */
  compose(command) {
    this.command = command;
    this.given = new Map();
    this.text.hidden = true;
    this.fields.hidden = false;
    this.draw();
    for (const option of command.options.filter((each) => each.required)) this.add(option, false);
    (this.fields.querySelector("input") ?? this.send).focus();
  }

  draw() {
    const left = this.command.options.filter((each) => !this.given.has(each.name));
    const name = h("span", { class: "command" }, `/${this.command.shown}`);
    const cancel = h("button", { type: "button", class: "icon", "aria-label": "Cancel the command", onclick: () => this.leave(true) }, "✕");
    const more = left.map((option) => h("button", { type: "button", class: "option-more", title: option.about, "data-add": option.name, onclick: () => this.add(option, true) }, `+ ${option.shown}`));
    this.fields.replaceChildren(name, ...[...this.given.values()].map((each) => each.element), ...more, cancel);
  }

  drop(name) {
    this.given.delete(name);
    this.draw();
    (this.fields.querySelector("input") ?? this.send).focus();
  }

  add(option, focus) {
    const id = uniqueId("option");
    const input = h("input", {
      id, type: "text", autocomplete: "off", "data-option": option.name, title: option.about, role: "combobox", "aria-expanded": "false", "aria-haspopup": "listbox",
      inputMode: option.type === INTEGER ? "numeric" : "text", size: 12,
      onfocus: () => this.suggestValues(option), oninput: () => this.suggestValues(option), onkeydown: (event) => this.pressed(event),
    });
    const element = h("label", { class: "given", htmlFor: id }, `${option.shown} `, input);
    this.given.set(option.name, { option, input, element, value: undefined });
    this.draw();
    if (focus) input.focus();
  }

  choices(option) {
    const { view } = this;
    if (option.choices.length) return option.choices.map((each) => ({ value: each.value, label: each.name }));
    if (option.type === BOOLEAN) return [{ value: true, label: "True" }, { value: false, label: "False" }];
    if (option.type === USER) return Object.entries(view.hello.names).filter(([id]) => id !== view.hello.bot).map(([value, label]) => ({ value, label }));
    if (option.type === CHANNEL) return view.places.filter((each) => each.kind === "channel").map((each) => ({ value: each.id, label: `#${each.name}` }));
    return [];
  }

  async suggestValues(option) {
    const given = this.given.get(option.name);
    const typed = given.input.value;
    given.value = undefined;
    let choices = this.choices(option).filter((each) => each.label.toLowerCase().includes(typed.toLowerCase()));
    if (option.autocomplete) {
      const offered = await this.view.act({ do: "autocomplete", path: this.command.path, typing: option.name, options: { ...this.values(), [option.name]: typed } });
      if (given.input.value !== typed || !given.input.isConnected) return;
      choices = offered.map((each) => ({ value: each.value, label: each.name }));
    }
    this.offer(given.input, choices, option.shown, ([value]) => {
      given.value = value;
      given.input.value = choices.find((each) => each.value === value).label;
      given.input.focus();
      closeMenu();
    });
  }

  values() {
    const values = {};
    for (const [name, { option, input, value }] of this.given) {
      const chosen = value ?? this.choices(option).find((each) => each.label.toLowerCase() === input.value.trim().toLowerCase())?.value;
      if (chosen !== undefined) values[name] = chosen;
      else if (input.value.trim()) values[name] = [INTEGER, NUMBER].includes(option.type) ? Number(input.value) : input.value.trim();
    }
    return values;
  }

  /** Leaves the command. */
  leave(focus = false) {
    closeMenu();
    this.command = null;
    this.fields.hidden = true;
    this.text.hidden = false;
    this.text.value = "";
    if (focus) this.text.focus();
  }

  async submit(event) {
    event.preventDefault();
    closeMenu();
    const { command } = this;
    const text = this.text.value.trim();
    if (!command && text.startsWith("/")) {
      const exact = this.commands.find((each) => [each.path, each.shown].includes(text.slice(1)));
      if (exact) this.compose(exact);
      else this.view.tell(`There is no command ${text} here.`);
      return;
    }
    if (!command && !text) return;
    const lacking = command?.options.find((each) => each.required && !(each.name in this.values()));
    if (lacking) {
      this.view.tell(`/${command.shown} needs “${lacking.shown}”.`);
      return;
    }
    const asked = command ? { do: "slash", path: command.path, options: this.values() } : { do: "say", text };
    this.leave(true);
    this.view.scrollToEnd();
    await this.view.use(asked);
  }
}
