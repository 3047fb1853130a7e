"""Steps that every part of a turn of Artifact uses: dice, wounds (R43, R45, R58), the Artifact taken, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from engine.artifact.party import ABILITIES, LEADER, WELL, WOUNDED
from engine.artifact.party import GONE as GONE_MEMBER
from engine.artifact.state import GONE, HOME, NOBODY, OVER, ROLL, Held, Numbers, State, cast
from engine.chance import below, words
from engine.game import Event, Outcome, make

_NOTHING: Final[Mapping[str, Any]] = {}


def take(state: State, seat: int, kind: str, events: list[Event]) -> None:
    """The Artifact comes into a party's hands; `kind` is the event's."""
    square = state.at[seat]
    state.holder, state.lies = seat, GONE
    state.hands = (*state.hands, Held(state.round, seat, square))
    facts = {"scenario": state.catalogue.scenarios[state.scenario].key, "square": square}
    events.append(make(Event, (kind, seat, facts, _NOTHING, (), False)))


def end_turn(state: State, events: list[Event]) -> None:
    """Begins the next party's turn; one that loses its turn is skipped."""
    state.encounter = ""
    state.step = 0
    following = state.active
    while True:
        following += 1
        if following == state.seats:
            following = 0
        if following == state.first:
            state.round += 1
        if state.at[following] == GONE:
            continue
        if not state.skips[following]:
            break
        state.skips[following] = False
        events.append(Event("skipped", following))
    state.active = following
    state.phase = ROLL
    if state.at[following] == state.lies:  # R54
        take(state, following, "picked_up", events)


def is_decided(state: State, events: list[Event]) -> bool:
    """Ends the match where one party is left (R46)."""
    if state.at.count(GONE) < state.seats - 1:
        return False
    finish(state, events)
    return True


def finish(state: State, events: list[Event]) -> None:
    """Ends the match."""
    state.phase = OVER
    state.encounter = ""
    state.step = 0
    end = outcome(state)
    assert end
    key = state.catalogue.scenarios[state.scenario].key
    facts = {"scenario": key, "winner": end.winners[0], "why": end.why, "round": state.round}
    events.append(Event("over", None, facts, reveals=True))


def outcome(state: State) -> Outcome | None:
    """The party that brought the Artifact home ("home") or is the last ("last") has won; the others rank alike."""
    if state.phase != OVER:
        return None
    home = state.holder != NOBODY and state.at[state.holder] == HOME
    winner = state.holder if home else next(s for s, square in enumerate(state.at) if square != GONE)
    scores = tuple([int(seat == winner) for seat in range(state.seats)])
    return Outcome(tuple([2 - score for score in scores]), scores, "home" if home else "last")


DICE: Final = "dice"
"""The stream of all throws after the order of play."""

TWO: Final = tuple((1 + number // 6, 1 + number % 6) for number in range(36))
"""Two six-sided dice, thrown as one number."""
THREE: Final = tuple((1 + number // 36, TWO[number % 36], sum(TWO[number % 36])) for number in range(216))
"""An ability roll's die, a Challenge roll's two, and the sum of these, thrown as one number."""

Dice = Iterator[int]
"""The words that a move's dice are thrown with."""


def dice_of(state: State) -> Dice:
    """The words for all that one move throws."""
    return words(state.key, state.counters, DICE)


def wound(
    state: State, seat: int, dice: Dice, events: list[Event], fight: Mapping[str, int] = _NOTHING
) -> bool:
    """Wounds a member at random; says whether the party is out with its last one. `fight`: by which `other` party."""
    wounds, party = state.wounds[seat], state.members[seat]
    hit = exposed(wounds)
    member = hit[below(dice, len(hit))]
    abilities = party[member]
    if wounds[member] == WELL:
        state.wounds[seat] = (*wounds[:member], WOUNDED, *wounds[member + 1 :])
        lost = left = abilities
        if abilities:
            # Of an ability that the member has more than once the first goes: which one, no event would tell.
            place = abilities.index(abilities[below(dice, len(abilities))])
            lost = abilities[place : place + 1]
            left = abilities[:place] + abilities[place + 1 :]
        kind = "wounded"
    else:
        state.wounds[seat] = (*wounds[:member], GONE_MEMBER, *wounds[member + 1 :])
        lost, left = abilities, ()
        kind = "member_out"
    if lost:
        state.members[seat] = (*party[:member], left, *party[member + 1 :])
        counts = list(state.counts[seat])
        for ability in lost:
            counts[ability] -= 1
        state.counts[seat] = tuple(counts)
    facts = {"member": member, "cast": cast(state), "lost": [ABILITIES[ability] for ability in lost], **fight}
    events.append(make(Event, (kind, seat, facts, _NOTHING, (), True)))
    if kind == "wounded" or member != LEADER:
        return False
    events.append(Event("party_out", seat, {"square": state.at[seat]}))
    state.at[seat] = GONE
    state.skips[seat] = False
    state.aids[seat] = ()
    return True


def let_fall(state: State, seat: int, square: int, events: list[Event]) -> None:
    """The Artifact of a party that is out falls; a party that stands there takes it at once (R45)."""
    state.holder, state.lies = NOBODY, square
    events.append(Event("fell", seat, {"square": square}))
    for turn in range(1, state.seats):
        other = (seat + turn) % state.seats
        if state.at[other] == square:
            take(state, other, "picked_up", events)
            return


@lru_cache(maxsize=1 << 10)
def exposed(wounds: Numbers) -> Numbers:
    """The members that can be wounded: all still in but the leader, who is the last (R58)."""
    others = tuple([n for n, wound in enumerate(wounds) if n != LEADER and wound != GONE_MEMBER])
    return others or (LEADER,)
