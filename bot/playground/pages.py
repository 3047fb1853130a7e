"""The local web page: SimCord's Preview of the channel, for several windows and people."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from zoneinfo import available_timezones

import simcord
from PIL import Image, ImageDraw, ImageFont

from bot.playground.simcord_patches import (
    SharedPreview,
    add_to_pages,
    apart_from_presses,
    avatar_url,
    emoji_as_on_discord,
    forget_old_pictures,
    quick_publishing,
)
from bot.playground.timing import PLAYGROUND
from bot.playground.world import AVATAR, World

PORTRAIT_COLOURS = (
    "#c2653a",
    "#3f8f6b",
    "#4b6fb5",
    "#8a57a3",
    "#6b7a3f",
    "#9c4f72",
    "#a3763d",
    "#4f7f8c",
    "#7a5c48",
)


class Pages:
    """The pages that people have open."""

    def __init__(self, world: World, preview: simcord.Preview) -> None:
        self._world = world
        self._preview = preview
        self._shared = SharedPreview(preview, world.catch_up)
        self._refreshes = 0

    @property
    def url(self) -> str:
        """The address of the page. It contains a secret: anybody with the address can play."""
        return self._preview.url

    async def refresh(self) -> None:
        """Shows the present state on every page. Selections and typed text are preserved.

        Raises TimeoutError if the bot is still busy after five seconds.
        """
        await self._shared.refresh()
        self._refreshes += 1
        if self._refreshes % PLAYGROUND.cleaned_every == 0:
            forget_old_pictures(self._world.env)

    async def wait_closed(self) -> None:
        """Returns after a person has pressed "End preview session"."""
        await self._preview.wait_closed()


@asynccontextmanager
async def open_pages(world: World, *, port: int, key_file: Path) -> AsyncGenerator[Pages]:
    """Serves the pages on the first free port from `port` on; 0: on any free port.

    `key_file` stores the secret part of the address, so that a page left open in a browser works in the next session.
    """
    preview = await _serve(world, port, _key(key_file))
    try:
        with quick_publishing(), emoji_as_on_discord(), apart_from_presses():
            yield Pages(world, preview)
    finally:
        await preview.close()


async def _serve(world: World, port: int, key: str) -> simcord.Preview:
    ports = [*range(port, port + PLAYGROUND.ports_tried), 0] if port else [0]
    for candidate in ports:
        preview = world.env.preview(
            world.channel,
            viewers=world.people,
            layout="channel",
            timezone=local_timezone(),
            assets=_portraits(world),
            port=candidate,
        )
        preview.capability = key
        add_to_pages(preview)
        try:
            return await preview.__aenter__()
        except simcord.SetupError as error:
            if not isinstance(error.__cause__, OSError) or candidate == 0:
                raise
    raise AssertionError("port 0 is always free")


def _portraits(world: World) -> dict[str, tuple[str, bytes]]:
    """The pictures of the bot and of each person: an initial on a coloured ground."""
    names = {person.id: person.user.global_name or "?" for person in world.people}
    if world.env.bot.user is not None:
        names[world.env.bot.user.id] = world.env.bot.user.name
    pictures: dict[str, tuple[str, bytes]] = {}
    for (user_id, name), colour in zip(names.items(), PORTRAIT_COLOURS, strict=True):
        image = Image.new("RGB", (96, 96), colour)
        font = ImageFont.load_default(56)
        ImageDraw.Draw(image).text((48, 48), name[0], fill="white", font=font, anchor="mm")
        data = BytesIO()
        image.save(data, "PNG")
        pictures[avatar_url(user_id, AVATAR)] = (f"{name}.png", data.getvalue())
    return pictures


def _key(path: Path) -> str:
    kept = path.read_text("ascii").strip() if path.exists() else ""
    if kept:
        return kept
    key = secrets.token_urlsafe(32)
    # A killed start may have left an empty file, which counts as no key.
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(key)
    return key


def local_timezone() -> str:
    """The machine's time zone by name, or UTC."""
    link = Path("/etc/localtime")
    linked = str(link.resolve()).rpartition("zoneinfo/")[2] if link.is_symlink() else ""
    name = os.environ.get("TZ") or linked
    return name if name in available_timezones() else "UTC"
