"""One press to a running match, by what people do in Discord: a command, a seat, the start, and the hand."""

from __future__ import annotations

from typing import Final

from simcord.backend.models import Channel, Message
from simcord.components import walk_components
from simcord.enums import ChannelType

from bot.playground.acts import Acts, Impossible, answered
from bot.playground.projection import summary
from bot.playground.timing import PLAYGROUND
from bot.playground.world import THINKING, Person

JOIN: Final = ":join:"
START: Final = ":start:"
"""Parts of the custom_ids of two buttons of a lobby. Their labels are in the server's language."""


async def begin(acts: Acts, place: Channel, game: str, partner: Person | None) -> tuple[Channel, str]:
    """Begins a match against weak computer players, of a person alone or with a partner, and opens the person's hand.

    It is in `place`, or else in the first channel where the bot opens one. Returns where it is, with the bot's reason
    against `place`, if it gave one. Raises Impossible with the bot's reason if the bot opens no match.
    """
    world = acts.world
    if place.type == ChannelType.DM and partner is None:
        await answered(world, acts.slash(place.id, f"{game} start", _novices(1)))
        return place, ""
    found, lobby, reason = await _open_lobby(acts, place, game, 1 if partner else 2)
    if partner:
        await answered(world, Acts(world, partner).press(found.id, lobby.id, _button(lobby, JOIN)))
    await answered(world, acts.press(found.id, lobby.id, _button(lobby, START)))
    await world.comes(lambda: not _buttons(lobby, START), PLAYGROUND.thinking)
    await answered(world, acts.slash(found.id, f"{game} hand", {}))
    return found, reason


def _novices(count: int) -> dict[str, int | str]:
    """The options of the start command that seat weak computer players."""
    return {"agents": count, "agent_level": "novice"}


async def _open_lobby(acts: Acts, first: Channel, game: str, novices: int) -> tuple[Channel, Message, str]:
    world, reason = acts.world, ""
    channels = [acts.place(each.id) for each in world.handles if each.id != first.id]
    for place in channels if first.type == ChannelType.DM else [first, *channels]:
        record = acts.slash(place.id, f"{game} start", _novices(novices))
        await answered(world, record)
        answer = world.env.backend.messages[place.id].get(record.message_id or 0)
        if answer is None:
            continue
        await world.comes(lambda message=answer: not message.flags & THINKING, PLAYGROUND.thinking)
        if not answer.is_ephemeral:
            return place, answer, reason
        reason = reason or summary(answer)
        world.dismiss(acts.person, answer.id)
    raise Impossible(reason)


def _button(message: Message, part: str) -> str:
    """The custom_id of a button that contains this part."""
    for found in _buttons(message, part):
        return found
    raise Impossible(
        "Somebody else has changed the table meanwhile. Join it, and start the match, by its buttons."
    )


def _buttons(message: Message, part: str) -> list[str]:
    shown = (each for each in walk_components(message.components) if not each.get("disabled"))
    return [each["custom_id"] for each in shown if part in each.get("custom_id", "")]
