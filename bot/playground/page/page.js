// The window: one person's view, or several side by side, each in a frame of its own.
import { peopleHere } from "./address.js";
import { h } from "./dom.js";
import { View } from "./view.js";

const app = document.getElementById("app");
let view = null;
/** Marks the tabs of the people who are seen, where the window has room for one. */
const sight = new IntersectionObserver((entries) => {
  for (const { target, intersectionRatio } of entries) {
    document.querySelector(`.people [data-person="${target.dataset.person}"]`)?.setAttribute("aria-current", String(intersectionRatio >= 0.6));
  }
}, { threshold: 0.6 });

function show() {
  const people = peopleHere();
  if (people.length === 1 && view?.key === people[0]) return;
  view?.close();
  view = null;
  app.classList.toggle("several", people.length > 1);
  if (people.length === 1) {
    app.replaceChildren();
    view = new View(app, people[0]);
    return;
  }
  if (!app.querySelector(".frames")) app.replaceChildren(h("h1", { class: "unseen" }, "Digsite"), h("nav", { class: "people", "aria-label": "People" }), h("div", { class: "frames" }));
  const [tabs, row] = app.querySelectorAll(".people, .frames");
  const name = (person) => `${person[0].toUpperCase()}${person.slice(1)}`;
  const frames = new Map([...row.children].map((frame) => [frame.dataset.person, frame]));
  for (const [person, frame] of frames) if (!people.includes(person)) frame.remove();
  people.forEach((person, place) => { // a frame that is moved would load anew
    const frame = frames.get(person) ?? h("iframe", { src: `index.html#people=${person}`, title: `${name(person)}’s view`, "data-person": person });
    if (frame !== row.children[place]) row.insertBefore(frame, row.children[place] ?? null);
  });
  const look = ({ currentTarget }) => row.querySelector(`[data-person="${currentTarget.dataset.person}"]`).scrollIntoView({ inline: "start" });
  tabs.replaceChildren(...people.map((person) => h("button", { type: "button", class: "button secondary", "data-person": person, onclick: look }, name(person))));
  sight.disconnect();
  for (const frame of row.children) sight.observe(frame);
}

addEventListener("hashchange", show);
show();
