"""Advice on a decision: a move and the reason for it, for hints; and how moves that were made did, for reviews."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from math import inf, sqrt
from random import Random
from typing import Any, Final, NamedTuple, Protocol, cast, runtime_checkable

from engine.agents.search import Compared, Enough, Holding, Outlook, Tried
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame, Event, own_decision, same_move


class Reason(NamedTuple):
    """Why a move may be good: a code, and facts as events have them (treasures by number, dollars, cards).

    Its facts follow from the view, and name what is gained against the alternative and what to watch for. The reason
    for the next move of a plan has the fact `still`, which is true if the purpose is that of the move before.
    """

    code: str
    facts: Mapping[str, Any] = {}


class Advice(NamedTuple):
    """A move, and one reason for it. `line` is the plan that begins with it, if the agent plans several moves."""

    move: Any
    reason: Reason
    line: Sequence[Any] = ()


class Appraisal(NamedTuple):
    """A move that was made, beside another, in the strongest agent's measure (`Outlook.result`).

    `move` is the other: the agent's choice, or the next best if that was made. `reason` is for the better of the two.
    `counter` is that for the move made beside a hint, until it is known which of them is better at the table.
    `cost` is what the agent's choice brings more than the move made; 0 if they are the same. `lead` is what the move
    made brings more than the next best that is another choice (`Adviser.choice`); 0 if it is not the agent's. `error`
    is the standard error of either. All three are 0 where there was nothing to compare. `made` is the outlook after the
    move made, and `other` that after the move with which it was compared.
    """

    move: Any
    reason: Reason
    cost: float = 0.0
    lead: float = 0.0
    error: float = 0.0
    made: Outlook = Outlook(0.0, 0.0)
    other: Outlook = Outlook(0.0, 0.0)
    counter: Reason | None = None

    @property
    def costly(self) -> bool:
        """Whether the move certainly cost enough to be told."""
        return self._is_told(self.cost)

    @property
    def beats_other(self) -> bool:
        """Whether the move brought enough more than the other to be told."""
        return self._is_told(-self.cost) or (self.cost <= 0 and self.gained >= BETTER)

    @property
    def is_better(self) -> bool:
        """Whether the move made is told to be better than the other."""
        return self.lead > 0 or self.beats_other

    @property
    def leads(self) -> bool:
        """Whether the move certainly led the next best by enough to be told."""
        return self._is_told(self.lead)

    def at_table(self, made: Outlook, other: Outlook) -> Appraisal:
        """The same with the outlooks after both moves at a table (`outlooks.outlook_at`). Where these do not agree that
        one is better, and by enough, neither is.
        """
        gained = made.chance - other.chance
        cost = self.cost if gained * self.cost < 0 and abs(gained) >= APART else 0.0
        lead = self.lead if gained >= APART else 0.0
        found = Appraisal(self.move, self.reason, cost, lead, self.error, made, other)
        return found._replace(reason=self.counter) if self.counter and found.is_better else found

    def _is_told(self, difference: float) -> bool:
        return difference >= max(LEAST, SURE * self.error)

    @property
    def gained(self) -> float:
        """The chance to win, from 0 to 1, that the move made has more than the other; under 0 if it has less."""
        return self.made.chance - self.other.chance


class Past(NamedTuple):
    """The view and the move of the last hint that a viewer followed in an earlier turn, and the view in which the
    viewer's play began since chance had a say; None for what there is not.
    """

    last: tuple[Any, Any] | None = None
    began: Any = None


@runtime_checkable
class Adviser(Protocol):
    """An agent that tries several moves. It chooses the first of those that it ranks."""

    as_good: float = 0.0
    """The result by which a move may seem worse than the best and still be advised."""
    estimates: bool = False
    """Whether it has an estimate (`estimated`) long before the end of a match."""

    def ranked(self, view: Any, rng: Random, share: float = 1) -> Sequence[Tried[Any]]:
        """The moves tried, the best first. `share`: the part of the usual number of worlds."""
        ...

    def compared(self, view: Any, moves: tuple[Any, Any], rng: Random, enough: Enough) -> Compared:
        """The results of these two legal moves, in equal worlds."""
        ...

    def advised(self, view: Any, ranked: Sequence[Tried[Any]], rng: Random, past: Past) -> Tried[Any]:
        """The move advised, and its plan: the first, unless it gains too little or leaves a plan for nothing."""
        return ranked[0]

    def is_choice(self, view: Any) -> bool:
        """Whether the viewer's decision leaves a choice. Unless overridden, each does."""
        return True

    def choice(self, move: Any) -> Hashable:
        """A person's decision in a move, without details such as a trade's payment. Unless overridden, the move."""
        return move

    def tempts(self, view: Any, move: Any) -> bool:
        """Whether a person may well prefer this move, so that a better one is praised. Unless overridden, each."""
        return True

    def news(self, before: Any, made: Any, view: Any, move: Any) -> Mapping[str, Any]:
        """Facts of what has changed since a hinted move in an earlier view, whose plan this may leave; else none."""
        return {}

    def expected(self, view: Any, move: Any) -> Any | None:
        """The other move that the screen proposes first, with which advice is compared. Unless overridden, none."""
        return None

    def next_moves(self, agent: Any, view: Any, rng: Random) -> Sequence[Any]:
        """The moves that an agent of this game makes next: one, unless it plans several before chance has a say."""
        return [agent.choose(view, rng)]

    def estimated(self, state: Any, turns: int) -> Outlook | None:
        """The estimated outlook of the asked seat, whose turn has begun so many times since; None to play on instead.
        It has less luck in it than a match played on to the end, so it tells two moves apart in fewer worlds.
        """
        return None

    def held(self, state: Any, events: Sequence[Event]) -> Mapping[Holding, float]:
        """The holdings of all seats at the end of a match that reviews tell of; the events are those of the moves
        played on. Unless overridden, none.
        """
        return {}

    def reason(self, view: Any, best: Tried[Any], rival: Any | None) -> Reason:
        """Why this move may be good: beside `rival`, another move that it is compared with, if there is one."""
        ...


