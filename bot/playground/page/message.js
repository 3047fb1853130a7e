// A message and its components as elements.
import { dialog, h, portrait, uniqueId } from "./dom.js";
import { block, emoji, inline, link, timeText } from "./markdown.js";
import { closeMenu, Menu, openMenu } from "./menu.js";

const STYLES = ["", "primary", "secondary", "success", "danger"];
const MENUS = { 3: "options", 5: "people", 6: "roles", 7: "everybody", 8: "places" };
const [PRIVATE, THINKING] = [1 << 6, 1 << 7];

export const isPrivate = (data) => Boolean(data.flags & PRIVATE);
const textsOf = (parts) => parts.flatMap((part) => [part.content || [], textsOf(part.components ?? [])].flat());

/** A message, from Discord's JSON. `view` sends presses and knows names, places and what is under way. */
export function drawMessage(view, data) {
  const { hello, locale } = view;
  const { page, author: { id: author } } = data;
  const at = Date.parse(data.timestamp) / 1000;
  const name = hello.names[author] ?? "Somebody";
  const about = `${name}, ${timeText(at, "t", locale)}`;
  if (page.opened) return drawOpened(view, data, name);
  const thinks = Boolean(data.flags & THINKING);
  const inComponents = JSON.stringify(data.components);
  const head = h(
    "header", {},
    h("button", { type: "button", class: "author", onclick: (event) => view.places.personMenu(event.currentTarget, author) }, name),
    author === hello.bot && h("span", { class: "badge" }, "APP"), h("span", { class: "at", title: timeText(at, "F", locale) }, when(at, locale)),
    data.edited_timestamp && !thinks && h("span", { class: "at" }, "(edited)"),
  );
  const body = h(
    "div", { class: "body" }, head,
    data.content && block(data.content, view),
    thinks && !page.failed && h("p", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), `${name} is thinking …`),
    page.failed && h("p", { class: "failed" }, page.failed),
    data.components.map((part) => draw(part, view, data)),
    data.attachments.filter(({ url }) => !inComponents.includes(url)).map((file) => drawFile(fileOf(file, view, data))),
    page.thread && h("button", { type: "button", class: "to-thread", onclick: () => view.goTo(page.thread.id) }, "🧵 ", h("strong", {}, page.thread.name), page.thread.archived ? " · archived" : " · open the thread ›"),
    isPrivate(data) && h("p", { class: "small private" }, "👁 Only you can see this · ",
      h("button", { type: "button", class: "link", onclick: () => view.act({ do: "dismiss", message: data.id }) }, "Dismiss message")),
  );
  const more = h("button", {
    type: "button", class: "icon more", "aria-label": `Menu of the message by ${about}`, "aria-haspopup": "menu",
    onclick: (event) => view.messageMenu(event.currentTarget, data),
  }, "⋯");
  return h(
    "article", { class: `message${page.pings.includes(hello.me) ? " called" : ""}${isPrivate(data) ? " mine" : ""}`, id: `m-${data.id}`, "data-id": data.id, "aria-label": about },
    page.answers && drawUsed(view, data.interaction_metadata), data.message_reference && drawReply(view, data), portrait(hello, author), body, more,
  );
}

/** The time of a message of today, the date of an older one. */
function when(at, locale) {
  const today = new Date().toDateString() === new Date(at * 1000).toDateString();
  return timeText(at, today ? "t" : "f", locale);
}

function drawOpened(view, data, name) {
  const words = h("p", {}, "🧵 ", h("strong", {}, name), " started a thread: ",
    h("button", { type: "button", class: "link", onclick: () => view.goTo(data.page.opened) }, data.content));
  return h("article", { class: "message notice", id: `m-${data.id}`, "data-id": data.id }, words);
}

function drawUsed(view, { user, name, command_type: kind }) {
  return h("p", { class: "reply" }, h("strong", {}, view.hello.names[user.id] ?? "Somebody"), " used ", h("span", { class: "command" }, kind === 1 ? `/${name}` : name));
}

