"""The names of the members of parties, by match and seat. The names are invented, and are not translated."""

from __future__ import annotations

from math import gcd
from typing import Final

from bot.language import pgettext
from cogs.artifact import names as name
from engine.artifact.party import MEMBERS

PEOPLE: Final = (
    "Imara Hale", "Jonas Veltkamp", "Odile Marrash", "Tomasz Birken", "Runa Ostby", "Kofi Lindqvist",
    "Pilar Hennessy", "Arvid Nakoma", "Mei Tarrant", "Bruno Achterberg", "Salma Quist", "Dov Pettifer",
    "Anneke Suarte", "Rafi Holloway", "Noor Castellane", "Ivo Brannigan", "Leila Thorsby", "Hugo Manzini",
    "Tamsin Okoro", "Emil Varga-Low", "Yuki Ferrand", "Oskar Belmonde", "Zora Whitlam", "Mateo Grünwald",
    "Ines Calloway", "Farid Lockhart", "Greta Moyo", "Silas Arango", "Priya Vanderhill", "Luc Adeyinka",
    "Maren Sotelo", "Kasimir Doyle", "Thandi Roux", "Elio Hartwig", "Signe Bakari", "Amos Delacour",
    "Wanda Ishikawa", "Nico Pemberly", "Aisha Kronstad", "Felix Taumata", "Rosalind Maro-Lund", "Joren Iqbal",
    "Carys Montefiore", "Anton Kaleo", "Beatriz Holm", "Idun Vance", "Sunniva Pell", "Teo Marchetti",
)  # fmt: skip
"""Names for more people than the largest match has; a member's name says nothing about rank or abilities."""
STEPS: Final = tuple(step for step in range(5, len(PEOPLE)) if gcd(step, len(PEOPLE)) == 1)
"""Ways to go through the names without meeting one twice."""


def person(cast: int | None, seat: int, member: int) -> str:
    """The name of a party's member in the match with this cast; the member's place in the party if there is no cast.

    >>> person(0, 0, 0), person(0, 0, 1)
    ('Imara Hale', 'Kofi Lindqvist')
    """
    if cast is None:
        return name.member(member)
    step = STEPS[cast // len(PEOPLE) % len(STEPS)]
    return PEOPLE[(cast + step * (seat * MEMBERS + member)) % len(PEOPLE)]


def role(cast: int | None, seat: int, member: int) -> str:
    """A member for a sheet: the name with the place in the party, "Imara Hale (Leader)"."""
    place = name.member(member)
    if cast is None:
        return place
    # Translators: a member of a party: “Imara Hale”, “Leader”
    return pgettext("member", "{person} ({place})").format(person=person(cast, seat, member), place=place)
