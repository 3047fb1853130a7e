"""The state of a match and the possible actions in it, with exact chances: what screens offer and agents choose from.

Made from a view or a state. The rules judge moves by checks of their own (`engine.artifact.rules`); tests hold the two
together. Chances are exact (`engine.artifact.choices`).

An *ability roll* is a six-sided die and a sum of abilities and Aids, its `bonus`. A Challenge sets two six-sided dice
against it, a fight another ability roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from engine.artifact import moves as m
from engine.artifact import party
from engine.artifact import state as s
from engine.artifact.card_list import Encounter, Scenario
from engine.artifact.state import Journal, Keys, Numbers, Position, View

_FACES: Final = range(1, 7)
_CHALLENGE: Final = Counter(one + other for one, other in product(_FACES, repeat=2))
"""In how many of 36 ways two dice show a sum."""


@cache
def challenge_odds(bonus: int, printed: bool = False) -> Fraction:
    """The chance to overcome a Challenge with this bonus.

    The ability roll must be equal or higher (R40); to the letter (`printed`) the Challenge roll must be higher.

    >>> challenge_odds(0), challenge_odds(0, printed=True)
    (Fraction(35, 216), Fraction(181, 216))
    """
    ways = sum(n for die in _FACES for roll, n in _CHALLENGE.items() if die + bonus >= roll)
    overcome = Fraction(ways, len(_FACES) ** 3)
    return 1 - overcome if printed else overcome


class FightOdds(NamedTuple):
    """The chances of the three ends of a fight, to one side."""

    win: Fraction
    tie: Fraction
    lose: Fraction


@cache
def fight_odds(bonus: int, other: int) -> FightOdds:
    """The chances in a fight with this bonus against the other's.

    >>> fight_odds(2, 2)
    FightOdds(win=Fraction(5, 12), tie=Fraction(1, 6), lose=Fraction(5, 12))
    """
    leads = [one + bonus - die - other for one, die in product(_FACES, repeat=2)]
    wins, ties = sum(lead > 0 for lead in leads), leads.count(0)
    ways = len(leads)
    return FightOdds(Fraction(wins, ways), Fraction(ties, ways), Fraction(ways - wins - ties, ways))


# -- the match as people look at it


def scenario(position: Position) -> Scenario:
    """The scenario that is being played."""
    return position.catalogue.scenarios[position.scenario]


class Person(NamedTuple):
    """A member of a party: a place in `ROLES`, abilities by number, and `WELL`, `WOUNDED` or `GONE`."""

    role: str
    abilities: party.Member
    wound: int


def people(position: Position, seat: int) -> list[Person]:
    """A party's members, the leader first; none until the sheets are shown."""
    found = zip(party.ROLES, position.members[seat], position.wounds[seat], strict=False)
    return [Person(*one) for one in found]


class Strength(NamedTuple):
    """A party in numbers: members still in, those of them who are wounded, abilities in all, Aids."""

    members: int
    wounded: int
    abilities: int
    aids: int


def strength(position: Position, seat: int) -> Strength:
    """How a party stands."""
    wounds = [wound for wound in position.wounds[seat] if wound != party.GONE]
    hurt = sum(wound != party.WELL for wound in wounds)
    return Strength(len(wounds), hurt, sum(position.counts[seat]), len(position.aids[seat]))


def aids(position: Position, seat: int) -> list[tuple[party.Aid, int]]:
    """A party's Aids, each once with how many of it there are: by ability, the best first."""
    known = scenario(position).aids
    counts = Counter(position.aids[seat])
    held = sorted((known[key] for key in counts), key=lambda aid: (aid.ability, -aid.worth, aid.key))
    return [(aid, counts[aid.key]) for aid in held]


def journal(position: Position, seat: int) -> Journal:
    """The history of a party."""
    return Journal(*position.journal[seat * s.ENTRIES : (seat + 1) * s.ENTRIES])


# -- making a party


def tens(view: View) -> int:
    """How many abilities the viewer is to choose for a party (R48)."""
    return view.rolls.count(party.CHOICE)


def rolled(view: View) -> list[int]:
    """How often the viewer has rolled each ability, the tens left out."""
    return [view.rolls.count(1 + ability) for ability in range(len(party.ABILITIES))]


def members_of(view: View) -> list[tuple[str, tuple[int | None, ...]]]:
    """The viewer's members while the party is being made: role and abilities, None for each 10. Else none."""
    if not view.rolls:
        return []
    abilities = [None if roll == party.CHOICE else roll - 1 for roll in view.rolls]
    found: list[tuple[str, tuple[int | None, ...]]] = []
    for role, size in zip(party.ROLES, party.SIZES, strict=True):
        found.append((role, tuple(abilities[:size])))
        del abilities[:size]
    return found


