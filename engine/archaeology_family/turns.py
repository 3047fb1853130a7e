"""A turn in the Archaeology family: the dig, with its Thief or Sandstorm, the actions, and the end."""

from __future__ import annotations

from typing import Any, Final

from engine.archaeology_family.card_list import MAP, THIEF, TREASURES, Bundles, bundles
from engine.archaeology_family.game import NOTHING, FamilyGame
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Sell, Steal, Trade, weigh
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State
from engine.chance import draw
from engine.errors import IllegalMove
from engine.game import Event, make

AnyFamilyGame = FamilyGame[Any, Any]

EACH: Final = (1,) * len(TREASURES)
"""Weights that count cards."""
LEAST_STRUCK: Final = 2
"""R2: the smallest hand that loses cards."""
STALL_ROUNDS: Final = 3
"""R6: after so many dry turns for each player without a sale or an exploration, somebody must sell."""


# -- the dig


def dig(game: AnyFamilyGame, state: State, seat: int, move: Dig) -> list[Event]:
    """Takes the dig site's top card."""
    if state.phase != DIG:
        raise IllegalMove("no-dig-due")
    state.moves += 1
    card = state.site.pop()
    if card >= 0:
        state.hands[seat][card] += 1
        state.phase = ACT
        return [game.found[seat][card]]
    if card == THIEF:
        return _thief(game, state, seat)
    state.sandstorms += 1
    last = state.sandstorms == game.card_list.sandstorms.by_seats[state.seats]
    events = [_met("sandstorm", seat, _spared(state), last=last)]
    game.strike(state, events)
    return events


def _met(kind: str, seat: int, facts: dict[str, Any], *, last: bool) -> Event:
    """The event of a hazard, which says so if none of its kind is left in the dig site."""
    return make(Event, (kind, seat, {**facts, "last": True} if last else facts, {}, (), True))


def _spared(state: State) -> dict[str, Any]:
    """The seats with too few cards to lose any in a Sandstorm (R2), and how many; or that all have too few."""
    spared = [(seat, size) for seat, size in enumerate(map(sum, state.hands)) if size < LEAST_STRUCK]
    if len(spared) == state.seats:
        return {"in_vain": True}
    return {"spared": spared} if spared else {}


def _thief(game: AnyFamilyGame, state: State, seat: int) -> list[Event]:
    state.thieves += 1
    victims = [s for s, hand in enumerate(state.hands) if s != seat and any(hand)]
    last = state.thieves == game.card_list.thieves.by_seats[state.seats]
    events = [_met("thief", seat, {} if victims else {"in_vain": True}, last=last)]
    if not victims:
        begin_actions(game, state, events)
    elif len(victims) == 1:  # public facts leave one choice (R2): nobody is asked
        _take(game, state, seat, victims[0], events)
    else:
        state.phase = STEAL
    return events


def steal(game: AnyFamilyGame, state: State, seat: int, move: Steal) -> list[Event]:
    """Sends the Thief to a victim."""
    if state.phase != STEAL:
        raise IllegalMove("no-thief-due")
    victim = move.victim
    if victim == seat or not 0 <= victim < state.seats:
        raise IllegalMove("thief-needs-opponent")
    if not any(state.hands[victim]):
        raise IllegalMove("thief-needs-cards")
    state.moves += 1
    events: list[Event] = []
    _take(game, state, seat, victim, events)
    return events


def _take(game: AnyFamilyGame, state: State, thief: int, victim: int, events: list[Event]) -> None:
    hand = state.hands[victim]
    left = draw(state.key, state.counters, "thief", sum(hand))
    card = 0
    while left >= hand[card]:
        left -= hand[card]
        card += 1
    hand[card] -= 1
    state.hands[thief][card] += 1
    learn_theft(state, thief, victim, card)
    concerned = (thief, victim)
    events.append(make(Event, ("stolen", thief, {"victim": victim}, {"treasure": card}, concerned, True)))
    begin_actions(game, state, events)


