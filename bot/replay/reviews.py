"""Reviews of matches that are over, for the people who played them.

A review is made when its person first asks for it, and stored with the match (`Body.reviews`), so that it is deleted
with the match. It looks at the asker's own decisions, each as the asker saw it then: at all of them briefly, and then,
where it finds what may be worth showing, as long as it takes to know that. The thinking processes take one decision at
a time, and only while they are free of live thoughts, so that no agent at a table waits for a review; several reviews
take turns.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, Final

from bot.art.picture import Picture
from bot.background import Background, Pending
from bot.language import gettext as _
from bot.observability.context import Operation, operation_scope
from bot.replay.decisions import Search, choices
from bot.replay.findings import Played, dump_review, load_review
from bot.replay.progress import REVIEWS, ProgressReplies, ReviewLimits
from bot.replay.turns import seed_of
from bot.store.model import StoreError
from bot.tables import daily
from bot.tables.draft import Draft
from bot.tables.history import OwnMove, own_moves, own_seat, record_of, with_log, with_moves
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.secrecy import has_sealed_deal
from bot.tables.thinking import Thinkers
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.screens import components as ui
from bot.ui.screens import review as shown
from bot.ui.screens.appraisals import Review, Reviewed
from bot.ui.screens.ended import daily_headline, events_of, gap_lines, public_events, race
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import BESIDE, read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names
from bot.ui.screens.puzzle import PUZZLE, puzzle, solved
from bot.ui.screens.refusals import refusal
from bot.ui.screens.review import REVIEW
from engine.agents.advice import APART, adviser_of
from engine.agents.outlooks import SEEN, Trial
from engine.agents.search import Outlook, mean
from engine.errors import BadData
from engine.record import Record

log = logging.getLogger(__name__)
_AT_ONCE: Final = 20
"""The maximum number of reviews under way. They take turns, a decision at a time."""
_APPRAISED: Final = 14
"""The steps of the progress for the decisions that are worth a closer look. They may be more or fewer, as those may be
which find the course of the match.
"""
_LOOKS: Final = 2
"""The times that the ends of turning points are found more closely: others may then stand out."""
_ESTIMATED: Final = 0.4
"""The part of the worlds in which two moves are told apart where the strongest agent has an estimate."""
_PICTURE: Final = 2.0
"""Seconds for which a review waits for each of its pictures."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A person's request: the table, the seat, the number of moves after which its own moves begin, and the page."""

    table: Table
    seat: int
    since: int
    page: int

    @property
    def key(self) -> _Key:
        return self.table.id, self.seat, self.since


_Key = tuple[int, int, int]
"""All that the findings of a review depend on: table, seat, and its beginning."""


class PendingReview(Pending[Review]):
    """A review that is being made. Its exception is `Refused`."""

    def __init__(
        self, request: _Request, person: int, moves: Sequence[OwnMove], turning: Sequence[OwnMove]
    ) -> None:
        """`moves`: the decisions to look at. `turning`: the moves after which the chance to win is found."""
        super().__init__()
        self.request = request
        self.person = person
        self.moves, self.turning = moves, turning
        self.appraised = len(moves) + _APPRAISED
        self.done, self.of = 0, self.appraised + 2 * len(turning)

    def step(self, most: int | None = None) -> None:
        """Notes that another step is done, of at most so many."""
        self.done = min(self.done + 1, self.of if most is None else most)