def named(position: Position) -> list[int]:
    """How many Challenges of the scenario name each ability, one that doubles it counting twice."""
    found = [0] * len(party.ABILITIES)
    for encounter in scenario(position).encounters.values():
        if encounter.challenge:
            for ability in encounter.challenge.abilities:
                found[ability] += encounter.challenge.times
    return found


def proposal(view: View) -> m.Create:
    """A good way to make the viewer's party: abilities that Challenges name and it lacks, equipment for the rest."""
    weights, counts = named(view), rolled(view)
    chosen: list[int] = []
    for _ in range(tens(view)):
        # One more of what the party has little of is worth most: it lifts the Challenges that are in doubt.
        ability = max(range(len(party.ABILITIES)), key=lambda a: (weights[a] / (1 + counts[a]), -a))
        chosen.append(ability)
        counts[ability] += 1
    pieces = sorted(party.EQUIPMENT, key=lambda aid: -weights[aid.ability] / (1 + counts[aid.ability]))[:2]
    keys = sorted((aid.key for aid in pieces), key=party.EQUIPMENT_KEYS.index)
    return m.Create(tuple(chosen), tuple(keys))


# -- the trail


def landing(position: Position, seat: int, die: int, step: int) -> int:
    """Where a move of a seat's party ends: at the ends of the trail, and where the Artifact lies, it stops (R55)."""
    at, lies = position.at[seat], position.lies
    to = min(s.END, max(s.HOME, at + die * step))
    return lies if lies != s.GONE and (at < lies <= to or to <= lies < at) else to


class Way(NamedTuple):
    """A direction that can be chosen, the square to which it leads, and the seats whose parties stand there."""

    move: m.Go
    square: int
    meets: Numbers


def ways(position: Position) -> list[Way]:
    """Where the roll that waits for a direction can lead."""
    return _ways(position, position.die) if position.phase == s.DIRECTION else []


def by_roll(position: Position) -> dict[int, list[Way]]:
    """By the roll that is due, where it can lead; empty if none is due."""
    return {die: _ways(position, die) for die in _FACES} if position.phase == s.ROLL else {}


def _ways(position: Position, die: int) -> list[Way]:
    """Where a roll can lead (R50)."""
    seat, lies = position.active, position.lies
    at, found = position.at[seat], list[Way]()
    asked = position.phase == s.DIRECTION
    steps = (
        [(m.FORWARD, s.FORWARD)] if asked or (seat != position.holder and not (at == s.END != lies)) else []
    )
    steps += [(m.BACK, s.BACK)] if asked or (lies != s.END and at != s.HOME) else []
    for move, step in steps:
        square = landing(position, seat, die, step)
        meets = () if square == s.HOME else tuple(_standing(position, square, seat))
        found.append(Way(move, square, meets))
    return found


def _standing(position: Position, square: int, without: int) -> list[int]:
    return [seat for seat, at in enumerate(position.at) if at == square and seat != without]


def opponents(position: Position) -> list[int]:
    """The seats of which the active one may choose whom to fight (R44)."""
    if position.phase != s.OPPONENT:
        return []
    return _standing(position, position.at[position.active], position.active)


# -- rolls and Aids


def encounter(position: Position) -> Encounter | None:
    """The encounter that is being faced."""
    if not position.encounter:
        return None
    found = scenario(position).encounters[position.encounter]
    return found.recurring(position.recurrence) if isinstance(position, View) else found


def asked(position: Position) -> int:
    """The seat that is asked, once the parties are made: the opponent in a fight, else the active one."""
    return position.opponent if position.phase == s.DEFEND else position.active


def fitting(position: Position) -> list[tuple[party.Aid, int]]:
    """The Aids that the seat that is asked can spend on the roll that is due, with how many of each there are."""
    fits = _fits(position)
    return [(aid, n) for aid, n in aids(position, asked(position)) if aid.key in fits]


def _fits(position: Position) -> frozenset[str]:
    if position.phase == s.CHALLENGE:
        return scenario(position).encounters[position.encounter].fits
    return scenario(position).fits[position.ability] if position.ability != s.NONE else frozenset()


def in_play(position: Position) -> Numbers:
    """The abilities that count in the Challenge or the fight that is going on."""
    faced = scenario(position).encounters.get(position.encounter)
    if faced is not None and faced.challenge and position.phase == s.CHALLENGE:
        return faced.challenge.abilities
    return (position.ability,) if position.ability != s.NONE else ()


