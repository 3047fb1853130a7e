// The beginning: what the bot is, and a card for each game with one press to a match or a lesson.
import { peopleShown, send, showPeople } from "./address.js";
import { dialog, h } from "./dom.js";

/** The words above the messages of a place. `done` is called once a match or a lesson has begun. */
export function drawWelcome(view, done = () => {}) {
  const { games, product } = view.hello;
  const strong = (text) => h("strong", {}, text);
  const about = view.places.now?.kind === "dm"
    ? [`These are your direct messages with ${product}. It answers to commands: type / to see them. `, strong("Play"), " begins a match for you alone, right here. ", strong("Two People"), " begins one on the server, shown side by side."]
    : ["Board games with hidden hands, on a Discord that runs on your machine. ", strong("Play"), " seats you with computer players: choose how many and how strong, and ", strong("Start Match"), ". ", strong("Two People"), " also seats a friend, shown beside you."];
  return h("div", {}, h("h2", {}, product), h("p", {}, about), h("ul", { class: "games" }, games.map((game) => drawGame(view, game, done))));
}

function drawGame(view, { key, title, summary, taught }, done) {
  const way = (label, name, style, asked) => h("button", { type: "button", class: `button ${style}`, "aria-label": name, onclick: (event) => begin(view, asked, event.currentTarget, done) }, label);
  return h(
    "li", { class: "game" },
    h("img", { src: `games/${key}.png`, alt: "", width: 600, height: 200 }), h("h3", {}, title), h("p", { class: "small" }, summary),
    h("div", { class: "row" },
      way("Play", `Play ${title}`, "success", { do: "begin", game: key, together: false }),
      way("Two People", `Play ${title} as two people`, "secondary", { do: "begin", game: key, together: true }),
      taught && way("Learn", `Learn ${title}`, "secondary", { do: "slash", path: `${key} learn`, options: {} })),
  );
}

async function begin(view, asked, button, done) {
  button.disabled = true;
  button.classList.add("waits");
  const answer = await view.use(asked);
  button.disabled = false;
  button.classList.remove("waits");
  if (!answer) return;
  done();
  view.scrollToEnd();
  if (answer.partner) {
    send(answer.partner, view.place);
    showPeople([...peopleShown(), answer.partner]);
  }
}

export function showBegin(view) {
  view.places.toggle(false);
  const shown = dialog("Play or Learn", { class: "begin" }, drawWelcome(view, () => shown.close()));
}
