"""One person's sight of the simulated Discord, as the JSON that the page draws."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, Final

from PIL import Image
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import Channel, Message
from simcord.enums import ChannelType, InteractionType

from bot.playground.acts import UNANSWERED
from bot.playground.adapter import GROUP_DM, can_see
from bot.playground.timing import PLAYGROUND
from bot.playground.world import THINKING, Person, World

ATTACHMENTS: Final = f"{CDN_BASE}/attachments/"
MEDIA: Final = "media/"
"""Where the page loads files, below its own address."""
_KINDS: Final[dict[int, str]] = {ChannelType.TEXT: "channel", ChannelType.DM: "dm", GROUP_DM: "group"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as the page draws it; `version` rises with each change."""

    version: int
    data: dict[str, Any]
    made_from: tuple[Any, ...]
    parts: tuple[list[dict[str, Any]], ...]
    """The lists of components and attachments, which SimCord replaces at an edit."""


class Projection:
    """Turns messages and channels into JSON. The part of a message that all people see alike is made once a change."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._shown: dict[int, Shown] = {}
        self._sizes: dict[str, tuple[int, int] | None] = {}
        self._versions = itertools.count(1)
        self._read: dict[tuple[int, int], int] = {}
        """The newest message that a person has seen in a place."""

    # -- messages

    def newest(self, person: Person, place: Channel, count: int) -> tuple[list[Message], bool]:
        """The newest messages that a person sees in a place, oldest first, and whether there are earlier ones."""
        dismissed = self._world.dismissed.get(person.id, set())
        seen = (
            message
            for message in reversed(self._world.env.backend.messages.get(place.id, {}).values())
            if message.visible_to(person.id) and message.id not in dismissed
        )
        found = list(itertools.islice(seen, count + 1))
        return found[:count][::-1], len(found) > count

    def shown(self, message: Message) -> Shown:
        """A message as the page draws it."""
        thread = self._world.place(message.id)
        in_thread = (thread.name, _archived(thread)) if thread is not None else None
        late = message.flags & THINKING and self._world.now() - _at(message) > PLAYGROUND.thinking
        made_from = (message.content, message.flags, message.edited_timestamp, in_thread, late)
        parts = (message.components, message.attachments)
        known = self._shown.get(message.id)
        if (
            known is not None
            and known.made_from == made_from
            and all(one is other for one, other in zip(known.parts, parts, strict=True))
        ):
            return known
        if len(self._shown) >= PLAYGROUND.drawn:
            self._shown.clear()
            self._sizes.clear()
        data = self._data(message, thread)
        if late:
            data |= {"thinking": False, "failed": UNANSWERED[InteractionType.APPLICATION_COMMAND]}
        shown = Shown(next(self._versions), data, made_from, parts)
        self._shown[message.id] = shown
        return shown

    def _data(self, message: Message, thread: Channel | None) -> dict[str, Any]:
        used = message.interaction_metadata or {}
        data: dict[str, Any] = {
            "id": str(message.id),
            "author": str(message.author_id),
            "at": _at(message),
            "edited": message.edited_timestamp is not None and not message.flags & THINKING,
            "content": message.content,
            "components": [self._component(each) for each in message.components],
            "pings": [str(each) for each in message.ping_user_ids],
        }
        if message.is_ephemeral:
            data["private"] = True
        if message.flags & THINKING:
            data["thinking"] = True
        if message.type == 18 and message.system_metadata is not None:
            data["opened"] = str(message.system_metadata.channel_id)
        first = self._world.env.backend.interactions.get(int(used.get("id") or 0))
        if first is not None and first.message_id == message.id and used.get("name"):
            data["used"] = {
                "by": used["user"]["id"],
                "command": used["name"],
                "kind": used.get("command_type"),
            }
        if message.reference:
            data["reply"] = self._reply(message.reference)
        if thread is not None:
            data["thread"] = {"id": str(thread.id), "name": thread.name, "archived": _archived(thread)}
        named = _urls(message.components)
        data["files"] = [
            self._file(each["url"]) | {"name": each["filename"], "size": each["size"]}
            for each in message.attachments
            if each["url"] not in named
        ]
        return data

    def _reply(self, reference: Mapping[str, Any]) -> dict[str, Any]:
        place, number = int(reference["channel_id"]), int(reference["message_id"])
        target = self._world.env.backend.messages.get(place, {}).get(number)
        return {
            "place": str(place),
            "id": str(number),
            "author": str(target.author_id) if target else None,
            "text": summary(target)[:120] if target else "",
        }

    def _component(self, component: Mapping[str, Any]) -> dict[str, Any]:
        """A component with the page's addresses of files, and the sizes of pictures."""
        made: dict[str, Any] = {}
        for name, value in component.items():
            if name in ("components", "items", "options"):
                made[name] = [self._component(each) for each in value]
            elif name in ("media", "file"):
                made[name] = self._file(value["url"])
            elif name in ("accessory", "component"):
                made[name] = self._component(value)
            elif name != "id":
                made[name] = value
        return made

    def _file(self, url: str) -> dict[str, Any]:
        if not url.startswith(ATTACHMENTS):
            return {"url": url}
        file: dict[str, Any] = {"url": MEDIA + url.removeprefix(ATTACHMENTS)}
        if url not in self._sizes:
            self._sizes[url] = _size(self._world.env.backend.cdn.get(url))
        if size := self._sizes[url]:
            file["width"], file["height"] = size
        return file

    # -- places

    def places(self, person: Person) -> list[dict[str, Any]]:
        """The list beside the messages: channels, each followed by its threads, then direct messages and groups."""
        seen = [
            each
            for each in self._world.env.backend.channels.values()
            if can_see(self._world.env, each, person.id)
        ]
        threads = [each for each in seen if each.is_thread]
        listed: list[dict[str, Any]] = []
        for place in sorted(
            (each for each in seen if not each.is_thread), key=lambda each: each.guild_id is None
        ):
            listed.append(self._place(person, place, _KINDS.get(place.type, "channel")))
            inside = [each for each in threads if each.parent_id == place.id]
            inside.sort(key=lambda each: (_archived(each), -each.id))
            listed += [self._place(person, each, "thread") for each in inside[:20]]
        return listed

    def _place(self, person: Person, place: Channel, kind: str) -> dict[str, Any]:
        return {
            "id": str(place.id),
            "kind": kind,
            "name": place.name or self._world.env.backend.bot_user.name,
            "parent": str(place.parent_id) if place.is_thread else None,
            "archived": _archived(place),
            "unread": self._unread(person, place),
            "calls": sum(each.message.channel_id == place.id for each in person.calls),
        }

    def _unread(self, person: Person, place: Channel) -> bool:
        """Whether a place has messages of others that are new to a person."""
        seen, messages = self._read.get((person.id, place.id), 0), self._world.env.backend.messages
        new = itertools.takewhile(
            lambda message: message.id > seen, reversed(messages.get(place.id, {}).values())
        )
        return any(message.visible_to(person.id) and message.author_id != person.id for message in new)

    def read(self, person: Person, place: Channel) -> None:
        """Notes that a person has seen all messages of a place."""
        newest = next(reversed(self._world.env.backend.messages.get(place.id, {})), 0)
        self._read[person.id, place.id] = newest
        self._world.has_read(person, place)

    def read_everything(self) -> None:
        """Notes that everybody has seen all messages so far, as at the beginning of a session."""
        for person in self._world.people.values():
            for place in self._world.env.backend.channels.values():
                self.read(person, place)

    def notices(self, person: Person, after: int) -> list[dict[str, Any]]:
        """The notifications of a person after the call with this number, oldest first."""
        return [_call(each.message, person) for each in person.calls if each.number > after]

    def calls(self) -> dict[str, dict[str, Any]]:
        """The newest call of each person who has not seen theirs, with the number of these calls."""
        return {
            str(person.id): {**_call(person.calls[-1].message, person), "count": len(person.calls)}
            for person in self._world.people.values()
            if person.calls
        }


