"""The scenarios as the rules play by them: events by part and roll, Aids by key, ready to be looked up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.artifact.card_list import ROLLS, AidData, CardList, PartData, RowData, ScenarioData
from engine.artifact.party import ABILITIES, EQUIPMENT, Aid

SECOND: Final = 16
"""The first square of the second part (R47)."""


class Challenge(NamedTuple):
    """A Challenge (see the data's `ChallengeData`): abilities by number, how often each counts."""

    abilities: tuple[int, ...]
    times: int
    outcome: str
    squares: int


class Row(NamedTuple):
    """An event: either `aid` or `challenge` is there. `part` counts from 0, `roll` is that of two dice.

    `fits` are the keys of the Aids that can be spent on its Challenge (R42).
    """

    key: str
    title: str
    story: str
    part: int
    roll: int
    aid: Aid | None
    challenge: Challenge | None
    fits: frozenset[str] = frozenset()


class Scenario:
    """A scenario. `tables[part][roll]` is an event; `rows` are all of them by key, `aids` all Aids by key.

    Equipment is among the Aids. `fits[ability]` are the keys of the Aids for an ability (R42).
    """

    __slots__ = ("aids", "data", "fits", "key", "number", "rows", "tables")

    def __init__(self, number: int, data: ScenarioData) -> None:
        self.number = number
        self.data = data
        self.key = data.key
        drawn = [row for part in data.parts for row in part.rows]
        self.aids = {aid.key: aid for aid in EQUIPMENT}
        self.aids |= {row.key: _aid(row.key, row.aid) for row in drawn if row.aid}
        self.fits = tuple(
            frozenset(key for key, aid in self.aids.items() if aid.ability == ability)
            for ability in range(len(ABILITIES))
        )
        self.tables = tuple(self._table(part, rows) for part, rows in enumerate(data.parts))
        self.rows = {row.key: row for table in self.tables for row in table if row.key}

    def _table(self, part: int, data: PartData) -> tuple[Row, ...]:
        return (*([_NOTHING] * ROLLS.start), *(self._row(part, row) for row in data.rows))

    def _row(self, part: int, data: RowData) -> Row:
        named = (data.key, data.title, data.story, part, data.roll)
        if data.challenge is None:
            return Row(*named, self.aids[data.key], None)
        asked = data.challenge
        abilities = tuple(ABILITIES.index(ability) for ability in asked.abilities)
        challenge = Challenge(abilities, 2 if asked.double else 1, asked.outcome, asked.squares or 0)
        return Row(*named, None, challenge, frozenset[str]().union(*[self.fits[a] for a in abilities]))

    def __repr__(self) -> str:
        return f"<Scenario {self.key}>"


class Catalogue:
    """All scenarios. Equal where their data are; sent to another process as the data's text."""

    __slots__ = ("digest", "numbers", "scenarios", "text")

    def __init__(self, card_list: CardList) -> None:
        self.text = card_list.model_dump_json(exclude_unset=True)
        self.digest = card_list.digest
        self.scenarios = tuple(Scenario(number, data) for number, data in enumerate(card_list.scenarios))
        self.numbers = {scenario.key: scenario.number for scenario in self.scenarios}

    def __repr__(self) -> str:
        return f"<Catalogue {self.digest}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and (self is other or self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (self.text,)


@lru_cache(maxsize=8)
def _read(text: str) -> Catalogue:
    """The catalogue of a card list's text. Whoever is sent many views reads it once."""
    return Catalogue(CardList.model_validate_json(text))


_NOTHING: Final = Row("", "", "", 0, 0, None, None)
"""In a table's places that two dice cannot show."""


def _aid(key: str, data: AidData) -> Aid:
    return Aid(key, ABILITIES.index(data.ability), data.worth)
