"""Games with one fault each, made from sound ones, and what a check makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import archaeology, expedition
from engine.archaeology import Archaeology
from engine.errors import EngineError
from engine.expedition import Expedition
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import MonumentKey
from engine.game import AnyGame, Event, Options
from tests.engine.conformance import Case, Walk, walks
from tests.sealed import Sealed


def broken(**methods: Any) -> Archaeology:
    """Archaeology with some of its methods replaced."""
    return type("Broken", (Archaeology,), methods)(archaeology.create().card_list)


def expedition_with(**methods: Any) -> Expedition:
    """The New Expedition with some of its methods replaced."""
    return type("Broken", (Expedition,), methods)(expedition.create().card_list)


def sealed(**methods: Any) -> Sealed:
    """The game of sealed bids with some of its methods replaced."""
    return type("Broken", (Sealed,), methods)()


def changed(change: Callable[[Event, Any], Event]) -> Any:
    """An `apply` of Archaeology whose events are changed, each with the state after them."""

    def apply(self: Archaeology, state: Any, seat: int, move: object) -> list[Event]:
        return [change(event, state) for event in Archaeology.apply(self, state, seat, move)]

    return apply


def fault(check: Callable[[Walk], None], game: AnyGame, monument: MonumentKey | None = None) -> str | None:
    """The finding of the check for the game with three seats; None without one."""
    options = ExpeditionOptions(monument=monument) if monument else Options()
    try:
        for walk in walks(Case(game, 3, options, "broken"), more=1):
            check(walk)
    except (AssertionError, EngineError) as error:
        return str(error) or type(error).__name__
    return None


def fails(check: Callable[[Walk], None], game: AnyGame) -> bool:
    """Whether the check finds a fault in the game with three seats."""
    return fault(check, game) is not None
