"""The options of a table that a person is about to open, and their text in the id of a button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.tables.model import TURN_LIMITS
from bot.tables.refusals import Refused
from bot.ui.handlers import HandlerContext
from bot.ui.screens.game_screens import Setting
from bot.ui.screens.ids import read_number


class Chosen(NamedTuple):
    """The options chosen with the command `start`.

    `limit`: a key of `TURN_LIMITS`; "" for the limit of the server. `level`: of the `agents`; None for the level that
    suits the person.
    """

    limit: str
    agents: int
    level: str | None
    options: dict[str, Any]
    same_deal: str = ""
    """The code of the table whose deal the lobby gets; "" for a deal of its own."""
    guest: int | None = None
    """A person who is asked to join."""
    offer: int = 0
    """The id of the interaction that offered a thread for the table; 0 without an offer."""


def write_chosen(context: HandlerContext, game: str, chosen: Chosen) -> str:
    """The text of a game and its options, without a guest. It is short enough for the id of a button."""
    settings = context.screens[game].settings()
    places = [_place(setting, chosen.options.get(name)) for name, setting in settings.items()]
    parts = (
        game,
        chosen.limit,
        str(chosen.agents),
        chosen.level or "",
        chosen.same_deal.strip(),
        str(chosen.offer),
    )
    return ".".join((*parts, "-".join(places)))


def read_chosen(context: HandlerContext, text: str) -> tuple[str, Chosen]:
    """The game and the options from which `write_chosen` made this text. Raises `Refused` if it did not make it."""
    parts = text.split(".")
    if len(parts) != 7 or parts[0] not in context.screens:
        raise Refused("unknown")
    game, limit, agents, level, same_deal, offer, places = parts
    number, offered, known = read_number(agents), read_number(offer), context.tables.games[game]
    if not offered or number is None or number >= known.max_seats or (limit and limit not in TURN_LIMITS):
        raise Refused("unknown")
    if level and level not in known.agents:
        raise Refused("unknown")
    options = _options(context.screens[game].settings(), places)
    return game, Chosen(limit, number, level or None, options, same_deal, offer=offered)


def _place(setting: Setting, value: object) -> str:
    """The place of a value among the choices of its setting; "" if none is chosen."""
    return str([*setting.choices].index(str(value))) if value in setting.choices else ""


def _options(settings: Mapping[str, Setting], places: str) -> dict[str, Any]:
    """The options from the places of their values. Raises `Refused` if there is no such place."""
    given = places.split("-") if settings or places else []  # without settings, there are no places to split
    if len(given) != len(settings):
        raise Refused("unknown")
    options = dict[str, Any]()
    for (name, setting), place in zip(settings.items(), given, strict=True):
        if not place:
            continue
        number, values = read_number(place), [*setting.choices]
        if number is None or number >= len(values):
            raise Refused("unknown")
        options[name] = values[number]
    return options
