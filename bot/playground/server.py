"""The local page: its files, and a connection for each person who is shown in a window.

Every address begins with a secret key. A request without it is refused. The page sends what a person does as JSON and
gets what changes for them: the parts of their sight that differ from what it was sent, and such messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from aiohttp import WSMsgType, web
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import Interaction
from simcord.enums import ChannelType

from bot.playground import opening
from bot.playground.acts import Acts, Impossible, answered
from bot.playground.opening import Games
from bot.playground.projection import Projection
from bot.playground.world import BOT, PRESSES_END, SERVER, Person, World

log = logging.getLogger(__name__)

FILES: Final = Path(__file__).parent / "page"
SHOWN: Final = 50
"""The newest messages of a place that a page shows, and the number that *Earlier Messages* adds."""
RENEWAL: Final = 5.0
"""Seconds until a window is updated without an event, because some things change with time alone."""
NO_KEY: Final = (
    "This is Digsite's playground. Open the whole address that was printed when it started: it has a key."
)
INTERACTIONS: Final = ("press", "choose", "slash", "use")
"""The acts of a person that the page asks for by their names."""
UNREAD: Final = f"{BOT} reads no messages. It answers to commands: type / to see them."
_HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'",
}


class View:
    """One person's sight in one window, and the part of it that was sent."""

    def __init__(self, server: Server, socket: web.WebSocketResponse, person: Person) -> None:
        self.server = server
        self.world = server.world
        self.projection = server.projection
        self.person = person
        self.acts = Acts(self.world, person)
        self.socket = socket
        self.place = self.world.handles[0].id
        self._count = SHOWN
        self._sent: dict[str, Any] = {}
        """The parts of the sight, by name, and the messages, by id, as they were sent."""
        self.drawn = asyncio.Event()
        """Set while the window has drawn all that it was sent. It is sent nothing before, so it misses what is out of
        date by then.
        """
        self.drawn.set()
        self._forms: dict[int, Interaction] = {}
        self.pressed_at = 0.0
        self._turn = asyncio.Lock()

    async def open(self, place: Any) -> None:
        """Shows the newest messages of a place."""
        self.place = self.acts.place(place).id
        self._count = SHOWN
        await self.update()

    async def follow(self) -> None:
        """Sends what changes, for ever."""
        while True:
            seen = self.world.events
            try:
                await self.update()
            except ConnectionError:
                return
            except Exception:
                log.exception("a window could not be updated")
            await self.world.comes(lambda seen=seen: self.world.events != seen, RENEWAL)

    async def update(self) -> None:
        """Sends what has changed, once the window has drawn what was sent before."""
        async with self._turn:
            await self.drawn.wait()
            change = self._change()
            if change:
                self.drawn.clear()
                await self.socket.send_json(change)

    def _change(self) -> dict[str, Any]:
        """The parts of the sight that differ from what was sent, and the messages that do."""
        place = self.world.place(self.place)
        if place is None:
            place = self.world.env.backend.channels[self.world.handles[0].id]
            self.place = place.id
        shown, earlier = self.projection.newest(self.person, place, self._count)
        calls = self.projection.calls()
        self.projection.read(self.person, place)
        messages = {str(each.id): self.projection.message(each) for each in shown}
        parts: dict[str, Any] = {
            "place": str(place.id),
            "places": self.projection.places(self.person),
            "calls": calls,
            "order": [*messages],
            "earlier": earlier,
        }
        change = {name: part for name, part in parts.items() if self._sent.get(name) != part}
        if changed := [each for key, each in messages.items() if self._sent.get(key) != each]:
            change["messages"] = changed
        self._sent = messages | parts
        return change

    # -- what the person does: an interaction by its name in `Acts`, or a method that begins with `do_`

    async def act(self, asked: dict[str, Any]) -> Any:
        """Does what the page asks for. Returns the page's answer; raises Impossible."""
        given = {name: value for name, value in asked.items() if name not in ("do", "n")}
        if asked["do"] in INTERACTIONS:
            return await self.answered(getattr(self.acts, asked["do"])(self.place, **given))
        do = getattr(self, f"do_{asked['do']}", None)
        if do is None:
            raise Impossible("The page asked for something unknown. Reload it.")
        return await do(**given)

    async def answered(self, record: Interaction) -> dict[str, Any]:
        """Waits for the bot's answer to an interaction. Returns the form to fill in, if the answer is one."""
        self.pressed_at = self.world.now()
        await answered(self.world, record)
        await self.update()
        if record.modal is None:
            return {}
        self._forms[record.id] = record
        return {"form": {**record.modal, "key": str(record.id)}}

    async def do_submit(self, key: str, values: dict[str, Any]) -> Any:
        form = self._forms.get(int(key))
        if form is None:
            raise Impossible("This form is closed.")
        return await self.answered(self.acts.submit(form, values))

    async def do_autocomplete(self, **given: Any) -> Any:
        record = self.acts.slash(self.place, **given)
        with suppress(Impossible):  # the page offers nothing then
            await self.answered(record)
        return record.autocomplete_choices or []

    async def do_say(self, text: str) -> Any:
        self.acts.say(self.place, text[:2000])
        return {"note": UNREAD} if self.acts.place(self.place).guild_id is None else {}

    async def do_open(self, place: str) -> Any:
        await self.open(place)

    async def do_earlier(self) -> Any:
        self._count += SHOWN
        await self.update()

    async def do_dismiss(self, message: str) -> Any:
        self.world.dismiss(self.person, int(message))
        await self.update()

    async def do_commands(self) -> Any:
        return self.acts.commands(self.place)

    async def do_speak(self, locale: str) -> Any:
        self.person.locale = locale
        await self.server.introduce()

    async def do_requests(self) -> Any:
        return [
            {"method": each.method, "path": each.path, "json": each.json}
            for at, each in self.world.requests
            if at >= self.pressed_at
        ]

    async def do_begin(self, game: str, together: bool) -> Any:
        others = [each for each in self.world.people.values() if each is not self.person]
        partner = others[0] if together else None
        before, chosen = self.acts.place(self.place), self.server.games.get(game)
        if chosen is None:
            raise Impossible("There is no such game.")
        if before.type == ChannelType.DM and partner is None:
            return await opening.begin_alone(self.acts, before, chosen)
        lobby = await opening.open_lobby(self.acts, before, chosen, novices=1 if partner else 2)
        await self.open(lobby.place.id)
        if partner:
            await opening.join(Acts(self.world, partner), lobby)
        about = {"partner": partner.key if partner else None}
        if lobby.place is not before:
            about["note"] = f"{lobby.reason}\n**Your table is in #{lobby.place.name}.**".lstrip()
        return about