function drawReply(view, { message_reference: { channel_id: place, message_id: id }, referenced_message: target }) {
  const [text = ""] = target ? textsOf([target]) : ["that was deleted"];
  return h("button", { type: "button", class: "reply", onclick: () => view.goTo(place, id) }, "↱ ", h("strong", {}, view.hello.names[target?.author.id] ?? "A message"), " ",
    inline(text.split("\n")[0].replace(/^#+ /, "").slice(0, 120), view));
}

/** A file with the address at which the page finds it and, of a picture, its size. */
const fileOf = ({ url }, view, data) => ({ ...data.attachments.find((each) => each.url === url), url: url.replace(view.hello.cdn, "") });

function draw(part, view, data) {
  switch (part.type) {
    case 1: return h("div", { class: "row" }, part.components.map((each) => draw(each, view, data)));
    case 2: return drawButton(part, view, data);
    case 3: case 5: case 6: case 7: case 8: return drawSelect(part, view, data);
    case 9: return h("div", { class: "section" }, h("div", {}, part.components.map((each) => draw(each, view, data))), draw(part.accessory, view, data));
    case 10: return block(part.content, view);
    case 11: return picture(fileOf(part.media, view, data), part.description, part.spoiler, "thumbnail");
    case 12: return h("div", { class: `gallery of-${Math.min(part.items.length, 5)}` }, part.items.map((item) => picture(fileOf(item.media, view, data), item.description, item.spoiler)));
    case 13: return drawFile(fileOf(part.file, view, data));
    case 14: return h("hr", { class: `${part.divider === false ? "empty " : ""}${part.spacing === 2 ? "wide" : ""}` });
    case 17: {
      const colour = part.accent_color;
      const style = colour || colour === 0 ? { borderLeftColor: `#${colour.toString(16).padStart(6, "0")}` } : {};
      return h("div", { class: `container${part.spoiler ? " spoiler" : ""}`, style }, part.components.map((each) => draw(each, view, data)));
    }
    default: return h("p", { class: "small" }, `(A component of kind ${part.type}, which the playground does not draw.)`);
  }
}

function sign(part) {
  if (!part.emoji) return null;
  return part.emoji.id ? emoji(part.emoji.name, part.emoji.id, Boolean(part.label)) : h("span", { class: "glyph", "aria-hidden": "true" }, part.emoji.name);
}

function drawButton(part, view, data) {
  const words = part.label && h("span", { class: "label" }, part.label);
  if (part.url) return link(part.url, [sign(part), words, h("span", { "aria-hidden": "true" }, " ↗")], view, "button secondary");
  const waits = view.waits(data.id, part.custom_id);
  return h("button", {
    type: "button", class: `button ${STYLES[part.style] ?? "secondary"}${waits ? " waits" : ""}`, "data-key": part.custom_id, disabled: part.disabled,
    "aria-label": part.label ? undefined : part.emoji?.name, "aria-busy": waits,
    onclick: () => view.use({ do: "press", message: data.id, custom_id: part.custom_id }),
  }, sign(part), words);
}

/** What can be chosen in a menu: its options, or people, roles or places. */
function optionsOf(part, view) {
  const chosen = new Set((part.default_values ?? []).map((each) => each.id));
  return part.type === 3 ? part.options : view.places.choices(MENUS[part.type]).map((each) => ({ ...each, default: chosen.has(each.value) }));
}

const bounds = (part) => ({ min: part.min_values ?? 1, max: part.max_values ?? 1 });

/** A menu's button. `take(values)` gets the choice; the button shows `chosen`. */
function selectButton(part, options, chosen, props, take) {
  const label = part.placeholder ?? "Make a selection";
  const shown = chosen.length ? chosen.map((each) => h("span", { class: "chosen" }, sign(each), each.label)) : h("span", { class: "placeholder" }, label);
  return h("button", {
    type: "button", class: "select", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-label": label, disabled: part.disabled,
    onclick: ({ currentTarget }) => new Menu(currentTarget, { options, label, ...bounds(part), key: currentTarget.dataset.key, choose: take }), ...props,
  }, h("span", { class: "words" }, shown), h("span", { class: "chevron", "aria-hidden": "true" }));
}

function drawSelect(part, view, data) {
  const options = optionsOf(part, view);
  const waits = view.waits(data.id, part.custom_id);
  const take = (values) => view.use({ do: "choose", message: data.id, custom_id: part.custom_id, values });
  const made = selectButton(part, options, options.filter((each) => each.default), { "data-key": part.custom_id, "aria-busy": waits }, take);
  if (waits) made.classList.add("waits");
  made.renewOpenMenu = () => openMenu().renew(made, options);
  return made;
}

/** A picture with its room kept free, which opens large. */
export function picture(media, description, spoiler, className = "") {
  const image = h("img", { src: media.url, alt: description ?? "", width: media.width, height: media.height, "data-picture": true });
  const large = () => dialog("Picture", { class: "large" }, h("img", { src: media.url, alt: description ?? "", onclick: (event) => event.target.classList.toggle("near") }), h("p", { class: "small", "aria-hidden": "true" }, description),
    h("a", { class: "link", href: media.url, target: "_blank" }, "Open the picture alone"));
  const props = { type: "button", class: `picture ${className}${spoiler ? " spoiler" : ""}`, "aria-label": `Enlarge: ${description || "picture"}` };
  return h("button", { ...props, onclick: large }, image);
}

function drawFile(file) {
  const name = file.filename ?? file.url.split("/").pop();
  if (file.width) return h("div", { class: "gallery of-1" }, picture(file, name));
  const size = file.size ? ` · ${Math.max(1, Math.round(file.size / 1024))} KB` : "";
  return h("a", { class: "file", href: file.url, download: name }, "📄 ", h("span", { class: "link" }, name), h("span", { class: "small" }, size));
}

/** Puts a message in the place of its older form: pictures are kept, and an open menu stays. */
export function replaceMessage(before, after) {
  const old = [...before.querySelectorAll("img[data-picture]")];
  for (const [index, image] of [...after.querySelectorAll("img[data-picture]")].entries()) {
    const same = old.find((each) => (each.next ?? each).src === image.src);
    if (same) image.replaceWith(same);
    else if (old[index]?.complete && old[index].width === image.width) showWhenLoaded(image, old[index]);
  }
  after.classList.toggle("joined", before.classList.contains("joined"));
  before.replaceWith(after);
  const menu = openMenu();
  if (menu?.key && before.contains(menu.anchor)) {
    const anchor = [...after.querySelectorAll("[data-key]")].find((each) => each.dataset.key === menu.key);
    if (anchor?.renewOpenMenu && !anchor.disabled) anchor.renewOpenMenu();
    else closeMenu();
  }
}

/** Shows the older picture until the newer one is there, so that a board does not flicker. */
function showWhenLoaded(newer, older) {
  older.next = newer;
  newer.replaceWith(older);
  newer.decode().catch(() => {}).finally(() => older.next === newer && older.replaceWith(newer));
}

/** The form that the bot has answered with. */
export function showForm(view, form) {
  const fields = new Map();
  const failed = h("p", { class: "failed", role: "alert" });
  const send = h("button", { type: "submit", class: "button primary" }, "Submit");
  const body = h("form", { class: "form", onsubmit: submit }, form.components.map((part) => drawField(part, view, fields)), failed,
    h("footer", {}, h("button", { type: "button", class: "button secondary", onclick: () => shown.close() }, "Cancel"), send));
  const shown = dialog(form.title, { class: "modal" }, body);
  (body.querySelector("input, textarea, .select") ?? send).focus();

  async function submit(event) {
    event.preventDefault();
    const short = [...fields.values()].find((field) => field.lacking?.());
    failed.textContent = short ? `Choose something for “${short.label}”.` : "";
    if (short) return;
    send.disabled = true;
    try {
      await view.act({ do: "submit", key: form.key, values: Object.fromEntries([...fields].map(([id, field]) => [id, field.value()])) });
      shown.close();
    } catch (error) {
      failed.textContent = error.message;
      send.disabled = false;
    }
  }
}

function drawField(part, view, fields, label = null, description = null) {
  if (part.type === 18) return drawField(part.component, view, fields, part.label, part.description);
  if (part.type === 10) return block(part.content, view);
  const id = uniqueId("field");
  const hint = description && h("span", { class: "small", id: `${id}-hint` }, description);
  const title = [label, part.required !== false && h("span", { class: "needed", "aria-hidden": "true" }, " *")];
  if (part.type === 4) {
    const props = { id, value: part.value ?? "", placeholder: part.placeholder ?? "", required: part.required !== false, maxLength: part.max_length ?? 4000, "aria-describedby": hint?.id };
    if (part.min_length) props.minLength = part.min_length;
    const input = part.style === 2 ? h("textarea", { rows: 4, ...props }) : h("input", { type: "text", ...props });
    input.dataset.customId = part.custom_id;
    fields.set(part.custom_id, { label, value: () => input.value });
    return h("div", { class: "field" }, h("label", { htmlFor: id }, title), hint, input);
  }
  if (part.type in MENUS) {
    const options = optionsOf(part, view);
    let chosen = options.filter((each) => each.default);
    const lacking = () => part.required !== false && chosen.length < Math.max(1, bounds(part).min);
    fields.set(part.custom_id, { label, lacking, value: () => chosen.map((each) => each.value) });
    const make = () => selectButton(part, options.map((each) => ({ ...each, default: chosen.includes(each) || chosen.some((one) => one.value === each.value) })), chosen,
      { "aria-label": label ?? part.placeholder, "data-custom-id": part.custom_id }, take);
    const take = (values) => {
      chosen = options.filter((each) => values.includes(each.value));
      const next = make();
      button.replaceWith(next);
      (button = next).focus();
    };
    let button = make();
    return h("div", { class: "field" }, h("span", { class: "title" }, title), hint, button);
  }
  const several = part.type === 22;
  const inputs = part.options.map((each) => h("input", { type: several ? "checkbox" : "radio", name: part.custom_id, value: each.value, checked: each.default ?? false }));
  const ticked = () => inputs.filter((input) => input.checked).map((input) => input.value);
  fields.set(part.custom_id, { label, value: () => (several ? ticked() : ticked()[0] ?? null), lacking: () => part.required !== false && !ticked().length });
  const lines = part.options.map((each, index) => h("label", { class: "choice" }, inputs[index], h("span", {}, each.label, each.description && h("span", { class: "small" }, each.description))));
  return h("fieldset", { class: "field", "data-custom-id": part.custom_id }, h("legend", {}, title), hint, lines);
}
