"""The scenarios as the rules play by them: encounters by part and roll, Aids by key, ready to be looked up."""

from __future__ import annotations

from typing import Final, NamedTuple, Self

from engine.artifact.card_list import ROLLS, AidData, CardList, EncounterData, PartData, ScenarioData
from engine.artifact.party import ABILITIES, EQUIPMENT, Aid
from engine.cards import ListedCards

SECOND: Final = 16
"""The first square of the second part (R47)."""


class Challenge(NamedTuple):
    """A Challenge (see the data's `ChallengeData`): abilities by number, how often each counts."""

    abilities: tuple[int, ...]
    times: int
    penalty: str
    squares: int


class Encounter(NamedTuple):
    """An encounter: either `aid` or `challenge` is there. `part` counts from 0, `roll` is that of two dice.

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
    """A scenario. `parts[part][roll]` is an encounter; `encounters` are all by key, `aids` all Aids by key.

    Equipment is among the Aids. `fits[ability]` are the keys of the Aids for an ability (R42).
    """

    __slots__ = ("aids", "data", "encounters", "fits", "key", "number", "parts")

    def __init__(self, number: int, data: ScenarioData) -> None:
        self.number = number
        self.data = data
        self.key = data.key
        drawn = [encounter for part in data.parts for encounter in part.encounters]
        self.aids = {aid.key: aid for aid in EQUIPMENT}
        self.aids |= {
            encounter.key: _aid(encounter.key, encounter.aid) for encounter in drawn if encounter.aid
        }
        self.fits = tuple(
            frozenset(key for key, aid in self.aids.items() if aid.ability == ability)
            for ability in range(len(ABILITIES))
        )
        self.parts = tuple(self._part(part, encounters) for part, encounters in enumerate(data.parts))
        self.encounters = {
            encounter.key: encounter for part in self.parts for encounter in part if encounter.key
        }

    def _part(self, part: int, data: PartData) -> tuple[Encounter, ...]:
        return (
            *([_NOTHING] * ROLLS.start),
            *(self._encounter(part, encounter) for encounter in data.encounters),
        )

    def _encounter(self, part: int, data: EncounterData) -> Encounter:
        named = (data.key, data.title, data.story, part, data.roll)
        if data.challenge is None:
            return Encounter(*named, self.aids[data.key], None)
        asked = data.challenge
        abilities = tuple(ABILITIES.index(ability) for ability in asked.abilities)
        challenge = Challenge(abilities, 2 if asked.double else 1, asked.penalty, asked.squares or 0)
        return Encounter(*named, None, challenge, frozenset[str]().union(*[self.fits[a] for a in abilities]))

    def __repr__(self) -> str:
        return f"<Scenario {self.key}>"


class Catalogue(ListedCards):
    """All scenarios."""

    __slots__ = ("numbers", "scenarios")

    def __init__(self, card_list: CardList) -> None:
        super().__init__(card_list, card_list.digest)
        self.scenarios = tuple(Scenario(number, data) for number, data in enumerate(card_list.scenarios))
        self.numbers = {scenario.key: scenario.number for scenario in self.scenarios}

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(CardList.model_validate_json(text))


_NOTHING: Final = Encounter("", "", "", 0, 0, None, None)
"""In a part's places that two dice cannot show."""


def _aid(key: str, data: AidData) -> Aid:
    return Aid(key, ABILITIES.index(data.ability), data.worth)
