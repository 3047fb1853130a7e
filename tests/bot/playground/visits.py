"""Sittings in the playground within the test's own process, and visits to its pages without a browser."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from bot.clock import Clock
from bot.playground import play
from bot.playground.timing import PLAYGROUND, PlaygroundTiming
from tests.bot.playground.browser import ADDRESS, PATIENCE, until
from tests.bot.playground.toy import ToyClient, ToySettings

BUTTON, STRING_SELECT = 2, 3


class Visit:
    """One open page, as Preview's own JavaScript uses it: it acts on what it read last."""

    def __init__(self, session: aiohttp.ClientSession, state: dict[str, Any]) -> None:
        self._session = session
        self._requests = itertools.count(1)
        self.state = state

    @property
    def _headers(self) -> dict[str, str]:
        return {"X-Simcord-Context": self.state["context"]["id"]}

    async def look(self) -> dict[str, Any]:
        """Read the page again."""
        async with self._session.get("/api/state", headers=self._headers) as answer:
            assert answer.status == 200, await answer.text()
            self.state = await answer.json()
            return self.state

    async def act(self, kind: str, **details: Any) -> dict[str, Any]:
        """Do something, on the page as it was read last; Preview's receipt."""
        number = next(self._requests)
        body = {
            "protocol_version": 3,
            "sequence": number,
            "request_id": f"{self.state['context']['id']}-{number}",
            "generation": self.state["context"]["generation"],
            "bot_generation": self.state["botGeneration"],
            "published_revision": self.state["publishedRevision"],
            "kind": kind,
            **details,
        }
        async with self._session.post("/api/action", json=body, headers=self._headers) as answer:
            assert answer.status == 200, f"The page would tell of an uncertain outcome: {await answer.text()}"
            receipt = await answer.json()
        assert not receipt["rejected"], receipt
        assert receipt["settlement"] == "settled", receipt
        assert receipt["acknowledgement"] != "unacknowledged", receipt
        return receipt

    async def become(self, name: str) -> None:
        (viewer,) = [one["id"] for one in self.state["viewers"] if one["name"] == name]
        await self.act("viewer", viewer_id=viewer)
        await self.look()

    async def command(self, **options: Any) -> None:
        """Run the only command there is."""
        async with self._session.get("/api/commands", headers=self._headers) as answer:
            (entry,) = (await answer.json())["entries"]
        names = {"command_id": entry["commandId"], "path": entry["path"]}
        await self.act("run_command", **names, schema_fingerprint=entry["schemaFingerprint"], options=options)
        await self.look()

    async def press(self, label: str) -> dict[str, Any]:
        """Press the newest button of this label, as of the last look."""
        return await self._use("click", BUTTON, label=label)

    async def choose(self, placeholder: str, *values: str) -> dict[str, Any]:
        """Choose in the newest menu of this placeholder, as of the last look."""
        return await self._use("select", STRING_SELECT, placeholder=placeholder, values=list(values))

    async def _use(
        self, kind: str, control: int, *, values: list[str] | None = None, **has: str
    ) -> dict[str, Any]:
        wanted = {"type": control, **has}
        found = [
            (message, component["control_key"])
            for message in self.state["timeline"]
            for component in _components(self.state["messages"][message]["components"])
            if wanted.items() <= component.items()
        ]
        assert found, f"There is no {has}"
        message, key = found[-1]
        details: dict[str, Any] = {} if values is None else {"values": values}
        return await self.act(kind, target_id=message, control_key=key, **details)

    def texts(self) -> list[str]:
        """The texts of the messages, as of the last look."""
        return [
            "\n".join([message["content"] or "", *_texts(message["components"])])
            for message in (self.state["messages"][each] for each in self.state["timeline"])
        ]

    async def sees(self, text: str, *, patience: float = PATIENCE) -> None:
        """Wait until a message holds `text`; all that the page does meanwhile is to look."""

        async def seen() -> bool:
            await self.look()
            return any(text in each for each in self.texts())

        await until(seen, f"a message with {text!r}", patience=patience)


def _components(tree: Any) -> Iterator[dict[str, Any]]:
    for component in tree:
        yield component
        yield from _components(component.get("components") or [])


def _texts(tree: Any) -> Iterator[str]:
    return (
        component["content"] for component in _components(tree) if isinstance(component.get("content"), str)
    )


class Sitting:
    """A running playground with the toy bot in it."""

    def __init__(self, client: ToyClient, lines: list[str]) -> None:
        self.client = client
        self.lines = lines
        self._sessions: list[aiohttp.ClientSession] = []

    @property
    def url(self) -> str:
        found = ADDRESS.search("\n".join(self.lines))
        assert found
        return found.group(0)

    async def visit(self, name: str = "Ana") -> Visit:
        """Open a page and be this person on it."""
        base, _, key = self.url.partition("/#")
        session = aiohttp.ClientSession(base, headers={"X-Simcord-Capability": key})
        self._sessions.append(session)
        async with session.post("/api/pages", json={}) as answer:
            visit = Visit(session, await answer.json())
        await visit.become(name)
        return visit

    async def leave(self) -> None:
        for session in self._sessions:
            await session.close()


@asynccontextmanager
async def sitting(
    database: Path,
    *,
    pace: float = 1.0,
    port: int = 0,
    prepare: Callable[[ToyClient], None] = lambda client: None,
    timing: PlaygroundTiming = PLAYGROUND,
) -> AsyncGenerator[Sitting]:
    """Play with the toy bot; at the end somebody chooses "End preview session"."""
    clients: list[ToyClient] = []
    lines: list[str] = []

    def make_client(settings: ToySettings, clock: Clock) -> ToyClient:
        client = ToyClient(settings.database_path, clock, pace)
        prepare(client)
        clients.append(client)
        return client

    playing = asyncio.create_task(
        play(
            ToySettings(database),
            make_client=make_client,
            port=port,
            open_browser=False,
            say=lines.append,
            timing=timing,
        )
    )

    async def told_or_ended() -> bool:
        return bool(ADDRESS.search("\n".join(lines))) or playing.done()

    await until(told_or_ended, "the playground's address")
    if playing.done():
        playing.result()
    now = Sitting(clients[0], lines)
    try:
        yield now
        await (await now.visit()).act("close")
        await asyncio.wait_for(playing, PATIENCE)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await now.leave()
