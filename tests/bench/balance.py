"""How well balanced a card list of Artifacts, Inc. is: `python -m tests.bench.balance [--cards FILE] [--agents NAME]`.

Matches between agents of one kind, with 2, 3 and 4 players, and matches of four players each of whom leans to a plan.
Every figure stands beside its goal; `docs/balance.md` says what the goals mean and how the built-in list came about.

- `--cards` is a card list to be measured in place of the built-in one.
- `--agents`: "experts" (the default), "masters" or "novices". Experts look less far ahead than at a table, so that many
  matches can be played, and no two of them are quite alike; masters think as at a table, so theirs take long.
  `tests.bench.balance_players` tells more.
- A match is the same for the same seed, agents, card list and number of players, however many processes play.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from itertools import permutations
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, PILES, SEATS
from engine.artifacts_inc.catalogue import NO_PILE, Card
from engine.artifacts_inc.state import OVER
from engine.game import Options
from tests.bench.balance_players import KINDS, PLANS, Player
from tests.bench.report import Report

MATCHES: Final = 2000
"""At each number of players, and between the plans."""

LENGTHS: Final = (9, 14)
"""Rounds of the median match."""
SEAT: Final = (0.85, 1.15)
"""A seat's victories, as a part of its fair share."""
PLAN: Final = 0.15
"""The least share of victories of a plan, among four."""
MUSEUM: Final = 0.5
"""The least part of matches in which a museum is used."""
SIDE: Final = (0.05, 0.95)
"""The part of matches in which a side of a card is bought; no upper bound where `UNBOUNDED`."""
UNBOUNDED: Final = PILES.index("D")
BUYER: Final = 1.4
"""The most that who buys a card may win, as a part of a fair share."""
OFTEN: Final = 0.1
"""Cards bought in fewer matches are not asked for it."""


# -- playing


def begin_process() -> None:
    """For processes that play matches. These make no circular garbage to speak of, but a quarter of the time went by in
    looking for it.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


@dataclass
class Match:
    """The counts of a match. `shares` are the seats' victories, a shared one divided; `bought` are (seat, number
    of the side).
    """

    rounds: int
    first: int
    shares: list[float]
    bought: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    museums: set[int] = field(default_factory=set[int])


def play(game: ArtifactsInc, players: Sequence[Player], seed: str) -> Match:
    """One match to its end."""
    state = game.new(len(players), Options(), sha256(seed.encode()).digest())
    sources = [Random(f"{seed} {seat}") for seat in range(len(players))]
    match = Match(0, state.first, [])
    while state.phase != OVER:
        seat = state.active
        for move in players[seat].moves(game.view(state, seat), sources[seat]):
            note(match, seat, move)
            game.apply(state, seat, move)
    outcome = game.outcome(state)
    assert outcome
    match.rounds = state.round
    match.shares = [
        1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(state.seats)
    ]
    return match


def note(match: Match, seat: int, move: object) -> None:
    """Notes what a move tells of its match."""
    match move:
        case m.Buy(card=card):
            match.bought.add((seat, 2 * card))
        case m.TurnCard(own=own):
            match.bought.add((seat, 2 * own.card + 1))
        case m.FillOrder(museum=museum):
            match.museums.add(museum)
        case _:
            pass


class Setting(NamedTuple):
    """The setting of matches: the kind of agents, the card list (None: the built-in one), and the first seed."""

    kind: str
    cards: str | None
    seed: int


@cache
def game_of(cards: str | None) -> ArtifactsInc:
    """One game a process."""
    return create(None if cards is None else json.loads(Path(cards).read_text(encoding="utf-8")))


@cache
def players(setting: Setting, plan: str | None) -> tuple[Player, ...]:
    """Players who differ a little, to be drawn from."""
    return KINDS[setting.kind](game_of(setting.cards), plan)


def played(setting: Setting, seats: int, number: int) -> Match:
    """A match of a setting: who sits at the table is drawn by its number."""
    seed = f"balance {setting.seed + number} {seats}"
    drawn = Random(seed).sample(players(setting, None), seats)
    return play(game_of(setting.cards), drawn, seed)


def planned(setting: Setting, number: int) -> dict[str, float]:
    """The shares of a match's victory by plan, one plan a seat, in each order of them in turn."""
    seed = f"plans {setting.seed + number}"
    orders = list(permutations(PLANS))
    order = orders[number % len(orders)]
    drawn = Random(seed)
    match = play(game_of(setting.cards), [drawn.choice(players(setting, plan)) for plan in order], seed)
    return dict(zip(order, match.shares, strict=True))


