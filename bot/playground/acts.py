"""The acts of people in the simulated Discord: commands, presses, choices, forms and messages.

Each act gives the bot an interaction and returns its record, which the bot's answer changes. An act that a person could
not do in Discord raises `Impossible`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simcord import BackendError, OptionError, SetupError
from simcord.backend.models import Channel, Interaction, Message
from simcord.backend.serializers import member_payload, message_payload, user_payload
from simcord.components import walk_components
from simcord.enums import AppCommandType, ChannelType, ComponentType, InteractionType, OptionType
from simcord.interactions import build_options, nest_options, resolve_handle, walk_to_subcommand

from bot.playground.world import Invocation, Person, World, can_see, commands_in, interact

log = logging.getLogger(__name__)

ANSWER: Final = 3.0
"""Seconds until the page says that the bot has not answered an interaction, as Discord does."""
THINKING_ENDS: Final = 900.0
"""Seconds for which Discord shows that a bot is thinking. The interaction's token ends then."""
UNANSWERED: Final = {
    InteractionType.APPLICATION_COMMAND: "The application did not respond",
    InteractionType.MESSAGE_COMPONENT: "This interaction failed",
    InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE: "Loading options failed",
    InteractionType.MODAL_SUBMIT: "Something went wrong. Try again.",
}
"""Discord's words for an interaction that a bot has not answered in time."""
HANDLES: Final = (OptionType.USER, OptionType.CHANNEL, OptionType.ROLE, OptionType.MENTIONABLE)
"""The types of options whose values are ids."""


class Impossible(Exception):
    """A person could not do this. The text is a sentence for them."""


