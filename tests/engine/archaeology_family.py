"""The beginnings of the scenes of both Archaeology games: cards written as text, and moves played or refused.

"coin*3 map" is three Coins and a Map.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import strategies as st

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES, Bundles, bundles
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import State
from engine.errors import IllegalMove
from engine.expedition.state import ExpeditionState
from engine.game import Event

KEY = bytes(range(32))

DIG_MOVE = m.Dig()
END_TURN = m.EndTurn()
SMALL = st.integers(-2, 9)

HAZARDS = {"thief": THIEF, "sandstorm": SANDSTORM}


def kind(key: str) -> int:
    return TREASURES.index(key)


def counts(text: str, kinds: int = len(TREASURES)) -> list[int]:
    """Cards by treasure."""
    by_kind = [0] * kinds
    for word in text.split():
        key, _, n = word.partition("*")
        by_kind[kind(key)] += int(n or 1)
    return by_kind


def cards(text: str) -> Bundles:
    """Cards as moves and events hold them."""
    return bundles(counts(text))


def dug(text: str) -> list[int]:
    """A dig site's cards, named in the order in which they will be dug."""
    return [HAZARDS[name] if name in HAZARDS else kind(name) for name in reversed(text.split())]


def census(state: State) -> list[int]:
    """The treasures wherever they are, discarded Maps included, counted by treasure."""
    found = [sum(place) for place in zip(state.market, *state.hands, *state.chambers, strict=True)]
    loose = [card for card in state.site if card >= 0]
    if isinstance(state, ExpeditionState):
        loose += [*state.pile, *state.turned]
    for card in loose:
        found[card] += 1
    for sets in state.sold:
        for sold, n in sets:
            found[sold] += n
    found[MAP] += state.maps_gone
    return found


def trade(give: str, take: str) -> m.Trade:
    return m.Trade(cards(give), cards(take))


def discard(text: str) -> m.Discard:
    return m.Discard(cards(text))


def sell(text: str) -> m.Sell:
    ((treasure, count),) = cards(text)
    return m.Sell(treasure, count)


def play_in(game: ArchaeologyFamily[Any, Any], state: State, *moves: object) -> list[Event]:
    """Plays moves, each for the seat that is asked, and returns the last one's events."""
    events: list[Event] = []
    for move in moves:
        (decision,) = game.pending(state)
        events = game.apply(state, decision.seat, move)
    return events


def refused_in(
    game: ArchaeologyFamily[Any, Any], state: State, move: object, seat: int | None = None
) -> IllegalMove:
    """The error with which a move is refused, after checking that nothing has changed."""
    before = game.dump(state)
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, state.asked if seat is None else seat, move)
    assert game.dump(state) == before
    return caught.value


def text(place: Sequence[int]) -> str:
    """Cards by treasure as a text, in the order of the treasures."""
    found = [(TREASURES[kind], n) for kind, n in enumerate(place) if n]
    return " ".join(key if n == 1 else f"{key}*{n}" for key, n in found)


def read_in(game: ArchaeologyFamily[Any, Any], state: State, name: str) -> Any:
    """A part of a match for `tests.engine.rulings`: cards are texts.

    `knows` is what viewers know of the hands of seats, `seen` of chambers, by viewer and number.
    """
    match name:
        case "money":
            return game.money(state)
        case "knows" | "seen":
            part = "known" if name == "knows" else "within"
            return {
                (viewer, number): text(place)
                for viewer in (None, *range(state.seats))
                for number, place in enumerate(getattr(game.view(state, viewer), part))
            }
        case "market":
            return text(state.market)
        case "hands" | "chambers" | "within":
            return [text(place) for place in getattr(state, name)]
        case _:
            return getattr(state, name)


def hand(state: State, seat: int) -> Bundles:
    return bundles(state.hands[seat])


def may_choose(chosen: object, available: list[int]) -> bool:
    """The cards are well formed and there."""
    assert isinstance(chosen, tuple)
    kinds = [treasure for treasure, _ in chosen]
    return (
        kinds == sorted(set(kinds))
        and all(0 <= treasure < len(available) for treasure in kinds)
        and all(1 <= n <= available[treasure] for treasure, n in chosen)
    )


def any_moves(
    kinds: int, copies: int, extra: Callable[[Any], Sequence[st.SearchStrategy[Any]]] = lambda _chosen: ()
) -> st.SearchStrategy[Any]:
    """Moves of every kind, well formed and not; `extra` are a game's own, made from the strategy of chosen cards."""
    tidy = st.dictionaries(st.integers(0, kinds - 1), st.integers(1, copies), max_size=copies)
    loose = st.lists(st.tuples(SMALL, SMALL), max_size=4).map(tuple)
    chosen = tidy.map(lambda cards: tuple(sorted(cards.items()))) | loose
    return st.one_of(
        st.builds(m.Dig),
        st.builds(m.Steal, SMALL),
        st.builds(m.Discard, chosen),
        st.builds(m.Trade, chosen, chosen),
        st.builds(m.Explore, SMALL),
        st.builds(m.Sell, SMALL, SMALL),
        st.builds(m.EndTurn),
        st.sampled_from([None, (), "dig", 7]),
        *extra(chosen),
    )


def check_tried(
    game: ArchaeologyFamily[Any, Any],
    state: Any,
    moves: Iterable[tuple[int, Any]],
    is_legal: Callable[[Any, int, Any], bool],
    codes: Collection[str],
    check: Callable[[Any], None],
) -> None:
    """Each move of a seat is played, and the state after it checked, if it is legal; else it changes nothing."""
    before = game.dump(state)
    for seat, move in moves:
        if is_legal(state, seat, move):
            twin = game.copy(state)
            assert game.apply(twin, seat, move)
            check(twin)
            assert twin.moves == state.moves + 1
        else:
            with pytest.raises(IllegalMove) as caught:
                game.apply(state, seat, move)
            assert caught.value.code in codes
        assert game.dump(state) == before
