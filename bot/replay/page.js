
"use strict";
(() => {
  const match = JSON.parse(document.getElementById("match").textContent);
  const by = (id) => document.getElementById(id);
  const PACE = [3200, 1600, 700]; // milliseconds a move, by speed
  const ALL = 0, SPECTATOR = 1, FIRST_SEAT = 2; // the views, in the order of the menu and of `lines`
  const last = match.steps.length - 1;
  let at = 0, view = ALL, timer = null;

  // -- drawing

  const make = (name, inside = "", more = {}) => {
    const made = document.createElement(name);
    made.innerHTML = inside; // texts and pictures are made by the program, which escapes what a record brings
    return Object.assign(made, more);
  };

  const drawn = (number, described = true) => {
    const [width, height, alt, elements] = match.pictures[number];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    if (described) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", match.texts[alt]);
    } else svg.setAttribute("aria-hidden", "true");
    svg.innerHTML = elements.map((element) => match.elements[element]).join("");
    return svg;
  };

  const shown = (picture, words) =>
    picture < 0 ? make("div", match.texts[words], { className: "words-only" }) : drawn(picture);

  const own = (step, seat) => {
    const mine = match.turns[step.turn].owner === seat;
    const card = make("section", "", { className: mine ? "own turn" : "own" });
    const heading = make("h3");
    heading.append(drawn(match.tokens[seat], false), match.names[seat]);
    card.append(heading, shown(step.own[seat], step.hands[seat]));
    return card;
  };

  const openSeats = () =>
    view === SPECTATOR ? [] : view === ALL ? match.names.map((_, seat) => seat) : [view - FIRST_SEAT];

  const happened = (step) => step.lines[view].map((line) => `<p>${match.texts[line]}</p>`).join("");

  const place = (step) =>
    match.say.at.replace("{move}", at).replace("{moves}", last).replace("{turn}", match.turns[step.turn].title);

  const draw = () => {
    const step = match.steps[at];
    by("table").replaceChildren(shown(step.table, step.board));
    by("at").textContent = place(step);
    by("happened").innerHTML = happened(step);
    by("asks").innerHTML = match.texts[step.asks];
    by("end").hidden = at < last || !by("end").firstChild;
    by("hands").replaceChildren(...openSeats().map((seat) => own(step, seat)));
    by("board").innerHTML = match.texts[step.board];
    by("words").hidden = step.table < 0;
    by("slider").value = at;
    by("slider").setAttribute("aria-valuetext", place(step));
    by("chapter").value = step.turn;
    for (const id of ["first", "back"]) by(id).disabled = at === 0;
    for (const id of ["next", "last"]) by(id).disabled = at === last;
    mark();
  };

  // -- the log

  const write = () => {
    const log = [];
    match.steps.forEach((step, number) => {
      if (number === match.turns[step.turn].first) {
        const heading = make("h3", "", { textContent: match.turns[step.turn].title });
        heading.dataset.move = number;
        log.push(heading, make("ol"));
      }
      if (!step.lines[view].length) return;
      const line = make("li", happened(step));
      line.dataset.move = number;
      log[log.length - 1].append(line);
    });
    by("lines").replaceChildren(...log);
  };

  const mark = () => {
    let current = null;
    for (const line of by("lines").querySelectorAll("[data-move]")) {
      const move = Number(line.dataset.move);
      line.hidden = move > at; // what is still to come is not told
      line.removeAttribute("aria-current");
      if (move <= at && line.localName === "li") current = line;
    }
    const box = by("lines");
    if (current) {
      current.setAttribute("aria-current", "step");
      const down = current.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
      const up = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
      if (down > 0) box.scrollTop += down + 8;
      else if (up < 0) box.scrollTop += up - 8;
    } else box.scrollTop = 0;
  };

  // -- moving

  const go = (move) => {
    at = Math.min(Math.max(move, 0), last);
    if (at === last) still();
    draw();
  };

  const turn = (by_) => {
    const now = match.steps[at].turn;
    const begun = match.turns[now].first;
    if (by_ < 0) go(at > begun || !now ? begun : match.turns[now - 1].first);
    else go(now + 1 < match.turns.length ? match.turns[now + 1].first : last);
  };

  const still = () => {
    clearInterval(timer);
    timer = null;
    say();
  };

  const play = () => {
    if (timer) return still();
    if (at === last) go(0);
    timer = setInterval(() => go(at + 1), PACE[by("speed").value]);
    say();
  };

  const say = () => {
    const label = timer ? match.say.pause : match.say.play;
    by("play").classList.toggle("playing", Boolean(timer));
    by("play").setAttribute("aria-label", label);
    by("play").title = label;
    by("happened").setAttribute("aria-live", timer ? "off" : "polite"); // nobody can listen that fast
  };

  // -- what people do

  const KEYS = {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), PageUp: () => turn(-1), PageDown: () => turn(1),
    Home: () => go(0), End: () => go(last), " ": play,
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const on = event.target.localName;
    if (on === "select" || (on === "input" && event.key !== " ")) return;
    if (event.key === " " && (on === "button" || on === "summary")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  by("first").addEventListener("click", () => go(0));
  by("back").addEventListener("click", () => go(at - 1));
  by("next").addEventListener("click", () => go(at + 1));
  by("last").addEventListener("click", () => go(last));
  by("play").addEventListener("click", play);
  by("slider").addEventListener("input", () => { still(); go(Number(by("slider").value)); });
  by("chapter").addEventListener("change", () => go(match.turns[by("chapter").value].first));
  by("speed").addEventListener("change", () => { if (timer) { still(); play(); } });
  by("view").addEventListener("change", () => {
    view = Number(by("view").value);
    write();
    draw();
  });
  by("lines").addEventListener("click", (event) => {
    const line = event.target.closest("[data-move]");
    if (line) go(Number(line.dataset.move));
  });

  if (match.podium >= 0) by("end").prepend(drawn(match.podium));
  write();
  draw();
})();
