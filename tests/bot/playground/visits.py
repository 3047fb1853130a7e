"""Sittings in the playground within the test's own process, and visits to its page without a browser."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

from bot.clock import Clock
from bot.playground import play
from bot.playground.opening import Games
from tests.bot.playground.browser import ADDRESS, PATIENCE, until
from tests.bot.playground.toy import ToyClient, ToyHost


class Visit:
    """One open page, as its JavaScript uses it: it acts on what it has been sent."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.hello: dict[str, Any] = {}
        self.place = ""
        self.places: list[dict[str, Any]] = []
        self.messages: dict[str, dict[str, Any]] = {}
        self.notices: list[dict[str, Any]] = []
        self.calls: dict[str, dict[str, Any]] = {}
        self.draws = True
        """Whether the window draws what it is sent."""
        self._called: int | None = None
        self.sent: list[str] = []
        """The ids of the messages of each change, in the order of arrival."""
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            data = message.json()
            if "hello" in data:
                self.hello = data["hello"]
            elif "re" in data:
                self._answers.pop(data["re"]).set_result(data)
            else:
                self._take(data)
                if self.draws:
                    await self._socket.send_json({"do": "drawn"})

    async def draw(self) -> None:
        """Draw again what is sent, after `draws` was False."""
        self.draws = True
        await self._socket.send_json({"do": "drawn"})

    def _take(self, change: dict[str, Any]) -> None:
        self.place = change.get("place", self.place)
        self.places = change.get("places", self.places)
        self.calls = change.get("calls", self.calls)
        changed = {each["id"]: each for each in change.get("messages", [])}
        self.sent += changed
        order = change.get("order", [*self.messages])
        self.messages = {key: changed.get(key) or self.messages[key] for key in order}
        call = self.calls.get(self.hello["me"], {"number": 0})
        if self._called is not None and call["number"] > self._called:
            self.notices.append(call)
        self._called = max(self._called or 0, call["number"])

    async def act(self, kind: str, **details: Any) -> Any:
        """Do something, and wait for the page's answer to it; fails with the sentence that a page would show."""
        number = next(self._numbers)
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"do": kind, "n": number, **details})
        data = await asyncio.wait_for(answer, PATIENCE)
        assert "failed" not in data, data["failed"]
        return data["ok"]

    async def command(self, **options: Any) -> None:
        """Run the only command there is."""
        await self.act("slash", path="toy start", options=options)

    async def press(self, label: str) -> Any:
        """Press the newest button of this label."""
        message, button = self.control("label", label)
        return await self.act("press", message=message, custom_id=button["custom_id"])

    async def choose(self, placeholder: str, *values: str) -> Any:
        """Choose in the newest menu of this placeholder."""
        message, menu = self.control("placeholder", placeholder)
        return await self.act("choose", message=message, custom_id=menu["custom_id"], values=[*values])

    async def say(self, text: str) -> None:
        """Write a message."""
        await self.act("say", text=text)

    def control(self, field: str, value: str) -> tuple[str, dict[str, Any]]:
        """The newest component with this label or placeholder, and its message."""
        for key, message in reversed(self.messages.items()):
            for component in _components(message["components"]):
                if component.get(field) == value:
                    return key, component
        raise AssertionError(f"There is no {value}")

    def texts(self) -> list[str]:
        """The texts of the messages that are shown."""
        return [
            "\n".join([message["content"], *_texts(message["components"])])
            for message in self.messages.values()
        ]

    def pictures(self) -> list[str]:
        """The addresses of the pictures in galleries, below the page's."""
        trees = [_components(message["components"]) for message in self.messages.values()]
        items = [item for tree in trees for each in tree for item in each.get("items", ())]
        return [item["media"]["url"].removeprefix(self.hello["cdn"]) for item in items]

    async def sees(self, text: str, *, patience: float = PATIENCE) -> None:
        """Wait until a message holds `text`."""

        async def seen() -> bool:
            return any(text in each for each in self.texts())

        await until(seen, f"a message with {text!r}", patience=patience)

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()
        await self.reading


def _components(tree: Any) -> Iterator[dict[str, Any]]:
    for component in tree:
        yield component
        yield from _components(component.get("components") or [])


def _texts(tree: Any) -> Iterator[str]:
    return (each["content"] for each in _components(tree) if isinstance(each.get("content"), str))


class Sitting:
    """A running playground with the toy bot in it."""

    def __init__(self, client: ToyClient, lines: list[str], playing: asyncio.Task[None]) -> None:
        self.client = client
        self.lines = lines
        self.playing = playing
        self._session = aiohttp.ClientSession()
        self._visits: list[Visit] = []

    @property
    def url(self) -> str:
        found = ADDRESS.search("\n".join(self.lines))
        assert found
        return found.group(0)

    async def visit(self, name: str = "Ana", place: str = "") -> Visit:
        """Open a page as this person, in the place in which somebody was."""
        socket = await self._session.ws_connect(f"{self.url}live?person={name.lower()}&place={place}")
        visit = Visit(socket)
        self._visits.append(visit)

        async def shown() -> bool:
            return bool(visit.places)

        await until(shown, "the page")
        return visit

    async def status(self, file: str) -> int:
        """Ask for a file as a page does; the status of the answer."""
        async with self._session.get(f"{self.url}{file}") as answer:
            return answer.status

    async def leave(self) -> None:
        for visit in self._visits:
            await visit.leave()
        await self._session.close()


@asynccontextmanager
async def sitting(
    database: Path,
    *,
    pace: float = 1.0,
    port: int = 0,
    prepare: Callable[[ToyClient], None] = lambda client: None,
) -> AsyncGenerator[Sitting]:
    """Play with the toy bot; at the end the playground is stopped."""
    clients: list[ToyClient] = []
    lines: list[str] = []

    def make_client(clock: Clock) -> tuple[ToyClient, ToyHost, Callable[[], Games]]:
        client = ToyClient(database, clock, pace)
        prepare(client)
        clients.append(client)
        return client, client.host, dict

    playing = asyncio.create_task(
        play(
            database,
            make_client=make_client,
            port=port,
            open_browser=False,
            say=lines.append,
        )
    )

    async def printed_or_ended() -> bool:
        return bool(ADDRESS.search("\n".join(lines))) or playing.done()

    await until(printed_or_ended, "the playground's address")
    if playing.done():
        playing.result()
    now = Sitting(clients[0], lines, playing)
    try:
        yield now
        assert not playing.done()
    finally:
        await now.leave()
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(playing, PATIENCE)
