"""An event with its reader: what the words about it need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifact import cast
from engine.artifact.catalogue import Catalogue, Encounter, Scenario

Facts = Mapping[str, Any]


class Teller:
    """Tells one viewer what happened: "you" is the viewer, anybody else has a name."""

    def __init__(self, event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> None:
        self.kind = event.kind
        self.seat = event.seat
        self.facts: Facts = event.facts
        self.viewer = viewer
        self.names = names
        self.catalogue = catalogue

    @property
    def you(self) -> bool:
        """Whether this befell the viewer."""
        return self.viewer is not None and self.seat == self.viewer

    def bold(self, seat: int) -> str:
        return self.names.bold(seat)

    def scenario(self) -> Scenario | None:
        """The scenario that the event names; None if there is none of this key any more."""
        number = self.catalogue.numbers.get(self.facts["scenario"])
        return None if number is None else self.catalogue.scenarios[number]

    def encounter(self) -> Encounter | None:
        """The encounter that the event names; None if its scenario has none of this key any more."""
        scenario = self.scenario()
        return None if scenario is None else scenario.encounters.get(self.facts["encounter"])

    def person(self) -> str:
        """The member that the event names. Stored events of earlier versions have no cast."""
        assert self.seat is not None
        return cast.person(self.facts.get("cast"), self.seat, self.facts["member"])

    def said(self, mine: str, theirs: str, **values: object) -> str:
        """The sentence to the viewer if it is about them, or the one about whoever else."""
        who = "" if self.seat is None else self.bold(self.seat)
        return (mine if self.you else theirs).format(who=who, **values)
