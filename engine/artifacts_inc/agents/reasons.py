"""Why a move of Artifacts, Inc. may be good: what its line gains by it, in the terms of the evaluation.

A line is a plan of the turn. Each of its steps is looked at for itself: what it adds to the lead that the seat can
expect at the end of the match (`Standing.outlook`), reputation, museums, company and money one at a time, and what
later steps need it for. The greatest of these gains is the reason. So a reason follows from the view and the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from engine.agents.advice import Reason
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import Company
from engine.artifacts_inc.agents.expert import foreseen
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course
from engine.artifacts_inc.agents.turn import Turn, side_of
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import SCROLL, collected, decided
from engine.artifacts_inc.company import CompanyCard
from engine.artifacts_inc.state import GOAL, View

LEAST: Final = 0.05
"""Points of reputation that a gain must have to be a reason."""
A_ROUND: Final = 0.5
"""Dollars a round that a card must bring to be bought for them."""
LESSER: Final = ("pays", "due", "later", "grows-order", "fills-order")
"""Codes of reasons that are less than those of a plan's aim."""

Found = tuple[float, Reason]
"""A reason, and its gain in points of reputation."""
Brought = tuple[m.Move, int, int]
"""A move, with the dollars and the reputation that it brings."""


class Step(NamedTuple):
    """Moves of a line that belong together, and the position before and after them."""

    moves: tuple[m.Move, ...]
    before: Course
    after: Course

    @property
    def deed(self) -> m.Move:
        """The move that the others prepare: a die turned is turned for what follows."""
        return self.moves[-1]

    @property
    def scored(self) -> int:
        return self.after.reputation - self.before.reputation


def reason_of(
    view: View, standing: Standing, turn: Turn, line: Sequence[m.Move], rival: m.Move | None, compared: bool
) -> Reason:
    """The reason for the first move of a line of the turn that is open in this view, beside `rival`: what that brings
    at once as well is no reason. If they are `compared`, matches played on give the reason, and it is the plan alone.
    """
    if decided(view):
        return Reason("decided")
    match line[0]:
        case m.Roll():
            return Reason("rolls")
        case m.RollAgain(dice=dice):
            return Reason("rerolls", {"dice": dice})
        case m.Pass():
            return Reason("keeps", {"dice": len(view.dice)})
        case _:
            start = standing.begun(view)
            steps = [Step(*each) for each in turn.along(start, line)]
            if compared:
                certain = len(foreseen(view, [move for step in steps for move in step.moves]))
                return Reason("plan", {"plan": _plan(steps)[1:certain]})
            alike = (each for each in turn.steps(start) if rival and _what(each[0][-1]) == _what(rival))
            beside = next((Step(moves, start, after) for moves, after in alike), None)
            return _planned(view, standing, turn, steps, beside) if steps else Reason("due")


def _planned(view: View, standing: Standing, turn: Turn, steps: Sequence[Step], rival: Step | None) -> Reason:
    moves = [move for step in steps for move in step.moves]
    certain = len(foreseen(view, moves))
    reasons = _Reasons(standing, steps, certain, rival)
    reason = reasons.of(0)
    ends = next((end for step in steps if step.deed in moves[:certain] and (end := reasons.end(step))), None)
    if ends:
        reason = Reason("ends-match", {**ends.facts, "soon": reason != ends, "helps": reason})
    elif len(steps[0].moves) > 1:
        reason = Reason("prepares", {"then": steps[0].deed, "why": reason})
    elif (
        reason.code == "due" and len(steps) > 1 and len(steps[1].moves) == 1 and len(steps[0].moves) < certain
    ):
        reason = Reason("prepares", {"then": steps[1].deed, "why": reasons.of_later(0, 1)})
    if reason.code == "due" and any(reasons.no_more(what, steps[0]) for what in ("reputation", "dollars")):
        after = steps[0].after
        reason = Reason("later", {"turn": bool(after.dice)})
        if not after.dice and (standing.table.last or after.reputation >= GOAL):
            reason = _Reasons(standing, steps, certain).of(0)
    facts = {**reason.facts, "plan": _plan(steps)[1:certain]}
    told = [at for at in range(len(steps)) if len(_plan(steps[: at + 1])) <= certain]
    whole = reason.code in LESSER
    aim = max(told, key=lambda at: _weight(steps[at], standing, lead=whole))
    why, brings = reasons.of(aim), _weight(steps[aim], standing, lead=whole)[0]
    if brings > steps[aim].scored:
        ((_gain, why),) = reasons.standing_in(steps[aim])
    needed = why.code not in ("due", "pays") and (whole or reason.code in ("prepares", "pays-for"))
    if aim and (brings or needed):
        (facts["aim"],) = _plan(steps[aim : aim + 1])[-1:]
        facts |= {} if steps[aim].scored else {"aimed": why}
    purchases = [steps[at] for at in told if side_of(steps[at].deed)]
    if len(purchases) == 1 or (rival and side_of(rival.deed) and not purchases):
        others = [each for each in turn.steps(steps[0].before) if side_of(each[0][-1])]
        scored = sum(steps[at].scored for at in told)
        facts["dearer"] = _dearer(steps[0].before, (purchases or steps)[0], others, scored)
    if isinstance(bought := steps[0].deed, m.Buy) and certain < len(moves):
        on = getattr(steps[1].deed, "on", None)
        facts["opens"] = _plan(steps[1:2]) if on and on.card == bought.card else []
    if reason.code != "prepares" and (beside := reasons.beside(reason.code)):
        facts["beside"] = beside
    return Reason(reason.code, facts)