def adviser_of(game: AnyGame) -> Adviser | None:
    """The game's strongest agent, if it compares moves and gives reasons."""
    strongest = list(game.agents.values())[-1]
    return strongest if isinstance(strongest, Adviser) else None


ASIDE: Final = ("plan", "aim", "beside", "helps", "saves", "aimed")
"""The facts that may differ from those of the move before although the purpose is the same."""


def advice(game: AnyGame, views: Sequence[Any], seed: bytes, past: Past | None = None) -> Advice | None:
    """Advice on the viewer's open decision in the last of these views, by the game's strongest agent; None if none is
    open.

    The views before it are those in which the viewer had advice since chance last had a say, the oldest first: a plan
    that was begun there is carried on as long as the viewer follows it. `past` is what the viewer did before. Advice
    follows from the arguments alone. It takes as long as a move of the agent for each view in which a plan begins.
    """
    agent = adviser_of(game)
    if own_decision(views[-1]) is None or agent is None:
        return None
    advised = _begun(agent, views[0], seed, past or Past())
    if not advised.line and len(views) > 1:  # the agent plans no further than a move
        return _begun(agent, views[-1], seed, past or Past())
    for earlier, view in pairwise(views):
        if line := _rest(game, advised.line, earlier, view):
            best = Tried(line[0], 0.0, 0.0, 0.0, 0, tuple(line))
            code, facts = agent.reason(view, best, agent.expected(view, line[0]))
            told = {**advised.reason.facts, **{name: facts[name] for name in ASIDE if name in facts}}
            still = code == advised.reason.code and all(told.get(name) == facts[name] for name in facts)
            advised = Advice(line[0], Reason(code, {**facts, "still": still}), line)
        else:
            advised = _begun(agent, view, seed, past or Past())
    return advised


def _begun(agent: Adviser, view: Any, seed: bytes, past: Past) -> Advice:
    """The advice in a view that follows no earlier plan."""
    rng = Random(seed + str(view.moves).encode())
    ranked = agent.ranked(view, rng)
    best = agent.advised(view, ranked, rng, past)
    rival = agent.expected(view, best.move) or _rival(agent, view, ranked, best.move)
    code, facts = agent.reason(view, best, rival)
    facts = {**facts, **(agent.news(*past.last, view, best.move) if past.last else {})}
    return Advice(best.move, Reason(code, facts), best.line)


def _rest(game: AnyGame, line: Sequence[Any], then: Any, now: Any) -> Sequence[Any]:
    """The moves that are left of a plan that began in an earlier view; none unless it leads to the present view."""
    decision = own_decision(then)
    assert decision is not None
    state = game.determinize(then, Random(0))
    for made, move in enumerate(line):
        if game.view(state, decision.seat) == now:
            return line[made:]
        try:
            game.apply(state, decision.seat, move)
        except IllegalMove:
            break
    return ()