# -- figures


class Sides(NamedTuple):
    """How often a card's two sides are bought, either of them, and what its buyers win of a fair share (None: nobody
    bought it).
    """

    bought: tuple[float, float]
    either: float
    buyers: float | None


class Figures(NamedTuple):
    """The results of matches with one number of players."""

    seats: int
    matches: int
    length: float
    shares: tuple[float, ...]
    museums: tuple[float, ...]
    cards: dict[int, Sides]


def figures(seats: int, matches: Sequence[Match], cards: Iterable[Card]) -> Figures:
    """The figures of some matches. Seats go by the order of turns."""
    count = len(matches)
    shares = [
        seats * sum(match.shares[(match.first + turn) % seats] for match in matches) / count
        for turn in range(seats)
    ]
    museums = [sum(museum in match.museums for match in matches) / count for museum in range(len(ARTIFACTS))]
    sides = {card.number: _sides(seats, matches, card.number) for card in cards}
    length = median(match.rounds for match in matches)
    return Figures(seats, count, length, tuple(shares), tuple(museums), sides)


def _sides(seats: int, matches: Sequence[Match], card: int) -> Sides:
    times = [0, 0]
    either = buyers = 0
    won = 0.0
    for match in matches:
        numbers = {number for _, number in match.bought if number >> 1 == card}
        who = {seat for seat, number in match.bought if number >> 1 == card}
        for level in (0, 1):
            times[level] += 2 * card + level in numbers
        either += bool(numbers)
        buyers += len(who)
        won += sum(match.shares[seat] for seat in who)
    count = len(matches)
    return Sides(
        (times[0] / count, times[1] / count), either / count, seats * won / buyers if buyers else None
    )


# -- goals


def off(figure: float, least: float, most: float = float("inf")) -> float:
    """How far a figure lies outside its goal.

    >>> off(0.75, 0.85, 1.15), off(1.0, 0.85, 1.15)
    (0.1, 0.0)
    """
    return round(max(0.0, least - figure, figure - most), 6)


def marked(text: str, *misses: float) -> str:
    """A figure, with a mark where it misses its goal."""
    return f"{text} !" if any(misses) else text


def goals(every: Sequence[Figures], cards: Sequence[Card], plans: Counter[str], matches: int) -> Report:
    """Goal beside result, by number of players."""
    rows = [
        _row("median rounds", "9 to 14", every, lambda f: marked(f"{f.length:g}", off(f.length, *LENGTHS)))
    ]
    rows += [
        _row(f"seat {turn + 1}", "0.85 to 1.15", every, partial(_seat, turn=turn))
        for turn in range(max(f.seats for f in every))
    ]
    rows += [
        _row(f"{museum} museum used", "50 % or more", every, partial(_museum, number=number))
        for number, museum in enumerate(ARTIFACTS)
    ]
    in_piles = [card for card in cards if card.pile != NO_PILE]
    rows += [
        _row("rarest side", "5 % or more", every, partial(_rarest, cards=in_piles)),
        _row("commonest side but D's", "95 % or less", every, partial(_commonest, cards=in_piles)),
        _row("sides beyond these bounds", "0", every, partial(_beyond, cards=in_piles)),
        _row("buyers' highest share", "1.40 or less", every, partial(_highest, cards=in_piles)),
        _row("cards with a higher one", "0", every, partial(_higher, cards=in_piles)),
    ]
    for plan, share in plans.items():
        results = [f"{marked(f'{share:.1%}', off(share, PLAN))}" if f.seats == 4 else "" for f in every]
        rows.append([f"plan: {plan} first", "15 % or more", *results])
    notes = [
        f"{every[0].matches} matches at each number of players, {matches} between plans. ! misses the goal.",
        "Seats in the order of turns, their victories as a part of a fair share. A side is bought (level 1) or "
        "turned up (level 2) by anybody. Buyers: what who has bought or turned a card wins, as a part of a fair "
        f"share, for cards in at least {OFTEN:.0%} of matches.",
    ]
    return Report("Goals", ("", "goal", *(f"{f.seats} players" for f in every)), rows, notes)


def _row(name: str, goal: str, every: Sequence[Figures], show: Callable[[Figures], str]) -> list[str]:
    return [name, goal, *(show(f) for f in every)]


def _seat(f: Figures, turn: int) -> str:
    return marked(f"{f.shares[turn]:.2f}", off(f.shares[turn], *SEAT)) if turn < f.seats else ""


