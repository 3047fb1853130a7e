"""The local web page: SimCord's Preview, made fit for several people and a bot that acts by itself.

Preview is made for one person who presses "Refresh". Two of its rules get in the way here:

- Only one thing may happen at a time: while anything settles, a press fails for good ("outcome uncertain"). So presses
  and refreshes take turns.
- A press is refused once its page has been published anew since it was drawn, as it is whenever an agent moves. So a
  press is taken for what the person saw: the same control of the same message, wherever it stands now.

This is the one module that touches what SimCord keeps to itself (hence the pinned version); all of it is here because
neither rule has a public switch.
"""
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import os
import secrets
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo, available_timezones

import simcord

from bot.playground.world import World

Controls = Mapping[str, str]
"""What can be pressed on a page: the custom_id behind each of Preview's control keys."""

REMEMBERED = 64
PORTS_TRIED = 10


class Pages:
    """The pages that people have open."""

    def __init__(self, world: World, preview: simcord.Preview) -> None:
        self._world = world
        self._preview = preview
        self._turn = asyncio.Lock()
        self._shown: dict[str, deque[tuple[int, Controls]]] = {}
        self._act = preview._action
        self._publish = preview._publish
        preview._action = self._take_turn
        preview._publish = self._publish_and_remember

    @property
    def url(self) -> str:
        """The address to open. Whoever has it may play."""
        return self._preview.url

    async def refresh(self) -> None:
        """Show everybody how things stand; what they have half chosen or half typed stays."""
        async with self._turn:
            await self._world.catch_up()
            await self._preview.refresh()
        self._shown = {page: shown for page, shown in self._shown.items() if page in self._preview._pages}

    async def wait_closed(self) -> None:
        """Return when somebody chose "End preview session"."""
        await self._preview.wait_closed()

    async def close(self) -> None:
        await self._preview.close()

    async def _take_turn(self, page_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            await self._world.catch_up()
            return await self._act(page_id, self._as_seen(page_id, body))

    def _publish_and_remember(self, page: Any, **options: Any) -> None:
        self._publish(page, **options)
        shown = self._shown.setdefault(page.id, deque(maxlen=REMEMBERED))
        controls = dict(_controls(page.snapshot))
        # Most publications change no control; they share one mapping.
        same = bool(shown) and shown[-1][1] == controls
        shown.append((page.revision, shown[-1][1] if same else controls))

    def _as_seen(self, page_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The same action for the page as it is now; unchanged, and so refused, if it cannot be told what was meant."""
        shown = self._shown.get(page_id or "")
        if not shown or body.get("published_revision") == shown[-1][0]:
            return body
        then = next((controls for revision, controls in shown if revision == body.get("published_revision")), None)
        if then is None:
            return body
        current = {**body, "published_revision": shown[-1][0]}
        if body.get("kind") in ("click", "select"):
            key = _moved_to(str(body.get("control_key")), then, shown[-1][1])
            if key is None:
                return body
            current["control_key"] = key
        return current


def _controls(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every control of a page with its custom_id."""
    waiting: list[Any] = [message["components"] for message in snapshot["messages"].values()]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += cast("list[Any]", part)
        elif isinstance(part, dict):
            component = cast("dict[str, Any]", part)
            if "control_key" in component and "custom_id" in component:
                yield component["control_key"], component["custom_id"]
            waiting += [component[name] for name in ("components", "accessory", "component") if name in component]


def _moved_to(key: str, then: Controls, now: Controls) -> str | None:
    """Where a control that was at `key` is now; None if it is gone. Preview numbers controls by their place."""
    custom_id = then.get(key)
    if custom_id is None or now.get(key) == custom_id:
        return key if custom_id is not None else None
    message = key.rsplit(":component:", 1)[0]
    return next((at for at, other in now.items() if other == custom_id and at.startswith(f"{message}:")), None)


@asynccontextmanager
async def open_pages(world: World, *, port: int, key_file: Path) -> AsyncIterator[Pages]:
    """Serve the pages on the first free port from `port` on; 0 takes any."""
    preview = await _enter(world, port, _key(key_file))
    try:
        yield Pages(world, preview)
    finally:
        await preview.close()


async def _enter(world: World, port: int, key: str) -> simcord.Preview:
    ports = [*range(port, port + PORTS_TRIED), 0] if port else [0]
    for candidate in ports:
        preview = world.env.preview(
            world.channel, viewers=world.people, layout="channel", timezone=local_timezone(), port=candidate
        )
        preview.capability = key
        try:
            return await preview.__aenter__()
        except simcord.SetupError as error:
            if not isinstance(error.__cause__, OSError) or candidate == 0:
                raise
    raise AssertionError("any port is free")


def _key(path: Path) -> str:
    """The secret part of the address. It is kept, so that an open page works again after a restart once reloaded."""
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        key = secrets.token_urlsafe(32)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key)
        return key


def local_timezone() -> str:
    """The machine's time zone by its name, or UTC."""
    link = Path("/etc/localtime")
    name = os.environ.get("TZ") or (str(link.resolve()).rpartition("zoneinfo/")[2] if link.is_symlink() else "")
    return name if name in available_timezones() else "UTC"
