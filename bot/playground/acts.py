"""What people do in the simulated Discord: commands, presses, choices, forms and messages.

Each act gives the bot an interaction and returns its record, which the bot's answer changes. An act that a person could
not do in Discord raises `Impossible`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from simcord import BackendError, OptionError, SetupError
from simcord.backend.models import Channel, Interaction, Message
from simcord.backend.serializers import member_payload, message_payload, user_payload
from simcord.components import walk_components
from simcord.enums import AppCommandType, ComponentType, InteractionType, OptionType
from simcord.interactions import (
    build_options,
    command_leaves,
    nest_options,
    resolve_handle,
    walk_to_subcommand,
)

from bot.playground.adapter import can_see, commands_in, interact
from bot.playground.world import Person, World

KINDS_OF_MENU: Final = {
    ComponentType.USER_SELECT: "users",
    ComponentType.ROLE_SELECT: "roles",
    ComponentType.CHANNEL_SELECT: "channels",
}
"""The menus whose values are ids, and what Discord resolves them to."""


class Impossible(Exception):
    """A person could not do this. The text is a sentence for them."""


def open_place(world: World, person: Person, number: Any) -> Channel:
    """The channel with this id, if the person may see it."""
    place = world.place(int(number))
    if place is None or not can_see(world.env, place, person.id):
        raise Impossible("This place is gone, or you can't see it.")
    return place


def seen_message(world: World, person: Person, place: Any, number: Any) -> tuple[Channel, Message]:
    """A message that the person sees, and its channel."""
    channel = open_place(world, person, place)
    message = world.env.backend.messages[channel.id].get(int(number))
    if message is None or not message.visible_to(person.id):
        raise Impossible("This message is gone.")
    return channel, message


# -- commands


def offered_commands(world: World, person: Person, place: Channel) -> dict[str, list[dict[str, Any]]]:
    """The commands that the person may use, as the page lists them: slash commands with their options, and the entries
    of the menus of a person and of a message.
    """
    offered: dict[str, list[dict[str, Any]]] = {}
    for kind in ("CHAT_INPUT", "USER", "MESSAGE"):
        commands = commands_in(world.env, place, person.id, AppCommandType[kind])
        offered[kind] = [leaf for each in commands for leaf in _leaves(each, person.locale)]
    return offered


def _leaves(command: dict[str, Any], locale: str) -> Iterator[dict[str, Any]]:
    for path, leaf in command_leaves(command):
        shown = [in_language(command, "name", locale)]
        for node in path[1:]:
            child = next(each for each in command["options"] if each["name"] == node)
            shown.append(in_language(child, "name", locale))
        options = [_option(each, locale) for each in leaf.get("options") or ()]
        yield {
            "path": " ".join(path),
            "shown": " ".join(shown),
            "about": in_language(leaf, "description", locale),
            "options": options,
        }


def _option(option: dict[str, Any], locale: str) -> dict[str, Any]:
    choices = [
        {"name": in_language(each, "name", locale), "value": each["value"]}
        for each in option.get("choices") or ()
    ]
    kept = {name: option[name] for name in ("min_value", "max_value", "max_length") if name in option}
    return {
        **kept,
        "name": option["name"],
        "shown": in_language(option, "name", locale),
        "about": in_language(option, "description", locale),
        "type": option["type"],
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "choices": choices,
    }


def in_language(named: Mapping[str, Any], field: str, locale: str) -> str:
    """A name or a description of a command, an option or a choice in the language of a person's Discord."""
    translated: Mapping[str, str] = named.get(f"{field}_localizations") or {}
    return translated.get(locale) or named.get(field) or ""


def _command(world: World, person: Person, place: Channel, name: str, kind: AppCommandType) -> dict[str, Any]:
    for each in commands_in(world.env, place, person.id, kind):
        if each["name"] == name:
            return each
    raise Impossible(f"There is no command {name} here.")


def slash(world: World, person: Person, place: Channel, path: str, options: Mapping[str, Any]) -> Interaction:
    """Sends a slash command (`archaeology start`) with its options by name; for people and channels their ids."""
    return _typed(world, person, place, path, options, InteractionType.APPLICATION_COMMAND, [])


def autocomplete(
    world: World, person: Person, place: Channel, path: str, options: Mapping[str, Any], typing: str
) -> Interaction:
    """Asks for the suggestions for the option `typing`, of which `options` has the present text."""
    others = {name: value for name, value in options.items() if name != typing}
    focused = {"name": typing, "type": int(OptionType.STRING), "value": options[typing], "focused": True}
    kind = InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
    return _typed(world, person, place, path, others, kind, [focused])


def _typed(
    world: World,
    person: Person,
    place: Channel,
    path: str,
    options: Mapping[str, Any],
    kind: InteractionType,
    focused: list[dict[str, Any]],
) -> Interaction:
    name, *below = path.split()
    command = _command(world, person, place, name, AppCommandType.CHAT_INPUT)
    partial = bool(focused)
    try:
        leaf, nesting = walk_to_subcommand(command, below)
        values = {each["name"]: _value(world, each["type"], options[each["name"]])
                  for each in leaf.get("options") or () if each["name"] in options}  # fmt: skip
        built, resolved = build_options(
            person.actor, path, leaf, values, partial=partial, channel_id=place.id
        )
    except (OptionError, SetupError, BackendError, ValueError) as error:
        raise Impossible(f"This command can't be sent like this: {error}.") from error
    data: dict[str, Any] = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "options": nest_options(command, nesting, [*built, *focused]),
    }
    if resolved:
        data["resolved"] = resolved
    return interact(world.env, place, person.id, person.locale, data, kind=kind)


