// The line below the messages: text, and slash commands with their options.
import { h } from "./dom.js";
import { closeMenu, Menu, openMenu } from "./menu.js";

const [SUBCOMMAND, GROUP, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER] = [1, 2, 4, 5, 6, 7, 10];
/** The name of an option in a text such as `agents:2 mood:Sad`. */
const NAMED = /(?<=^|\s)([^\s:]+):/g;

const has = (text, part) => text.toLowerCase().includes(part.toLowerCase());
const same = (one, other) => one.toLowerCase() === other.toLowerCase();

/** A name or a description that the bot gave for a language, or else in English. */
export const translated = (node, field, locale) => node[`${field}_localizations`]?.[locale] ?? node[field];

/** The commands that can be typed for a registered one, with their options, in a language. */
function leaves(node, locale, before = { path: [], shown: [] }) {
  const texts = (each) => ({ shown: translated(each, "name", locale), about: translated(each, "description", locale) });
  const [path, shown] = [[...before.path, node.name], [...before.shown, texts(node).shown]];
  const below = (node.options ?? []).filter(({ type }) => [SUBCOMMAND, GROUP].includes(type));
  if (below.length) return below.flatMap((each) => leaves(each, locale, { path, shown }));
  const choices = (option) => (option.choices ?? []).map((each) => ({ value: each.value, label: translated(each, "name", locale) }));
  const options = (node.options ?? []).map((each) => ({ ...each, ...texts(each), choices: choices(each) }));
  return [{ path: path.join(" "), shown: shown.join(" "), about: texts(node).about, options }];
}

export class Composer {
  constructor(view) {
    this.view = view;
    this.commands = [];
    this.given = new Map();
    this.text = this.input({ class: "line", maxLength: 2000 }, () => this.typed());
    this.fields = h("div", { class: "fields" }, this.text);
    const slash = h("button", { type: "button", class: "icon slash", "aria-label": "Commands", onclick: () => this.write("/") }, "/");
    const send = h("button", { type: "submit", class: "button primary send", "aria-label": "Send" }, "➤");
    this.element = h("form", { class: "composer", onsubmit: (event) => this.submit(event) }, slash, this.fields, send);
  }

  input(props, typed) {
    return h("input", {
      type: "text", role: "combobox", autocomplete: "off", "aria-expanded": "false", "aria-autocomplete": "list", "aria-haspopup": "listbox",
      oninput: typed, onfocus: typed, onkeydown: (event) => this.pressed(event), ...props,
    });
  }

  /** Takes up the place that is shown. */
  async enter() {
    const { view } = this;
    this.draw();
    view.commands = await view.act({ do: "commands" });
    this.commands = view.commands.filter((each) => each.type === 1).flatMap((each) => leaves(each, view.locale));
  }

  /** Puts a text into the line, as if it was typed. */
  write(text) {
    this.leave(text);
    this.goTo(this.text);
  }

  // -- what is typed

  typed() {
    if (this.command) {
      this.text.value = this.read(this.text.value);
      if (document.activeElement === this.text) this.suggestOptions();
    } else if (!this.begin(this.text.value)) this.suggestCommands();
  }

  /** Takes up the command with which a text begins, and the options in the text. Returns whether there is a command. */
  begin(text) {
    const begins = (name) => same(text.slice(0, name.length + 2), `/${name} `);
    const found = this.commands.flatMap((command) => [command.path, command.shown].filter(begins).map((name) => ({ command, name })));
    const longest = found.sort((one, other) => other.name.length - one.name.length)[0];
    if (longest) this.compose(longest.command, text.slice(longest.name.length + 2));
    return Boolean(longest);
  }

  /** Makes fields of the options in a text. Returns what stands before the first one. */
  read(text) {
    const named = (name) => this.left().find((option) => same(option.name, name) || same(option.shown, name));
    const found = [...text.matchAll(NAMED)].filter((match) => named(match[1]));
    const parts = found.map((match, index) => [named(match[1]), text.slice(match.index + match[0].length, found[index + 1]?.index)]);
    for (const [option, value] of parts) this.add(option, value.trim());
    return found.length ? text.slice(0, found[0].index).trim() : text;
  }

