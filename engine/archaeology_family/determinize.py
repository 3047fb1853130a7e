"""A state of the Archaeology family that fits a view, what the view hides being drawn at random."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, CardList
from engine.archaeology_family.state import State, View


class Hiding(Protocol):
    """A game with its hidden places: what the two games differ in."""

    @property
    def card_list(self) -> CardList: ...
    def subtract_seen(self, view: Any, unseen: list[int]) -> None: ...
    def fill_chambers(self, state: Any, view: Any, hidden: list[int]) -> None: ...


def fill(game: Hiding, state: State, view: View, rng: Random) -> None:
    """Fills in what this state, which has all that the view shows, does not have from it.

    No chamber holds Maps (set-up, step 1), so they join the hidden cards once the chambers are filled.
    """
    if view.viewer is not None:
        for seat, counts in view.learnt:
            state.learnt[seat][view.viewer] = list(counts)
    state.thieves = game.card_list.thieves.by_seats[view.seats] - view.thieves
    state.sandstorms = game.card_list.sandstorms.by_seats[view.seats] - view.sandstorms
    unseen = _unseen(state, view)
    game.subtract_seen(view, unseen)
    hidden = [kind for kind, n in enumerate(unseen) if kind != MAP for _ in range(n)]
    rng.shuffle(hidden)
    game.fill_chambers(state, view, hidden)
    hidden += [MAP] * unseen[MAP]
    rng.shuffle(hidden)
    for seat, hand in enumerate(state.hands):
        for _ in range(view.sizes[seat] - sum(hand)):
            hand[hidden.pop()] += 1
    hidden += [THIEF] * view.thieves + [SANDSTORM] * view.sandstorms
    rng.shuffle(hidden)
    state.site = hidden


def _unseen(state: State, view: View) -> list[int]:
    """The treasures that the viewer sees neither in hands nor in the open, by kind. Lays out the hands as known."""
    unseen = list(view.copies)
    unseen[MAP] -= view.maps_gone
    for sets in view.sold:
        for kind, n in sets:
            unseen[kind] -= n
    known = view.known
    seen = [view.market, *known]
    state.hands = [list(counts) for counts in known]
    if view.viewer is not None and view.hand is not None:
        state.hands[view.viewer] = list(view.hand)
        seen[1 + view.viewer] = view.hand
    for counts in seen:
        for kind, n in enumerate(counts):
            unseen[kind] -= n
    return unseen
