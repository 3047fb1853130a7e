// One person's view: the connection, the places, and the messages of the place that is open.
import { exchange, keepPlace, keptPlace, peopleShown, send, showPeople, takeMessage } from "./address.js";
import { Composer } from "./composer.js";
import { announce, dialog, h, keepFocus, portrait } from "./dom.js";
import { block, renewTimes } from "./markdown.js";
import { closeMenu, contextMenu, Menu } from "./menu.js";
import { drawMessage, replaceMessage, showForm } from "./message.js";

const LANGUAGES = { "en-US": "English", de: "Deutsch", "es-ES": "Español", it: "Italiano", ru: "Русский" };
const SIGNS = { channel: "#", thread: "🧵", dm: "@", group: "👥" };
const JOINED_SECONDS = 420;
const LONG_PRESS = 500;

export class View {
  constructor(root, key) {
    this.key = key;
    this.root = root;
    this.messages = new Map();
    this.places = [];
    this.called = {};
    this.place = keptPlace(key);
    this.waiting = new Map();
    this.pressed = new Set();
    this.requests = 0;
    this.composer = new Composer(this);
    this.build();
    this.connect();
    this.clock = setInterval(() => renewTimes(this.locale), 5000);
  }

  build() {
    this.list = h("div", { class: "list" });
    this.earlier = h("button", { type: "button", class: "button secondary earlier", hidden: true, onclick: () => this.showEarlier() }, "Earlier Messages");
    this.welcome = h("section", { class: "welcome", "aria-label": "Begin" });
    this.timeline = h("div", { class: "timeline", tabIndex: 0, role: "log", "aria-label": "Messages", "aria-live": "off", onscroll: () => this.scrolled() }, this.welcome, this.earlier, this.list);
    this.present = h("button", { type: "button", class: "present", hidden: true, onclick: () => this.scrollToEnd() }, "Jump to Present ↓");
    this.hint = h("p", { class: "hint", hidden: true });
    this.title = h("h1");
    this.calls = h("span", { class: "calls", hidden: true });
    this.opener = h("button", { type: "button", class: "icon drawer", "aria-label": "Places", "aria-expanded": "false", onclick: () => this.toggleDrawer() }, "☰", this.calls);
    this.who = h("button", { type: "button", class: "who", "aria-haspopup": "menu", "aria-expanded": "false", onclick: (event) => this.whoMenu(event.currentTarget) });
    this.sidebar = h("nav", { class: "sidebar", id: "places", "aria-label": "Places" });
    this.shade = h("div", { class: "shade", onclick: () => this.toggleDrawer(false) });
    this.toasts = h("div", { class: "toasts", role: "region", "aria-label": "Notifications" });
    this.lost = h("p", { class: "lost", role: "alert", hidden: true }, "The playground doesn’t answer. Is it still running? This page connects again by itself.");
    const head = h("header", { class: "top" }, this.opener, this.title, this.who);
    const channel = h("div", { class: "main" }, head, this.lost, this.timeline, this.present, this.hint, this.composer.element);
    this.element = h("div", { class: "view" }, this.sidebar, this.shade, channel, this.toasts);
    this.root.replaceChildren(this.element);
    this.listen();
    const follow = new ResizeObserver(() => {
      this.measured = this.size;
      if (this.atEnd) this.scrollToEnd();
    });
    for (const part of [this.list, this.welcome, this.timeline]) follow.observe(part);
  }

