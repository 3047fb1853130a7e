"""The rules of Artifacts, Inc. Rulings R20 to R39 and R60 to R66 are named where they are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from engine.artifacts_inc import choices, placing, turns
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents import agents_of
from engine.artifacts_inc.card_list import PILES, SEATS, CardList, read_card_list
from engine.artifacts_inc.catalogue import Action, Catalogue
from engine.artifacts_inc.company import CompanyCard, Space
from engine.artifacts_inc.state import ARRANGE, OFFERED, OVER, State, View
from engine.cards import card_data
from engine.chance import shuffle
from engine.errors import IllegalMove, NotYourMove
from engine.forms import Moves
from engine.game import Agent, Decision, Event, Feat, Game, Options, Outcome, one_decision

DOLLARS: Final = (2, 3, 3, 4)
"""Dollars that the players begin with, in turn order."""

_COMMON: Final = 0.7
"""How likely each thing is among some that are drawn."""
T = TypeVar("T")
Handler = Callable[[State, int, Any, list[Event]], None]


class ArtifactsInc(Game[State, Any, View]):
    """Artifacts, Inc. (2014), for 2 to 4 players."""

    key: ClassVar[str] = "artifacts-inc"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = SEATS.start
    max_seats: ClassVar[int] = SEATS.stop - 1
    usual_moves: ClassVar[Mapping[int, int]] = {2: 30, 3: 31, 4: 33}
    state_type = State
    move_forms: ClassVar[Moves[Any]] = m.MOVES

    def __init__(self, card_list: CardList) -> None:
        self.card_list = card_list
        self.catalogue = Catalogue(card_list)
        self._agents = agents_of(self)
        self._handlers: dict[type, Handler] = {
            m.PlaceDie: placing.place_die,
            m.Gather: placing.gather,
            m.FillOrder: placing.fill_order,
            m.Collect: placing.collect,
            m.SellOne: placing.sell_one,
            m.Buy: placing.buy,
            m.TurnCard: placing.turn_card,
            m.Dive: turns.dive,
            m.TurnDie: turns.turn_die,
            m.RollAgain: turns.roll_again,
            m.Pass: turns.pass_,
        }

    @property
    def agents(self) -> Mapping[str, Agent[View, Any]]:
        return self._agents

    @property
    def cards_digest(self) -> str:
        return self.catalogue.digest

    def feats(self, events: Iterable[Event]) -> Iterable[Feat]:
        """The dollars that each order of a museum brought."""
        return [
            Feat("museum", event.seat, int(event.facts["dollars"]))
            for event in events
            if event.kind == "filled" and event.seat is not None
        ]

    # -- set-up

    def new(self, seats: int, options: Options, seed: bytes) -> State:
        self.check_seats(seats)
        state = State(catalogue=self.catalogue, seats=seats, key=seed)
        state.derive()
        for number, cards in enumerate(self.catalogue.piles):
            pile = list(cards)
            shuffle(state.key, state.counters, f"pile {PILES[number]}", pile)
            state.offers[number] = tuple([pile.pop() for _ in range(min(OFFERED[number], len(pile)))])
            state.piles[number] = tuple(pile)
        turns.choose_first(state)
        for turn in range(seats):
            state.dollars[(state.first + turn) % seats] = DOLLARS[turn]
        return state

    def opening(self, state: State) -> list[Event]:
        offers = {
            PILES[number]: [self.catalogue.cards[card].key for card in offer]
            for number, offer in enumerate(state.offers)
        }
        return [
            Event("offered", None, {"offers": offers}, reveals=True),
            Event(
                "first", state.first, {"rolls": state.rolls, "dollars": state.dollars.copy()}, reveals=True
            ),
        ]

    # -- a turn
    # Agents that think ahead play a match some thousand times a minute. So what is asked most often is looked up
    # instead of being worked out anew, and events are made with `make`, which is quicker than their class.

    def pending(self, state: State) -> tuple[Decision, ...]:
        return () if state.phase == OVER else one_decision(state.moves, state.active, state.phase)

    def apply(self, state: State, seat: int, move: object) -> list[Event]:
        if seat != state.active or state.phase == OVER:
            raise NotYourMove
        kind = type(move)
        events: list[Event] = []
        if state.phase == ARRANGE:
            if not isinstance(move, m.Roll):
                raise IllegalMove("unknown-move" if kind not in self._handlers else "roll-first")
            turns.arrange(state, seat, move, events)
        else:
            handler = self._handlers.get(kind)
            if handler is None:
                raise IllegalMove("rolled-already" if kind is m.Roll else "unknown-move")
            handler(state, seat, move, events)
            if not state.dice:  # R37
                turns.end_turn(state, events)
        return events

    # -- random play, views

    def sample(self, state: State, seat: int, rng: Random) -> Any:
        return _sampled(state, rng)

    def outcome(self, state: State) -> Outcome | None:
        return turns.outcome(state)

    def view(self, state: State, viewer: int | None) -> View:
        facts = state.seen_by(viewer)
        facts["pending"] = self.pending(state)
        facts["outcome"] = turns.outcome(state)
        # A pile's cards without their order.
        facts["piles"] = tuple(
            [tuple([(card, pile.count(card)) for card in sorted(set(pile))]) for pile in state.piles]
        )
        return View.of(facts)

    def determinize(self, view: View, rng: Random) -> State:
        """Draws what is unknown: the order of the piles, and the dice to come."""
        state = State.of_view(view, rng.randbytes(32))
        for number, pile in enumerate(view.piles):
            cards = [card for card, n in pile for _ in range(n)]
            rng.shuffle(cards)
            state.piles[number] = tuple(cards)
        state.derive()
        return state

    # -- data

    def load(self, data: Mapping[str, Any]) -> State:
        state = State.load(data, self.cards_digest, catalogue=self.catalogue)
        state.derive()
        return state


# -- random moves for random play: every one may come up, though not all equally often


def _sampled(state: State, rng: Random) -> m.Move:
    """A random legal move of the active seat."""
    if state.phase == ARRANGE:
        order = rng.sample(state.catalogue.start, len(state.catalogue.start))
        return m.Roll(tuple(order)) if rng.random() < 0.5 else m.Roll()
    placed = [(die, *spot) for die in dict.fromkeys(state.dice) for spot in choices.spaces(state, die)]
    used, due = choices.abilities(state), choices.dive_due(state)
    drawn = rng.randrange(len(placed) + len(used) + 2)
    if drawn < len(placed):
        die, space, slot = placed[drawn]
        return _carried_out(state, die, space, slot.action, rng)
    if drawn < len(placed) + len(used):
        own, ability, _left = used[drawn - len(placed)]
        if ability.do == "roll":
            return m.RollAgain(own, tuple(_some(state.dice, rng)))
        die = rng.choice(state.dice)
        return m.TurnDie(own, die, rng.choice(choices.faces(ability, die)))
    if drawn == len(placed) + len(used) or due is None or sum(state.dice) < due:
        return m.PASS
    while sum(dice := _some(state.dice, rng)) < due:
        pass
    return m.Dive(tuple(dice))


def _carried_out(state: State, die: int, space: Space, action: Action, rng: Random) -> m.Move:
    """A random way in which the active seat carries out an action that is possible."""
    held = state.artifacts[state.active]
    match action.do:
        case "gather":
            return m.Gather(die, space, rng.choice(choices.gatherable(state)))
        case "museum":
            return m.FillOrder(die, space, *rng.choice(choices.fillable(state, action.artifact)))
        case "collect":
            sold = tuple([rng.randint(0, n) for n in held])
            return m.Collect(die, space, sold if any(sold) else tuple(held))
        case "sell":
            return m.SellOne(die, space, rng.choice([artifact for artifact, n in enumerate(held) if n]))
        case "buy":
            bought = rng.choice([*choices.purchases(state), *choices.turnable(state)])
            if isinstance(bought, CompanyCard):
                return m.TurnCard(die, space, bought)
            return m.Buy(die, space, bought, rng.choice(choices.places(state, state.active)))
        case _:
            return m.PlaceDie(die, space)


def _some(things: Sequence[T], rng: Random) -> list[T]:
    """Some of these, one at least."""
    return [each for each in things if rng.random() < _COMMON] or [rng.choice(things)]


def create(card_list: object | None = None) -> ArtifactsInc:
    """The game with the built-in card list, or with `card_list`'s JSON data. Raises `BadData`."""
    return ArtifactsInc(read_card_list(card_data("artifacts_inc", card_list), ArtifactsInc.key))
