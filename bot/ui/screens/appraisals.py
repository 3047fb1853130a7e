"""The findings of a review: decisions and turning points; and how a decision did, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile
from operator import attrgetter
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.tables.history import OwnMove
from bot.tables.seat import Seat
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.names import Names
from engine.agents.advice import Appraisal
from engine.agents.search import BEST, Outlook
from engine.game import own_decision, same_move

BIG_MISTAKE: Final = 0.25
"""The smallest chance to win that a big mistake loses."""
MISTAKE: Final = 0.1
"""The smallest chance to win that a mistake loses, and that a great move gains."""
MOST: Final = 3
"""The maximum number of decisions that are named because they cost most, and of those that were best."""
TOLD: Final = 5
"""The difference of chances to win from which on it is told, in per cent."""
WON: Final = 0.95
"""The chance to win from which on a slip is no moment."""
PRAISED: Final = 4.0
"""The smallest lead of a decision that is praised, in the agent's measure (`Outlook.result`), and the smallest cost of
one that hardly changed the chance to win.
"""
LEAST: Final = 0.08
"""The smallest change of the chance to win that is a turning point, unless it befell the person or turned the lead."""
MOMENTS: Final = 6
"""The maximum number of moments that are shown."""
SWINGS: Final = 3
"""The number of greatest turning points that are always among them."""
TURNING: Final = 0.12
"""The smallest change, or sum of small changes, that is a turning point where nothing stood out for all."""
FEW: Final = 4
"""With fewer moments than this, decisions that hardly mattered are moments as well."""
SPAN: Final = 3
"""The most turns over which many small changes may be one turning point."""
MOSTLY: Final = 0.6
"""The share of the matches played on from which on the best of the others is named."""
SMALL: Final = 0.04
"""The loss below which a decision is shown only where there is room."""


def grade(appraisal: Appraisal, *, praised: bool = True) -> str:
    """A decision in a few words, by the chance to win, which `facts` tells. Only a `praised` one is great."""
    if appraisal.lead > 0:
        return _("Great move") if praised and appraisal.gained >= MISTAKE else _("Good move")
    if appraisal.beats_other:
        return _("Better than the hint")
    if not appraisal.costly:
        return _("As good as the hint")
    if appraisal.gained <= -BIG_MISTAKE:
        return _("Big mistake")
    return _("Mistake") if appraisal.gained <= -MISTAKE else _("Slip")


def facts(screens: AnyScreens, appraisal: Appraisal, *, short: bool = False, daily: bool = False) -> str:
    """The effect of a decision on the chance to win; on the lead, if the chance is hardly another.

    `short`: for a list of such chances. `daily`: of a daily deal, where the own score counts, too.
    """
    made, other, amount = appraisal.made, appraisal.other, margin(appraisal, daily=daily)
    chances = _("{made}% instead of {other}%") if short else _("{made}% to win instead of {other}%")
    if daily and not short:
        chances = _("{made}% to beat the Veterans instead of {other}%")
    elif daily and amount > 0:
        mine, others = (screens.amount(round(each.own)) for each in (made, other))
        chances = _("about {mine} instead of {others}").format(mine=mine, others=others) + f" · {chances}"
    sure = appraisal.is_better or appraisal.costly
    chance = made.chance
    if equal := percent(made.chance) == percent(other.chance) or not sure:
        chances, chance = _("{made}% to win either way"), (made.chance + other.chance) / 2
    chances = chances.format(made=percent(chance), other=percent(other.chance))
    scores = made.own and not equal and (daily or not short)  # they are told here, or on the page
    if abs(percent(made.chance) - percent(other.chance)) >= TOLD or amount <= 0 or scores:
        return chances
    leads = _("about {amount} better") if appraisal.is_better else _("about {amount} worse")
    both = [chances, leads.format(amount=screens.amount(amount))]
    return " · ".join(both[::-1] if equal else both)


def margin(appraisal: Appraisal, *, daily: bool = False) -> int:
    """The difference of the leads after the better and the worse move, as the decision's page has the scores; of the
    own scores in a `daily` deal. 0 if neither is certain to be better.
    """
    if not (appraisal.is_better or appraisal.costly):
        return 0
    better, worse = (appraisal.made, appraisal.other)[:: 1 if appraisal.is_better else -1]
    if not (better.own and worse.own):
        return round(better.lead - worse.lead)
    mine, others = [round(each.own) - (not daily) * round(each.own - each.lead) for each in (better, worse)]
    return mine - others


def percent(chance: float) -> int:
    """A chance in per cent. A match is never certain before its end, nor lost."""
    return min(99, max(1, round(100 * chance)))


def ends(screens: AnyScreens, view: Any, names: Names, *outlooks: Outlook) -> str:
    """The scores expected at the end after a move, or before and after a change; empty in a game without scores."""
    if not all(each.own for each in outlooks):
        return ""
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    who = names.bold(others[0]) if len(others) == 1 else _("the best of the others")
    best = {seat: n for (kind, seat, _which), n in outlooks[-1].held.items() if kind == BEST}
    if len(others) > 1 and best and best[seat := max(best, key=best.__getitem__)] >= MOSTLY:
        who = _("the best of the others, mostly {name},").format(name=names.bold(seat))
    mine, theirs = (
        " → ".join(map(screens.amount, dict.fromkeys(each)))
        for each in zip(*(each.scores for each in outlooks), strict=True)
    )
    return _("→ expected at the end: you {own}, {who} {theirs}").format(own=mine, who=who, theirs=theirs)


def by_hint(seat: Seat, view: Any) -> bool:
    """Whether this seat's person followed a hint in the decision of this view."""
    asked = own_decision(view)
    return asked is not None and asked.id in seat.followed


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A person's decision: the number of the move, the person's turn, the view then, the move, and its appraisal."""

    number: int
    turn: int
    view: Any
    move: Any
    appraisal: Appraisal
    praised: bool = True

    @property
    def grade(self) -> str:
        return grade(self.appraisal, praised=self.praised)

    @property
    def gain(self) -> float:
        """The worth of the choice between the two moves compared, by which decisions are ranked."""
        return max(self.appraisal.cost, self.appraisal.lead)

    @property
    def gained(self) -> float:
        return self.appraisal.gained

    @property
    def is_mistake(self) -> bool:
        """Whether it cost enough to be named. Where a match is as good as won, it has no slips."""
        slip = self.gain >= PRAISED and self.appraisal.made.chance < WON
        return self.appraisal.costly and (slip or -100 * self.gained >= TOLD)

    @property
    def weight(self) -> float:
        """Its weight among other moments: the change of the chance to win, or the worth where that hardly changes."""
        return max(abs(self.gained), self.gain / 100)

    @property
    def begins(self) -> int:
        return self.number

    def repeats(self, other: Reviewed) -> bool:
        """Whether this is the same choice between the same two moves, in a turn beside the other's."""
        same = same_move(self.move, other.move) and same_move(self.appraisal.move, other.appraisal.move)
        return same and abs(self.turn - other.turn) <= 1