APART: Final = 0.02
"""The chance to win between two moves at a table from which on one is better."""
BETTER: Final = 0.05
"""The chance to win that a move gained beside a hint from which on it is told that it was better."""
LEAST: Final = 2.0
"""The smallest cost or lead of a decision that is told, in the agent's measure (`Outlook.result`)."""
SURE: Final = 2.0
"""The standard errors from which on a difference is taken to be real."""
RANKED: Final = 1 / 4
"""The part of an agent's worlds in which an appraisal ranks moves: two moves that are close differ little anyway."""
GLANCE: Final = 1 / 12
"""The same at a glance."""
PRECISE: Final = 0.5
"""The standard error of a difference that is known well enough."""
ESTIMATES: Final = ("wins", "otherwise", "dearer")
"""The facts of a reason that an appraisal does without: chances, which it has measured, and a move that nobody made."""
FEW: Final = 1 / 4
"""The part of the worlds before which no small error is believed: rare luck may not have shown itself."""


def appraise(
    game: AnyGame,
    view: Any,
    move: Any,
    rng: Random,
    hint: Any | None = None,
    later: tuple[Any, Any] | None = None,
) -> Appraisal:
    """The appraisal of a legal move for the viewer's open decision, in a game with an `Adviser`.

    It follows from the arguments alone. The two moves are compared in worlds of their own: in the worlds in which the
    agent has chosen, its choice was lucky more often than not. A `hint` that was not followed takes the place of the
    agent's choice, with its plan if the agent ranks it. A move that differs from it in the order at most is not
    compared: the plans part at another decision. `later` are the view and the move of the viewer's last decision before
    chance or others had a say: what the move costs is judged from there if the viewer has made more of it than the
    agent would have.
    """
    adviser = adviser_of(game)
    assert adviser is not None
    ranked = adviser.ranked(view, rng, RANKED)
    best = ranked[0]
    if hint is not None:
        best = _among(ranked, hint)
    same = same_move(best.move, move)
    if not same and _differs_in_order(game, view, best, move):
        return Appraisal(best.move, adviser.reason(view, best, None))
    rival = _rival(adviser, view, ranked, move) if same else move
    if rival is None:
        return Appraisal(best.move, _measured(adviser.reason(view, best, None)))
    against = rival if same else best.move
    made, other, error = adviser.compared(view, (move, against), rng, precise)
    if later is not None and not same:
        found = adviser.compared(later[0], (later[1], later[1]), rng, precise).one
        made = max(made, found, key=lambda outlook: outlook.result)
    own, theirs = Compared(made, other, error), Compared(other, made, error)
    reason = _measured(adviser.reason(view, best._replace(beside=own if same else theirs), rival))
    counter = None
    if hint is not None and not same:
        counter = _measured(adviser.reason(view, _among(ranked, move)._replace(beside=own), best.move))
    more = made.result - other.result
    cost, lead = (0.0, more) if same else (-more, 0.0)
    return Appraisal(against, reason, cost, lead, error, made, other, counter)


def _among(ranked: Sequence[Tried[Any]], move: Any) -> Tried[Any]:
    """A move as it was tried; without a result if it was not."""
    return next((each for each in ranked if same_move(each.move, move)), Tried(move, 0.0, 0.0, 0.0, 0))


def _measured(reason: Reason) -> Reason:
    """The reason without the chances that an appraisal measures."""
    return reason._replace(facts={key: fact for key, fact in reason.facts.items() if key not in ESTIMATES})


def precise(_difference: float, error: float, share: float) -> bool:
    """Whether a difference is known well enough (`search.Enough`) to be told."""
    return share >= FEW and error <= PRECISE


class Glance(NamedTuple):
    """How much more a move brings than the best of another choice, and the standard error, found in few worlds.

    `least` is the difference from which on an appraisal would tell of the move; endless without another choice.
    """

    difference: float
    error: float
    least: float

    @property
    def cost(self) -> float:
        """The most that the move may cost."""
        return self.error - self.difference

    @property
    def lead(self) -> float:
        """The most by which the move may lead."""
        return self.error + self.difference


def glance(game: AnyGame, view: Any, move: Any, rng: Random) -> Glance:
    """Whether an appraisal of a move is worth its time. It ends where the difference is certain, or too small."""
    adviser = adviser_of(game)
    assert adviser is not None
    ranked = adviser.ranked(view, rng, GLANCE)
    against = _rival(adviser, view, ranked, move)
    if against is None or _differs_in_order(game, view, ranked[0], move):
        return Glance(0.0, 0.0, inf if against is None else LEAST)
    least = LEAST

    def enough(difference: float, error: float, share: float) -> bool:
        nonlocal least
        least = max(LEAST, SURE * error * sqrt(share))
        certain = abs(difference) + error < least or abs(difference) >= 2 * SURE * error
        return certain and (error > 0 or share >= FEW)

    made, other, error = adviser.compared(view, (move, against), rng, enough)
    return Glance(made.result - other.result, error, least)