def challenge_bonus(position: Position, seat: int, key: str) -> int:
    """The number that a party's abilities add to its roll in a Challenge (R57)."""
    challenge = scenario(position).encounters[key].challenge
    if challenge is None:
        return 0
    counts = position.counts[seat]
    return challenge.times * sum(counts[ability] for ability in challenge.abilities)


def set_back(position: Position, squares: int) -> int:
    """The square to which a failed Challenge throws the mover back, so many squares (R51): neither home nor the end."""
    seat = position.active
    back = s.FORWARD if position.holder == seat else -position.step
    return min(s.END - 1, max(s.HOME + 1, position.at[seat] + back * squares))


def worth(position: Position, keys: Sequence[str]) -> int:
    """The number that these Aids add to a roll."""
    known = scenario(position).aids
    return sum(known[key].worth for key in keys)


def chance(position: Position, keys: Sequence[str] = ()) -> Fraction:
    """The chance to overcome the Challenge that is faced with these Aids. Raises `ValueError` where none is faced."""
    if not position.encounter:
        raise ValueError("no Challenge is faced")
    bonus = challenge_bonus(position, position.active, position.encounter) + worth(position, keys)
    return challenge_odds(bonus, position.printed)


def aid_sets(position: Position) -> list[Keys]:
    """The different sets of Aids for the roll that is due, by what they add in ascending order; none first.

    Of sets that add the same, the one with the fewest Aids is there.
    """
    return list(sums(fitting(position)).values())


def success(position: Position, odds: FightOdds) -> Fraction:
    """The chance that counts for who is asked in a fight: to win, or for the Artifact's holder to keep it."""
    return 1 - odds.lose if position.holder == asked(position) else odds.win


def successes(position: Position, keys: Sequence[str] = ()) -> list[Fraction]:
    """The chance of the roll that is due with these Aids; in a fight the least and the most (`fight_chances`)."""
    if position.phase == s.CHALLENGE:
        return [chance(position, keys)]
    return [success(position, odds) for odds in fight_chances(position, keys)]


class FightChances(NamedTuple):
    """The chances of who is asked in a fight.

    `least` if the other still spends all of its fitting Aids, `most` if it spends none. To the other, who answers the
    mover, both are the same (R42).
    """

    least: FightOdds
    most: FightOdds


def fight_chances(position: Position, keys: Sequence[str] = ()) -> FightChances:
    """The chances in the fight with these Aids, to who is asked. Raises `ValueError` where no Aids are asked for."""
    if position.phase not in (s.ATTACK, s.DEFEND):
        raise ValueError("no fight waits for Aids")
    mover, other = position.active, position.opponent
    added = worth(position, keys)
    mine, theirs = position.counts[mover][position.ability], position.counts[other][position.ability]
    if position.phase == s.DEFEND:
        odds = fight_odds(theirs + added, mine + worth(position, position.used))
        return FightChances(odds, odds)
    fits = _fits(position)
    answer = worth(position, [key for key in position.aids[other] if key in fits])
    return FightChances(fight_odds(mine + added, theirs + answer), fight_odds(mine + added, theirs))


def sums(held: Sequence[tuple[party.Aid, int]]) -> dict[int, Keys]:
    """The sums that these Aids can add, in ascending order, each with the fewest Aids that add it."""
    best: dict[int, tuple[party.Aid, ...]] = {0: ()}
    for aid, n in held:
        for added, chosen in list(best.items()):
            for copies in range(1, n + 1):
                more = chosen + (aid,) * copies
                total = added + aid.worth * copies
                if total not in best or len(more) < len(best[total]):
                    best[total] = more
    return {total: tuple(sorted(aid.key for aid in best[total])) for total in sorted(best)}


def duel(position: Position, seat: int, other: int, ability: int, *, aided: Numbers = ()) -> FightOdds:
    """The chances of a seat in a fight with this ability; the seats `aided` spend all Aids for it, others none."""
    fits = scenario(position).fits[ability]
    mine, theirs = (
        position.counts[one][ability]
        + worth(position, [key for key in position.aids[one] if one in aided and key in fits])
        for one in (seat, other)
    )
    return fight_odds(mine, theirs)


def prospects(position: Position, seat: int, other: int, *, aided: Numbers = ()) -> FightOdds:
    """The chances of a seat that moves onto another, before the ability is rolled, and `aided` as in `duel`.

    On a 10 the best ability is named.
    """
    found = [duel(position, seat, other, ability, aided=aided) for ability in range(len(party.ABILITIES))]
    found.append(max(found, key=lambda odds: odds.win - odds.lose))
    each = Fraction(1, len(found))
    win, tie = sum(odds.win for odds in found) * each, sum(odds.tie for odds in found) * each
    return FightOdds(win, tie, 1 - win - tie)
