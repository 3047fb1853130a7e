"""Names and emoji of things: abilities, members, Aids, Challenges, parties.

Titles and stories of scenarios are translated where they are the game's own, and shown as they are where an owner
wrote them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.language import Phrase, counted_noun, listing, ngettext, noun, pgettext
from bot.language import gettext as _
from bot.language import percent as whole_percent
from bot.ui.screens.kit import SEATS, escape
from bot.ui.screens.kit import dice as dice
from bot.ui.screens.kit import die as die
from engine.artifact.card_list import Catalogue, Challenge, Scenario
from engine.artifact.party import ABILITIES, EQUIPMENT_KEYS, Aid

DIE: Final = "🎲"
ARTIFACT: Final = "💎"
MEMBERS: Final = "👤"
WOUND: Final = "🩹"
CARRIED: Final = "🚑"
AIDS: Final = "🎒"
FIGHT: Final = "⚔️"
CHALLENGE: Final = "❗"
SKIPS: Final = "💤"
HOME: Final = "🏠"
ENCOUNTERS: Final = "🗺️"
SEAT: Final = (*SEATS, "⭐")
"""A party's mark on the trail: told apart by its shape, and not by its colour alone."""


def square(number: int) -> str:
    """A square of the trail, beside dice."""
    return _("square {n}").format(n=number)


def thrown(*faces: int) -> str:
    """Dice that were just thrown, at the beginning of a line."""
    return f"{DIE} {dice(faces)}"


def percent(chance: Fraction) -> str:
    """A chance in whole percent; never 0 or 100 where it is neither.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 1000)), percent(Fraction(1))
    ('33%', '1%', '100%')
    """
    whole = round(chance.limit_denominator(10**6) * 100)  # a float of 47.5% is not below it
    if 0 < chance < 1:
        whole = min(99, max(1, whole))
    return whole_percent(whole)


def percents(chances: Sequence[Fraction | float]) -> str:
    """Chances in whole percent, each once."""
    return " – ".join(dict.fromkeys(percent(Fraction(chance)) for chance in chances))


def written(text: str) -> str:
    """A title or a story of a scenario for Markdown texts, translated where it is one of the game's own."""
    return escape(_(text))


def ability(number: int) -> Phrase:
    """An ability's name."""
    return (
        noun("ability", "Combat"), noun("ability", "Strength"), noun("ability", "Agility"),
        noun("ability", "Navigation"), noun("ability", "Survival"), noun("ability", "Mechanics"),
        noun("ability", "Linguistics"), noun("ability", "Personality"), noun("ability", "Science"),
    )[number]  # fmt: skip


def ability_of(key: str) -> Phrase:
    """The name of an ability that an event names by its key."""
    return ability(ABILITIES.index(key))


def abilities(numbers: Sequence[int]) -> str:
    """Abilities in the order of the die, with how many of each there are: "Combat ×2, Science"."""
    return ", ".join(counted([ability(number) for number in sorted(numbers)]))


def member(number: int) -> str:
    """A member of a party by its place in it."""
    return (
        _("Leader"), _("First Companion"), _("Second Companion"), _("Third Companion"),
        _("First Helper"), _("Second Helper"),
    )[number]  # fmt: skip


def made(
    members: Sequence[tuple[str, Sequence[int | None]]], tens: Sequence[int], ten: str
) -> list[tuple[str, list[str]]]:
    """The members of a party that is being made, with their abilities; `ten` has those chosen for a 10, or the 10."""
    chosen = map(ability, tens)
    return [
        (member(number), [ten.format(next(chosen, "10")) if one is None else ability(one) for one in rolled])
        for number, (_role, rolled) in enumerate(members)
    ]


def equipment(key: str) -> str:
    """A piece of equipment's name."""
    names = (
        pgettext("equipment", "Pistols"), pgettext("equipment", "Picks and Crowbar"),
        pgettext("equipment", "Climbing Gear"), pgettext("equipment", "Sextant and Charts"),
        pgettext("equipment", "Maps and Compass"), pgettext("equipment", "Lockpicks"),
        pgettext("equipment", "Ancient Tomes"), pgettext("equipment", "Scientific Texts"),
    )  # fmt: skip
    return names[EQUIPMENT_KEYS.index(key)]


def aid_name(scenario: Scenario, key: str, seat: int) -> str:
    """The name of a seat's Aid, for menus and buttons."""
    return equipment(key) if key in EQUIPMENT_KEYS else _(scenario.encounters[key].recurring(seat).title)


def written_aid(scenario: Scenario, key: str, seat: int) -> str:
    """The name of a seat's Aid for Markdown texts."""
    return escape(aid_name(scenario, key, seat))


def aid_worth(aid: Aid) -> str:
    """The bonus of an Aid: "Science +3"."""
    return f"{ability(aid.ability)} +{aid.worth}"


def aid_of(catalogue: Catalogue, key: str, scenario: str | None = None, seat: int = 0) -> str:
    """The name of a seat's Aid that an event or a refusal names by its key; the key where there is none any more.

    Scenarios of an owner's may have different Aids of one key, so the one that is being played is looked at first.
    """
    known = [one for one in catalogue.scenarios if key in one.aids]
    return written_aid(min(known, key=lambda one: one.key != scenario), key, seat) if known else escape(key)


def counted(names: Sequence[str]) -> list[str]:
    """Each of these names once, with how many times it is there: "Pistols ×2"."""
    return [each + (f" ×{n}" if (n := names.count(each)) > 1 else "") for each in dict.fromkeys(names)]


def challenge(asked: Challenge) -> str:
    """The abilities that a Challenge names: "Strength ×2" where it counts twice."""
    return listing([ability(number) for number in asked.abilities]) + " ×2" * (asked.times - 1)


def penalty(asked: Challenge) -> str:
    """The penalty of a party that does not overcome a Challenge."""
    if asked.penalty == "squares_lost":
        return squares_lost(asked.squares)
    texts = {"two_wounds": _("two wounds"), "turn_lost": _("a turn lost"), "aid_lost": _("a Boon lost")}
    return texts.get(asked.penalty, _("a wound"))


def squares_lost(n: int) -> str:
    """So many squares lost."""
    return ngettext("{n} square lost", "{n} squares lost", n).format(n=n)


def number_of_aids(n: int) -> Phrase:
    """So many Aids."""
    return counted_noun("{n} Boon", "{n} Boons", n)