async def answered(world: World, record: Interaction) -> None:
    """Waits for the bot's answer to an interaction; raises Impossible with Discord's words if it comes too late."""
    if not await world.comes(lambda: record.responded, ANSWER):
        raise Impossible(UNANSWERED[InteractionType(record.type)])


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts of one person. Places and messages are given by their ids."""

    world: World
    person: Person

    # -- what the person sees

    def place(self, number: Any) -> Channel:
        """The channel with this id, if the person may see it."""
        place = self.world.place(int(number))
        if place is None or not can_see(self.world.env, place, self.person.id):
            raise Impossible("This place is gone, or you can't see it.")
        return place

    def place_like(self, number: Any) -> Channel:
        """The place in which somebody else is: the same channel, or the person's own messages with the bot."""
        place = self.world.place(int(number))
        if place is not None and place.type == ChannelType.DM:
            return self.world.env.backend.get_dm_channel(self.person.id)
        return self.place(number)

    def message(self, place: Any, number: Any) -> Message:
        """A message that the person sees."""
        message = self.world.env.backend.messages[self.place(place).id].get(int(number))
        if message is None or not message.visible_to(self.person.id):
            raise Impossible("This message is gone.")
        return message

    def commands(self, place: Any) -> list[dict[str, Any]]:
        """The commands that the person may use, as the bot registered them."""
        env, channel = self.world.env, self.place(place)
        kinds = (AppCommandType.CHAT_INPUT, AppCommandType.USER, AppCommandType.MESSAGE)
        return [each for kind in kinds for each in commands_in(env, channel, self.person.id, kind)]

    # -- commands

    def slash(self, place: Any, path: str, options: Mapping[str, Any], typing: str = "") -> Interaction:
        """Sends a slash command (`game start`) with its options by name; for people and channels their ids.

        With `typing`, asks for the suggestions for this option, of which `options` has the present text.
        """
        name, *below = path.split()
        channel = self.place(place)
        command = self._command(channel, name, AppCommandType.CHAT_INPUT)
        try:
            leaf, nesting = walk_to_subcommand(command, below)
            given = [each for each in leaf.get("options") or () if each["name"] in options]
            values = {
                each["name"]: self._handle(options[each["name"]])
                if each["type"] in HANDLES
                else options[each["name"]]
                for each in given
                if each["name"] != typing
            }
            built, resolved = build_options(
                self.person.actor, path, leaf, values, partial=bool(typing), channel_id=channel.id
            )
        except (OptionError, SetupError, BackendError, ValueError) as error:
            log.info("SimCord refused /%s: %s", path, error)
            raise Impossible(
                "This command can't be sent with these options. Please choose them again."
            ) from error
        if typing:
            text = {"type": int(OptionType.STRING), "value": options[typing], "focused": True}
            built.append({"name": typing, **text})
        data = {**_named(command), "options": nest_options(command, nesting, built)}
        if resolved:
            data["resolved"] = resolved
        kind = InteractionType.APPLICATION_COMMAND
        return self._send(channel, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE if typing else kind, data)

    def _command(self, place: Channel, name: str, kind: AppCommandType) -> dict[str, Any]:
        for each in commands_in(self.world.env, place, self.person.id, kind):
            if each["name"] == name:
                return each
        raise Impossible(f"There is no command {name} here.")

    def use(self, place: Any, on: str, name: str, target: Any) -> Interaction:
        """Chooses an entry of the menu of a "person" or of a "message" with this id."""
        backend, channel = self.world.env.backend, self.place(place)
        if on == "message":
            message = message_payload(backend, self.message(place, target))
            command = self._command(channel, name, AppCommandType.MESSAGE)
            resolved: dict[str, Any] = {"messages": {str(target): dict(message)}}
        else:
            command = self._command(channel, name, AppCommandType.USER)
            resolved = {"users": {str(target): dict(user_payload(backend.get_user(int(target))))}}
            if channel.guild_id is not None:
                guild = backend.get_guild(channel.guild_id)
                member = member_payload(backend, guild, guild.members[int(target)], with_user=False)
                resolved["members"] = {str(target): dict(member)}
        data = {**_named(command), "target_id": str(target), "resolved": resolved}
        return self._send(channel, InteractionType.APPLICATION_COMMAND, data)

    # -- components

    def press(self, place: Any, message: Any, custom_id: str) -> Interaction:
        """Presses a button. One that its message has lost meanwhile reaches the bot all the same, which explains."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return self._send(
            self.place(place), InteractionType.MESSAGE_COMPONENT, data, self.message(place, message)
        )

    def choose(self, place: Any, message: Any, custom_id: str, values: list[str]) -> Interaction:
        """Chooses in a menu: the values of options, or ids of people, roles and channels."""
        channel, source = self.place(place), self.message(place, message)
        menus = (each for each in walk_components(source.components) if each.get("custom_id") == custom_id)
        kind = int(next(menus, {"type": ComponentType.STRING_SELECT})["type"])
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind, "values": values}
        if kind != ComponentType.STRING_SELECT:
            data["resolved"] = resolved = dict[str, dict[str, Any]]()
            for value in values:
                resolve_handle(self.person.actor, self._handle(value), resolved, channel_id=channel.id)
        return self._send(channel, InteractionType.MESSAGE_COMPONENT, data, source)

    def _handle(self, value: str) -> Any:
        """A person, channel or role of the server as SimCord takes it, by its id."""
        actors = (each.actor for each in self.world.people.values())
        return next(
            each for each in (*actors, *self.world.handles, *self.world.roles) if str(each.id) == value
        )

    def submit(self, shown: Interaction, values: Mapping[str, Any]) -> Interaction:
        """Sends a form that the bot has answered with, with the values of its fields by their custom_ids."""
        if shown.modal is None or shown.user_id != self.person.id:
            raise Impossible("This form isn't yours.")
        channel = self.place(shown.channel_id)
        source = self.world.env.backend.messages[channel.id].get(shown.source_message_id or 0)
        data = {
            "custom_id": shown.modal["custom_id"],
            "components": [_filled(each, values) for each in shown.modal["components"]],
        }
        return self._send(channel, InteractionType.MODAL_SUBMIT, data, source)

    def _send(
        self, channel: Channel, kind: InteractionType, data: dict[str, Any], source: Message | None = None
    ) -> Interaction:
        done = Invocation(kind, data, source)
        return interact(self.world.env, channel, self.person.id, self.person.locale, done)

    # -- messages

    def say(self, place: Any, text: str) -> None:
        """Writes a message."""
        backend, channel = self.world.env.backend, self.place(place)
        if channel.guild_id is not None:
            needed = "send_messages_in_threads" if channel.is_thread else "send_messages"
            try:
                backend.require_permissions(channel.guild_id, self.person.id, channel.id, needed)
            except BackendError as error:
                raise Impossible("You may not write here.") from error
            if channel.thread_metadata and channel.thread_metadata.archived:
                backend.edit_channel(channel.id, {}, thread_metadata={"archived": False})
        backend.create_message(channel.id, self.person.id, text)


def _named(command: Mapping[str, Any]) -> dict[str, Any]:
    return {name: command[name] for name in ("id", "name", "type", "guild_id") if name in command}


def _filled(node: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A component of a form as Discord sends it back."""
    sent: dict[str, Any] = {name: node[name] for name in ("type", "id", "custom_id") if name in node}
    if "component" in node:
        sent["component"] = _filled(node["component"], values)
    elif "components" in node:
        sent["components"] = [_filled(each, values) for each in node["components"]]
    elif "custom_id" in node:
        value = values.get(str(node["custom_id"]))
        sent["values" if isinstance(value, list) else "value"] = value
    return sent
