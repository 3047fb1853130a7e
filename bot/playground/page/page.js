// The window: one person's view, or several side by side, each in a frame of its own.
import { peopleHere } from "./address.js";
import { h } from "./dom.js";
import { View } from "./view.js";

const app = document.getElementById("app");
let view = null;

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
  const title = (person) => `${person[0].toUpperCase()}${person.slice(1)}’s view`;
  const frames = new Map([...app.querySelectorAll("iframe")].map((frame) => [frame.dataset.person, frame]));
  for (const child of [...app.children]) if (!people.includes(child.dataset.person)) child.remove();
  if (!app.querySelector("h1")) app.append(h("h1", { class: "unseen" }, "Digsite"));
  for (const person of people) {
    app.append(frames.get(person) ?? h("iframe", { src: `index.html#people=${person}`, title: title(person), "data-person": person }));
  }
}

addEventListener("hashchange", show);
show();
