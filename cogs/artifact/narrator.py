"""The input of texts about events: the event with its reader, and the names of the members of parties.

The names go by match and seat. They are invented, and are not translated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any, Final

from bot.language import listing, pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from engine.artifact.card_list import Catalogue, Encounter, Scenario
from engine.artifact.choices import challenge_odds, fight_odds
from engine.artifact.party import MEMBERS

PEOPLE: Final = (
    "Imara Hale", "Jonas Veltkamp", "Odile Marrash", "Tomasz Birken", "Runa Ostby", "Kofi Lindqvist",
    "Pilar Hennessy", "Arvid Nakoma", "Mei Tarrant", "Bruno Achterberg", "Salma Quist", "Dov Pettifer",
    "Anneke Suarte", "Rafi Holloway", "Noor Castellane", "Ivo Brannigan", "Leila Thorsby", "Hugo Manzini",
    "Tamsin Okoro", "Emil Varga-Low", "Zora Whitlam", "Yusuf Ferrand", "Ines Calloway", "Oskar Belmonde",
    "Greta Moyo", "Mateo Grünwald", "Priya Vanderhill", "Farid Lockhart", "Maren Sotelo", "Silas Arango",
    "Thandi Roux", "Luc Adeyinka", "Signe Bakari", "Kasimir Doyle", "Wanda Ishikawa", "Elio Hartwig",
    "Aisha Kronstad", "Amos Delacour", "Rosalind Maro-Lund", "Nico Pemberly", "Carys Montefiore", "Felix Taumata",
    "Beatriz Holm", "Joren Iqbal", "Idun Vance", "Anton Kaleo", "Sunniva Pell", "Teo Marchetti",
)  # fmt: skip
"""Names of women and men by turns, for more people than the largest match has; a name says nothing about rank."""
STEPS: Final = tuple(step for step in range(5, len(PEOPLE)) if gcd(step, len(PEOPLE)) == 1)
"""Ways to go through the names without meeting one twice."""


def place(seat: int, member: int) -> int:
    """A member's place among all people of a match, even for a woman and odd for a man."""
    return seat * MEMBERS + (member ^ seat & 1)


def person(cast: int | None, seat: int, member: int) -> str:
    """The name of a party's member in the match with this cast; the member's place in the party if there is no cast.

    >>> person(0, 0, 0), person(0, 0, 1)
    ('Imara Hale', 'Tomasz Birken')
    """
    if cast is None:
        return name.member(member)
    step, number = STEPS[cast // len(PEOPLE) % len(STEPS)], place(seat, member)
    start = cast + number % 2 * (cast * 2 // len(PEOPLE))  # men go with other women in the next cast
    return PEOPLE[(2 * start + step * number) % len(PEOPLE)]


def role(cast: int | None, seat: int, member: int) -> str:
    """A member for a sheet: the name with the place in the party, "Imara Hale (Leader)"."""
    place = name.member(member)
    if cast is None:
        return place
    # Translators: a member of a party: “Imara Hale”, “Leader”
    return pgettext("member", "{person} ({place})").format(person=person(cast, seat, member), place=place)


Facts = Mapping[str, Any]


class Narrator:
    """Tells one viewer what happened: "you" is the viewer, anybody else has a name."""

    def __init__(self, event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> None:
        self.kind = event.kind
        self.seat = event.seat
        self.facts: Facts = event.facts
        self.viewer = viewer
        self.bold = names.bold
        self.catalogue = catalogue

    @property
    def you(self) -> bool:
        """Whether this befell the viewer."""
        return self.viewer is not None and self.seat == self.viewer

    def scenario(self) -> Scenario | None:
        """The scenario that the event names; None if there is none of this key any more."""
        number = self.catalogue.numbers.get(self.facts["scenario"])
        return None if number is None else self.catalogue.scenarios[number]

    def encounter(self) -> Encounter | None:
        """The encounter that the event names, perhaps by its key alone; None if no or more than one scenario has it."""
        key, scenario = self.facts["encounter"], self.facts.get("scenario")
        scenarios = [one for one in self.catalogue.scenarios if one.key == (scenario or one.key)]
        again = self.seat if self.kind == "aid" else self.facts.get("recurrence")
        found = {one.encounters[key].recurring(again or 0) for one in scenarios if key in one.encounters}
        return found.pop() if len({(each.title, each.challenge) for each in found}) == 1 else None

    def aids(self, keys: Sequence[str]) -> str:
        """Aids of its seat that the event names, in a sentence."""
        scenario, seat = self.facts.get("scenario"), self.seat or 0
        return listing(name.counted([name.aid_of(self.catalogue, key, scenario, seat) for key in keys]))

    def person(self) -> str:
        """The member that the event names, of the viewer's party with its place. Old stored events have no cast."""
        assert self.seat is not None
        return (role if self.you else person)(self.facts.get("cast"), self.seat, self.facts["member"])

    def chance(self) -> Fraction:
        """The mover's chance in a Challenge, or to win a fight, before it was rolled."""
        facts = self.facts
        if self.kind == "fought":
            return fight_odds(*map(sum, zip(facts["abilities"], facts["aids"], strict=True))).win
        is_printed = facts["overcome"] != (facts["total"] >= facts["against"])
        return challenge_odds(facts["abilities"] + facts["aids"], is_printed)

    def said(self, mine: str, theirs: str, **values: object) -> str:
        """The sentence to the viewer if it is about them, or the one about whoever else."""
        who = "" if self.seat is None else self.bold(self.seat)
        return (mine if self.you else theirs).format(who=who, **values)
