// Who is shown, which stands in the address: `#people=ana,ben`. A frame of one person reads the address of its window.
const MOST = 4;
const shell = window.parent === window ? window : window.parent;

const read = (from) => (new URLSearchParams(from.location.hash.slice(1)).get("people") ?? "").split(",").filter(Boolean).slice(0, MOST);

/** The people of this window or frame. */
export function peopleHere() {
  const people = read(window);
  return people.length ? people : ["ana"];
}

/** The people of the whole window. */
export function peopleShown() {
  const people = read(shell);
  return people.length ? people : ["ana"];
}

/** Shows these people from now on. */
export function showPeople(people) {
  shell.location.hash = `people=${[...new Set(people)].slice(0, MOST).join(",")}`;
}

/** Shows another person in the place of one. */
export const exchange = (before, after) => showPeople(peopleShown().map((each) => (each === before ? after : each)));

/** Where a person is to be when they are shown next, and the message to look at there. */
export function send(person, place, message = "") {
  keepPlace(person, place);
  sessionStorage.setItem(`message-${person}`, message);
}

export function takeMessage(person) {
  const message = sessionStorage.getItem(`message-${person}`);
  sessionStorage.removeItem(`message-${person}`);
  return message;
}

/** The place that a person had open in this tab, which survives a reload. */
export const keptPlace = (person) => sessionStorage.getItem(`place-${person}`) ?? "";
export const keepPlace = (person, place) => sessionStorage.setItem(`place-${person}`, place);