def _call(message: Message, person: Person) -> dict[str, Any]:
    """A call as the page shows it, with the text of the message that names the person, or else its first one."""
    texts = _texts(message)
    naming = (each for each in texts if f"<@{person.id}>" in each)
    text = next(naming, next(iter(texts), ""))
    return {"place": str(message.channel_id), "message": str(message.id), "text": text}


def summary(message: Message) -> str:
    """The first text of a message, as Markdown."""
    return next(iter(_texts(message)), "")


def _texts(message: Message) -> list[str]:
    texts = (each.get("content", "") for each in _walk(message.components) if each.get("type") == 10)
    return [each for each in (message.content, *texts) if each]


def _walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in components:
        yield each
        yield from _walk(each.get("components") or [])


def _urls(components: list[dict[str, Any]]) -> set[str]:
    """The addresses of the files that components show."""
    shown: list[dict[str, Any]] = []
    for each in _walk(components):
        shown += [each, each.get("accessory", {}), *each.get("items", ())]
    files = (each.get("media") or each.get("file") for each in shown)
    return {file["url"] for file in files if file}


def _at(message: Message) -> float:
    return datetime.fromisoformat(message.timestamp).timestamp()


def _archived(place: Channel) -> bool:
    return bool(place.thread_metadata and place.thread_metadata.archived)


def _size(picture: bytes | None) -> tuple[int, int] | None:
    """The width and height of a picture in pixels; None if the file is no picture."""
    try:
        with Image.open(BytesIO(picture or b"")) as image:
            return image.size
    except (OSError, ValueError):
        return None