class Reviews:
    """Handles the button **Review**, the buttons that turn a review's pages, and the puzzle that it makes."""

    def __init__(self, thinkers: Thinkers, waiting: ProgressReplies, limits: ReviewLimits = REVIEWS) -> None:
        self._thinkers = thinkers
        self._waiting = waiting
        self._limits = limits
        self._pending: dict[_Key, PendingReview] = {}
        """The reviews that are being made."""
        self.making = Background()
        """The tasks that make reviews."""

    @property
    def actions(self) -> Actions:
        return {REVIEW: Action(self.review, "ephemeral"), PUZZLE: Action(self.puzzle, "update")}

    def close(self) -> None:
        """Ends all reviews. The replies that wait for them say that the button asks again."""
        for pending in self._pending.values():
            pending.settle(Refused("review-closing"))
        self.making.cancel()

    async def review(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """A page of a review that is stored, or its progress, which the page will replace. Raises `Refused`."""
        request = await self._request(context, interaction)
        mode = "ephemeral" if interaction.to.view_version == BESIDE else "update"
        if (pending := self._pending.get(request.key)) is not None:
            return self._waiting.reply(interaction, _Wait(self, context, interaction, pending), mode)
        played = await self._played(context, request)
        request = replace(request, table=context.tables.at_hand(request.table.id) or request.table)
        found = _stored(request, played)
        if found is None:
            pending = self._pending.get(request.key) or self._begin(context, interaction, request, played)
            return self._waiting.reply(interaction, _Wait(self, context, interaction, pending), mode)
        self._waiting.end_earlier(interaction)
        return Reply(await self.screen(context, interaction, request, found), mode)

    async def puzzle(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """The puzzle that a stored review makes of the costliest decision, or the answer to it. Raises `Refused`."""
        request = replace(await self._request(context, interaction), page=1)
        played, screens = await self._played(context, request), context.screens_of(request.table)
        review, names = _stored(request, played), Names(request.table.seats)
        if review is None or not review.costs:
            raise Refused("no-puzzle")
        each, chosen = review.costs[0], interaction.to.arg
        moves = choices(played, each, lambda move: screens.move_text(each.view, move, names))
        if chosen not in ("", *map(str, range(len(moves)))):
            raise Refused("no-puzzle")
        if chosen:
            around = solved(request.table, screens, review, moves[int(chosen)])
        else:
            around = puzzle(request.table, screens, review, moves)
        return Reply(await _with_position(context, interaction, request, each.view, around), "update")

    def _begin(
        self, context: HandlerContext, interaction: Interaction, request: _Request, played: Played
    ) -> PendingReview:
        """Begins to make a review. Raises `Refused`."""
        if any(pending.person == interaction.user_id for pending in self._pending.values()):
            raise Refused("review-under-way")
        if len(self._pending) >= _AT_ONCE:
            raise Refused("reviews-full")
        limits = self._limits
        moves, turning = played.decisions(limits.decisions), played.turning(limits.turns)
        pending = PendingReview(request, interaction.user_id, moves, turning)
        self._pending[request.key] = pending
        self.making.start(
            self._make(context, pending, played), f"making of a review of table {request.table.id}"
        )
        return pending

    async def _request(self, context: HandlerContext, interaction: Interaction) -> _Request:
        table = await context.tables.get(interaction.to.table)
        if table.status != "over":
            raise Refused("not-over" if table.live else "no-review")
        if adviser_of(table.game) is None:
            raise Refused("no-review")
        table, lines = await with_log(context.tables, table)
        own = own_seat(table, interaction.user_id, lines)
        if own is None:
            raise Refused("not-played")
        return _Request(table, *own, read_number(interaction.to.arg) or 0)

    async def _played(self, context: HandlerContext, request: _Request) -> Played:
        """The match with all moves of the person. Raises `Refused` if there are none."""
        table, moves = await with_moves(context.tables, request.table)
        record, games = Record.model_validate_json(record_of(table, moves)), context.tables.games
        made = own_moves(record, games, moves, request.seat, request.since)
        if not made:
            raise Refused("nothing-to-review")
        played = Played.of(record, games, context.screens_of(table), made, table.seats[request.seat])
        return played._replace(is_daily=table.is_daily)

    async def _make(self, context: HandlerContext, pending: PendingReview, played: Played) -> None:
        request = pending.request
        key, table = request.key, request.table
        # The press that asked has been answered. An operation of its own: the change is not that press's first one.
        with operation_scope(Operation("job", REVIEW, table.guild_id, table.id)):
            try:
                review = await self._found(context, pending, played)
                review = await self._store(context, pending, played, review)
                pending.settle(review)
            except TimeoutError:
                pending.settle(Refused("review-late"))
            except Exception:
                log.exception("table %s: could not make a review", key[0])
                pending.settle(Refused("review-failed"))
            finally:
                pending.settle(Refused("review-closing"))
                del self._pending[key]

    async def _store(
        self, context: HandlerContext, pending: PendingReview, played: Played, review: Review
    ) -> Review:
        """Stores a review with its match; returns the one that is stored then, perhaps by another process."""
        request = pending.request
        data = dump_review(request.table.game, review, request.since)

        def store(draft: Draft) -> None:
            nonlocal request
            request = replace(request, table=draft.table)
            there, seat = _stored(request, played), draft.table.seats[request.seat]
            if pending.person not in (seat.user_id, seat.left_by):
                return  # the person has had their data deleted meanwhile
            if there is None:
                draft.table.body.reviews[request.seat] = data
                draft.touched = True

        try:
            await context.tables.apply(request.table.id, store)
        except (StoreError, Refused) as error:
            log.warning("table %s: could not store a review (%s)", request.table.id, type(error).__name__)
            return review
        return _stored(request, played) or review

    async def _found(self, context: HandlerContext, pending: PendingReview, played: Played) -> Review:
        """The review. Raises `TimeoutError` if the thinking processes have too much to do."""
        table, record = pending.request.table, played.record
        search = Search(played._replace(moves=pending.moves))
        for number, view, move in pending.moves:
            seed = seed_of(record, "glance", number)
            search.glances.append(await self._thinkers.glance(table.game, view, move, seed))
            pending.step()
        found = Review(sum(isfinite(glance.least) for glance in search.glances), [], [], [])
        screens, names = played.screens, Names(table.seats)
        for own, hint in played.unfollowed():
            if screens.move_text(own.view, hint, names) == screens.move_text(own.view, own.move, names):
                continue  # it differs in what no player sees
            seed, beside = seed_of(record, "hint", own.number), (hint, played.later(own))
            appraisal = await self._thinkers.appraise(table.game, own.view, own.move, seed, *beside)
            search.add(own, appraisal)
            pending.step(pending.appraised)
            if any(appraisal.other):  # else it differs in the order alone
                found.hints.append(played.reviewed(own, appraisal))
        while True:
            costs, leads = search.named()
            found = found._replace(costs=costs, leads=leads)
            if (own := search.most_promising()) is None:
                break
            seed, beside = seed_of(record, "move", own.number), (None, played.later(own))
            search.add(own, await self._thinkers.appraise(table.game, own.view, own.move, seed, *beside))
            pending.step(pending.appraised)
        pending.done = pending.appraised
        found = found._replace(lesser=search.lesser([*found.costs, *found.leads, *found.hints]))
        return await self._at_table(pending, played, found)

    async def _at_table(self, pending: PendingReview, played: Played, found: Review) -> Review:
        """The review with the outlooks at the table after both moves of its decisions, and with the match's course.

        The levels are those of the seats' last occupants. Raises as `_found`.
        """
        table = pending.request.table
        named, points = dict[int, tuple[Outlook, Outlook]](), {own.number: own for own in played.moves}
        levels = [None if seat.user_id is not None else seat.agent for seat in table.seats]
        levels[pending.request.seat] = None
        estimates = getattr(adviser_of(table.game), "estimates", False)

        async def find(own: OwnMove, what: str, part: float = SEEN, *, to_end: bool = True) -> Outlook:
            pending.step()
            seed, trial = seed_of(played.record, what, own.number), Trial(levels, part, to_end)
            return await self._thinkers.outlook(table.game, own.view, own.move, seed, trial)

        for number, each in {each.number: each for each in found.judged}.items():  # in the same worlds
            own = points[number]
            tried = [own, own._replace(move=each.appraisal.move)]
            if later := played.later(own):
                tried.append(OwnMove(number, *later))
            part = _ESTIMATED if estimates else 1
            outlooks = [await find(one, "turn", part, to_end=not estimates) for one in tried]
            # The person may have gone on better than an agent would have.
            best = max(range(0, len(tried), 2), key=lambda at: outlooks[at].chance)
            made, other = outlooks[best], outlooks[1]
            if estimates:
                apart = abs(made.chance - other.chance) >= APART
                level = await find(tried[best], "level", 1 if apart else SEEN)
                made, other = level, level.shifted(other, made)
            named[number] = made, other
        found, known = found.at_table(named), {number: made for number, (made, _other) in named.items()}
        same = played.same_course(pending.turning, known)
        for number in sorted({*same.values()} - known.keys()):
            known[number] = await find(points[number], "turn")
        review, ends = played.with_course(found, _course(known, same)), {*named}
        for _look in range(_LOOKS):  # what stands out may be luck
            numbers = {point.number for swing in review.swings for point in (swing.before, swing.after)}
            for number in {same[at] for at in numbers & same.keys()} - ends:
                known[number] = await find(points[number], "turning point", 1)
                ends.add(number)
            review = played.with_course(found, _course(known, same))
        for each in (each for each in review.moments if isinstance(each, Reviewed) and estimates):
            (made, other), own = named[each.number], points[each.number]
            instead = await find(own._replace(move=each.appraisal.move), "level")
            both = mean([made, instead.shifted(made, other)])  # twice as many worlds
            other = both.shifted(other, made)._replace(held=instead.held)
            known[each.number] = both._replace(held=made.held)
            named[each.number] = known[each.number], other
        return played.with_course(found.at_table(named), _course(known, same))

    async def screen(
        self, context: HandlerContext, interaction: Interaction, request: _Request, review: Review
    ) -> Screen:
        """The page of a review: the first one, or one with table and hand as the person saw them."""
        table, screens = request.table, context.screens_of(request.table)
        page = min(request.page, len(review.moments))
        raced, race = await _raced(context, table) if table.is_daily else ((), ())
        if not page:
            first = shown.opening(table, screens, review, request.seat, raced, race)
            shown.closing(first, table, review, page)
            first.emoji_map = context.pictures.emoji_map(table.game.key, table.guild_id, interaction.user_id)
            place = ("review course", table.id, interaction.user_id)
            draw = partial(shown.course, screens, review, race)
            wanted = Wanted(draw, place, table.guild_id, interaction.user_id)
            await context.pictures.soon(first, wanted, wait=_PICTURE)
            return first
        around = shown.page_of(table, screens, review, request.seat, page, race)
        return await _with_position(context, interaction, request, review.moments[page - 1].view, around)


async def _raced(context: HandlerContext, table: Table) -> tuple[list[str], shown.Race]:
    """The lines about the race with a Master of a daily deal's match, and its course; none until that is known."""
    deal = await context.tables.store.daily.deal(daily.day_of_match(table))
    master = None if deal is None else daily.master_play(context.tables, deal)
    table, rows = await with_log(context.tables, table)
    outcome, screens = table.game.outcome(table.state), context.screens_of(table)
    if master is None or outcome is None:
        return [], ()
    sold = race(master, rows, screens, outcome.scores[0])
    headline = f"**{daily_headline(outcome.scores[0], master, screens)}**"
    parted = _(
        "-# The Master's moves are sealed until the day ends: then this page says where you part ways."
    )
    if not has_sealed_deal(table, context.tables.utc):
        parted = "-# " + screens.compare(public_events(rows), events_of(master), 0, _("a Master"))
    return [headline, *gap_lines(sold, screens), parted], sold


async def _with_position(
    context: HandlerContext, interaction: Interaction, request: _Request, view: Any, around: shown.Around
) -> Screen:
    """A screen with table and hand in this view, as pictures or in words.

    What is said stands between them: it is in sight from the screen's top, and from its buttons as well.
    """
    table, screens, (screen, last) = request.table, context.screens_of(request.table), around
    said = [item for item in last.items if item["type"] == ui.TEXT]
    screen.emoji_map = context.pictures.emoji_map(table.game.key, table.guild_id, interaction.user_id)
    parts: list[tuple[str, Callable[[Any], Picture | None], str]] = [
        ("table", screens.table_picture, _table_text(table, screens, view)),
        ("own", screens.own_picture, screens.private_text(view)),
    ]
    for name, picture, words in parts:
        if name == "own":
            screen.add(said)
            last = Screen(last.items[len(said) :])
        place = (f"review {name} {request.page}", table.id, interaction.user_id)
        draw, pictures = partial(picture, view), len(screen.plates)
        wanted = Wanted(draw, place, table.guild_id, interaction.user_id, at=len(screen.items))
        await context.pictures.soon(screen, wanted, wait=_PICTURE)
        if not that_fit(Screen([*screen.items, *last.items]), [words]):
            continue
        if len(screen.plates) == pictures:
            screen.text(words)
        else:
            screen.instead[screen.plates[-1].name] = [ui.text(words)]
    return screen.add(last.items)


class _Wait:
    """A press that waits for a review (`bot.replay.progress.LongWork`)."""

    def __init__(
        self, reviews: Reviews, context: HandlerContext, interaction: Interaction, pending: PendingReview
    ) -> None:
        self._reviews, self._context = reviews, context
        self._interaction, self._pending = interaction, pending

    async def wait(self, seconds: float) -> bool:
        return await self._pending.wait(seconds)

    def progress(self) -> Screen:
        pending, page = self._pending, read_number(self._interaction.to.arg) or 0
        return shown.progress(pending.request.table, pending.done, pending.of, page)

    async def outcome(self) -> Screen:
        try:
            review = await self._pending.result
        except Refused as refused:
            return say(refusal(refused)).buttons(shown.review_button(self._pending.request.table))
        request = replace(self._pending.request, page=read_number(self._interaction.to.arg) or 0)
        return await self._reviews.screen(self._context, self._interaction, request, review)

    def leave(self) -> None:
        """The making of the review goes on, so that a later press finds it."""


def _stored(request: _Request, played: Played) -> Review | None:
    data = request.table.body.reviews.get(request.seat)
    if data is None:
        return None
    try:
        return load_review(data, played, request.since)
    except BadData as error:
        log.info("table %s: a review is made again: %s", request.table.id, error)
        return None


def _course(known: Mapping[int, Outlook], same: Mapping[int, int]) -> dict[int, Outlook]:
    """The known outlooks by move (`Played.same_course`)."""
    return {at: known[number] for at, number in same.items()}


def _table_text(table: Table, screens: AnyScreens, view: Any) -> str:
    board, line = "\n".join(ui.texts(screens.board(view, Names(table.seats)))), screens.call_line(view)
    return board if line in board else f"{line}\n{board}"
