"""Other scenarios than the built-in ones, to show that the rules play whatever the data say."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.artifact import Artifact, create
from tests.engine.artifact.oracle import ABILITIES, BUILT_IN

Data = dict[str, Any]


def aid(ability: str, worth: int = 3) -> Data:
    return {"aid": {"ability": ability, "worth": worth}}


def challenge(abilities: str, penalty: str = "wound", **more: Any) -> Data:
    return {"challenge": {"abilities": abilities.split(), "penalty": penalty, **more}}


def scenario(key: str, one: dict[int, Data], two: dict[int, Data], otherwise: Data) -> Data:
    """A scenario with these events by roll, and `otherwise` wherever none is given."""
    data = deepcopy(BUILT_IN["lost_city.json"])
    data["key"] = key
    for number, (part, events) in enumerate(zip(data["parts"], (one, two), strict=True), 1):
        part["encounters"] = [
            {
                "roll": roll,
                "key": f"{key}_{number}_{roll}",
                "title": f"{number}/{roll}",
                "story": "It happens.",
            }
            | events.get(roll, otherwise)
            for roll in range(2, 13)
        ]
    return data


def loaded() -> Data:
    """Aids nearly everywhere, in number and worth; Challenges that take Aids, and one that names all abilities."""
    one = {roll: aid(ABILITIES[roll % 9], 1 + roll % 4) for roll in range(2, 13)}
    one |= {7: challenge("combat science", "aid_lost"), 9: challenge(" ".join(ABILITIES), double=True)}
    two = {7: challenge("strength", "aid_lost"), 6: challenge("science", "squares_lost", squares=3)}
    two |= {8: challenge("navigation personality", "turn_lost")}
    return scenario("loaded", one, two, aid("personality", 4))


def harsh() -> Data:
    """Two wounds nearly everywhere, so that parties die out, with and without the Artifact."""
    gentle = {7: challenge("combat strength", "squares_lost", squares=1), 5: aid("combat", 1)}
    return scenario("harsh", gentle, gentle, challenge("agility", "two_wounds"))


LOADED: Artifact = create({"loaded.json": loaded()})
HARSH: Artifact = create({"harsh.json": harsh()})