def _differs_in_order(game: AnyGame, view: Any, best: Tried[Any], move: Any) -> bool:
    """Whether a move comes later in the plan of the best one, which is still possible after it."""
    if not any(same_move(each, move) for each in best.line[1:]):
        return False
    state = game.determinize(view, Random(0))
    with suppress(IllegalMove):
        for each in (move, best.move):
            game.apply(state, view.viewer, each)
        return True
    return False


def _rival(adviser: Adviser, view: Any, ranked: Sequence[Tried[Any]], move: Any) -> Any | None:
    """The first of the ranked moves that is another choice than this one, the best or one that tempts; else None."""
    mine = adviser.choice(move)
    others = (other.move for other in ranked if adviser.choice(other.move) != mine)
    return next((other for other in others if other is ranked[0].move or adviser.tempts(view, other)), None)


def measuring_levels(game: AnyGame) -> list[str]:
    """The levels that need not try out their moves, the weakest first."""
    return [level for level, agent in game.agents.items() if not (agent.slow and isinstance(agent, Adviser))]


# -- appraisals as data

_DIGITS: Final = 4
"""The digits of stored figures after the point, in dollars or points."""


def dump_appraisal(game: AnyGame, appraisal: Appraisal) -> dict[str, Any]:
    """An appraisal as JSON data in no language, with rounded figures."""
    figures = (appraisal.cost, appraisal.lead, appraisal.error)
    both, known = (appraisal.made, appraisal.other), bool(appraisal.other.held)
    both = both if known else [Outlook(*each[:3]) for each in both]  # of one alone nothing is told
    return {
        "move": game.dump_move(appraisal.move),
        "reason": dump_fact(game, appraisal.reason),
        "figures": [round(figure, _DIGITS) for figure in figures],
        "outlooks": [dump_outlook(each) for each in both],
    }


def load_appraisal(game: AnyGame, data: Mapping[str, Any]) -> Appraisal:
    """The appraisal that `dump_appraisal` made these data from, perhaps in another version. Raises `BadData`."""
    try:
        move, reason = game.load_move(data["move"]), load_fact(game, data["reason"])
        cost, lead, error = map(float, data["figures"])
        made, other = map(load_outlook, data["outlooks"])
    except (AttributeError, LookupError, TypeError, ValueError):
        raise BadData("an appraisal is malformed") from None
    return Appraisal(move, reason, cost, lead, error, made, other)


SELDOM: Final = 0.05
"""The part of the matches played on below which a holding is not stored."""


def dump_outlook(outlook: Outlook) -> list[Any]:
    """An outlook as JSON data: its figures, then its holdings."""
    held = [[*key, round(n, 2)] for key, n in sorted(outlook.held.items()) if n >= SELDOM]
    return [*(round(figure, _DIGITS) for figure in outlook[:3]), held]


def load_outlook(data: Sequence[Any]) -> Outlook:
    """The outlook that `dump_outlook` made these data from."""
    lead, victory, own, held = data
    found = {(str(kind), int(seat), int(which)): float(n) for kind, seat, which, n in held}
    return Outlook(float(lead), float(victory), float(own), found)


def dump_fact(game: AnyGame, fact: Any) -> Any:
    """A reason or a fact of one as JSON data. Raises `TypeError` for a type that no fact has."""
    if fact is None or isinstance(fact, bool | int | float | str):
        return fact
    if isinstance(fact, Reason):
        return {"code": fact.code, "facts": {key: dump_fact(game, each) for key, each in fact.facts.items()}}
    if type(fact) in game.move_forms.kinds:
        return {"move": game.dump_move(fact)}
    if type(fact) in (tuple, list):
        return [dump_fact(game, each) for each in fact]
    raise TypeError(f"a reason has a fact of the type {type(fact).__name__}")


def load_fact(game: AnyGame, data: Any) -> Any:
    """The reason or fact of which `dump_fact` made these data."""
    if isinstance(data, list):
        return tuple([load_fact(game, each) for each in cast("list[Any]", data)])
    if not isinstance(data, dict):
        return data
    fact = cast("dict[str, Any]", data)
    if "move" in fact:
        return game.load_move(fact["move"])
    return Reason(fact["code"], {name: load_fact(game, each) for name, each in fact["facts"].items()})
