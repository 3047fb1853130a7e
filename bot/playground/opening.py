"""One press to a lobby with opponents, by what people do in Discord: a command, and a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from simcord.backend.models import Channel, Message
from simcord.components import walk_components
from simcord.enums import ChannelType

from bot.playground.acts import THINKING_ENDS, Acts, Impossible, answered
from bot.playground.projection import summary
from bot.playground.world import THINKING

JOIN: Final = ":join:"
"""A part of the custom_id of a lobby's button, whose label is in the server's language."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its texts in English. Its key is the name of its group of commands."""

    key: str
    title: str
    summary: str
    taught: bool
    """Whether the game has a lesson."""
    picture: Callable[[], bytes]
    """Draws a PNG, in any thread."""
    options: Mapping[str, Any]
    """The options of the start command that suit a first match."""


Games = Mapping[str, Game]


class Lobby(NamedTuple):
    """A lobby and its place, with the bot's reason against the place that was asked for, if it gave one."""

    place: Channel
    message: Message
    reason: str


async def open_lobby(acts: Acts, first: Channel, game: Game, novices: int) -> Lobby:
    """Opens a lobby with weak computer players in a place, or else in the first channel where the bot opens one.

    Raises Impossible with the bot's reason if the bot opens none.
    """
    world, reason = acts.world, ""
    channels = [acts.place(each.id) for each in world.handles if each.id != first.id]
    for place in channels if first.type == ChannelType.DM else [first, *channels]:
        record = acts.slash(place.id, f"{game.key} start", _first_match(game, novices))
        await answered(world, record)
        answer = world.env.backend.messages[place.id].get(record.message_id or 0)
        if answer is None:
            continue
        await world.comes(lambda message=answer: not message.flags & THINKING, THINKING_ENDS)
        if not answer.is_ephemeral:
            return Lobby(place, answer, reason)
        reason = reason or summary(answer)
        world.dismiss(acts.person, answer.id)
    raise Impossible(reason)


async def join(acts: Acts, lobby: Lobby) -> None:
    """Seats a partner in a lobby."""
    for each in walk_components(lobby.message.components):
        if JOIN in each.get("custom_id", ""):
            press = acts.press(lobby.place.id, lobby.message.id, each["custom_id"])
            return await answered(acts.world, press)
    raise Impossible("Somebody else has changed the table meanwhile.")


async def begin_alone(acts: Acts, place: Channel, game: Game) -> None:
    """Begins a match alone in a person's direct messages with the bot."""
    await answered(acts.world, acts.slash(place.id, f"{game.key} start", _first_match(game, 1)))


def _first_match(game: Game, novices: int) -> dict[str, int | str]:
    """The options of the start command for a first match: those that suit it, and weak computer players."""
    return {**game.options, "agents": novices, "agent_level": "novice"}