# -- the losses of a Sandstorm, one seat after another


def struck(game: AnyFamilyGame, state: State) -> list[int]:
    """The seats that lose cards, in the order in which they are asked. R2: one that holds 0 or 1 card loses nothing."""
    hands = state.hands
    return [seat for seat in game.storm_order(state) if sum(hands[seat]) >= LEAST_STRUCK]


def begin_losses(game: AnyFamilyGame, state: State, events: list[Event]) -> None:
    """Begins the losses of a Sandstorm."""
    state.queue = struck(game, state)
    ask_next(game, state, events)


def ask_next(game: AnyFamilyGame, state: State, events: list[Event]) -> None:
    """Asks the next seat in the queue; after the last the turn goes on."""
    if state.queue:
        state.asked = state.queue.pop(0)
        state.phase = STORM
        return
    state.asked = state.active
    if state.site:
        state.phase = DIG
    else:  # R3: no second dig
        begin_actions(game, state, events)


def discard(game: AnyFamilyGame, state: State, seat: int, move: Discard) -> list[Event]:
    """Moves what a seat loses into the market."""
    if state.phase != STORM:
        raise IllegalMove("no-sandstorm")
    hand, cards = state.hands[seat], move.cards
    count = weigh(hand, cards, EACH, "not-in-hand")
    due = sum(hand) // 2
    if count != due:
        raise IllegalMove("discard-count", due=due, chosen=count)
    state.moves += 1
    market = state.market
    for kind, n in cards:
        hand[kind] -= n
        market[kind] += n
        forget(state, seat, kind, n)
    events = [make(Event, ("lost", seat, {"cards": cards}, NOTHING, (), False))]
    ask_next(game, state, events)
    return events


# -- actions


def trade(game: AnyFamilyGame, state: State, seat: int, move: Trade) -> list[Event]:
    """Trades cards of the hand for cards of the market."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    give, take = move
    if not give or not take:
        raise IllegalMove("trade-needs-both")
    hand, market = state.hands[seat], state.market
    over = weigh(hand, give, game.trade, "not-in-hand")
    over -= weigh(market, take, game.trade, "not-in-market")
    if over < 0:
        raise IllegalMove("trade-too-dear", short=-over)
    state.moves += 1
    for kind, n in give:
        hand[kind] -= n
        market[kind] += n
        forget(state, seat, kind, n)
    known = state.known[seat]
    for kind, n in take:
        hand[kind] += n
        market[kind] -= n
        known[kind] += n
    state.acted = True
    state.row.clear()
    return [make(Event, ("traded", seat, {"give": give, "take": take, "over": over}, NOTHING, (), False))]


def sell(game: AnyFamilyGame, state: State, seat: int, move: Sell) -> list[Event]:
    """Sells a set to the museum."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    kind, count = move
    if not 0 <= kind < state.kinds or count < 1:
        raise IllegalMove("no-such-set")
    if count > game.largest[kind]:
        raise IllegalMove("set-too-large", treasure=kind, largest=game.largest[kind])
    hand = state.hands[seat]
    left = hand[kind] - count
    if left < 0:
        raise IllegalMove("not-in-hand", treasure=kind)
    state.moves += 1
    hand[kind] = left
    forget(state, seat, kind, count)
    state.sold[seat].append((kind, count))
    state.gone[kind] += count
    state.acted = state.fruitful = True
    if state.dry:
        go_on(state)
        state.duty = False
    sold = game.sold[seat][kind][count]
    money = game.money(state)
    own, other = money[seat], max(money[:seat] + money[seat + 1 :])
    if 0 < other < own <= other + sold.facts["price"]:  # it took the lead from another
        sold = sold._replace(facts={**sold.facts, "lead": (own, other)})
    events = [sold]
    if not game.after_sale(state) and not any(hand):
        leave_empty_hand(game, state, events)
    return events


