"""One person's sight of the simulated Discord, as the JSON that the page draws."""

from __future__ import annotations

import itertools
from datetime import datetime
from io import BytesIO
from typing import Any, Final

from PIL import Image
from simcord.backend.models import Channel, Message
from simcord.backend.serializers import message_payload
from simcord.components import walk_components
from simcord.enums import ChannelType, InteractionType

from bot.playground.acts import THINKING_ENDS, UNANSWERED
from bot.playground.world import GROUP_DM, THINKING, Person, World, can_see

_THREAD_OPENED: Final = 18
"""Discord's type of the message that says that somebody has opened a thread."""
_KINDS: Final[dict[int, str]] = {ChannelType.TEXT: "channel", ChannelType.DM: "dm", GROUP_DM: "group"}


class Projection:
    """Turns messages and channels into JSON."""

    def __init__(self, world: World) -> None:
        self._world = world
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

    def message(self, message: Message) -> dict[str, Any]:
        """A message as Discord's JSON. `page` in it has what Discord's own page knows from elsewhere."""
        backend = self._world.env.backend
        for file in message.attachments:
            if "width" not in file:
                file["width"], file["height"] = _size(backend.cdn.get(file["url"]))
        used = message.interaction_metadata or {}
        first = backend.interactions.get(int(used.get("id") or 0)) if "name" in used else None
        thread = self._world.place(message.id)
        age = self._world.now() - datetime.fromisoformat(message.timestamp).timestamp()
        late = message.flags & THINKING and age > THINKING_ENDS
        page: dict[str, Any] = {
            "pings": [str(each) for each in message.ping_user_ids],
            "answers": first is not None and first.message_id == message.id,
            "thread": thread and {"id": str(thread.id), "name": thread.name, "archived": _archived(thread)},
            "failed": UNANSWERED[InteractionType.APPLICATION_COMMAND] if late else None,
        }
        if message.type == _THREAD_OPENED and message.system_metadata is not None:
            page["opened"] = str(message.system_metadata.channel_id)
        return {**message_payload(backend, message), "page": page}

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

    def calls(self) -> dict[str, dict[str, Any]]:
        """The newest call of each person who has not seen theirs, with the number of these calls."""
        return {
            str(person.id): _call(person) | {"count": len(person.calls)}
            for person in self._world.people.values()
            if person.calls
        }


def _call(person: Person) -> dict[str, Any]:
    """A person's newest call with the text of the message that names the person, or else its first one."""
    number, message = person.calls[-1]
    texts = _texts(message)
    naming = (each for each in texts if f"<@{person.id}>" in each)
    text = next(naming, next(iter(texts), ""))
    return {"number": number, "place": str(message.channel_id), "message": str(message.id), "text": text}


def summary(message: Message) -> str:
    """The first text of a message, as Markdown."""
    return next(iter(_texts(message)), "")


def _texts(message: Message) -> list[str]:
    texts = (
        each.get("content", "") for each in walk_components(message.components) if each.get("type") == 10
    )
    return [each for each in (message.content, *texts) if each]


def _archived(place: Channel) -> bool:
    return bool(place.thread_metadata and place.thread_metadata.archived)


def _size(picture: bytes | None) -> tuple[int, int] | tuple[None, None]:
    """The width and height of a picture in pixels. SimCord leaves them out of its attachments."""
    try:
        with Image.open(BytesIO(picture or b"")) as image:
            return image.size
    except (OSError, ValueError):
        return None, None