def _what(move: m.Move) -> tuple[Any, ...]:
    """A move but for its die; of a purchase the side alone."""
    return type(move), side_of(move) or move[1:]


def _weight(step: Step, standing: Standing, *, lead: bool = False) -> tuple[int, bool]:
    """The reputation of a step, also of a `lead` that it takes; then whether it is a purchase."""
    scored, deed = step.scored, step.deed
    if lead and isinstance(deed, m.FillOrder):
        led, leads = (course.museums.majority(deed.museum) for course in step[1:])
        scored += standing.catalogue.museums[deed.museum].majority * (led != leads == standing.seat)
    return scored, bool(side_of(deed))


def _dearer(
    now: Course, bought: Step, steps: Iterable[tuple[Sequence[m.Move], Course]], scored: int
) -> Sequence[Any]:
    """Of these purchases the one that scores most now, in place of what scores no more, but `scored` in all: its side,
    what it scores, how much more that is, how many dollars more it costs than what is `bought`, and the moves.
    """
    side, before = side_of(bought.deed), now.reputation
    found = [each for each in steps if side_of(each[0][-1]) != side]
    moves, after = max(found, key=lambda each: each[1].reputation, default=((m.PASS,), now))
    gained, paid = after.reputation - before, bought.before.dollars - bought.after.dollars
    price = (now.dollars - after.dollars - paid) * bool(side)
    return [side_of(moves[-1]), gained, gained - scored, price, *moves] if gained >= max(1, scored) else []


def _plan(steps: Sequence[Step]) -> list[Brought]:
    """The moves of steps, each with what it brings."""
    found: list[Brought] = []
    for step in steps:
        brought = step.deed, step.after.dollars - step.before.dollars, step.scored
        found += [*((move, 0, 0) for move in step.moves[:-1]), brought]
    return found


def scoring(standing: Standing, view: View, turn: Turn, line: Sequence[m.Move]) -> list[Brought]:
    """The moves of a line of the turn that bring reputation."""
    steps = [Step(*each) for each in turn.along(standing.begun(view), line)]
    return [deed for deed in _plan(steps) if deed[2]]


