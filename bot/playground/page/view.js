// One person's view: the connection, the messages of the place that is open, and the news.
import { keepPlace, keptPlace, takeMessage } from "./address.js";
import { Composer, translated } from "./composer.js";
import { announce, dialog, h, keepFocus } from "./dom.js";
import { block, renewTimes } from "./markdown.js";
import { closeMenu, contextMenu } from "./menu.js";
import { drawMessage, isPrivate, replaceMessage, showForm } from "./message.js";
import { Places } from "./places.js";
import { drawWelcome } from "./welcome.js";

const JOINED_SECONDS = 420;
const TOAST_SECONDS = 7;

const elementOf = (id) => document.getElementById(`m-${id}`);

export class View {
  constructor(root, key) {
    this.key = key;
    this.messages = new Map();
    this.order = [];
    this.calls = {};
    this.commands = [];
    this.waiting = new Map();
    this.pressed = new Set();
    this.requests = 0;
    this.places = new Places(this);
    this.composer = new Composer(this);
    this.build(root);
    this.listen();
    this.connect();
    this.clock = setInterval(() => renewTimes(this.locale), 5000);
  }

  build(root) {
    const { opener, title, who, sidebar, shade, hint } = this.places;
    this.list = h("div", { class: "list" });
    this.more = h("button", { type: "button", class: "button secondary earlier", hidden: true, onclick: () => this.showEarlier() }, "Earlier Messages");
    this.welcome = h("section", { class: "welcome", "aria-label": "Begin" });
    this.timeline = h("div", { class: "timeline", tabIndex: 0, role: "log", "aria-label": "Messages", "aria-live": "off", onscroll: () => this.scrolled(), onwheel: () => this.letGo(), ontouchmove: () => this.letGo() }, this.welcome, this.more, this.list);
    this.present = h("button", { type: "button", class: "present", hidden: true, onclick: () => this.scrollToEnd() }, "Jump to Present ↓");
    this.toasts = h("div", { class: "toasts", role: "region", "aria-label": "Notifications" });
    this.lost = h("p", { class: "lost", role: "alert", hidden: true }, "The playground doesn’t answer. Is it still running? This page connects again by itself.");
    const head = h("header", { class: "top" }, opener, title, who);
    const channel = h("div", { class: "main" }, head, this.lost, this.toasts, this.timeline, this.present, hint, this.composer.element);
    this.element = h("div", { class: "view" }, sidebar, shade, channel);
    root.replaceChildren(this.element);
    const follow = new ResizeObserver(() => {
      this.measured = this.size;
      if (this.atEnd) this.scrollToEnd();
    });
    for (const part of [this.list, this.welcome, this.timeline]) follow.observe(part);
  }

