"""The journey of a turn: along the trail (R50, R54, R55), fights (R44, R53, R56), encounters, and Aids spent (R42)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact import turns
from engine.artifact.card_list import SECOND, Challenge
from engine.artifact.choices import landing, set_back, worth
from engine.artifact.party import ABILITIES, CHOICE
from engine.artifact.state import Held, Keys, State
from engine.artifact.turns import Dice, dice_of
from engine.chance import below
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def without(state: State, seat: int, aids: Keys, fits: frozenset[str]) -> Keys:
    """The Aids that a seat has left without these, which must all fit. Raises `IllegalMove`."""
    if not aids:
        return state.aids[seat]
    left = list(state.aids[seat])
    for key in aids:
        if key not in left:
            raise IllegalMove("aid-not-held", aid=key)
        if key not in fits:
            raise IllegalMove("aid-does-not-fit", aid=key)
        left.remove(key)
    return tuple(left)


def spend(state: State, seat: int, aids: Keys, left: Keys, events: list[Event]) -> None:
    """Takes spent Aids from a party, which has `left`, and tells what they add."""
    state.aids[seat] = left
    state.journal[seat * s.ENTRIES + s.SPENT] += len(aids)
    scenario = state.catalogue.scenarios[state.scenario].key
    facts = {"scenario": scenario, "aids": list(aids), "worth": worth(state, aids)}
    events.append(make(Event, ("used", seat, facts, _NOTHING, (), False)))


CAME: Final = "challenge "
"""Begins the name under which a match counts how often a Challenge has come."""


def came_before(key: str) -> str:
    """The name under which a match counts how often this Challenge has come."""
    return f"{CAME}{key}"


def recurrence(state: State) -> int:
    """How often the Challenge being faced came before in the match; 0 if none is faced."""
    return max(0, state.counters.get(came_before(state.encounter), 1) - 1)


def befall(state: State, seat: int, dice: Dice, events: list[Event]) -> None:
    """The encounter of the square (R47); squares 1 and 30 have none (R55)."""
    square = state.at[seat]
    if square == s.END:
        turns.end_turn(state, events)
        return
    scenario = state.catalogue.scenarios[state.scenario]
    thrown = turns.TWO[below(dice, 36)]
    encounter = scenario.parts[square >= SECOND][thrown[0] + thrown[1]]
    facts = {
        "scenario": scenario.key,
        "part": encounter.part + 1,
        "dice": thrown,
        "encounter": encounter.key,
    }
    if encounter.aid:
        if encounter.key in state.aids[seat]:
            facts["again"] = True
        held = [*state.aids[seat], encounter.key]
        held.sort()
        state.aids[seat] = tuple(held)
        state.journal[seat * s.ENTRIES + s.FOUND] += 1
        events.append(make(Event, ("aid", seat, facts, _NOTHING, (), True)))
        turns.end_turn(state, events)
        return
    came = came_before(encounter.key)
    facts["recurrence"] = state.counters.get(came, 0)
    state.counters[came] = facts["recurrence"] + 1
    events.append(make(Event, ("challenge", seat, facts, _NOTHING, (), True)))
    state.encounter = encounter.key
    if encounter.fits.isdisjoint(state.aids[seat]):
        _face(state, seat, 0, dice, events)
    else:
        state.phase = s.CHALLENGE


def face_it(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    """Spends Aids on a Challenge, and rolls."""
    fits = state.catalogue.scenarios[state.scenario].encounters[state.encounter].fits
    left = without(state, seat, move.aids, fits)
    state.moves += 1
    used = tuple(sorted(move.aids))
    spend(state, seat, used, left, events)
    _face(state, seat, worth(state, used), dice_of(state), events)


def _face(state: State, seat: int, aids: int, dice: Dice, events: list[Event]) -> None:
    """The ability roll against the Challenge roll (R40, R57)."""
    challenge = state.catalogue.scenarios[state.scenario].encounters[state.encounter].challenge
    assert challenge
    die, thrown, against = turns.THREE[below(dice, 216)]
    counts, abilities = state.counts[seat], 0
    for ability in challenge.abilities:
        abilities += counts[ability]
    abilities *= challenge.times
    total = die + abilities + aids
    overcome = against > total if state.printed else total >= against
    facts = {
        "encounter": state.encounter,
        "recurrence": recurrence(state),
        "die": die,
        "abilities": abilities,
        "aids": aids,
        "total": total,
        "dice": thrown,
        "against": against,
        "overcome": overcome,
        "asked": state.phase == s.CHALLENGE,
    }
    events.append(make(Event, ("faced", seat, facts, _NOTHING, (), True)))
    entries = seat * s.ENTRIES
    state.journal[entries + s.FACED] += 1
    if overcome:
        state.journal[entries + s.OVERCOME] += 1
        turns.end_turn(state, events)
    else:
        _suffer(state, seat, challenge, dice, events)


def _suffer(state: State, seat: int, challenge: Challenge, dice: Dice, events: list[Event]) -> None:
    match challenge.penalty:
        case "turn_lost":
            state.skips[seat] = True
            events.append(Event("turn_lost", seat))
        case "squares_lost":
            _throw_back(state, seat, challenge.squares, events)
        case "aid_lost":
            if len(set(state.aids[seat])) > 1:
                state.phase = s.GIVE_UP
                return
            _lose_aid(state, seat, next(iter(state.aids[seat]), None), events)
        case wounds:
            square = state.at[seat]
            fell = turns.wound(state, seat, dice, events)
            if not fell and wounds == "two_wounds":
                fell = turns.wound(state, seat, dice, events)
            if fell:
                if state.holder == seat:
                    turns.let_fall(state, seat, square, events)
                if turns.is_decided(state, events):
                    return
    turns.end_turn(state, events)


def _throw_back(state: State, seat: int, squares: int, events: list[Event]) -> None:
    """The holder toward 30, others against the move just made; nothing else happens there (R51, R54)."""
    at, to = state.at[seat], set_back(state, squares)
    state.at[seat] = to
    facts = {"squares": squares, "from": at, "to": to, "artifact": state.holder == seat}
    events.append(Event("thrown_back", seat, facts))


def give_up(state: State, seat: int, move: m.GiveUp, events: list[Event]) -> None:
    """Loses the chosen Aid (R51)."""
    if move.aid not in state.aids[seat]:
        raise IllegalMove("aid-not-held", aid=move.aid)
    state.moves += 1
    _lose_aid(state, seat, move.aid, events)
    turns.end_turn(state, events)


def _lose_aid(state: State, seat: int, aid: str | None, events: list[Event]) -> None:
    if aid is not None:
        left = list(state.aids[seat])
        left.remove(aid)
        state.aids[seat] = tuple(left)
    facts = {"scenario": state.catalogue.scenarios[state.scenario].key, "aid": aid}
    events.append(Event("aid_lost", seat, facts))


def look_for_fight(state: State, seat: int, dice: Dice, events: list[Event]) -> None:
    """Begins the fight on the mover's square; the mover chooses the opponent where it may (R44)."""
    square, at = state.at[seat], state.at
    holder = state.holder
    if holder not in (s.NOBODY, seat) and at[holder] == square:
        _begin_fight(state, seat, holder, dice, events)
        return
    others = [other for other in range(state.seats) if at[other] == square and other != seat]
    if len(others) == 1:
        _begin_fight(state, seat, others[0], dice, events)
    else:
        state.phase = s.OPPONENT


