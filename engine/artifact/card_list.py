"""The scenarios as data, two parts of eleven encounters each with their stories; and as the rules play by them.

An *encounter* is what the rule text calls an event: what befalls a party on a square. (An event, here as elsewhere, is
what a move brought about.)

A scenario is a JSON file of its own (`scenarios/*.json`). An owner's files are of the same form: one with the key of
a scenario that is there replaces it, any other is one more to choose from. Titles and stories are written in English
and are looked up in the catalogues of other languages by whoever shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Self, cast

from pydantic import AfterValidator, Field, model_validator

from engine import cards
from engine.artifact.party import ABILITIES, EQUIPMENT, EQUIPMENT_KEYS, AbilityKey, Aid
from engine.cards import CardData, ListedCards, Provenance
from engine.errors import BadData
from engine.plain import plain

ROLLS: Final = range(2, 13)
"""The sums of two six-sided dice: each has its encounter."""
MOST: Final = 24
"""Scenarios that there may be: a list of 25 choices has them all, and a draw among them."""
LEAST_WORTH, MOST_WORTH = 1, 4
"""R41: what an Aid that is met on the way may be worth."""
MOST_SQUARES: Final = 3
"""R68: squares that an encounter may cost."""
UNCOUNTED: Final = ("provenance", "title", "prize", "departure", "discovery", "homecoming", "story", "again")
"""Fields that change no match, and so are not counted into the digest."""

Penalty = Literal["wound", "two_wounds", "turn_lost", "squares_lost", "aid_lost"]
"""The outcomes for a party that does not overcome a Challenge (R51, R58)."""


def _visible(text: str) -> str:
    if plain(text) != text:
        raise ValueError("a text is one line of visible characters")
    return text


Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Title = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_visible)]
Story = Annotated[str, Field(min_length=1, max_length=400), AfterValidator(_visible)]


class AidData(CardData):
    """An Aid: what it is for, and what it adds (R41, R68)."""

    ability: AbilityKey
    worth: Annotated[int, Field(ge=LEAST_WORTH, le=MOST_WORTH, strict=True)]


class ChallengeData(CardData):
    """A Challenge: the abilities that count, twice where it is `double`, and what who fails suffers.

    `squares` are those lost, where the penalty is "squares_lost".
    """

    abilities: tuple[AbilityKey, ...] = Field(min_length=1, max_length=9)
    double: Annotated[bool, Field(strict=True)] = False
    penalty: Penalty = "wound"
    squares: Annotated[int, Field(ge=1, le=MOST_SQUARES, strict=True)] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(set(self.abilities)) < len(self.abilities):
            raise ValueError("an ability is named twice")
        if (self.penalty == "squares_lost") != (self.squares is not None):
            raise ValueError('"squares_lost" says how many squares, and nothing else does')
        return self


class WordsData(CardData):
    """Another title and story of an encounter."""

    title: Title
    story: Story


class EncounterData(CardData):
    """The encounter when two dice show `roll`: an Aid or a Challenge.

    `again` are the words for every second time that a Challenge comes in a match, and for an Aid of every second seat.
    """

    roll: Annotated[int, Field(ge=ROLLS.start, le=ROLLS[-1], strict=True)]
    key: Key
    title: Title
    story: Story
    aid: AidData | None = None
    challenge: ChallengeData | None = None
    again: WordsData | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.aid is None) == (self.challenge is None):
            raise ValueError("an encounter is either an Aid or a Challenge")
        if self.key in EQUIPMENT_KEYS:
            raise ValueError(f"{self.key!r} is a piece of equipment")
        return self


class PartData(CardData):
    """Half of the trail: its name, and its encounters in the order of the rolls."""

    title: Title
    encounters: tuple[EncounterData, ...] = Field(min_length=len(ROLLS), max_length=len(ROLLS))

    @model_validator(mode="after")
    def _every_roll(self) -> Self:
        if [encounter.roll for encounter in self.encounters] != list(ROLLS):
            raise ValueError("a part has an encounter for each roll from 2 to 12, in this order")
        return self


class ScenarioData(CardData):
    """A scenario. `prize` is what its Artifact is called in a sentence ("the Sun Disc").

    Beside the encounters, three moments are told: `departure` as the parties set out, `discovery` when the Artifact is
    first taken, `homecoming` when it is brought home.
    """

    game: str
    key: Key
    title: Title
    prize: Title
    departure: Story
    discovery: Story
    homecoming: Story
    provenance: Provenance
    parts: tuple[PartData, PartData]
    """The first is for squares 2 to 15, the second for 16 to 29."""

    @model_validator(mode="after")
    def _different(self) -> Self:
        keys = Counter(encounter.key for part in self.parts for encounter in part.encounters)
        if twice := [key for key, n in keys.items() if n > 1]:
            raise ValueError(f"two encounters have the key {twice[0]!r}")
        return self


class CardList(CardData):
    """All scenarios that can be played, in the order in which they are offered and drawn."""

    scenarios: tuple[ScenarioData, ...] = Field(min_length=1, max_length=MOST)

    @property
    def digest(self) -> str:
        """Names what scenarios do, whatever their words and provenance: 16 hexadecimal digits."""
        return cards.digest(self, UNCOUNTED)


def read_scenario(data: object, game: str) -> ScenarioData:
    """A scenario from JSON data, checked. Raises `BadData` with the path of the first fault."""
    return cards.read_cards(ScenarioData, data, game)


def read_card_list(built_in: Mapping[str, object], files: object, game: str) -> CardList:
    """The built-in scenarios with an owner's in their place or beside them, each by the name of its file.

    Raises `BadData`, whose `where` begins with the name of the owner's file.
    """
    found = [read_scenario(data, game) for data in built_in.values()]
    own: dict[str, ScenarioData] = {}
    if not isinstance(files, Mapping):
        raise BadData("the scenarios: one JSON object for each file is expected")
    for name, data in cast("Mapping[str, Any]", files).items():
        try:
            scenario = read_scenario(data, game)
        except BadData as error:
            raise BadData(str(error), (name, *error.where)) from None
        if scenario.key in own:
            raise BadData(f"key: another file has the scenario {scenario.key!r}, too", (name, "key"))
        own[scenario.key] = scenario
    scenarios = [own.pop(scenario.key, scenario) for scenario in found]
    scenarios += own.values()
    if len(scenarios) > MOST:
        raise BadData(f"{len(scenarios)} scenarios are more than the {MOST} that can be offered")
    return CardList(scenarios=tuple(scenarios))


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

    `fits` are the keys of the Aids that can be spent on its Challenge (R42). `again` are its other title and story, if
    it has them.
    """

    key: str
    title: str
    story: str
    part: int
    roll: int
    aid: Aid | None
    challenge: Challenge | None
    fits: frozenset[str] = frozenset()
    again: tuple[str, str] | None = None

    def recurring(self, recurrence: int) -> Encounter:
        """The encounter with the words for the time when it has come so often before; an Aid's go by its seat."""
        if not (self.again and recurrence % 2):
            return self
        return self._replace(title=self.again[0], story=self.again[1])


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
            encounter.key: Aid(encounter.key, ABILITIES.index(encounter.aid.ability), encounter.aid.worth)
            for encounter in drawn
            if encounter.aid
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
        again = (data.again.title, data.again.story) if data.again else None
        if data.challenge is None:
            return Encounter(*named, self.aids[data.key], None, again=again)
        asked = data.challenge
        abilities = tuple(ABILITIES.index(ability) for ability in asked.abilities)
        challenge = Challenge(abilities, 2 if asked.double else 1, asked.penalty, asked.squares or 0)
        fits = frozenset[str]().union(*[self.fits[a] for a in abilities])
        return Encounter(*named, None, challenge, fits, again)

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