  listen() {
    // A press that begins on a button is a press of this button, though a message that comes moves it meanwhile.
    this.element.addEventListener("pointerdown", ({ target, pointerId }) => target.closest("button")?.setPointerCapture(pointerId));
    this.element.addEventListener("contextmenu", (event) => {
      const person = event.target.closest("[data-id] .author, [data-id] > .portrait, [data-person]");
      const message = event.target.closest(".message[data-id]");
      if (!(person || message) || event.target.closest("a, img")) return;
      event.preventDefault();
      const data = message && this.messages.get(message.dataset.id);
      const point = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : null;
      if (person) this.places.personMenu(person, data?.author.id ?? person.dataset.id, point);
      else this.messageMenu(message.querySelector(".more") ?? message, data, point);
    });
    this.onkey = (event) => {
      const typing = event.target.closest?.("input, textarea, dialog, .menu");
      if (event.repeat && event.key === "Enter") event.preventDefault(); // a key that is held presses one button, not what comes next
      if (event.key === "Escape") this.places.toggle(false);
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
    const url = new URL(`live?person=${this.key}&place=${keptPlace(this.key)}`, location.href);
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
    if (data.hello) return this.takeHello(data.hello);
    if (data.re) return this.takeAnswer(data);
    const { socket } = this;
    requestAnimationFrame(() => socket.readyState === WebSocket.OPEN && socket.send('{"do":"drawn"}'));
    return this.takeChange(data);
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

  /** Does something, and shows the sentence of its failure. Returns what it returns; null if it fails. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.tell(error.message);
      return null;
    }
  }

  /** Sends a press, a choice or a command, and shows that it is under way. Returns its answer; null if it is refused. */
  async use(asked) {
    const key = `${asked.message} ${asked.custom_id}`;
    if (asked.custom_id && this.pressed.has(key)) return null;
    this.places.toggle(false);
    this.pressed.add(key);
    this.redraw(asked.message);
    this.eager = true;
    const answer = await this.attempt(async () => (await this.act(asked)) ?? {});
    if (answer?.form) showForm(this, answer.form);
    if (answer?.note) this.tell(answer.note, "said");
    this.pressed.delete(key);
    this.redraw(asked.message);
    return answer;
  }

  waits(message, id) {
    return this.pressed.has(`${message} ${id}`);
  }

  takeHello(hello) {
    this.hello = hello;
    this.lost.hidden = true;
    document.title = hello.product;
    this.welcome.replaceChildren(drawWelcome(this));
    this.places.drawMe();
    for (const id of this.messages.keys()) this.redraw(id);
    if (this.place) this.composer.enter();
  }

  /** Takes up the parts of the sight that have changed: `place`, `places`, `calls`, `order`, `earlier`, `messages`. */
  takeChange({ messages = [], places = this.places.list, ...parts }) {
    const moved = Boolean(parts.place) && parts.place !== this.place;
    const redraws = moved || parts.calls || places !== this.places.list;
    this.places.list = places;
    Object.assign(this, parts);
    if (redraws) this.places.draw();
    if (moved) this.enter();
    const fresh = messages.filter((data) => !this.messages.has(data.id));
    for (const data of messages) this.messages.set(data.id, data);
    this.steadily(() => {
      this.drawMessages(new Set(messages.map((data) => data.id)));
      this.places.drawHint();
    });
    if (moved) {
      // A place with nothing but the bot's first words opens at its start.
      this.begins = !this.news && this.order.every((id, index) => !index && !this.messages.get(id).page.answers);
      this.news = false;
      if (this.begins) this.scrollToStart();
      this.look(takeMessage(this.key));
    } else {
      const brought = this.eager && fresh.some((data) => data.author.id === this.hello.bot);
      // Until somebody scrolls there, what comes is followed all the same.
      const follows = this.begins && fresh.length && this.timeline.scrollTop === 0;
      if (brought) this.eager = false;
      if (fresh.length) this.begins = false;
      if (brought || follows) this.scrollToEnd();
      if (brought) this.readFromTop(fresh.at(-1));
      this.say(fresh);
    }
    this.notify(this.calls[this.hello.me]);
  }

  // -- messages

  enter() {
    keepPlace(this.key, this.place);
    this.messages.clear();
    this.list.replaceChildren();
    this.composer.leave();
    this.composer.enter();
    this.welcome.replaceChildren(drawWelcome(this));
    this.atEnd = true;
  }

  drawMessages(changed) {
    const there = new Set(this.order);
    for (const id of [...this.messages.keys()].filter((each) => !there.has(each))) {
      this.messages.delete(id);
      elementOf(id)?.remove();
    }
    let last = null;
    for (const id of this.order) {
      const [data, before] = [this.messages.get(id), elementOf(id)];
      const element = before && !changed.has(id) ? before : drawMessage(this, data);
      if (!before) last ? last.after(element) : this.list.prepend(element);
      else if (element !== before) replaceMessage(before, element);
      element.classList.toggle("joined", Boolean(last) && this.joins(data, this.messages.get(last.dataset.id)));
      last = element;
    }
    this.more.hidden = !this.earlier;
    this.welcome.hidden = this.earlier || this.places.now?.kind === "thread";
  }

  /** Whether a message stands below another one without a head of its own. */
  joins(data, last) {
    const soon = Date.parse(data.timestamp) - Date.parse(last.timestamp) < 1000 * JOINED_SECONDS;
    return soon && data.author.id === last.author.id && !data.page.answers && !data.message_reference && !last.page.opened;
  }

  redraw(id) {
    const element = elementOf(id);
    if (element) this.steadily(() => replaceMessage(element, drawMessage(this, this.messages.get(id))));
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

  say(fresh) {
    const last = fresh.findLast((data) => data.author.id !== this.hello.me);
    if (!last) return;
    const text = elementOf(last.id)?.querySelector(".text")?.textContent ?? "";
    announce(`${this.hello.names[last.author.id]}: ${text.slice(0, 200)}`);
  }

  messageMenu(anchor, data, point) {
    const offered = this.commands.filter((each) => each.type === 3);
    const entries = offered.map((each) => ({ label: translated(each, "name", this.locale), act: () => this.use({ do: "use", on: "message", name: each.name, target: data.id }) }));
    entries.push({ label: "Inspect", description: "The message’s JSON and the requests since your last press (key: i)", act: () => this.inspect(data.id) });
    if (isPrivate(data)) entries.push({ label: "Dismiss message", act: () => this.act({ do: "dismiss", message: data.id }) });
    contextMenu(anchor, "Message", entries, point);
  }

  inspect(id) {
    const part = (title, value) => h("details", { open: true }, h("summary", {}, title), h("pre", { tabIndex: 0 }, JSON.stringify(value, null, 2)));
    return this.attempt(async () => {
      const requests = await this.act({ do: "requests" });
      dialog("Inspect", { class: "inspect" }, part("The message", this.messages.get(id)), requests.map((each) => part(`${each.method} ${each.path}`, each.json)));
    });
  }

  // -- scrolling

  get size() {
    return `${this.timeline.scrollHeight} ${this.timeline.clientHeight}`;
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.timeline;
    const left = scrollHeight - scrollTop - clientHeight;
    // Messages that grow or shrink move the view, too. It only leaves the end if somebody scrolls.
    if (left < 40 || this.size === this.measured) this.atEnd = left < 40;
    this.present.hidden = left < 0.6 * clientHeight;
  }

  /** Somebody scrolls: the answer to their last press does not move the view any more. */
  letGo() {
    this.eager = false;
  }

  scrollToEnd() {
    this.timeline.scrollTop = this.timeline.scrollHeight;
    this.atEnd = true;
    this.present.hidden = true;
  }

  /** Shows a long private message from its top, if no move of a game waits at its end. */
  readFromTop(data) {
    const element = elementOf(data.id);
    if (!isPrivate(data) || element.offsetHeight < this.timeline.clientHeight || element.querySelector('[data-key*=":g."]')) return;
    element.scrollIntoView();
    this.measured = this.size;
    this.scrolled();
  }

  scrollToStart() {
    this.timeline.scrollTop = 0;
    this.measured = this.size;
    this.scrolled();
  }

  showEarlier() {
    this.atEnd = false;
    return this.act({ do: "earlier" });
  }

  /** Opens a place, and scrolls to a message of it. */
  goTo(place, message) {
    this.places.toggle(false);
    this.news = this.places.list.some((each) => each.id === place && (each.unread || each.calls));
    return this.attempt(async () => {
      if (place !== this.place) await this.act({ do: "open", place });
      await this.look(message);
    });
  }

  /** Scrolls to a message of this place. */
  look(message) {
    return message && this.attempt(async () => {
      while (!this.messages.has(message) && this.earlier) await this.act({ do: "earlier" });
      const element = elementOf(message);
      if (!element) throw new Error("This message is gone.");
      this.atEnd = false;
      element.scrollIntoView({ block: element.offsetHeight < this.timeline.clientHeight ? "center" : "start" });
      element.classList.add("found");
      setTimeout(() => element.classList.remove("found"), 2000);
    });
  }

  // -- news

  /** Shows a person's newest call that is new to this window, unless its place is open. */
  notify(call) {
    const known = this.called ?? call?.number ?? 0;
    this.called = Math.max(known, call?.number ?? 0);
    if (this.called === known || call.place === this.place) return;
    const toast = h("button", { type: "button", class: "toast call" }, h("strong", {}, this.places.name(call.place)), block(call.text, this));
    toast.onclick = () => {
      toast.remove();
      this.goTo(call.place, call.message);
    };
    this.show(toast);
    announce(toast.textContent);
  }

  /** Tells something: a refusal, or (kind "said") what was done. */
  tell(text, kind = "failed") {
    this.show(h("div", { class: `toast ${kind}`, role: kind === "failed" ? "alert" : "status" }, block(text, this)));
  }

  /** Shows a toast in the place of the one before. */
  show(toast) {
    this.steadily(() => this.toasts.replaceChildren(toast));
    setTimeout(() => this.steadily(() => toast.remove()), 1000 * TOAST_SECONDS);
  }
}
