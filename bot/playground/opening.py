"""One press to a running match, by what people do in Discord: a command, a seat, the start, and the hand."""

from __future__ import annotations

from typing import Final

from simcord.backend.models import Interaction, Message
from simcord.components import walk_components

from bot.playground.acts import Acts, Impossible
from bot.playground.projection import summary
from bot.playground.world import Person, World

NOVICE: Final = {"agents": 1, "agent_level": "novice"}
"""The options of the start command that seat a weak computer player."""
JOIN: Final = ":join:"
START: Final = ":start:"
"""Parts of the custom_ids of two buttons of a lobby. Their labels are in the server's language."""


async def begin(world: World, person: Person, partner: Person, game: str) -> int:
    """Begins a match of two people and a computer player in the first channel without a match, and opens the hand of
    `person`. Returns the channel's id; raises Impossible with the bot's reason if the bot opens no match.
    """
    place, lobby = await _open_lobby(world, person, game)
    host, friend = Acts(world, person), Acts(world, partner)
    await answered(world, friend.press(place, lobby.id, _button(lobby, JOIN)))
    await answered(world, host.press(place, lobby.id, _button(lobby, START)))
    await answered(world, host.slash(place, f"{game} hand", {}))
    return place


async def _open_lobby(world: World, person: Person, game: str) -> tuple[int, Message]:
    reason = "There is no channel."
    for handle in world.handles:
        record = Acts(world, person).slash(handle.id, f"{game} start", NOVICE)
        await answered(world, record)
        answer = world.env.backend.messages[handle.id].get(record.message_id or 0)
        if answer is not None and not answer.is_ephemeral:
            return handle.id, answer
        reason = summary(answer) if answer else reason
        if answer is not None:
            world.dismiss(person, answer.id)
    raise Impossible(reason)


async def answered(world: World, record: Interaction) -> None:
    """Waits for the bot's answer to an interaction, however long it takes."""
    while not record.responded:
        await world.next_change()


def _button(message: Message, part: str) -> str:
    """The custom_id of a button that contains this part."""
    for each in walk_components(message.components):
        if part in each.get("custom_id", "") and not each.get("disabled"):
            return str(each["custom_id"])
    raise Impossible(
        "Somebody else has changed the table meanwhile. Join it, and start the match, by its buttons."
    )