def _value(world: World, kind: int, value: Any) -> Any:
    """An option's value as SimCord takes it, from the page's."""
    match kind:
        case OptionType.INTEGER:
            return int(value)
        case OptionType.NUMBER:
            return float(value)
        case OptionType.BOOLEAN:
            return value in (True, "true", "True")
        case OptionType.USER | OptionType.MENTIONABLE:
            return world.people[int(value)].actor
        case OptionType.CHANNEL:
            return next(each for each in world.handles if each.id == int(value))
        case _:
            return str(value)


def use_on_person(world: World, person: Person, place: Channel, name: str, target: int) -> Interaction:
    """Chooses an entry of the menu of another person."""
    backend = world.env.backend
    resolved: dict[str, Any] = {"users": {str(target): dict(user_payload(backend.get_user(target)))}}
    if place.guild_id is not None:
        guild = backend.get_guild(place.guild_id)
        member = dict(member_payload(backend, guild, guild.members[target], with_user=False))
        resolved["members"] = {str(target): member}
    return _use(world, person, place, name, AppCommandType.USER, target, resolved)


def use_on_message(world: World, person: Person, place: Channel, name: str, target: Message) -> Interaction:
    """Chooses an entry of the menu of a message."""
    resolved = {"messages": {str(target.id): dict(message_payload(world.env.backend, target))}}
    return _use(world, person, place, name, AppCommandType.MESSAGE, target.id, resolved)


def _use(
    world: World,
    person: Person,
    place: Channel,
    name: str,
    kind: AppCommandType,
    target: int,
    resolved: dict[str, Any],
) -> Interaction:
    command = _command(world, person, place, name, kind)
    data = {"id": command["id"], "name": name, "type": kind, "target_id": str(target), "resolved": resolved}
    sent = InteractionType.APPLICATION_COMMAND
    return interact(world.env, place, person.id, person.locale, data, kind=sent)


# -- components


def press(world: World, person: Person, place: Any, number: Any, custom_id: str) -> Interaction:
    """Presses a button. One that its message has lost meanwhile reaches the bot all the same, which explains."""
    channel, message = seen_message(world, person, place, number)
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
    return _pressed(world, person, channel, message, data)


def choose(
    world: World, person: Person, place: Any, number: Any, custom_id: str, values: list[str]
) -> Interaction:
    """Chooses in a menu: the values of options, or ids of people, roles and channels."""
    channel, message = seen_message(world, person, place, number)
    menus = (each for each in walk_components(message.components) if each.get("custom_id") == custom_id)
    menu = next(menus, {"type": ComponentType.STRING_SELECT})
    data: dict[str, Any] = {
        "custom_id": custom_id, "component_type": int(menu["type"]), "values": values,
    }  # fmt: skip
    if resolved := _resolved(world, person, channel, int(menu["type"]), values):
        data["resolved"] = resolved
    return _pressed(world, person, channel, message, data)


def _pressed(
    world: World, person: Person, channel: Channel, message: Message, data: dict[str, Any]
) -> Interaction:
    kind = InteractionType.MESSAGE_COMPONENT
    return interact(world.env, channel, person.id, person.locale, data, kind=kind, source=message)


def _resolved(world: World, person: Person, channel: Channel, kind: int, values: list[str]) -> dict[str, Any]:
    """What Discord sends with the ids that somebody chose in a menu of people, roles or channels."""
    if kind not in KINDS_OF_MENU:
        return {}
    handles = {str(each.id): each for each in (*world.handles, *world.roles)}
    handles |= {str(each.id): each.actor for each in world.people.values()}
    resolved: dict[str, dict[str, Any]] = {}
    for value in values:
        resolve_handle(person.actor, handles[value], resolved, channel_id=channel.id)
    return resolved


def submit(world: World, person: Person, shown: Interaction, values: Mapping[str, Any]) -> Interaction:
    """Sends a form that the bot has answered with, with the values of its fields by their custom_ids."""
    if shown.modal is None or shown.user_id != person.id:
        raise Impossible("This form isn't yours.")
    channel = open_place(world, person, shown.channel_id)
    source = world.env.backend.messages[channel.id].get(shown.source_message_id or 0)
    data = {
        "custom_id": shown.modal["custom_id"],
        "components": [_filled(each, values) for each in shown.modal["components"]],
    }
    kind = InteractionType.MODAL_SUBMIT
    return interact(world.env, channel, person.id, person.locale, data, kind=kind, source=source)


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


# -- messages


def say(world: World, person: Person, place: Channel, text: str) -> None:
    """Writes a message."""
    backend = world.env.backend
    if place.guild_id is not None:
        needed = "send_messages_in_threads" if place.is_thread else "send_messages"
        try:
            backend.require_permissions(place.guild_id, person.id, place.id, needed)
        except BackendError as error:
            raise Impossible("You may not write here.") from error
        if place.is_thread and place.thread_metadata and place.thread_metadata.archived:
            backend.edit_channel(place.id, {}, thread_metadata={"archived": False})
    backend.create_message(place.id, person.id, text)