def meet(state: State, seat: int, move: m.Meet, events: list[Event]) -> None:
    """Begins the fight with the chosen opponent."""
    other = move.seat
    if other == seat or not 0 <= other < state.seats or state.at[other] != state.at[seat]:
        raise IllegalMove("no-such-opponent")
    state.moves += 1
    _begin_fight(state, seat, other, dice_of(state), events)


def _begin_fight(state: State, seat: int, other: int, dice: Dice, events: list[Event]) -> None:
    state.opponent = other
    die = 1 + below(dice, 10)
    ability = None if die == CHOICE else ABILITIES[die - 1]
    facts: dict[str, Any] = {"other": other, "square": state.at[seat], "die": die, "ability": ability}
    if ability is not None:
        fits = state.catalogue.scenarios[state.scenario].fits[die - 1]
        facts["aided"] = [not fits.isdisjoint(state.aids[each]) for each in (seat, other)]
    events.append(make(Event, ("met", seat, facts, _NOTHING, (), True)))
    if die == CHOICE:
        state.phase = s.ABILITY
    else:
        _look_for_aids(state, seat, die - 1, dice, events)


def name(state: State, seat: int, move: m.Name, events: list[Event]) -> None:
    """Names the ability of the fight, on a 10 (R42)."""
    if not 0 <= move.ability < len(ABILITIES):
        raise IllegalMove("no-such-ability")
    state.moves += 1
    events.append(Event("named", seat, {"ability": ABILITIES[move.ability]}))
    _look_for_aids(state, seat, move.ability, dice_of(state), events)


def _look_for_aids(state: State, seat: int, ability: int, dice: Dice, events: list[Event]) -> None:
    """Asks the mover for Aids. A party without a fitting Aid is not asked: the sheets are public (R49)."""
    state.ability = ability
    if _fits(state).isdisjoint(state.aids[seat]):
        _look_for_answer(state, dice, events)
    else:
        state.phase = s.ATTACK


def _look_for_answer(state: State, dice: Dice, events: list[Event]) -> None:
    if _fits(state).isdisjoint(state.aids[state.opponent]):
        _fight(state, (), dice, events)
    else:
        state.phase = s.DEFEND


def _fits(state: State) -> frozenset[str]:
    return state.catalogue.scenarios[state.scenario].fits[state.ability]