class _Reasons:
    """The reasons for the steps of a line. No later step is a reason once a card has been revealed in between: what
    comes then may be better.
    """

    def __init__(
        self, standing: Standing, steps: Sequence[Step], certain: int, rival: Step | None = None
    ) -> None:
        """`certain`: the number of moves until a card is revealed. `rival`: with what the first step is compared."""
        self._rival = rival
        self._standing, self._steps, self._certain = standing, steps, certain
        self._table, self._seat = standing.table, standing.seat

    def of(self, at: int) -> Reason:
        """The reason for a step; "due" if it adds nothing by itself."""
        step = self._steps[at]
        if end := self.end(step):
            return end
        needed = [one for one in self._needed(at) if one[0] > LEAST]
        own = [*self._scored(step), *self._of_its_kind(at)]
        found = [*needed, *(one for one in own if not needed or one[1].code != "pays")]
        gain, reason = max(found, key=lambda one: one[0], default=(0.0, Reason("due")))
        return reason if gain > LEAST else Reason("due")

    def of_later(self, at: int, number: int) -> Reason:
        """The reason for a later step; its dollars alone, if what it pays for could be paid without the step `at`."""
        why, later = self.of(number), range(number + 1, len(self._steps))
        if why.code != "pays-for" or any(
            isinstance(self._steps[each].deed, m.Buy | m.TurnCard) and self._need(at, each) for each in later
        ):
            return why
        return next((reason for _gain, reason in self._paid(self._steps[number])), why)

    # -- gains, in points of reputation

    def _lead(self, course: Course) -> float:
        """The lead at the end of the match that can be expected."""
        return self._standing.outlook(course)[1]

    def _gain(self, step: Step, **parts: Any) -> float:
        """The gain from these parts of the step alone."""
        return self._lead(step.before._replace(**parts)) - self._lead(step.before)

    def _money(self, step: Step) -> float:
        return self._gain(step, dollars=step.after.dollars, artifacts=step.after.artifacts)

    def no_more(self, what: str, step: Step) -> bool:
        """True if the first step is this one, and the rival brings as much of this at once."""
        rival = self._rival if step is self._steps[0] else None
        gained = getattr(step.after, what) - getattr(step.before, what)
        return rival is not None and 0 < gained <= getattr(rival.after, what) - getattr(rival.before, what)

    # -- reasons of each kind

    def end(self, step: Step) -> Reason | None:
        """The step begins the last round, and the seat is likely to win: it is ahead, also with the museums."""
        reached, lead = step.after.reputation, max(self._table.reputation)
        if not max(lead, step.before.reputation) < GOAL <= reached:
            return None
        chance, ahead, _own = self._standing.outlook(self._steps[-1].after)
        points = [*self._table.reputation]
        points[self._seat] = reached
        for number, museum in enumerate(self._standing.catalogue.museums):
            leads = step.after.museums.majority(number)
            if leads is not None:
                points[leads] += museum.majority
        own = points.pop(self._seat)
        if chance <= 0.5 or ahead <= 0 or own <= max(points):
            return None
        after = [seat for seat, plays in self._standing.prospects.after.items() if plays]
        return Reason("ends-match", {"reputation": reached, "after": after})

    def _scored(self, step: Step) -> Iterator[Found]:
        if step.scored > 0 and not self.no_more("reputation", step):
            dice = step.after.company.dice - step.before.company.dice
            reason = Reason("scores", {"reputation": step.scored, "dice": dice})
            yield self._gain(step, reputation=step.after.reputation), reason

    def _of_its_kind(self, at: int) -> Iterator[Found]:
        step = self._steps[at]
        match step.deed:
            case m.Buy() | m.TurnCard():
                yield from self._bought(step)
            case m.FillOrder():
                yield from self.standing_in(step)
                yield from self._paid(step)
            case _:
                yield from self._stocked(at)
                yield from self._paid(step)

    def _bought(self, step: Step) -> Iterator[Found]:
        """The card finds artifacts of a kind that no other card of the company does; or it brings dollars a round, by
        slots for dice that had no use of their own, or by more dice.
        """
        before, after = step.before.company, step.after.company
        rival = self._rival.after.company if self._rival and step is self._steps[0] else before
        if new := self._found(after) - self._found(before) - self._found(rival):
            kind = max(new, key=lambda kind: self._standing.catalogue.museums[kind].majority)
            facts = {"museum": kind, "reputation": self._standing.catalogue.museums[kind].majority}
            yield self._gain(step, company=after), Reason("supplies", facts)
        taken = step.before.taken
        dollars = after.income(taken).dollars - before.income(taken).dollars
        if dollars < A_ROUND or rival.income(taken).dollars >= after.income(taken).dollars:
            return
        scored = 0 if self.no_more("reputation", step) else step.scored
        facts = {"dice": after.dice - before.dice, "reputation": scored}
        yield self._gain(step, company=after), Reason("earns", facts)

    def _found(self, company: Company) -> set[int]:
        """The kinds of artifacts that a company's cards find."""
        return {spot.artifact for spot in company.means.spots if spot.do == "gain"}

    def standing_in(self, step: Step) -> Iterator[Found]:
        """The sale changes who has most cubes on the museum."""
        museum = cast("m.FillOrder", step.deed).museum
        before, after = step.before.museums, step.after.museums
        led, leads = before.majority(museum), after.majority(museum)
        facts = {"museum": museum, "reputation": self._standing.catalogue.museums[museum].majority}
        facts |= {"cubes": tuple(after.cubes[museum]), "led": led}
        code = "gains-ground" if leads != self._seat else "keeps-lead" if led == leads else "takes-lead"
        yield self._gain(step, museums=after), Reason(code, facts)

    def beside(self, code: str) -> Reason | None:
        """What the reason with this code does not say of the first step: the lead that it takes; of an artifact that
        could be another, its use.
        """
        step = self._steps[0]
        if isinstance(step.deed, m.Gather) and code in ("pays-for", "pays", "ends-match"):
            stocked = () if self._is_last(self._steps[-1].after) else self._stocked(0)
            return max(stocked, key=lambda one: one[0], default=(0.0, None))[1]
        if isinstance(step.deed, m.FillOrder):
            ((_gain, reason),) = self.standing_in(step)
            return reason if reason.code == "takes-lead" != code else None
        return None

    def _is_last(self, course: Course) -> bool:
        """Whether the seat has no turn after this one."""
        return self._table.last or max(*self._table.reputation, course.reputation) >= GOAL

    def _paid(self, step: Step) -> Iterator[Found]:
        paid = step.after.dollars - step.before.dollars
        if paid > 0 and not self.no_more("dollars", step):
            facts = {"dollars": paid, "held": step.after.dollars, "last": self._is_last(step.before)}
            yield self._money(step), Reason("pays", facts)

    def _stocked(self, at: int) -> Iterator[Found]:
        """An artifact that is kept, by what an order of its museum asks for."""
        step = self._steps[at]
        before, after, museums = step.before.artifacts, step.after.artifacts, step.before.museums
        for kind in range(len(ARTIFACTS)):
            held = after[kind]
            if held <= before[kind] or any(_sold(later)[kind] for later in self._steps[at + 1 :]):
                continue
            lead = max(*self._table.reputation, step.after.reputation)
            # More are not found before the end.
            most = held + 1 + round(self._standing.prospects.rounds(lead))
            sizes = [size for size, _order in museums.open[kind] if held <= size <= most]
            if sizes:
                code = "fills-order" if sizes[0] == held else "grows-order"
                facts = {"museum": kind, "held": held, "size": sizes[0]}
                yield self._money(step), Reason(code, facts | {"reputation": self._won(step, kind, sizes[0])})

    def _won(self, step: Step, kind: int, size: int) -> int:
        """The reputation of the lead that an order takes, which is open in a step; 0 if it takes none."""
        museums = step.before.museums
        order = next(order for each, order in museums.open[kind] if each == size)
        takes = museums.filled(kind, order, self._seat).majority(kind) == self._seat != museums.majority(kind)
        return self._standing.catalogue.museums[kind].majority * takes

    def _needed(self, at: int) -> Iterator[Found]:
        """Later steps of this turn that could not be taken without what this one brings."""
        made = sum([len(step.moves) for step in self._steps[: at + 1]])
        for number in range(at + 1, len(self._steps)):
            later = self._steps[number]
            made += len(later.moves)
            if made > self._certain:
                return
            if reason := self._need(at, number):
                yield self._lead(later.after) - self._lead(later.before), reason

    def _need(self, at: int, number: int) -> Reason | None:
        later, gained = self._steps[number], _gained(self._steps[at])
        match later.deed:
            case m.Buy(card=card) | m.TurnCard(own=CompanyCard(card=card)):
                price = self._standing.catalogue.cards[card]
                dollars = later.before.dollars - self._brought(at, number)
                scrolls = later.before.artifacts[SCROLL] - gained[SCROLL]
                if dollars < price.dollars or scrolls < price.scrolls:
                    return Reason("pays-for", {"card": card, "again": isinstance(later.deed, m.TurnCard)})
            case m.FillOrder(museum=museum):
                size = _sold(later)[museum]
                if gained[museum] and later.before.artifacts[museum] - gained[museum] < size:
                    facts = {"museum": museum, "size": size}
                    facts["reputation"] = self._won(later, museum, size)
                    return Reason("fills-now", facts)
            case m.Collect() | m.SellOne():
                if any(more and n for more, n in zip(gained, _sold(later), strict=True)):
                    return Reason("prepares", {"then": later.deed, "why": self.of_later(at, number)})
            case _:
                pass
        return None

    def _brought(self, at: int, number: int) -> int:
        """The dollars that there are before a later step because of an earlier one: its own, and those for which its
        artifacts are sold in between.
        """
        first, gained = self._steps[at], _gained(self._steps[at])
        brought = max(0, first.after.dollars - first.before.dollars)
        for step in self._steps[at + 1 : number]:
            without = [n - more for n, more in zip(step.before.artifacts, gained, strict=True)]
            match step.deed:
                case m.Collect(artifacts=sold):
                    left = [min(n, max(0, held)) for n, held in zip(sold, without, strict=True)]
                    brought += collected(sold) - collected(left)
                case m.SellOne(artifact=kind) | m.FillOrder(museum=kind):
                    if without[kind] < _sold(step)[kind]:
                        brought += step.after.dollars - step.before.dollars
                case _:
                    pass
        return brought


def _gained(step: Step) -> list[int]:
    return [max(0, now - then) for now, then in zip(step.after.artifacts, step.before.artifacts, strict=True)]


def _sold(step: Step) -> list[int]:
    return [max(0, then - now) for now, then in zip(step.after.artifacts, step.before.artifacts, strict=True)]
