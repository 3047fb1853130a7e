"""Placements that sell artifacts in Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import ANY
from engine.artifacts_inc.choices import majority, majority_of
from engine.artifacts_inc.placing import cover, facts_of, slot_of
from engine.artifacts_inc.reputation import check_held, pay_out, spend
from engine.artifacts_inc.state import FREE, State
from engine.errors import IllegalMove
from engine.game import Event, make

_NOTHING: Final[Mapping[str, Any]] = {}


def fill_order(state: State, seat: int, move: m.FillOrder, events: list[Event]) -> None:
    """Sells artifacts to a museum for an order."""
    _, action = slot_of(state, seat, move, "museum")
    museum, order = move.museum, move.order
    if not 0 <= museum < len(ARTIFACTS) or action.artifact not in (ANY, museum):
        raise IllegalMove("other-museum")
    sizes = state.catalogue.orders(museum, state.seats)
    if not 0 <= order < len(sizes):
        raise IllegalMove("no-such-order")
    if state.orders[museum][order] != FREE:
        raise IllegalMove("order-filled")
    size = sizes[order]
    check_held(state, seat, museum, size)
    cover(state, move)
    spend(state, seat, museum, size)
    taken = state.orders[museum]
    state.orders[museum] = (*taken[:order], seat, *taken[order + 1 :])
    bonus = state.catalogue.museums[museum].bonus  # R22, R38
    takes_lead = majority_of(taken, sizes) != seat == majority(state, museum)
    facts = {
        **facts_of(state, move),
        "artifact": ARTIFACTS[museum],
        "order": order,
        "count": size,
        "bonus": bonus,
        "takes_lead": takes_lead,
    }
    pay_out(state, seat, size + bonus + action.dollars, facts)
    events.append(make(Event, ("filled", seat, facts, _NOTHING, (), False)))


def collect(state: State, seat: int, move: m.Collect, events: list[Event]) -> None:
    """Sells a set of artifacts to Private Collectors."""
    _, action = slot_of(state, seat, move, "collect")
    sold = move.artifacts
    if len(sold) != len(ARTIFACTS) or min(sold) < 0:
        raise IllegalMove("malformed-artifacts")
    total = sum(sold)
    if not total:  # R23
        raise IllegalMove("nothing-to-sell")
    for artifact, n in enumerate(sold):
        check_held(state, seat, artifact, n)
    cover(state, move)
    for artifact, n in enumerate(sold):
        if n:
            spend(state, seat, artifact, n)
    artifacts = {key: n for key, n in zip(ARTIFACTS, sold, strict=True) if n}
    facts = {**facts_of(state, move), "artifacts": artifacts}
    pay_out(state, seat, total + len(artifacts) - 1 + action.dollars, facts)
    events.append(make(Event, ("collected", seat, facts, _NOTHING, (), False)))


def sell_one(state: State, seat: int, move: m.SellOne, events: list[Event]) -> None:
    """Sells one artifact for the slot's dollars."""
    _, action = slot_of(state, seat, move, "sell")
    artifact = move.artifact
    if not 0 <= artifact < len(ARTIFACTS):
        raise IllegalMove("no-such-artifact")
    check_held(state, seat, artifact, 1)
    cover(state, move)
    spend(state, seat, artifact, 1)
    facts = {**facts_of(state, move), "artifact": ARTIFACTS[artifact]}
    pay_out(state, seat, action.dollars, facts)
    events.append(make(Event, ("sold", seat, facts, _NOTHING, (), False)))