class Point(NamedTuple):
    """The chance to win, from 0 to 1, after a move: the number of the move, the person's turn, and the person's move.

    `outlook` has the scores expected then. The last point is the end of the match, which has no move of the person.
    """

    number: int
    turn: int
    chance: float
    own: OwnMove | None = None
    outlook: Outlook = Outlook(0.0, 0.0)

    @property
    def view(self) -> Any | None:
        return self.own and self.own.view


class Swing(NamedTuple):
    """A change of the chance to win between two moves of a person: the view before its cause, the events of the turns
    that caused it, and `luck`, what chance has then brought the person. `plain` turns of others brought them little or
    much, as chance has it. A `blameless` one followed on a turn in which no decision of the person cost anything, and a
    `sound` one on a few such turns. In a `felt` one, what stands out for all befell the person. `then` is the person's
    turn that began with this luck. `events` are all from a few turns before on.
    """

    before: Point
    after: Point
    view: Any
    turns: Sequence[Sequence[SeenEvent]]
    luck: Sequence[SeenEvent] = ()
    plain: bool = False
    blameless: bool = False
    felt: bool = False
    then: Sequence[SeenEvent] = ()
    events: Sequence[SeenEvent] = ()
    sound: bool = False

    @property
    def number(self) -> int:
        return self.after.number

    @property
    def begins(self) -> int:
        return self.before.number

    @property
    def gained(self) -> float:
        return self.after.chance - self.before.chance

    @property
    def decisive(self) -> Swing:
        """The change without the others' turns, or without the person's luck, if the scores expected have changed far
        less by these.
        """
        before, after = self.before.outlook, self.after.outlook
        if not (self.plain and self.luck and before.own and after.own):
            return self
        own, lead = (getattr(after, name) - getattr(before, name) for name in ("own", "lead"))
        own, others = own * self.gained, (lead - own) * self.gained
        if own > max(0.0, 2 * others):
            return self._replace(turns=[])
        return self._replace(luck=[], then=[]) if others > max(0.0, 2 * own) else self

    def scores_text(self, screens: AnyScreens, names: Names) -> str:
        """The scores expected at the end before and after it; empty if they do not speak for it. The same lead is worth
        more the less time is left.
        """
        before, after = self.before.outlook, self.after.outlook
        same = before.scores == after.scores
        line = ends(screens, self.before.view, names, before, after)
        if not line or (after.lead - (0.0 if same else before.lead)) * self.gained <= 0:
            return ""
        return f"-# {line}" + _(", as before, with less time to change it") * same

    @property
    def weight(self) -> float:
        return abs(self.gained)

    @property
    def by_decisions(self) -> bool:
        """Whether a good decision in it tells it: it lies in one turn of the person, or is a rise of several."""
        return self.before.turn == self.after.turn or (
            self.gained > 0 and self.after.turn - self.before.turn > 1
        )

    def outweighs(self, others: Sequence[Swing]) -> bool:
        """Whether it is great, and more than twice as great as its parts among these."""
        parts = sum(each.weight for each in others if each.overlaps_alike(self))
        return self.weight >= max(TURNING, 2 * parts)

    def overlaps_alike(self, other: Swing) -> bool:
        """Whether it has a part in common with the other, and changes the chance in the same direction."""
        return self.overlaps(other) and self.gained * other.gained > 0

    def overlaps(self, other: Swing) -> bool:
        """Whether it has a part in common with the other."""
        return other.begins < self.number and self.begins < other.number

    def without(self, decisions: Sequence[Reviewed]) -> Swing:
        """The change before the loss by the decision at its end, if that is one of these."""
        lost = sum(min(0.0, each.gained) for each in decisions if each.number == self.number)
        if not lost:
            return self
        chance = min(1.0, self.after.chance - lost)
        return self._replace(after=self.after._replace(chance=chance, outlook=Outlook(0.0, 0.0)))


