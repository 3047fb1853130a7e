// Discord's Markdown, as far as the bot uses it, as elements.
import { h } from "./dom.js";

const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[!-/:-@\[-\x60{-~])`,
    "```(?<block>[^]+?)```",
    "`(?<code>[^`]+)`",
    String.raw`\*\*(?<strong>[^]+?)\*\*(?!\*)`,
    String.raw`__(?<u>[^]+?)__`,
    String.raw`~~(?<s>[^]+?)~~`,
    String.raw`\|\|(?<spoiler>[^]+?)\|\|`,
    String.raw`\*(?<em>[^*\s](?:[^*]*[^*\s])?)\*`,
    String.raw`(?<![\p{L}\p{N}_])_(?<em2>[^_\s](?:[^_]*[^_\s])?)_(?![\p{L}\p{N}_])`,
    String.raw`\[(?<label>[^\]\n]+)\]\(<?(?<href>https?://[^\s)>]+)>?\)`,
    String.raw`<?(?<url>https?://[^\s<>]*[^\s<>.,:;!?)])>?`,
    String.raw`(?<open>\(?)<a?:(?<emoji>\w+):(?<emojiId>\d+)>(?<close>(?:\u00a0[^\s*_<]+|[.,:;!?)])?)`,
    String.raw`<@!?(?<person>\d+)>`,
    String.raw`<@&(?<role>\d+)>`,
    String.raw`<#(?<place>\d+)>`,
    String.raw`</(?<command>[^:>]+):\d+>`,
    String.raw`<t:(?<time>-?\d+)(?::(?<style>[tTdDfFR]))?>`,
  ].join("|"),
  "gu",
);
const LINE = /^(?:(?<heading>#{1,3}) |(?<small>-# )|(?<quote>> )|(?<indent> *)(?<item>[-*]|\d+\.) )/;
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const STYLES = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
};

/** The text of a moment (seconds since 1970) in one of Discord's styles. */
export function timeText(seconds, style, locale) {
  if (style !== "R") return new Intl.DateTimeFormat(locale, STYLES[style] ?? STYLES.f).format(seconds * 1000);
  const left = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(left) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(left / size), unit);
}

/** Renews the relative times on the page. */
export function renewTimes(locale) {
  for (const time of document.querySelectorAll("time[data-style=R]")) {
    const text = timeText(Number(time.dataset.time), "R", locale);
    if (time.textContent !== text) time.textContent = text;
  }
}

/** A picture of an application's emoji. */
export function emoji(name, id, decorates = false) {
  return h("img", { class: "emoji", src: `emoji/${id}`, alt: decorates ? "" : name.replaceAll("_", " "), draggable: false });
}

/** One line of Markdown as nodes. `view` gives names and follows links. */
export function inline(text, view) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(end, found.index), marked(found.groups, view));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

function marked(g, view) {
  if (g.escaped) return g.escaped;
  if (g.block) return h("pre", {}, g.block.replace(/^\w*\n/, ""));
  if (g.code) return h("code", {}, g.code);
  if (g.strong) return h("strong", {}, inline(g.strong, view));
  if (g.em ?? g.em2) return h("em", {}, inline(g.em ?? g.em2, view));
  if (g.u) return h("u", {}, inline(g.u, view));
  if (g.s) return h("s", {}, inline(g.s, view));
  if (g.spoiler) return spoiler(g.spoiler, view);
  if (g.href ?? g.url) return link(g.href ?? g.url, g.label ? inline(g.label, view) : [g.url], view);
  if (g.emoji) return h("span", { class: "whole" }, g.open, emoji(g.emoji, g.emojiId), g.close);
  if (g.person) return mention(`@${view.hello.names[g.person] ?? "unknown"}`, g.person === view.hello.me);
  if (g.role) return mention(`@${view.hello.roles[g.role] ?? "role"}`, false);
  if (g.place) return link(`https://discord.com/channels/${view.hello.guild}/${g.place}`, [view.places.name(g.place)], view);
  if (g.command) {
    const write = () => view.composer.write(`/${g.command} `);
    return h("button", { type: "button", class: "mention", onclick: write }, `/${g.command}`);
  }
  const style = g.style ?? "f";
  const props = { "data-time": g.time, "data-style": style, title: timeText(Number(g.time), "F", view.locale) };
  return h("time", props, timeText(Number(g.time), style, view.locale));
}

const mention = (name, mine) => h("span", { class: mine ? "mention mine" : "mention" }, name);

function spoiler(text, view) {
  const show = (event) => event.currentTarget.classList.add("shown");
  return h("button", { type: "button", class: "spoiler", "aria-label": "Spoiler", onclick: show }, inline(text, view));
}

/** A link. One to a message or a place leads there on the page; the page says what any other one to Discord does. */
export function link(href, label, view, className = "link") {
  const inside = href.match(/^https:\/\/discord\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?/);
  if (!inside && href.startsWith("https://discord.com/")) {
    const about = href.includes("/oauth2/") ? "On Discord, this invites the bot to another server. Here it is on all of them." : "On Discord, this opens a page that the playground doesn’t have.";
    return h("button", { type: "button", class: className, onclick: () => view.tell(about, "said") }, label);
  }
  if (!inside) return h("a", { class: className, href, target: "_blank", rel: "noreferrer" }, label);
  const follow = (event) => {
    event.preventDefault();
    view.goTo(inside[1], inside[2]);
  };
  return h("a", { class: className, href: `#${inside.slice(1).filter(Boolean).join("/")}`, onclick: follow }, label);
}

/** A text of several lines as elements. */
export function block(text, view) {
  const made = h("div", { class: "text" });
  let list = null;
  for (const line of splitLines(text)) {
    const found = line.match(LINE);
    const { heading, small, quote, item, indent } = found?.groups ?? {};
    const rest = found ? line.slice(found[0].length) : line;
    if (item) {
      list ??= made.appendChild(h(/\d/.test(item) ? "ol" : "ul", { start: Number.parseInt(item, 10) || 1 }));
      list.append(h("li", { class: indent ? "deep" : "" }, inline(rest, view)));
      continue;
    }
    list = null;
    if (heading) made.append(h("div", { class: `h${heading.length}`, role: "heading", "aria-level": heading.length + 2 }, inline(rest, view)));
    else if (small) made.append(h("div", { class: "small" }, inline(rest, view)));
    else if (quote) made.append(h("blockquote", {}, inline(rest, view)));
    else made.append(h("div", { class: line ? "line" : "gap" }, inline(line, view)));
  }
  return made;
}

/** The lines of a text. A block of code is one line. */
function splitLines(text) {
  return text.split(/(```[^]+?```)/).flatMap((part, index) => (index % 2 ? [part] : part.replace(/^\n|\n$/g, "").split("\n")))
    .filter((line, index, all) => line || (index && index < all.length - 1));
}