  suggestCommands() {
    const { value } = this.text;
    if (!value.startsWith("/")) return closeMenu();
    const typed = value.slice(1);
    const found = this.commands.filter((each) => has(each.shown, typed) || has(each.path, typed));
    found.sort((one, other) => Number(other.path.startsWith(typed)) - Number(one.path.startsWith(typed)));
    const options = found.map((each) => ({ value: each.path, label: `/${each.shown}`, description: each.about }));
    return this.offer(this.text, options, "Commands", (path) => this.compose(found.find((each) => each.path === path)));
  }

  /** Suggests the options that are left. Until one is typed or moved to, Enter sends the command. */
  suggestOptions() {
    const typed = this.text.value.trim();
    const found = this.left().filter((each) => has(each.shown, typed) || has(each.name, typed));
    const options = found.map((each) => ({ value: each.name, label: each.shown, description: each.about }));
    this.offer(this.text, options, "Options", (name) => {
      this.text.value = "";
      this.add(found.find((each) => each.name === name));
    }, Boolean(typed));
  }

  /** Suggests the values of an option that contain the typed text; all of them if none does. */
  async suggestValues(given) {
    const { option, input } = given;
    const typed = input.value.trim();
    const choices = option.autocomplete ? await this.autocomplete(option, typed) : this.choices(option);
    if (input.value.trim() !== typed || document.activeElement !== input) return;
    const others = choices.filter((each) => option.type !== USER || each.value !== this.view.hello.me);
    const fits = others.filter((each) => has(each.label, typed));
    const typedWhole = fits.length === 1 && same(fits[0].label, typed);
    const take = (value) => {
      given.chosen = choices.find((each) => each.value === value);
      input.value = given.chosen.label;
      this.goOn();
    };
    this.offer(input, typedWhole ? [] : fits.length ? fits : others, option.shown, take, fits.length > 0);
  }

  offer(anchor, options, label, choose, active = true) {
    if (!options.length) return closeMenu();
    return new Menu(anchor, { options, label, keepsFocus: true, active, choose: ([value]) => choose(value) });
  }

  pressed(event) {
    const { key, target } = event;
    if (openMenu()?.anchor === target && openMenu().pressed(event)) return;
    if (key === "Escape" && this.command) this.leave();
    if (key === "Backspace" && this.command && target.value === "") {
      event.preventDefault();
      this.drop(target.dataset.option ?? [...this.given.keys()].at(-1));
    }
  }

  // -- a command and its options

  /** Takes up a command, with a field for each option that it needs or that the text has. */
  compose(command, text = "") {
    this.command = command;
    this.text.value = this.read(text);
    for (const option of command.options.filter((each) => each.required)) this.add(option);
    this.draw();
    this.goOn();
  }

  left() {
    return this.command.options.filter((each) => !this.given.has(each.name));
  }

  draw() {
    const { command, text } = this;
    for (const child of [...this.fields.children]) if (child !== text) child.remove();
    text.placeholder = `Message ${this.view.places.name(this.view.place)}`;
    text.setAttribute("aria-label", command ? `Options of /${command.shown}` : text.placeholder);
    if (!command) return;
    text.placeholder = this.left().length ? `+ ${this.left().length} more` : "";
    const cancel = h("button", { type: "button", class: "icon", "aria-label": "Cancel the command", onclick: () => this.leave() }, "✕");
    text.before(cancel, h("span", { class: "command" }, `/${command.shown}`), ...[...this.given.values()].map((each) => each.element));
  }

  add(option, value = "") {
    if (this.given.has(option.name)) return;
    const input = this.input({ value, "data-option": option.name, title: option.about, inputMode: option.type === INTEGER ? "numeric" : "text" }, () => {
      input.value = this.read(input.value);
      if (document.activeElement === input) this.suggestValues(given);
    });
    const given = { option, input, element: h("label", { class: "given" }, option.shown, input) };
    this.given.set(option.name, given);
    this.draw();
    input.focus();
  }

