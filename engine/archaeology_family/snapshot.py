"""Checks of a state of the Archaeology family that was read: the rules can go on from a state that passes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State


def sizes_fit(state: State) -> Iterator[tuple[bool, str]]:
    """Whether lists have their lengths, and seats and treasures exist; the other checks rely on that."""
    lists = (state.hands, state.sold, state.known, state.learnt)
    yield all(len(by_seat) == state.seats for by_seat in lists), "a list by seat"
    learnt = [counts for about in state.learnt for counts in about.values()]
    counts = (state.market, *state.hands, *state.chambers, *state.known, *learnt)
    yield all(len(by_kind) == state.kinds for by_kind in counts), "a list by treasure"
    observers = [observer for about in state.learnt for observer in about]
    seats = (state.active, state.asked, *state.queue, *state.row, *observers)
    yield max(seats) < state.seats, "a seat that does not exist"
    sold = [kind for sets in state.sold for kind, _ in sets]
    yield max((*state.site, *sold), default=0) < state.kinds, "a treasure that is not in play"


def turn_fits(
    state: State, phases: Collection[str], open_phases: Collection[str], may_act: bool
) -> Iterator[tuple[bool, str]]:
    """Whether the phase fits the cards, and what is known of hands is in them.

    `phases` are those of the game, `open_phases` the ones in which other seats than the active one are asked.
    `may_act`: the active seat has something to do.
    """
    sizes = [sum(hand) for hand in state.hands]
    coheres = {
        DIG: bool(state.site) and not state.dry,
        STEAL: any(size for seat, size in enumerate(sizes) if seat != state.active),
        STORM: sizes[state.asked] > 1,
        ACT: may_act and not (state.dry and state.site),
        OVER: not state.site and not any(sizes),
    }
    yield state.phase in phases and coheres.get(state.phase, True), "its phase"
    yield state.phase in open_phases or not (state.queue or state.asked != state.active), "who is asked"
    yield all(_is_held(state, seat) for seat in range(state.seats)), "what is known of hands"


def _is_held(state: State, seat: int) -> bool:
    """Whether a hand holds all that is known of it."""
    hand, known = state.hands[seat], state.known[seat]
    return all(
        n + m <= have
        for more in state.learnt[seat].values() or ([0] * state.kinds,)
        for n, m, have in zip(known, more, hand, strict=True)
    )