def slides(points: Sequence[Point], swings: Sequence[Swing], wrong: Sequence[int]) -> list[Swing]:
    """The greatest rise and the greatest fall in at most `SPAN` turns that outweigh these changes which overlap them,
    without their stories. None goes beyond a decision of these numbers, which was `wrong`: its loss is told by itself.
    """
    pairs = (pair for pair in combinations(points, 2) if pair[1].turn - pair[0].turn <= SPAN)
    whole = (Swing(*pair, None, []) for pair in pairs)
    found = (each for each in whole if not any(each.begins < number < each.number for number in wrong))
    great = sorted((each for each in found if each.outweighs(swings)), key=lambda each: each.gained)
    return [
        *(each for each in great[-1:] if each.gained > 0),
        *(each for each in great[:1] if each.gained < 0),
    ]


class Review(NamedTuple):
    """The findings of a review in `decisions` decisions: those that cost most, and those that were best, in this order.

    `lesser` are others that mattered, where there are few of these. `hints` are the decisions in which a hint was not
    followed: they are compared with the hint. `course` is the chance to win after the person's turns and at the end,
    empty until it is found; `swings` are the greatest changes in it, in the order of the match.
    """

    decisions: int
    costs: list[Reviewed]
    leads: list[Reviewed]
    hints: list[Reviewed]
    course: Sequence[Point] = ()
    swings: Sequence[Swing] = ()
    lesser: Sequence[Reviewed] = ()

    @property
    def judged(self) -> list[Reviewed]:
        """All decisions with an appraisal."""
        return [*self.costs, *self.leads, *self.hints, *self.lesser]

    @property
    def certain(self) -> list[Point]:
        """The last points, at which hardly anything could change who wins; none if they are of a single turn."""
        *points, end = self.course
        found = [*takewhile(lambda point: abs(point.chance - end.chance) <= 1 - WON, points[::-1])]
        return found[::-1] if found and found[0].turn > found[-1].turn else []

    def at_table(self, outlooks: Mapping[int, tuple[Outlook, Outlook]]) -> Review:
        """The review with these outlooks after both moves of the decisions of these numbers (`Appraisal.at_table`),
        without those that made no difference there; of hints all stay.
        """

        def found(decisions: Sequence[Reviewed]) -> list[Reviewed]:
            return [
                replace(each, appraisal=each.appraisal.at_table(*outlooks[each.number])) for each in decisions
            ]

        costs, leads, hints, lesser = map(found, (self.costs, self.leads, self.hints, self.lesser))
        leads, lesser = ([each for each in part if each.gain > 0] for part in (leads, lesser))
        wrong = sorted((each for each in costs if each.is_mistake), key=lambda each: -each.gained)
        costs = {each.turn: each for each in wrong}.values()  # of each turn the one that cost most there
        costs = sorted(costs, key=lambda each: each.gained)[:MOST]  # slips come last
        return self._replace(costs=costs, leads=leads, hints=hints, lesser=lesser)

    @property
    def moments(self) -> list[Reviewed | Swing]:
        """The moments that have a page each, after the first page, in the order of the match: the greatest turning
        points, mistakes, the best two decisions, and the greatest of the others; where there are `FEW`, right decisions
        and hints that one's own move was as good as. Turning points end before the losses by these decisions, and are
        not told where a good decision is.
        """
        first = [each for at, each in enumerate(self.costs) if not at or each.gained <= -MISTAKE]
        less = list[Reviewed]()
        for each in [*self.costs, *(each for each in self.hints if each.appraisal.costly)]:
            open_yet = each.appraisal.made.chance < WON or each.gained <= -LEAST
            told = [*first, *less]  # of each turn one slip
            if open_yet and not any(each.turn == one.turn or each.repeats(one) for one in told):
                less.append(each)
        beaten = [each for each in self.hints if each.appraisal.beats_other]
        better = [*self.leads, *(each for each in beaten if percent(each.gained) > 1)]
        by_turn = {each.turn: each for each in sorted(better, key=attrgetter("gained"))}
        good = sorted(by_turn.values(), key=lambda each: -each.gained)[:2]
        wrong, turns = [*first, *less], {each.turn for each in (*first, *less)}
        swings = [
            swing
            for swing in self.swings
            if (swing.felt or swing.without(wrong).weight >= LEAST)
            and not any(swing.begins < each.number <= swing.number for each in good if swing.by_decisions)
            and not (swing.plain and swing.weight < TURNING and swing.before.turn in turns)
        ]
        swings.sort(key=lambda each: -each.weight)
        top, rest = swings[:SWINGS], sorted(swings[SWINGS:], key=lambda each: not each.felt)
        felt = sum(each.felt for each in rest)
        even = [each for each in self.hints if not each.appraisal.costly and each not in better]
        less, even = (sorted(part, key=lambda each: -each.weight) for part in (less, even))
        slips = [each for each in self.lesser if each.appraisal.costly or not (first or good)]
        slips += [each for each in less if each.weight >= SMALL or each in self.hints]
        shown = [*top, *first, *good, *rest[:felt], *slips, *rest[felt:]]
        fill = [each for each in [*self.lesser, *less, *even] if each not in slips]
        shown = [*shown, *fill[: max(0, FEW - len(shown))]][:MOMENTS]
        decisions = [each for each in shown if isinstance(each, Reviewed)]
        shown = [each.without(decisions) if isinstance(each, Swing) else each for each in shown]
        return sorted(shown, key=lambda each: (each.begins, isinstance(each, Swing)))
