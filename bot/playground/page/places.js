// The list of places and people beside the messages, and who is shown.
import { exchange, peopleShown, send, showPeople } from "./address.js";
import { translated } from "./composer.js";
import { h, keepFocus, portrait } from "./dom.js";
import { contextMenu, Menu } from "./menu.js";
import { showBegin } from "./welcome.js";

const LANGUAGES = { "en-US": "English", de: "Deutsch", "es-ES": "Español", it: "Italiano", ru: "Русский" };
const SIGNS = { channel: "#", thread: "🧵", dm: "@", group: "👥" };
const MOST = 4;

export class Places {
  constructor(view) {
    this.view = view;
    this.list = [];
    this.count = h("span", { class: "calls", hidden: true });
    this.opener = h("button", { type: "button", class: "icon drawer", "aria-label": "Places", "aria-expanded": "false", onclick: () => this.toggle() }, "☰", this.count);
    this.title = h("h1");
    this.who = h("button", { type: "button", class: "who", "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => this.whoMenu() });
    this.sidebar = h("nav", { class: "sidebar", id: "places", "aria-label": "Places" });
    this.shade = h("div", { class: "shade", onclick: () => this.toggle(false) });
    this.hint = h("p", { class: "hint", hidden: true });
  }

  /** The place that is open. */
  get now() {
    return this.list.find((each) => each.id === this.view.place);
  }

  /** A place's name, or `unseen` for one that this person does not see. */
  name(id, unseen = "#unknown") {
    const place = this.list.find((each) => each.id === id);
    if (!place) return unseen;
    return place.kind === "channel" ? `#${place.name}` : place.name;
  }

  /** What can be chosen in a menu or for an option of this kind, which Discord fills itself. */
  choices(kind) {
    const { names, roles, bot } = this.view.hello;
    const people = Object.entries(names).filter(([id]) => id !== bot);
    const places = this.list.filter((each) => each.kind === "channel").map((each) => [each.id, `#${each.name}`]);
    const everybody = [...people, ...Object.entries(roles)];
    return { people, roles: Object.entries(roles), everybody, places }[kind].map(([value, label]) => ({ value, label }));
  }

  /** Whether no part of the window shows a person. */
  away(id) {
    return !peopleShown().includes(this.view.hello.keys[id]);
  }

  // -- the list

  draw() {
    const { hello } = this.view;
    const inServer = ({ kind }) => ["channel", "thread"].includes(kind);
    const part = (title, rows) => [h("h2", {}, title), ...rows];
    const rows = (places) => places.map((each) => this.drawPlace(each));
    const back = keepFocus();
    this.sidebar.replaceChildren(
      h("p", { class: "server" }, h("img", { src: "icon.svg", alt: "" }), hello.server),
      h("button", { type: "button", class: "button success begin", onclick: () => showBegin(this.view) }, "▶ Play or Learn"),
      ...part("Channels", rows(this.list.filter(inServer))), ...part("Direct messages", rows(this.list.filter((each) => !inServer(each)))),
      ...part("People", Object.keys(hello.keys).map((id) => this.drawPerson(id))),
    );
    back();
    const calls = this.list.reduce((sum, each) => sum + each.calls, 0);
    this.count.hidden = !calls;
    this.count.textContent = calls;
    this.opener.setAttribute("aria-label", calls ? `Places, ${calls} calls` : "Places");
    const { now } = this;
    if (now) this.title.replaceChildren(h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[now.kind]), ` ${now.name}`, now.archived ? h("span", { class: "small" }, " archived") : "");
  }

  drawPlace(place) {
    return h(
      "button", {
        type: "button", class: `place ${place.kind}${place.unread ? " unread" : ""}`, "data-place": place.id,
        "aria-current": place.id === this.view.place ? "page" : null, onclick: () => this.view.goTo(place.id),
      },
      h("span", { class: "sign", "aria-hidden": "true" }, place.archived ? "🗄" : SIGNS[place.kind]), h("span", { class: "name" }, place.name),
      place.archived && h("span", { class: "unseen" }, ", archived"), place.unread && !place.calls && h("span", { class: "unseen" }, ", new messages"),
      place.calls > 0 && h("span", { class: "calls", "aria-label": `${place.calls} calls` }, place.calls),
    );
  }

  drawPerson(id) {
    const { hello, calls } = this.view;
    const call = this.callOf(id);
    return h(
      "button", { type: "button", class: "place person", "data-person": hello.keys[id], "aria-haspopup": "menu", "data-id": id, onclick: (event) => this.personMenu(event.currentTarget, id) },
      portrait(hello, id), h("span", { class: "name" }, hello.names[id]), id === hello.me && h("span", { class: "small" }, "you"),
      call && h("span", { class: "calls", title: call, "aria-label": call }, calls[id].count),
    );
  }

  drawMe() {
    const { hello } = this.view;
    this.who.replaceChildren(portrait(hello, hello.me), h("span", {}, hello.names[hello.me]), h("span", { class: "chevron", "aria-hidden": "true" }));
    this.who.setAttribute("aria-label", `You are ${hello.names[hello.me]}`);
    this.draw();
  }

  /** Opens or closes the list on a phone, where it covers the messages. */
  toggle(open = !this.view.element.classList.contains("drawn")) {
    const was = this.view.element.classList.contains("drawn");
    if (open === was) return;
    this.view.element.classList.toggle("drawn", open);
    this.opener.setAttribute("aria-expanded", String(open));
    const first = this.sidebar.querySelector("[aria-current]") ?? this.sidebar.querySelector("button");
    (open ? first : this.opener).focus({ preventScroll: !open });
  }

  // -- calls

  callOf(id) {
    const call = id !== this.view.hello.me && this.view.calls[id];
    return call ? `${call.count === 1 ? "1 call" : `${call.count} calls`}, in ${this.name(call.place, "direct messages")}` : undefined;
  }

  /** Offers to go on as a person who is called, here or elsewhere, if no window shows them. */
  drawHint() {
    const { hello, calls, messages } = this.view;
    const here = [...messages.values()].findLast((data) => data.page.pings.length)?.page.pings ?? [];
    const away = (each) => this.away(each);
    const id = here.includes(hello.me) ? null : here.find(away) ?? Object.keys(calls).find(away);
    this.hint.hidden = !id;
    if (!id) return;
    const name = hello.names[id];
    this.hint.replaceChildren(h("span", {}, h("strong", {}, name), calls[id] ? ` is called in ${this.name(calls[id].place, "direct messages")}.` : " is called."),
      h("button", { type: "button", class: "button primary", onclick: () => this.become(id) }, `Be ${name}`));
  }

  // -- who is shown

  /** Shows a person where they are called, or else where this one is: instead of this one, or beside. */
  become(id, beside = false) {
    const { hello, calls, key, place } = this.view;
    send(hello.keys[id], calls[id]?.place ?? place, calls[id]?.message);
    if (beside) showPeople([...peopleShown(), hello.keys[id]]);
    else exchange(key, hello.keys[id]);
  }

  whoMenu() {
    const { hello, key, locale } = this.view;
    const others = Object.keys(hello.keys).filter((id) => this.away(id));
    const entries = [{ label: `Language: ${LANGUAGES[locale] ?? locale} …`, act: () => this.languageMenu() }];
    if (peopleShown().length > 1) entries.push({ label: `Show ${hello.names[hello.me]} alone`, act: () => showPeople([key]) });
    if (peopleShown().length < MOST) entries.push({ label: "Show somebody beside …", act: () => this.besideMenu(others) });
    entries.push(...others.map((id) => ({ label: `Be ${hello.names[id]}`, description: this.callOf(id) ?? LANGUAGES[hello.locales[id]], act: () => this.become(id) })));
    contextMenu(this.who, "Who you are", entries);
  }

  besideMenu(others) {
    contextMenu(this.who, "Show beside", others.map((id) => ({ label: this.view.hello.names[id], description: this.callOf(id), act: () => this.become(id, true) })));
  }

  languageMenu() {
    const { view } = this;
    const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, default: value === view.locale }));
    const choose = async ([locale]) => {
      await view.act({ do: "speak", locale });
      const name = view.hello.names[view.hello.me];
      view.tell(`${name}’s Discord is in ${LANGUAGES[locale]} now. Digsite’s next answers to ${name} are, too.`, "said");
    };
    new Menu(this.who, { options, label: "Language", choose });
  }

  personMenu(anchor, id, point) {
    const { view } = this;
    const { hello } = view;
    const offered = view.commands.filter((each) => each.type === 2);
    const entries = offered.map((each) => ({ label: translated(each, "name", view.locale), act: () => view.use({ do: "use", on: "person", name: each.name, target: id }) }));
    if (hello.keys[id] && this.away(id)) {
      entries.unshift({ label: `Be ${hello.names[id]}`, description: this.callOf(id), act: () => this.become(id) });
      if (peopleShown().length < MOST) entries.push({ label: `Show ${hello.names[id]} beside`, act: () => this.become(id, true) });
    }
    contextMenu(anchor, hello.names[id] ?? "Person", entries, point);
  }
}