def end_turn(game: AnyFamilyGame, state: State, seat: int, move: EndTurn) -> list[Event]:
    """Ends the turn, unless a set must be sold (R6)."""
    if state.phase != ACT:
        raise IllegalMove("not-now")
    if state.duty:
        raise IllegalMove("must-sell")
    state.moves += 1
    return [close_turn(game, state)]


# -- exploring


def spend_maps(state: State, seat: int, cost: int) -> None:
    """Begins an exploration: its Maps leave the game."""
    hand = state.hands[seat]
    if hand[MAP] < cost:
        raise IllegalMove("too-few-maps", cost=cost)
    state.moves += 1
    hand[MAP] -= cost
    state.maps_gone += cost
    forget(state, seat, MAP, cost)
    state.acted = state.fruitful = True
    go_on(state)


def lay_chamber(cards: list[int], size: int, kinds: int) -> list[int]:
    """A chamber of so many cards, taken from the end of `cards`."""
    chamber = [0] * kinds
    for _ in range(size):
        chamber[cards.pop()] += 1
    return chamber


def take_all(chamber: list[int], hand: list[int]) -> Bundles:
    """Moves all the cards of a chamber into a hand, and returns them.

    >>> chamber, hand = [0, 2], [1, 1]
    >>> take_all(chamber, hand)
    ((1, 2),)
    >>> chamber, hand
    ([0, 0], [1, 3])
    """
    found = bundles(chamber)
    for kind, n in found:
        hand[kind] += n
        chamber[kind] = 0
    return found


# -- the seats' knowledge of each other's hands


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
        if any(counts):
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


# -- the course of turns, and the end of a match


def begin_actions(game: AnyFamilyGame, state: State, events: list[Event]) -> None:
    """Lets the active seat act. A seat without cards has nothing to choose, so its turn ends."""
    state.asked = state.active
    state.phase = ACT
    if not any(state.hands[state.active]):
        leave_empty_hand(game, state, events)


def leave_empty_hand(game: AnyFamilyGame, state: State, events: list[Event]) -> None:
    """Ends the turn of a seat without cards, or the match if nobody has any (R4)."""
    if not state.site and not any(map(any, state.hands)):
        _finish(game, state, events)
    else:
        seat = state.active
        event = close_turn(game, state)
        # The event tells that nobody chose to end the turn; a turn without a deed is still a pass.
        events.append(game.ended_empty[seat] if event is game.ended[seat] else event)


def close_turn(game: AnyFamilyGame, state: State) -> Event:
    """Begins the next seat's turn, and says how this one has ended."""
    seat = state.active
    event = _close_dry_turn(game, state, seat) if state.dry else game.ended[seat]
    state.acted = state.fruitful = state.explored = False
    following = seat + 1
    if following == state.seats:
        following = 0
    if state.site:
        state.phase = DIG
    else:
        following = _begin_dry_turn(state, following)
    state.active = state.asked = following
    return event


def _close_dry_turn(game: AnyFamilyGame, state: State, seat: int) -> Event:
    if not state.fruitful:
        state.stall += 1
    if state.acted:
        return game.ended[seat]
    state.row.append(seat)
    return game.passed[seat]


def _begin_dry_turn(state: State, following: int) -> int:
    """Begins a turn without a dig and returns whose it is. R4: a seat that holds no card is skipped."""
    hands = state.hands
    while not any(hands[following]):
        following = (following + 1) % state.seats
    state.phase = ACT
    state.dry = True
    holders = sum(map(any, hands))
    state.duty = len(state.row) >= holders or state.stall >= STALL_ROUNDS * holders
    return following


def go_on(state: State) -> None:
    """Begins the row of R5 and the count of R6 anew, for something was done that cannot go on for ever."""
    state.stall = 0
    state.row.clear()


def _finish(game: AnyFamilyGame, state: State, events: list[Event]) -> None:
    state.phase = OVER
    outcome = game.outcome(state)
    assert outcome
    events.append(Event("over", None, {"winners": outcome.winners, "scores": outcome.scores}, reveals=True))