def attack(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    """Spends the mover's Aids on the fight."""
    left = without(state, seat, move.aids, _fits(state))
    state.moves += 1
    state.used = tuple(sorted(move.aids))
    spend(state, seat, state.used, left, events)
    _look_for_answer(state, dice_of(state), events)


def defend(state: State, seat: int, move: m.Use, events: list[Event]) -> None:
    """Spends the opponent's Aids, and both roll."""
    left = without(state, seat, move.aids, _fits(state))
    state.moves += 1
    used = tuple(sorted(move.aids))
    spend(state, seat, used, left, events)
    _fight(state, used, dice_of(state), events)


def _fight(state: State, theirs: Keys, dice: Dice, events: list[Event]) -> None:
    """Both roll; the lower is Wounded, and what it held goes to the other. Then comes the encounter."""
    seat, other, ability = state.active, state.opponent, state.ability
    rolled = turns.TWO[below(dice, 36)]
    own = [state.counts[seat][ability], state.counts[other][ability]]
    aids = [worth(state, state.used), worth(state, theirs)]
    mine, yours = rolled[0] + own[0] + aids[0], rolled[1] + own[1] + aids[1]
    winner = None if mine == yours else seat if mine > yours else other
    facts = {
        "scenario": state.catalogue.scenarios[state.scenario].key,
        "other": other,
        "ability": ABILITIES[ability],
        "dice": rolled,
        "abilities": own,
        "aids": aids,
        "totals": [mine, yours],
        "winner": winner,
        "artifact": state.holder in (seat, other),
    }
    events.append(make(Event, ("fought", seat, facts, _NOTHING, (), True)))
    state.opponent, state.ability, state.used = s.NOBODY, s.NONE, ()
    state.journal[seat * s.ENTRIES + s.FOUGHT] += 1
    state.journal[other * s.ENTRIES + s.FOUGHT] += 1
    if winner is not None:
        state.journal[winner * s.ENTRIES + s.WON] += 1
        loser = other if winner == seat else seat
        fell = turns.wound(state, loser, dice, events, {"other": winner})
        if state.holder == loser:  # R45
            facts = {"other": loser, "square": state.at[winner]}
            state.holder = winner
            state.hands = (*state.hands, Held(state.round, winner, state.at[winner]))
            events.append(make(Event, ("seized", winner, facts, _NOTHING, (), False)))
        if fell and turns.is_decided(state, events):
            return
        if fell and loser == seat:
            turns.end_turn(state, events)
            return
    befall(state, seat, dice, events)


def roll(state: State, seat: int, move: m.Roll, events: list[Event]) -> None:
    """The direction follows but for those without the Artifact once it has been taken (R50)."""
    state.moves += 1
    dice = dice_of(state)
    die = 1 + below(dice, 6)
    at = state.at[seat]
    if state.holder == seat or (at == s.END and state.lies != s.END):
        step = s.BACK
    elif state.lies == s.END or at == s.HOME:
        step = s.FORWARD
    else:
        state.die = die
        state.phase = s.DIRECTION
        events.append(make(Event, ("rolled", seat, {"die": die, "round": state.round}, _NOTHING, (), True)))
        return
    _travel(state, seat, die, step, dice, events)


def go(state: State, seat: int, move: m.Go, events: list[Event]) -> None:
    """Moves the party in the chosen direction."""
    if move.forward is not True and move.forward is not False:
        raise IllegalMove("no-such-direction")
    state.moves += 1
    die, state.die = state.die, 0
    _travel(state, seat, die, s.FORWARD if move.forward else s.BACK, dice_of(state), events)


def _travel(state: State, seat: int, die: int, step: int, dice: Dice, events: list[Event]) -> None:
    """R55: the move stops, the Artifact is taken, a holder on 1 wins, there is a fight, there is an encounter."""
    at, lies = state.at[seat], state.lies
    to = landing(state, seat, die, step)
    takes = to == lies
    state.at[seat] = to
    state.step = step
    state.journal[seat * s.ENTRIES + s.SQUARES] += abs(to - at)
    rolled = state.phase == s.ROLL
    direction = "forward" if step == s.FORWARD else "back"
    held = s.GONE if state.holder == s.NOBODY else state.at[state.holder]
    facts = {"die": die, "from": at, "to": to, "direction": direction, "round": state.round}
    facts |= {"artifact": state.holder == seat, "ahead": to < held <= at}
    events.append(make(Event, ("moved", seat, facts, _NOTHING, (), rolled)))
    if takes:
        turns.take(state, seat, "reached" if lies == s.END else "picked_up", events)
    if to == s.HOME:
        if state.holder == seat:
            state.die = die
            turns.finish(state, events)
        else:
            turns.end_turn(state, events)
    elif state.at.count(to) > 1:
        look_for_fight(state, seat, dice, events)
    else:
        befall(state, seat, dice, events)