def _museum(f: Figures, number: int) -> str:
    return marked(f"{f.museums[number]:.0%}", off(f.museums[number], MUSEUM))


def _bounds(card: Card) -> tuple[float, float]:
    return SIDE[0], 1.0 if card.pile == UNBOUNDED else SIDE[1]


def _rarest(f: Figures, cards: Sequence[Card]) -> str:
    share, card, level = min(
        (part, card.name, level)
        for card in cards
        for level, part in enumerate(f.cards[card.number].bought, 1)
    )
    return marked(f"{card} {level}: {share:.1%}", off(share, SIDE[0]))


def _commonest(f: Figures, cards: Sequence[Card]) -> str:
    share, card, level = max(
        (part, card.name, level)
        for card in cards
        if card.pile != UNBOUNDED
        for level, part in enumerate(f.cards[card.number].bought, 1)
    )
    return marked(f"{card} {level}: {share:.1%}", off(share, 0, SIDE[1]))


def _beyond(f: Figures, cards: Sequence[Card]) -> str:
    misses = [off(part, *_bounds(card)) > 0 for card in cards for part in f.cards[card.number].bought]
    return marked(str(sum(misses)), sum(misses))


def _asked(f: Figures, cards: Sequence[Card]) -> Iterator[tuple[float, str]]:
    for card in cards:
        sides = f.cards[card.number]
        if sides.either >= OFTEN and sides.buyers is not None:
            yield sides.buyers, card.name


def _highest(f: Figures, cards: Sequence[Card]) -> str:
    share, card = max(_asked(f, cards), default=(0.0, "none"))
    return marked(f"{card}: {share:.2f}", off(share, 0, BUYER))


def _higher(f: Figures, cards: Sequence[Card]) -> str:
    misses = [share > BUYER for share, _ in _asked(f, cards)]
    return marked(str(sum(misses)), sum(misses))


def by_card(every: Sequence[Figures], cards: Sequence[Card]) -> Report:
    """Each card's figures: how often level 1 and 2 are bought, and the buyers' share of victories."""
    rows: list[list[str]] = []
    for card in cards:
        pile = "start" if card.pile == NO_PILE else PILES[card.pile]
        row = [card.name, pile]
        for f in every:
            sides = f.cards[card.number]
            bound = card.pile != NO_PILE
            row += [
                marked(f"{part:.1%}", *([off(part, *_bounds(card))] if bound else []))
                for part in sides.bought
            ]
            asked = bound and sides.either >= OFTEN
            share = "-" if sides.buyers is None else f"{sides.buyers:.2f}"
            row.append(marked(share, off(sides.buyers or 0.0, 0, BUYER)) if asked else share)
        rows.append(row)
    columns = ["card", "pile"]
    for f in every:
        columns += [f"{f.seats}: level 1", "level 2", "buyers"]
    return Report("Cards", columns, rows, ("! misses the goal; starting cards have none.",))


# -- the command line


def measure(
    setting: Setting,
    seats: Sequence[int],
    matches: int,
    plans: int,
    mapper: Callable[..., Iterable[Any]] = map,
) -> Iterator[Report]:
    """The reports of a setting."""
    game = game_of(setting.cards)
    cards = game.catalogue.cards[game.catalogue.public :]
    every = [
        figures(count, list(mapper(partial(played, setting, count), range(matches))), cards)
        for count in seats
    ]
    wins: Counter[str] = Counter()
    for shares in mapper(partial(planned, setting), range(plans)):
        for plan, share in shares.items():
            wins[plan] += share / plans
    yield goals(every, cards, wins, plans)
    yield by_card(every, cards)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.balance", description="Measures the balance of a card list."
    )
    parser.add_argument("--cards", metavar="FILE", help="a card list in place of the built-in one")
    parser.add_argument("--agents", choices=KINDS, default=next(iter(KINDS)))
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"at each number of players ({MATCHES})")
    parser.add_argument("--plans", type=int, help="matches between plans (as many as --matches)")
    parser.add_argument("--seats", type=int, nargs="*", choices=SEATS, default=list(SEATS))
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    setting = Setting(chosen.agents, chosen.cards, chosen.seed)
    plans = chosen.matches if chosen.plans is None else chosen.plans
    with Pool(chosen.processes, begin_process) as pool:
        mapper = partial(pool.imap, chunksize=4)
        for report in measure(setting, chosen.seats, chosen.matches, plans, mapper):
            print(*report.lines(), "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