class Server:
    """The web server of the page."""

    def __init__(self, world: World, key: str, games: Games) -> None:
        self.world = world
        self.projection = Projection(world)
        self.games = games
        self._key = key
        self._views: set[View] = set()
        self.port = 0

    @property
    def url(self) -> str:
        """The address of the page. It contains a secret: anybody with the address can play."""
        return f"http://127.0.0.1:{self.port}/{self._key}/"

    def hello(self, person: Person) -> dict[str, Any]:
        """The first message to a window: names, languages and games."""
        everybody = {str(each.id): each.name for each in self.world.people.values()}
        return {
            "me": str(person.id),
            "bot": str(self.world.env.backend.bot_user.id),
            "product": BOT,
            "server": SERVER,
            "guild": str(self.world.server.id),
            "cdn": f"{CDN_BASE}/",
            "names": everybody | {str(self.world.env.backend.bot_user.id): BOT},
            "keys": {str(each.id): each.key for each in self.world.people.values()},
            "roles": {str(each.id): each.name for each in self.world.roles},
            "locales": {str(each.id): each.locale for each in self.world.people.values()},
            "games": [
                {"key": each.key, "title": each.title, "summary": each.summary, "taught": each.taught}
                for each in self.games.values()
            ],
        }

    async def introduce(self) -> None:
        """Sends every window the names and languages anew."""
        for view in [*self._views]:
            with suppress(ConnectionError):
                await view.socket.send_json({"hello": self.hello(view.person)})

    # -- the routes

    @web.middleware
    async def _check_key(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if request.match_info.get("key") != self._key:
            return web.Response(status=403, text=NO_KEY)
        answer = await handler(request)
        if not answer.prepared:
            answer.headers.update(_HEADERS)
        return answer

    async def _page(self, request: web.Request) -> web.StreamResponse:
        file = FILES / (request.match_info["file"] or "index.html")
        if file.parent != FILES or not file.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(file, headers={"Cache-Control": "no-cache", **_HEADERS})

    async def _media(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        file = self.world.env.backend.cdn.get(f"{CDN_BASE}/attachments/{path}")
        if not file:
            raise web.HTTPNotFound
        return _file(file, path.rpartition(".")[2])

    async def _emoji(self, request: web.Request) -> web.Response:
        file = self.world.emoji.get(int(request.match_info["id"]))
        if file is None:
            raise web.HTTPNotFound
        return _file(file, "png")

    async def _picture(self, request: web.Request) -> web.Response:
        game = self.games.get(request.match_info["game"])
        if game is None:
            raise web.HTTPNotFound
        return _file(await asyncio.to_thread(game.picture), "png")

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        person = self.world.person(request.query.get("person", ""))
        if person is None:
            raise web.HTTPNotFound
        socket = web.WebSocketResponse(heartbeat=20, timeout=PRESSES_END)
        await socket.prepare(request)
        view = View(self, socket, person)
        await socket.send_json({"hello": self.hello(person)})
        with suppress(Impossible, ValueError):
            view.place = view.acts.place_like(request.query.get("place") or view.place).id
        await view.update()
        self._views.add(view)
        running = {asyncio.create_task(view.follow())}
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    continue
                asked = json.loads(message.data)
                if asked["do"] == "drawn":
                    view.drawn.set()
                    continue
                task = asyncio.create_task(self._do(view, socket, asked))
                running.add(task)
                task.add_done_callback(running.discard)
        finally:
            self._views.discard(view)
            for task in running:
                task.cancel()
        return socket

    async def _do(self, view: View, socket: web.WebSocketResponse, asked: dict[str, Any]) -> None:
        try:
            answer = {"re": asked["n"], "ok": await view.act(asked)}
        except Impossible as error:
            answer = {"re": asked["n"], "failed": str(error)}
        except Exception:
            log.exception("the page could not do %s", asked.get("do"))
            answer = {"re": asked["n"], "failed": "The playground made a mistake; its log has the details."}
        with suppress(ConnectionError):
            await socket.send_json(answer)

    def app(self) -> web.Application:
        """The routes."""
        app = web.Application(middlewares=[self._check_key])
        app.add_routes(
            [
                web.get("/{key}/live", self._live),
                web.get("/{key}/attachments/{path:.+}", self._media),
                web.get("/{key}/emoji/{id:\\d+}", self._emoji),
                web.get("/{key}/games/{game}.png", self._picture),
                web.get("/{key}/{file:[\\w.]*}", self._page),
                web.get("/{other:.*}", self._page),
            ]
        )
        return app

    async def close(self) -> None:
        """Closes every window's connection."""
        await asyncio.gather(*[view.socket.close() for view in [*self._views]])


def _file(data: bytes, kind: str) -> web.Response:
    kinds = {"png": "image/png", "gif": "image/gif", "webp": "image/webp", "jpg": "image/jpeg"}
    headers = {"Cache-Control": "private, max-age=31536000, immutable", **_HEADERS}
    if kind not in kinds:
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=data, content_type=kinds.get(kind, "application/octet-stream"), headers=headers)


@asynccontextmanager
async def serve(world: World, *, port: int, key: str, games: Games) -> AsyncGenerator[Server]:
    """Serves the page on a port, or on any free one if that is in use; 0: on any free port."""
    server = Server(world, key, games)
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=PRESSES_END)
    await runner.setup()
    try:
        server.port = await _listen(runner, port)
        yield server
    finally:
        await server.close()
        await runner.cleanup()


async def _listen(runner: web.AppRunner, port: int) -> int:
    """Opens the port, or any free one if it is in use, and returns it."""
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
    return int(runner.addresses[0][1])