  drop(name) {
    if (!this.given.delete(name)) return this.write(`/${this.command.shown}`);
    this.draw();
    return this.goTo(this.text);
  }

  /** Goes to the first field that is empty, or to the end of the line. */
  goOn() {
    this.goTo([...this.given.values()].find((each) => !each.input.value)?.input ?? this.text);
  }

  goTo(field) {
    closeMenu();
    if (document.activeElement === field) field.dispatchEvent(new Event("focus"));
    else field.focus();
  }

  /** Leaves the command, with another text in the line. */
  leave(text = "") {
    closeMenu();
    const here = this.fields.contains(document.activeElement);
    this.command = null;
    this.given = new Map();
    this.text.value = text;
    this.draw();
    if (here) this.text.focus();
  }

  // -- the values

  choices(option) {
    if (option.type === BOOLEAN) return [true, false].map((value) => ({ value, label: value ? "True" : "False" }));
    if (option.type === USER) return this.view.places.choices("people");
    if (option.type === CHANNEL) return this.view.places.choices("places");
    return option.choices;
  }

  async autocomplete(option, typed) {
    const asked = { do: "autocomplete", path: this.command.path, typing: option.name, options: { ...this.values(), [option.name]: typed } };
    const offered = await this.view.act(asked).catch(() => []);
    return offered.map((each) => ({ value: each.value, label: translated(each, "name", this.view.locale) }));
  }

  /** The value of an option as it is sent; undefined if it has none, or the text does not fit. */
  valueOf({ option, input, chosen }) {
    const text = input.value.trim();
    const choices = this.choices(option);
    if (!text || text === chosen?.label) return text ? chosen.value : undefined;
    if (choices.length) return choices.find((each) => same(each.label, text))?.value;
    if (![INTEGER, NUMBER].includes(option.type)) return text;
    const number = Number(text);
    const fits = number >= (option.min_value ?? -Infinity) && number <= (option.max_value ?? Infinity);
    return fits && (option.type === NUMBER || Number.isInteger(number)) ? number : undefined;
  }

  values() {
    const pairs = [...this.given].map(([name, given]) => [name, this.valueOf(given)]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  }

  /** The reason for which the command cannot be sent, as a sentence, and the field of it. */
  fault() {
    const wrong = [...this.given.values()].find((each) => this.valueOf(each) === undefined && (each.input.value.trim() || each.option.required));
    const typed = this.text.value.trim();
    if (!wrong) return typed ? [`/${this.command.shown} has no option “${typed}”.`, this.text] : null;
    const { shown, min_value: least, max_value: most } = wrong.option;
    const range = [least, most].includes(undefined) ? "" : ` from ${least} to ${most}`;
    if (!wrong.input.value.trim()) return [`Choose ${shown} first.`, wrong.input];
    if (!this.choices(wrong.option).length) return [`“${shown}” takes a number${range}.`, wrong.input];
    return [`“${wrong.input.value.trim()}” isn’t in the list of “${shown}”. Please choose from the list.`, wrong.input];
  }

  refuse(sentence, field) {
    this.view.tell(sentence);
    this.goTo(field);
  }

  async submit(event) {
    event.preventDefault();
    const typed = this.text.value.trim();
    if (!this.command && typed.startsWith("/") && !this.begin(`${typed} `)) return this.refuse(`There is no command “${typed}” here. A / alone lists all commands.`, this.text);
    const { command, given } = this;
    const fault = command && this.fault();
    if (fault) return this.refuse(...fault);
    if (!command && !typed) return;
    const asked = command ? { do: "slash", path: command.path, options: this.values() } : { do: "say", text: typed };
    this.leave();
    this.view.scrollToEnd();
    const answer = await this.view.use(asked);
    if (answer || this.command || this.text.value) return;
    Object.assign(this, { command, given });
    this.text.value = command ? "" : typed;
    this.draw();
  }
}
