"""The seats' knowledge of each other's hands: how it is learnt and forgotten."""

from __future__ import annotations

from engine.archaeology_family.state import State


def forget(state: State, seat: int, kind: int, n: int) -> None:
    """Forgets cards that have openly left a hand: first what everybody knew of it, then what single seats did."""
    known = state.known[seat]
    left = known[kind] - n
    if left >= 0:
        known[kind] = left
        return
    known[kind] = 0
    for counts in state.learnt[seat].values():
        if counts[kind]:
            counts[kind] = max(0, counts[kind] + left)


def learn_theft(state: State, thief: int, victim: int, card: int) -> None:
    """The two concerned know which card went over; to others any card known in the hand may be it.

    So others know one card less of every treasure, and the thief of the stolen one. A count that everybody knows
    bears the loss first; the thief, who has seen that most of it still holds, keeps that knowledge alone.
    """
    known, learnt = state.known[victim], state.learnt[victim]
    for observer, counts in learnt.items():
        for kind in (card,) if observer == thief else range(state.kinds):
            if counts[kind] and not known[kind]:
                counts[kind] -= 1
    if any(known):
        kept = learnt.setdefault(thief, [0] * state.kinds)
        for kind, public in enumerate(known):
            if public:
                known[kind] = public - 1
                if kind != card:
                    kept[kind] += 1
    state.learnt[thief].setdefault(victim, [0] * state.kinds)[card] += 1