  listen() {
    this.element.addEventListener("contextmenu", (event) => {
      const person = event.target.closest("[data-id] .author, [data-id] > .portrait, [data-person]");
      const message = event.target.closest(".message[data-id]");
      if (!(person || message) || event.target.closest("a, img")) return;
      event.preventDefault();
      const data = message && this.messages.get(message.dataset.id);
      const point = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : null;
      if (person) this.personMenu(person, data?.author ?? person.dataset.id, point);
      else this.messageMenu(message.querySelector(".more") ?? message, data, point);
    });
    let held = null;
    this.element.addEventListener("touchstart", ({ target }) => {
      held = setTimeout(() => target.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })), LONG_PRESS);
    }, { passive: true });
    for (const name of ["touchend", "touchmove", "touchcancel"]) this.element.addEventListener(name, () => clearTimeout(held), { passive: true });
    this.onkey = (event) => {
      const typing = event.target.closest?.("input, textarea, dialog, .menu");
      if (event.repeat && event.key === "Enter") event.preventDefault(); // a key that is held presses one button, not what comes next
      if (event.key === "Escape" && this.element.classList.contains("drawn")) this.toggleDrawer(false);
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const message = this.list.querySelector(".message:hover") ?? event.target.closest?.(".message");
      if (event.key === "i" && message) this.inspect(message.dataset.id);
      if (event.key === "/") {
        event.preventDefault();
        this.composer.write("/");
      }
    };
    document.addEventListener("keydown", this.onkey);
  }

  close() {
    closeMenu();
    this.closed = true;
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.onkey);
    this.socket.close();
  }

  get locale() {
    return this.hello?.locales[this.hello.me] ?? "en-US";
  }

  // -- the connection

  connect() {
    const url = new URL(`live?person=${this.key}&place=${this.place}`, location.href);
    url.protocol = "ws";
    url.hash = "";
    this.socket = new WebSocket(url);
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = () => this.closed || this.reconnect();
  }

  reconnect() {
    this.lost.hidden = false;
    for (const { failed } of this.waiting.values()) failed(new Error("The playground was away. Nothing is known about your press: look at the messages."));
    this.waiting.clear();
    this.element.dataset.waiting = 0;
    this.pressed.clear();
    setTimeout(() => this.closed || this.connect(), 1000);
  }

  take(data) {
    if (data.hello) this.takeHello(data.hello);
    else if (data.re) this.takeAnswer(data);
    else this.takeChange(data);
    if (data.hello || data.re) return;
    const { socket } = this;
    requestAnimationFrame(() => socket.readyState === WebSocket.OPEN && socket.send('{"do":"drawn"}'));
  }

  /** Asks the server to do something. Resolves to its answer; rejects with its sentence. */
  act(asked) {
    return new Promise((done, failed) => {
      const n = (this.requests += 1);
      this.waiting.set(n, { done, failed });
      this.element.dataset.waiting = this.waiting.size;
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ...asked, n }));
      else failed(new Error("The playground doesn’t answer. Is it still running?"));
    });
  }

  takeAnswer({ re, ok, failed }) {
    const asked = this.waiting.get(re);
    this.waiting.delete(re);
    this.element.dataset.waiting = this.waiting.size;
    if (failed) asked?.failed(new Error(failed));
    else asked?.done(ok);
  }

  /** Sends a press, a choice or a command, and shows that it is under way. Returns its answer; null if it is refused. */
  async use(asked) {
    const key = `${asked.message} ${asked.id}`;
    if (asked.id && this.pressed.has(key)) return null;
    this.toggleDrawer(false);
    this.pressed.add(key);
    this.redraw(asked.message);
    this.eager = true;
    try {
      const answer = (await this.act(asked)) ?? {};
      if (answer.form) showForm(this, answer.form);
      if (answer.note) this.note(answer.note);
      return answer;
    } catch (error) {
      this.tell(error.message);
      return null;
    } finally {
      this.pressed.delete(key);
      this.redraw(asked.message);
    }
  }

  waits(message, id) {
    return this.pressed.has(`${message} ${id}`);
  }

  redraw(id) {
    const data = this.messages.get(id);
    const element = data && document.getElementById(`m-${id}`);
    if (element) this.steadily(() => replaceMessage(element, drawMessage(this, data)));
  }

  takeHello(hello) {
    this.hello = hello;
    this.lost.hidden = true;
    document.title = hello.product;
    this.who.replaceChildren(portrait(hello, hello.me), h("span", {}, hello.names[hello.me]), h("span", { class: "chevron", "aria-hidden": "true" }));
    this.who.setAttribute("aria-label", `You are ${hello.names[hello.me]}`);
    this.welcome.replaceChildren(this.drawWelcome());
    if (this.places.length) this.drawPlaces();
    for (const id of this.messages.keys()) this.redraw(id);
    if (this.placeId) this.composer.enter(this.placeName(this.placeId));
  }

  takeChange(change) {
    const moved = change.place && change.place !== this.placeId;
    if (change.place) this.placeId = this.place = change.place;
    this.called = change.calls ?? this.called;
    this.places = change.places ?? this.places;
    if (change.places || change.calls) this.drawPlaces();
    if (change.order) this.takeMessages(change, moved);
    this.drawHint();
    for (const notice of change.notices ?? []) if (notice.place !== this.placeId || !this.atEnd) this.notify(notice);
    if (change.anew) this.look(takeMessage(this.key));
  }

  takeMessages({ place, messages, gone, order, earlier, anew }, moved) {
    if (anew) {
      keepPlace(this.key, place);
      this.messages.clear();
      this.list.replaceChildren();
      this.drawHead();
      if (moved) this.composer.leave();
      this.composer.enter(this.placeName(place));
      this.welcome.replaceChildren(this.drawWelcome());
      this.atEnd = true;
    }
    const fresh = messages.filter((data) => !this.messages.has(data.id));
    this.steadily(() => {
      for (const id of gone) {
        this.messages.delete(id);
        document.getElementById(`m-${id}`)?.remove();
      }
      for (const data of messages) {
        this.messages.set(data.id, data);
        if (!fresh.includes(data)) replaceMessage(document.getElementById(`m-${data.id}`), drawMessage(this, data));
      }
      this.insert(order, fresh);
      this.earlier.hidden = !earlier;
      this.welcome.hidden = earlier || this.placeNow()?.kind === "thread";
      this.drawHint();
    });
    const mine = !anew && this.eager && fresh.some((data) => data.author === this.hello.bot);
    if (mine) {
      this.eager = false;
      this.scrollToEnd();
    }
    if (anew && order.length < 2) {
      this.timeline.scrollTop = 0;
      this.measured = this.size;
      this.scrolled();
    }
    if (!anew) this.say(fresh);
  }

  /** Changes the messages. The focus stays, and so does what is seen: the end, the control with the focus, or the first message. */
  steadily(change) {
    const back = keepFocus();
    const stays = this.atEnd;
    const [edge, top] = [this.timeline.getBoundingClientRect(), (element) => element.getBoundingClientRect().top];
    const seen = (element) => top(element) < edge.bottom && element.getBoundingClientRect().bottom > edge.top;
    const focused = this.list.contains(document.activeElement) && seen(document.activeElement);
    const first = focused ? document.activeElement : !stays && [...this.list.children].find(seen);
    const before = first && top(first);
    change();
    back();
    const now = focused ? document.activeElement : document.getElementById(first?.id);
    if (stays) this.scrollToEnd();
    else if (this.list.contains(now)) this.timeline.scrollTop += top(now) - before;
  }

  /** Offers to go on as a person who is called, here or elsewhere, if no window shows them. */
  drawHint() {
    const away = (id) => !peopleShown().includes(this.hello.keys[id]);
    const here = [...this.messages.values()].findLast((data) => data.pings.length)?.pings ?? [];
    const id = here.includes(this.hello.me) ? null : here.find(away) ?? Object.keys(this.called).find(away);
    this.hint.hidden = !id;
    if (!id) return;
    const name = this.hello.names[id];
    this.hint.replaceChildren(h("span", {}, h("strong", {}, name), this.called[id] ? ` is called in ${this.placeName(this.called[id].place)}.` : " is called."),
      h("button", { type: "button", class: "button primary", onclick: () => this.become(id) }, `Be ${name}`));
  }

  /** Shows a person where they are called, or else where this one is: instead of this one, or beside. */
  become(id, beside = false) {
    const key = this.hello.keys[id];
    const call = this.called[id];
    send(key, call?.place ?? this.placeId, call?.message);
    if (beside) showPeople([...peopleShown(), key]);
    else exchange(this.key, key);
  }

  callOf(id) {
    const call = id !== this.hello.me && this.called[id];
    return call ? `${call.count === 1 ? "1 call" : `${call.count} calls`}, in ${this.placeName(call.place)}` : undefined;
  }

  insert(order, fresh) {
    const made = new Map(fresh.map((data) => [data.id, drawMessage(this, data)]));
    let before = null;
    for (const id of order) {
      const element = made.get(id) ?? document.getElementById(`m-${id}`);
      if (element && made.has(id)) before ? before.after(element) : this.list.prepend(element);
      const [data, last] = [this.messages.get(id), before && this.messages.get(before.dataset.id)];
      const joined = last && data.author === last.author && data.at - last.at < JOINED_SECONDS && !data.used && !data.reply && !last.opened;
      element?.classList.toggle("joined", Boolean(joined));
      before = element ?? before;
    }
  }

  say(fresh) {
    const news = fresh.filter((data) => data.author !== this.hello.me);
    if (!news.length) return;
    const text = document.getElementById(`m-${news.at(-1).id}`)?.querySelector(".text")?.textContent ?? "";
    announce(`${this.hello.names[news.at(-1).author]}: ${text.slice(0, 200)}`);
  }

  // -- scrolling

  get size() {
    return `${this.timeline.scrollHeight} ${this.timeline.clientHeight}`;
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.timeline;
    const near = scrollHeight - scrollTop - clientHeight < 40;
    // Messages that grow or shrink move the view, too. It only leaves the end if somebody scrolls.
    if (near || this.size === this.measured) this.atEnd = near;
    if (!near && !this.atEnd) this.eager = false;
    this.present.hidden = scrollHeight - scrollTop - clientHeight < 0.6 * clientHeight;
  }

  scrollToEnd() {
    this.timeline.scrollTop = this.timeline.scrollHeight;
    this.atEnd = true;
    this.present.hidden = true;
  }

  showEarlier() {
    this.atEnd = false;
    return this.act({ do: "earlier" });
  }

  /** Opens a place, and scrolls to a message of it. */
  async goTo(place, message) {
    try {
      this.toggleDrawer(false);
      if (place !== this.placeId) await this.act({ do: "open", place });
      await this.look(message);
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** Scrolls to a message of this place. */
  async look(message) {
    if (!message) return;
    try {
      while (!this.messages.has(message) && !this.earlier.hidden) await this.act({ do: "earlier" });
      const element = document.getElementById(`m-${message}`);
      if (!element) throw new Error("This message is gone.");
      this.atEnd = false;
      element.scrollIntoView({ block: element.offsetHeight < this.timeline.clientHeight ? "center" : "start" });
      element.classList.add("found");
      setTimeout(() => element.classList.remove("found"), 2000);
    } catch (error) {
      this.tell(error.message);
    }
  }

  // -- places and people

  placeNow() {
    return this.places.find((each) => each.id === this.placeId);
  }

  placeName(id) {
    const place = this.places.find((each) => each.id === id);
    if (!place) return "#unknown";
    return place.kind === "channel" ? `#${place.name}` : place.name;
  }

  drawHead() {
    const place = this.placeNow();
    if (place) this.title.replaceChildren(h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[place.kind]), ` ${place.name}`, place.archived ? h("span", { class: "small" }, " archived") : "");
  }

  drawPlaces() {
    const row = (place) => h(
      "button", {
        type: "button", class: `place ${place.kind}${place.unread ? " unread" : ""}${place.archived ? " archived" : ""}`, "data-place": place.id,
        "aria-current": place.id === this.placeId ? "page" : null, onclick: () => this.goTo(place.id),
      },
      h("span", { class: "sign", "aria-hidden": "true" }, place.archived ? "🗄" : SIGNS[place.kind]), h("span", { class: "name" }, place.name),
      place.archived && h("span", { class: "unseen" }, ", archived"), place.unread && !place.calls && h("span", { class: "unseen" }, ", new messages"),
      place.calls > 0 && h("span", { class: "calls", "aria-label": `${place.calls} calls` }, place.calls),
    );
    const part = (title, places) => [h("h2", {}, title), ...places.map(row)];
    const inServer = this.places.filter((each) => ["channel", "thread"].includes(each.kind));
    const back = keepFocus();
    const people = Object.keys(this.hello.keys).map((id) => h(
      "button", { type: "button", class: "place person", "data-person": this.hello.keys[id], "aria-haspopup": "menu", "data-id": id, onclick: (event) => this.personMenu(event.currentTarget, id) },
      portrait(this.hello, id), h("span", { class: "name" }, this.hello.names[id]), id === this.hello.me && h("span", { class: "small" }, "you"),
      this.callOf(id) && h("span", { class: "calls", title: this.callOf(id), "aria-label": this.callOf(id) }, this.called[id].count),
    ));
    this.sidebar.replaceChildren(
      h("p", { class: "server" }, h("img", { src: "icon.svg", alt: "" }), this.hello.server),
      h("button", { type: "button", class: "button success begin", onclick: () => this.showBegin() }, "▶ Play or Learn"),
      ...part("Channels", inServer), ...part("Direct messages", this.places.filter((each) => !inServer.includes(each))), h("h2", {}, "People"), ...people,
    );
    back();
    const calls = this.places.reduce((sum, each) => sum + each.calls, 0);
    this.calls.hidden = !calls;
    this.calls.textContent = calls;
    this.opener.setAttribute("aria-label", calls ? `Places, ${calls} calls` : "Places");
    this.drawHead();
  }

  toggleDrawer(open = !this.element.classList.contains("drawn")) {
    const was = this.element.classList.contains("drawn");
    this.element.classList.toggle("drawn", open);
    this.opener.setAttribute("aria-expanded", String(open));
    if (open) (this.sidebar.querySelector("[aria-current]") ?? this.sidebar.querySelector("button")).focus();
    else if (was) this.opener.focus({ preventScroll: true });
  }

  whoMenu(anchor) {
    const { hello } = this;
    const others = Object.keys(hello.keys).filter((id) => !peopleShown().includes(hello.keys[id]));
    const become = others.map((id) => ({ label: `Be ${hello.names[id]}`, description: this.callOf(id) ?? LANGUAGES[hello.locales[id]], act: () => this.become(id) }));
    const beside = peopleShown().length < 4 && innerWidth >= 360 ? [{ label: "Show somebody beside …", act: () => this.besideMenu(anchor, others) }] : [];
    const alone = peopleShown().length > 1 ? [{ label: `Show ${hello.names[hello.me]} alone`, act: () => showPeople([this.key]) }] : [];
    const language = { label: `Language: ${LANGUAGES[this.locale] ?? this.locale} …`, act: () => this.languageMenu(anchor) };
    contextMenu(anchor, "Who you are", [language, ...alone, ...beside, ...become]);
  }

  besideMenu(anchor, others) {
    contextMenu(anchor, "Show beside", others.map((id) => ({ label: this.hello.names[id], description: this.callOf(id), act: () => this.become(id, true) })));
  }

  languageMenu(anchor) {
    const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, default: value === this.locale }));
    const choose = async ([locale]) => {
      await this.act({ do: "speak", locale });
      const name = this.hello.names[this.hello.me];
      this.tell(`${name}’s Discord is in ${LANGUAGES[locale]} now. Digsite’s next answers to ${name} are, too.`, "said");
    };
    new Menu(anchor, { options, label: "Language", choose });
  }

  personMenu(anchor, id, point) {
    const entries = (this.entries?.USER ?? []).map((each) => ({ label: each.shown, act: () => this.use({ do: "use", on: "person", name: each.path, target: id }) }));
    const key = this.hello.keys[id];
    if (key && !peopleShown().includes(key)) {
      entries.unshift({ label: `Be ${this.hello.names[id]}`, description: this.callOf(id), act: () => this.become(id) });
      if (peopleShown().length < 4) entries.push({ label: `Show ${this.hello.names[id]} beside`, act: () => this.become(id, true) });
    }
    contextMenu(anchor, this.hello.names[id] ?? "Person", entries, point);
  }

  messageMenu(anchor, data, point) {
    const entries = (this.entries?.MESSAGE ?? []).map((each) => ({ label: each.shown, act: () => this.use({ do: "use", on: "message", name: each.path, target: data.id }) }));
    entries.push({ label: "Inspect", description: "The message’s JSON and the requests since your last press (key: i)", act: () => this.inspect(data.id) });
    if (data.private) entries.push({ label: "Dismiss message", act: () => this.act({ do: "dismiss", message: data.id }) });
    contextMenu(anchor, "Message", entries, point);
  }

  async inspect(id) {
    try {
      const { message, requests } = await this.act({ do: "inspect", message: id });
      const part = (title, value) => h("details", { open: true }, h("summary", {}, title), h("pre", { tabIndex: 0 }, JSON.stringify(value, null, 2)));
      dialog("Inspect", { class: "inspect" }, part("The message", message), ...requests.map((each) => part(`${each.method} ${each.path}`, each.json)));
    } catch (error) {
      this.tell(error.message);
    }
  }

  // -- the beginning

  drawWelcome(done = () => {}) {
    const { games, product } = this.hello;
    const { kind } = this.placeNow() ?? {};
    const begin = async (asked, button) => {
      button.disabled = true;
      button.classList.add("waits");
      this.eager = true;
      const answer = await this.use(asked);
      button.disabled = false;
      button.classList.remove("waits");
      if (!answer) return;
      done();
      this.scrollToEnd();
      if (answer.partner) {
        send(answer.partner, this.placeId);
        showPeople([...peopleShown(), answer.partner]);
      }
    };
    const card = (game) => h(
      "li", { class: "game" },
      h("img", { src: `games/${game.key}.png`, alt: "", width: 600, height: 200 }),
      h("h3", {}, game.title), h("p", { class: "small" }, game.summary),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button success", "aria-label": `Play ${game.title}`, onclick: (event) => begin({ do: "begin", game: game.key, together: false }, event.currentTarget) }, "Play"),
        h("button", { type: "button", class: "button secondary", "aria-label": `Play ${game.title} as two people`, onclick: (event) => begin({ do: "begin", game: game.key, together: true }, event.currentTarget) }, "Two People"),
        game.taught && h("button", { type: "button", class: "button secondary", "aria-label": `Learn ${game.title}`, onclick: (event) => begin({ do: "slash", path: `${game.key} learn`, options: {} }, event.currentTarget) }, "Learn")),
    );
    const about = kind === "dm" ? [
      `These are your direct messages with ${product}. It answers to commands: type / to see them. `, h("strong", {}, "Play"), " begins a match for you alone, right here.",
    ] : ["Board games with hidden hands, on a Discord that runs on your machine. ", h("strong", {}, "Play"), " seats you with computer players, and the match begins at once."];
    const two = [h("strong", {}, " Two People"), kind === "dm" ? " begins one on the server, shown side by side." : " also seats a friend, shown beside you."];
    return h("div", {}, h("h2", {}, product), h("p", {}, about, two), h("ul", { class: "games" }, games.map(card)));
  }

  showBegin() {
    this.toggleDrawer(false);
    const shown = dialog("Play or Learn", { class: "begin" }, this.drawWelcome(() => shown.close()));
  }

  // -- news

  notify({ place, message, text }) {
    const go = () => {
      toast.remove();
      this.goTo(place, message);
    };
    const toast = h("button", { type: "button", class: "toast", onclick: go }, h("strong", {}, this.placeName(place)), block(text.slice(0, 300), this));
    this.show(toast, 8000);
    announce(toast.textContent);
  }

  /** Says something about what was done. */
  note(text) {
    const toast = h("div", { class: "toast" }, block(text, this));
    this.show(toast, 8000);
    announce(toast.textContent);
  }

  /** Tells something in a sentence: a refusal, or (kind "said") what was done. */
  tell(text, kind = "failed") {
    this.show(h("p", { class: `toast ${kind}`, role: kind === "failed" ? "alert" : "status" }, text), 6000);
  }

  /** Shows a toast in the place of the one before. */
  show(toast, time) {
    this.toasts.replaceChildren(toast);
    setTimeout(() => toast.remove(), time);
  }
}
