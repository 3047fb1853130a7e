"""Interactions where the bot is on no server: in its direct messages, in a group DM, and on another server.

SimCord knows none of the last two, nor the installations that Discord names with each interaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, InteractionType
from simcord.interactions import base_payload

from tests.cogs.page import BUTTON, Page
from tests.cogs.table_driver import Delivery, Person, Room

Where = Literal["dm", "group", "server"]
"""The bot's direct messages, a group DM, and a server that the bot is not on."""
OTHER_SERVER = 77 << 22
GROUP_DM = 3
APP_PERMISSIONS = {"dm": "442368", "group": "180224", "server": "0"}
"""The permissions that Discord says the bot has there."""


@dataclass(eq=False)
class Elsewhere(Person):
    """A person in a place where the bot is on no server."""

    where: Where
    group: int = 0
    """The channel of a group DM that the person shares with others."""

    @property
    def channel_id(self) -> int:
        return self.group or self.room.env.backend.get_dm_channel(self.id).id

    async def command(self, name: str, **options: Any) -> Page:
        """Types `/game name`, or `/name` where the name begins with a slash."""
        group, *sub = name[1:].split() if name.startswith("/") else (self.room.game, name)
        given = [{"name": key, "type": _kind(value), "value": value} for key, value in options.items()]
        inner: list[dict[str, Any]] = [{"type": 1, "name": sub[0], "options": given}] if sub else given
        return await self._deliver(
            InteractionType.APPLICATION_COMMAND, {"id": "1", "type": 1, "name": group, "options": inner}
        )

    async def press(self, page: Page, label: str) -> Page:
        buttons = page.buttons
        assert label in buttons, f"no button {label!r} among {list(buttons)}"
        return await self.press_id(page, buttons[label])

    async def press_id(self, page: Page, custom_id: str, values: list[str] | None = None) -> Page:
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
        if values is not None:
            data |= {"component_type": 3, "values": values}
        return await self._deliver(InteractionType.MESSAGE_COMPONENT, data, page)

    async def choose(self, page: Page, placeholder: str, *labels: str) -> Page:
        menu = page.menu(placeholder)
        return await self.press_id(page, menu.custom_id, [menu.options[label] for label in labels])

    def interaction(self, kind: int, data: dict[str, Any], message: dict[str, Any] | None) -> Delivery:
        record, payload = base_payload(
            self.room.env.backend,
            type=kind,
            channel_id=self.channel_id,
            guild_id=None,
            user_id=self.id,
            data=data,
        )
        payload |= {
            "authorizing_integration_owners": {"1": str(self.id)},
            "context": {"dm": 1, "group": 2, "server": 0}[self.where],
            "app_permissions": APP_PERMISSIONS[self.where],
        }
        if self.where == "group":
            payload["channel"] = {
                "id": str(self.channel_id),
                "type": GROUP_DM,
                "recipients": [],
                "name": None,
            }
        elif self.where == "server":
            user = payload.pop("user")
            payload["guild_id"] = str(OTHER_SERVER)
            payload["guild"] = {"id": str(OTHER_SERVER), "locale": "en-US", "features": []}
            payload["channel"] = {"id": str(self.channel_id), "type": 0, "name": "elsewhere"}
            payload["member"] = {
                "user": user,
                "roles": [],
                "permissions": "32",
                "joined_at": "2026-01-01T00:00:00+00:00",
                "flags": 0,
                "deaf": False,
                "mute": False,
            }
        if message is not None:
            payload["message"] = message
            record.source_message_id = int(message["id"])
        return Delivery(self, record, payload)

    async def _deliver(self, kind: int, data: dict[str, Any], on: Page | None = None) -> Page:
        env, on_private = self.room.env, on is not None and on.ephemeral
        shown = None if on is None else dict(message_payload(env.backend, on.kept))
        delivery = self.interaction(kind, data, shown)
        record = delivery.record
        await self.room.deliver(delivery)
        assert record.message_id is not None, "no answer"
        # A press on a message that all see is answered with this message too; what its presser is told follows.
        pages = [Page(env, self.channel_id, number) for number in record.followup_ids]
        pages = [page for page in pages if page.exists and page.ephemeral]
        if pages and on is not None and not on_private:
            return pages[0]
        return Page(env, self.channel_id, record.message_id)


def elsewhere(room: Room, name: str, where: Where) -> Elsewhere:
    """Somebody new who has installed the bot."""
    return Elsewhere(room, room.person(name).actor, where)


def group_of(room: Room, *names: str) -> list[Elsewhere]:
    """New people in a group DM, which is the room's channel from now on. They have installed the bot."""
    people = [room.person(name).actor for name in names]
    channel = room.env.backend.create_channel(None, None, type=ChannelType.DM)
    channel.recipient_ids = [person.id for person in people]
    room.channel, room.calls_may_stay = ChannelHandle(room.env, None, channel), True
    return [Elsewhere(room, person, "group", channel.id) for person in people]


def _kind(value: Any) -> int:
    return 4 if isinstance(value, int) else 3
