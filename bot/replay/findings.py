"""The findings of a review: which decisions it names, and how they are stored with the match.

The findings follow from the record alone, wherever they are made: an appraisal has its chance from the match's
commitment and the number of the move. Stored findings are data in no language: numbers of moves, the moves that the
strongest agent makes, codes of reasons, and figures. All else is read from the record again. Findings that another
version has stored stand as they are, unless they have another form (`FORM`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby, pairwise
from random import Random
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from bot.replay.progress import REVIEWS
from bot.replay.turns import moments, sampled, seed_of
from bot.tables.history import OwnMove
from bot.tables.seat import Seat
from bot.ui.screens.appraisals import (
    LEAST,
    MOST,
    TURNING,
    Point,
    Review,
    Reviewed,
    Swing,
    slides,
)
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.news import GREAT
from bot.ui.screens.review import effect_on
from engine.agents.advice import (
    Appraisal,
    adviser_of,
    dump_appraisal,
    dump_outlook,
    load_appraisal,
    load_outlook,
    measuring_levels,
)
from engine.agents.search import Outlook
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame, Event, own_decision
from engine.record import Record

_SWINGS: Final = 5
"""The maximum number of turning points."""
_FEWEST: Final = 3
"""The number of greatest changes that are turning points even if they only change as much as `SMALL`."""
SMALL: Final = 0.1
"""The change of the chance to win that is enough for these."""
HELPED: Final = 3
"""The turns of the person before a turning point whose moves may have helped others in it."""
LOOKS: Final = 3
"""The looks of the weakest agent in which it finds what is obvious."""
_HINTS: Final = 12
"""The maximum number of hints that are judged of those that were not followed."""


class Played(NamedTuple):
    """The moves of a person in a match, and the seat with the hints that the person took.

    `turns`, `own_turns`, `events` and `seen` have for each move of the match its turn, the number of turns that the
    person has begun by then, from 1, its events, and the person's view after it.
    """

    record: Record
    game: AnyGame
    screens: AnyScreens
    moves: Sequence[OwnMove]
    turns: Mapping[int, int]
    own_turns: Mapping[int, int]
    events: Mapping[int, Sequence[Event]]
    seen: Mapping[int, Any]
    seat: Seat = Seat("")
    is_daily: bool = False

    @classmethod
    def of(
        cls,
        record: Record,
        games: Mapping[str, AnyGame],
        screens: AnyScreens,
        moves: Sequence[OwnMove],
        seat: Seat | None = None,
    ) -> Played:
        turns, own_turns, events = dict[int, int](), dict[int, int](), dict[int, Sequence[Event]]()
        game, begun, seen = games[record.game], {0}, dict[int, Any]()
        for moment in moments(record, games):
            if moves and moment.owner == moves[0].view.viewer:
                begun.add(moment.turn)
            at = moment.step.move
            turns[at], own_turns[at], events[at] = moment.turn, max(1, len(begun) - 1), moment.step.events
            seen[at] = game.view(moment.step.state, moves[0].view.viewer if moves else None)
        last = len(record.moves)  # the end, which is a point of its own after the last move
        turns[last + 1], own_turns[last + 1], events[last + 1] = turns[last], own_turns[last], ()
        return cls(record, game, screens, moves, turns, own_turns, events, seen, seat or Seat(""))

    def decisions(self, most: int) -> list[OwnMove]:
        """The moves to be reviewed, at most so many, evenly spaced; those against a hint are compared with the hint
        (`unfollowed`).
        """
        return sampled([own for own in self.moves if own.number not in self.seat.unfollowed], most)

    def unfollowed(self) -> list[tuple[OwnMove, Any]]:
        """The moves that were made instead of hinted ones, each with the hint; none if it was followed in that turn.

        A hint to end the turn is not followed by ending it after another move.
        """
        found, adviser = list[tuple[OwnMove, Any]](), adviser_of(self.game)
        assert adviser is not None
        made = {(self.turns[own.number], adviser.choice(own.move)) for own in self.moves}
        for own in self.moves:
            with suppress(BadData, IllegalMove, KeyError):  # another version may have noted the hint
                hint = self.game.load_move(from_json(self.seat.unfollowed[own.number]))
                state = self.game.determinize(own.view, Random(0))
                self.game.apply(state, own.view.viewer, hint)
                ends = all(decision.seat != own.view.viewer for decision in self.game.pending(state))
                if ends or (self.turns[own.number], adviser.choice(hint)) not in made:
                    found.append((own, hint))
        return found[-_HINTS:]

    def later(self, own: OwnMove) -> tuple[Any, Any] | None:
        """The view and the move of the last decision after this one that its turn asked of the person before chance or
        others had a say; None if this is the last.
        """
        last = own
        for each in self.moves:
            if each.number == last.number + 1 and self.turns[each.number] == self.turns[own.number]:
                last = last if self._by_chance(last.number) else each
        return None if last is own else (last.view, last.move)

    def turning(self, most: int) -> list[OwnMove]:
        """The first and the last move of the person in each turn, at most so many, evenly spaced.

        Between the first and the last is their own play, and from the last to the next first one that of others, whom
        they may answer.
        """
        own_play = [own for own in self.moves if not self._answers(own)]
        turns = [[*part] for _turn, part in groupby(own_play, lambda own: self.turns[own.number])]
        return sampled([own for turn in turns for own in (*turn[:1], *turn[1:][-1:])], most)

    def same_course(self, turning: Sequence[OwnMove], judged: Container[int]) -> dict[int, int]:
        """For each of these moves that whose outlook is its own: where chance has no say between, the last of its turn,
        or one before it that was `judged`; before a judged one, it has its own.
        """
        found, numbers = {own.number: own.number for own in turning}, [own.number for own in turning]
        for at, after in pairwise(numbers):
            if self.turns[at] == self.turns[after] and not any(map(self._by_chance, range(at, after))):
                found[after] = max((each for each in range(at, after + 1) if each in judged), default=after)
                found[at] = at if found[after] in judged else after
        return found

    def _by_chance(self, number: int) -> bool:
        """True for a move in which chance has its say for a seat. A card that comes on offer for all is none."""
        return any(event.reveals and event.seat is not None for event in self.events[number])

    def _answers(self, own: OwnMove) -> bool:
        asked = own_decision(own.view)
        return asked is not None and asked.kind in self.game.out_of_turn

    def with_course(self, review: Review, course: Mapping[int, Outlook]) -> Review:
        """The review with the person's outlook after moves of these numbers, and with the turning points: the greatest
        changes that have a cause.

        Raises `BadData` if the match has no end.
        """
        end, seat, last = self.record.end, self.moves[0].view.viewer, len(self.record.moves)
        if end is None:
            raise BadData("the match has no end")
        won = 1 / end.ranks.count(1) if end.ranks[seat] == 1 else 0.0
        judged = [each for each in review.judged if each not in review.leads]
        points = [*self._points(review, judged, course), Point(last + 1, self.own_turns[last + 1], won)]
        return review._replace(course=points, swings=self._swings(points, judged, len(review.costs)))

    def _points(
        self, review: Review, judged: Sequence[Reviewed], course: Mapping[int, Outlook]
    ) -> list[Point]:
        """The points of the course before the end, with the decisions that were judged."""
        last, made = len(self.record.moves), {own.number: own for own in self.moves}
        known = {each.number: each.appraisal.made for each in review.judged}
        # A named decision is a point itself, so that what it changed lies between its own two chances.
        told = (each for each in review.hints if each.appraisal.costly or each.appraisal.beats_other)
        named = [*review.costs, *review.leads, *review.lesser, *told]
        steps = {each.number: known[each.number] for each in named}
        points = list[Point]()
        for at in sorted({*course, *steps}, reverse=True):
            if at < last or at in steps or self._by_chance(at):
                found = known[at] if at in known else course[at]
                open_yet = [] if at in known else [*self._open_before(at, judged)]
                if points and self.turns[at] == self.turns[points[-1].number]:
                    later, between = points[-1], range(at, points[-1].number)
                    same = not any(map(self._by_chance, between))
                    # The person may have gone on better than an agent would have, in a turn without chance.
                    open_yet += [later.chance] * same
                chance = max([found.chance, *open_yet])
                points.append(Point(at, self.own_turns[at], chance, made[at], found))
        return points[::-1]

    def _swings(self, points: Sequence[Point], judged: Sequence[Reviewed], costs: int) -> list[Swing]:
        """The turning points between these points, with the decisions that were judged, of which so many cost most."""
        seat = self.moves[0].view.viewer
        # Where all costly decisions are named, a fall in another turn of one's own is no decision's.
        wrong = [each.number for each in judged if each.appraisal.costly]
        costly = {self.turns[number] for number in wrong}
        all_named = costs < MOST and len(self.moves) <= REVIEWS.decisions
        swings = [
            self._swing(*each, seat, blameless=all_named and self.turns[each[0].number] not in costly)
            for each in pairwise(self._ends(points, {each.number for each in judged}))
        ]
        effect, caused = self.screens.effect, [each for each in swings if each.turns or each.luck]
        caused = [each for each in caused if not each.plain or any(map(effect, chain(*each.turns)))]
        led = [each for each in caused if any(map(self.screens.takes_lead, chain(*each.turns)))]
        swings = sorted(caused, key=lambda each: -abs(each.gained))
        felt = [each for each in swings if each.felt][:2]
        swings = [
            each
            for rank, each in enumerate(swings)
            if abs(each.gained)
            >= min(self._enough(each), SMALL if rank < _FEWEST and each.turns and not each.plain else 1.0)
        ][:_SWINGS]
        sums = [self._swing(*each[:2], seat, blameless=False) for each in slides(points, swings, wrong)]
        sums = [each for each in sums if each.turns and not any(map(each.overlaps_alike, felt))]
        felt += [*sums, *(each for each in swings if not any(each.overlaps_alike(one) for one in sums))]
        swings = [*{(each.begins, each.number): each for each in felt}.values()]
        # The last change of the lead has its page, whatever was to be expected by then.
        swings += [each._replace(felt=True) for each in led[-1:] if not any(map(each.overlaps, swings))]
        late = {self.own_turns[number] + n for number in wrong for n in range(HELPED + 1)}
        swings = [each._replace(sound=all_named and each.after.turn not in late) for each in swings]
        swings = [self._with_turn(each, wrong).decisive for each in swings]
        return sorted(swings, key=lambda each: each.after.number)

    def _ends(self, points: Sequence[Point], judged: Container[int]) -> list[Point]:
        """The points between which turning points lie: of a turn that went on as it had begun, the first and the last,
        unless a move between was `judged`.
        """
        if len(points) < 2:
            return [*points]
        ends, viewer = [points[0]], self.moves[0].view.viewer
        for point, after in pairwise(points[1:]):
            luck = any(event.reveals and event.seat == viewer for event in self.events[point.number])
            turns = (point.chance - ends[-1].chance) * (after.chance - point.chance) < 0
            ends_turn = after.turn != point.turn and not luck
            if point.turn != ends[-1].turn or ends_turn or turns or point.number in judged:
                ends.append(point)
        return [*ends, points[-1]]

    def _open_before(self, at: int, judged: Sequence[Reviewed]) -> Iterable[float]:
        """The chances to win that the moves compared with these decisions have, in the turn of a move and before chance
        has a say: after that move, the chance is not smaller.
        """
        for each in judged:
            between = range(at, each.number)
            same = between and self.turns[at] == self.turns[each.number]
            if same and not any(map(self._by_chance, between)):
                yield each.appraisal.other.chance

    def _enough(self, swing: Swing) -> float:
        """The smallest change of the chance to win with which this is a turning point."""
        events = chain.from_iterable([] if swing.plain else swing.turns)
        return LEAST if any(self.screens.moment(event, None) for event in events) else TURNING

    def _swing(self, before: Point, after: Point, seat: int, *, blameless: bool) -> Swing:
        """The change between two points with the turns that caused it, as a seat saw them, and with what chance has
        brought this seat: after all causes, or alone.

        A chance is found before chance has its say, and after a move's other effects. Of the turn that begins at the
        last point, there are no events. Where the seat is asked in another's turn, that turn is the cause.
        """
        begins = after.own is not None and after.turn != before.turn
        told = [each.number + (not self._by_chance(each.number)) for each in (before, after)]
        numbers = range(told[0], after.number if begins else told[1])
        every, causes, luck = list[list[SeenEvent]](), list[list[SeenEvent]](), list[SeenEvent]()
        gained, turn, firsts = after.chance - before.chance, self.turns[after.number], list[int]()
        by_now = False  # whether chance has had its say
        for number, group in groupby(numbers, self.turns.__getitem__):
            seen, is_cause = list[SeenEvent](), number == turn != self.turns[before.number] and not begins
            moves = [*group]
            for at, event in [(move, event) for move in moves for event in self.events[move]]:
                by_chance, by_now = event.reveals and event.seat == seat, by_now or event.reveals
                if at == before.number and event.seat == seat and not by_now:
                    continue
                seen.append(SeenEvent.of(event, seat))
                effect = effect_on(self.screens, seen[-1], seat, 1 if gained > 0 else -1)
                is_cause = is_cause or effect > 0
                luck = [] if effect > 0 else luck
                luck += seen[-1:] if by_chance and not effect else []
            every.append(seen)
            causes += [seen] if is_cause else []
            firsts += moves[:1] if is_cause else []
        if after.turn - before.turn > 1:  # what one's own turns brought is a part of it
            luck, firsts = [], []
            causes = [seen for seen in every if seen in causes or any(each.seat == seat for each in seen)]
        view = self.seen[max(0, [*firsts, numbers.start][0] - 1)]
        befell = (each for each in chain(*causes) if each.seat != seat and self.screens.concerns(each, seat))
        felt = any(self.screens.moment(event, None) >= GREAT for event in befell)
        # Those of the person's own last move are left out: its view is that before it.
        near = (n for n, turn in self.own_turns.items() if turn >= before.turn - HELPED and n < after.number)
        since = [SeenEvent.of(each, seat) for n in near for each in self.events[n]]
        swing = Swing(before, after, view, causes, blameless=blameless, felt=felt, events=since)
        if all(event.seat in (None, seat) for events in every for event in events):
            # A fall in one's own turn may be one's own doing, unless `blameless`.
            is_luck = not causes and (gained > 0 or begins or blameless)
            return swing._replace(luck=luck if is_luck else [])
        if begins and not causes:
            theirs = ([event for event in events if event.seat not in (None, seat)] for events in every)
            swing = swing._replace(turns=[*filter(None, theirs)], view=self.seen[before.number], plain=True)
        return swing._replace(luck=luck if swing.turns and luck[-1:] == every[-1][-1:] else [])

    def _with_turn(self, swing: Swing, wrong: Sequence[int]) -> Swing:
        """The change with the turn that began with its luck, up to a decision of these numbers, which was `wrong`."""
        last, seat = swing.after, self.moves[0].view.viewer
        if last.turn == swing.before.turn or not swing.luck:
            return swing
        if any(self.screens.concerns(event, seat) for event in swing.luck):
            return swing
        # Dice that stand on the screen are no news. The turn with them belongs to the change.
        turn = [at for at in self.seen if self.turns[at] == self.turns[last.number]]
        stop = min((at for at in turn if at in wrong and at >= last.number), default=turn[-1] + 1)
        turn = [at for at in turn if at < stop]
        own = (each for at in turn for each in self.events[at] if each.seat == seat and not each.reveals)
        return swing._replace(then=[SeenEvent.of(each, seat) for each in own])

    def obvious(self, own: OwnMove | Reviewed) -> bool:
        """Whether the weakest agent, which overlooks much, makes the same choice in one of a few looks."""
        adviser, weakest = adviser_of(self.game), self.game.agents[measuring_levels(self.game)[0]]
        assert adviser is not None
        rng, mine = Random(seed_of(self.record, "obvious", own.number)), adviser.choice(own.move)
        return any(adviser.choice(weakest.choose(own.view, rng)) == mine for _look in range(LOOKS))

    def reviewed(self, own: OwnMove, appraisal: Appraisal, *, praised: bool = True) -> Reviewed:
        return Reviewed(own.number, self.own_turns[own.number], own.view, own.move, appraisal, praised)


# -- stored with the match


FORM: Final = 18
"""The form of stored reviews. It is raised whenever a reason has other facts: earlier reviews are then made again."""


def dump_review(game: AnyGame, review: Review, since: int) -> dict[str, Any]:
    """A review as JSON data for `Body.reviews`. `since`: the number of moves before those of the person."""
    costs, leads, hints, lesser = (
        [{"number": each.number, **dump_appraisal(game, each.appraisal)} for each in found]
        for found in (review.costs, review.leads, review.hints, review.lesser)
    )
    ends = {point.number for swing in review.swings for point in (swing.before, swing.after)}
    return {
        "form": FORM,
        "since": since,
        "decisions": review.decisions,
        "course": [
            [
                point.number,
                *dump_outlook(point.outlook if point.number in ends else Outlook(*point.outlook[:3])),
            ]
            for point in review.course[:-1]
        ],
        "costs": costs,
        "leads": leads,
        "hints": hints,
        "lesser": lesser,
    }


def load_review(data: Mapping[str, Any], played: Played, since: int | None = None) -> Review:
    """The review that `dump_review` made these data from, perhaps in another version.

    `played` has all moves of the person, who made those after the first `since` moves of the match; None for any.
    Raises `BadData` if the data are of other moves, or cannot be read here.
    """
    moves = {own.number: own for own in played.moves}
    try:
        if data["form"] != FORM or since not in (None, data["since"]):
            raise BadData("the review is of other moves, or of another version")
        costs, leads, hints, lesser = (
            [
                played.reviewed(
                    moves[each["number"]], load_appraisal(played.game, each), praised=part != "lesser"
                )
                for each in data[part]
            ]
            for part in ("costs", "leads", "hints", "lesser")
        )
        review = Review(int(data["decisions"]), costs, leads, hints, lesser=lesser)
        course = {int(at): load_outlook(found) for at, *found in data["course"]}
        return played.with_course(review, course)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise BadData("the review is malformed") from None
