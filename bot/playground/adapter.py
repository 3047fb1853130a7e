"""The parts of Discord that SimCord lacks: group DMs, and interactions in other languages than English.

SimCord's actors also wait until every task of the bot has ended, and fail after a time. An interaction from here is
answered by what the bot does, however long that takes, and any number are under way at once.

All names of SimCord that are used here are public. None of its objects or functions is replaced.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import simcord
from simcord.backend.access import channel_accessible
from simcord.backend.models import Channel, Interaction, Message
from simcord.backend.serializers import message_payload, user_payload
from simcord.enums import InteractionType
from simcord.interactions import base_payload

GROUP_DM: Final = 3
"""Discord's type of a channel of several people without a server."""
_IN_GROUP: Final = 2
"""Discord's context of an interaction in a group DM, in which the bot is no member."""
_PERMISSIONS: Final = {1: "442368", GROUP_DM: "180224"}
"""The permissions that Discord gives an application without a server, by the type of the channel."""
_BY_PERSON: Final = "1"
"""Discord's kind of an installation by a person."""


def create_group(env: simcord.Env, name: str, people: list[int]) -> Channel:
    """Creates a group DM of these people, by their ids."""
    group = env.backend.create_channel(None, name, type=GROUP_DM)
    group.recipient_ids = people
    return group


def can_see(env: simcord.Env, channel: Channel, person: int) -> bool:
    """Whether a person may open a channel, by their id."""
    if channel.type == GROUP_DM:
        return person in channel.recipient_ids
    return channel_accessible(env.backend, channel.id, person)


def commands_in(env: simcord.Env, channel: Channel, person: int, kind: int) -> list[dict[str, Any]]:
    """The bot's commands of a kind (Discord's number) that a person may use in a channel, as it registered them."""
    if channel.type != GROUP_DM:
        return env.backend.visible_commands(user_id=person, channel_id=channel.id, type=kind)
    registered = env.backend.commands.get(None, {}).values()
    return [each for each in registered if each["type"] == kind and _IN_GROUP in (each.get("contexts") or ())]


class Invocation(NamedTuple):
    """A person's act: Discord's number for the kind of the interaction, its data, and the message of a press."""

    kind: InteractionType
    data: dict[str, Any]
    source: Message | None = None


def interact(env: simcord.Env, channel: Channel, person: int, locale: str, done: Invocation) -> Interaction:
    """Gives the bot an interaction of a person with this language of Discord.

    Returns its record, which the bot's answer changes.
    """
    record, payload = base_payload(
        env.backend,
        type=done.kind,
        channel_id=channel.id,
        guild_id=channel.guild_id,
        user_id=person,
        data=done.data,
    )
    # Discord allows three seconds, after which the page says what Discord says. A busy machine may need more, so an
    # answer that comes later is taken all the same.
    record.initial_response_deadline = None
    payload["locale"] = locale
    if channel.guild_id is None:
        payload["app_permissions"] = _PERMISSIONS[channel.type]
        payload["authorizing_integration_owners"] = {_BY_PERSON: str(person)}
    if channel.type == GROUP_DM:
        people = [dict(user_payload(env.backend.get_user(each))) for each in channel.recipient_ids]
        payload["context"] = _IN_GROUP
        payload["channel"] = {
            "id": str(channel.id), "type": GROUP_DM, "name": channel.name, "recipients": people,
        }  # fmt: skip
    if done.source is not None:
        record.source_message_id = done.source.id
        payload["message"] = dict(message_payload(env.backend, done.source))
    env.backend.emit("INTERACTION_CREATE", payload)
    return record
