"""One press to a running match, by what people do in Discord: a command, a seat, the start, and the hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from simcord.backend.models import Channel, Message
from simcord.components import walk_components
from simcord.enums import ChannelType

from bot.playground.acts import THINKING_ENDS, Acts, Impossible, answered
from bot.playground.projection import summary
from bot.playground.world import THINKING, Person

JOIN: Final = ":join:"
START: Final = ":start:"
HAND: Final = ":hand:"
"""Parts of the custom_ids of two buttons of a lobby and one of a board. Their labels are in the server's language."""


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


async def start(acts: Acts, lobby: Lobby, partner: Person | None) -> None:
    """Starts the match of a person alone or with a partner, and opens the person's hand."""
    world, place, message = acts.world, lobby.place.id, lobby.message
    if partner:
        await answered(world, Acts(world, partner).press(place, message.id, _button(message, JOIN)))
    await answered(world, acts.press(place, message.id, _button(message, START)))

    def boards() -> list[Message]:
        messages = world.env.backend.messages[place].values()
        return [each for each in messages if each.id > message.id and _buttons(each, HAND)]

    if await world.comes(boards, THINKING_ENDS):
        board = boards()[-1]
        await answered(world, acts.press(place, board.id, _button(board, HAND)))


async def begin_alone(acts: Acts, place: Channel, game: Game) -> None:
    """Begins a match alone in a person's direct messages with the bot."""
    await answered(acts.world, acts.slash(place.id, f"{game.key} start", _first_match(game, 1)))


def _first_match(game: Game, novices: int) -> dict[str, int | str]:
    """The options of the start command for a first match: those that suit it, and weak computer players."""
    return {**game.options, "agents": novices, "agent_level": "novice"}


def _button(message: Message, part: str) -> str:
    for found in _buttons(message, part):
        return found
    raise Impossible(
        "Somebody else has changed the table meanwhile. Join it, and start the match, by its buttons."
    )


def _buttons(message: Message, part: str) -> list[str]:
    shown = (each for each in walk_components(message.components) if not each.get("disabled"))
    return [each["custom_id"] for each in shown if part in each.get("custom_id", "")]
