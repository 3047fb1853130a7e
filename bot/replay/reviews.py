"""Reviews of matches that are over, for the people who played them.

A review is computed when somebody asks for it, and is not stored. It looks at the asker's own decisions, each as the
asker saw it then: at all of them briefly, and then, where it finds what may be worth showing, as long as it takes to
know that. The thinking processes take one decision at a time, and only while they are free of live thoughts, so that no
agent at a table waits for a review; several reviews take turns. The newest reviews are kept in memory, so that their
pages can be turned; another one is computed again.
"""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import attrgetter
from statistics import fmean, stdev
from typing import Any, Final

from bot.art.picture import Picture
from bot.background import Background, Pending
from bot.replay.progress import REVIEWS, ProgressReplies, ReviewLimits
from bot.replay.turns import is_cost, is_lead, moments
from bot.tables.history import OwnMove, own_moves, own_seat, with_log, with_moves
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import is_over
from bot.tables.secrecy import has_sealed_deal
from bot.tables.thinking import Deal, Thinkers
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.records import record_of
from bot.ui.screens import components as ui
from bot.ui.screens import review as shown
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import BESIDE, read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import say
from bot.ui.screens.refusals import refusal
from bot.ui.screens.review import AGAIN, REVIEW, DealWorth, Review, Reviewed, Steps
from engine.agents.advice import Glance, adviser_of
from engine.fairness import match_key
from engine.record import Record

log = logging.getLogger(__name__)
_NAMED: Final = 3
"""The number of decisions shown that cost most, and of those that were best."""
_KEPT: Final = 50
"""The number of finished reviews that are kept in memory, so that their pages can be turned."""
_AT_ONCE: Final = 20
"""The maximum number of reviews under way. They take turns, a decision at a time."""
_PICTURE: Final = 2.0
"""Seconds for which a review waits for each of its pictures."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A person's request: the table, the seat, the number of moves after which its own moves begin, and the page.

    `sealed`: the deal's worth must not be known yet.
    """

    table: Table
    seat: int
    since: int
    sealed: bool
    page: int

    @property
    def key(self) -> _Key:
        return self.table.id, self.seat, self.since, self.sealed


_Key = tuple[int, int, int, bool]
"""All that the findings of a review depend on: table, seat, its beginning, and whether the deal is sealed."""


class PendingReview(Pending[Review]):
    """A review that is being made. Its exception is `Refused`."""

    def __init__(
        self, request: _Request, person: int, record: Record, moves: Sequence[OwnMove], deals: int
    ) -> None:
        super().__init__()
        self.request = request
        self.person = person
        self.record = record
        self.moves = moves
        self.steps = Steps(0, len(moves), deals)

    def step(self) -> None:
        """Notes that another step is done."""
        self.steps = self.steps._replace(done=self.steps.done + 1)

    def fail(self, code: str) -> None:
        """Sets the reason why there is no review, unless the outcome is set already."""
        if not self.result.done():
            self.result.set_exception(Refused(code))


class Reviews:
    """Handles the button **Review** and the buttons that turn a review's pages."""

    def __init__(self, thinkers: Thinkers, waiting: ProgressReplies, limits: ReviewLimits = REVIEWS) -> None:
        self._thinkers = thinkers
        self._waiting = waiting
        self._limits = limits
        self._pending: dict[_Key, PendingReview] = {}
        """The reviews that are being made."""
        self._kept: OrderedDict[_Key, Review] = OrderedDict()
        """The newest finished reviews, the one that was looked at last at the end."""
        self.making = Background()
        """The tasks that make reviews."""

    @property
    def actions(self) -> Actions:
        return {REVIEW: Action(self.review, "ephemeral")}

    def close(self) -> None:
        """Ends all reviews. The replies that wait for them say that the button asks again."""
        for pending in self._pending.values():
            pending.fail("review-closing")
        self.making.cancel()

    async def review(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """A page of a review that is kept, or its progress, which the page will replace. Raises `Refused`."""
        request = await self._request(context, interaction)
        mode = "ephemeral" if interaction.to.view_version == BESIDE else "update"
        if review := self._kept.get(request.key):
            self._waiting.end_earlier(interaction)
            self._kept.move_to_end(request.key)
            return Reply(await self.screen(context, interaction, request, review), mode)
        again = interaction.to.view_version == AGAIN and request.key not in self._pending
        pending = self._pending.get(request.key) or await self._begun(context, interaction, request)
        return self._waiting.reply(interaction, _Wait(self, context, interaction, pending, again), mode)

    async def _begun(
        self, context: HandlerContext, interaction: Interaction, request: _Request
    ) -> PendingReview:
        """A review whose making begins. Raises `Refused`."""
        record, moves = await self._moves(context, request)
        if request.key in self._pending:  # by another press meanwhile
            return self._pending[request.key]
        if any(pending.person == interaction.user_id for pending in self._pending.values()):
            raise Refused("review-under-way")
        if len(self._pending) >= _AT_ONCE:
            raise Refused("reviews-full")
        deals = 0 if request.sealed else self._limits.deals
        pending = self._pending[request.key] = PendingReview(
            request, interaction.user_id, record, moves, deals
        )
        self.making.start(self._make(context, pending), f"making of a review of table {request.table.id}")
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
        sealed = has_sealed_deal(table, context.tables.utc) or not await is_over(context.tables, table)
        return _Request(table, *own, sealed, read_number(interaction.to.arg) or 0)

    async def _moves(self, context: HandlerContext, request: _Request) -> tuple[Record, list[OwnMove]]:
        """The match, and the decisions to look at. Raises `Refused` if there are none."""
        table, moves = await with_moves(context.tables, request.table)
        record = Record.model_validate_json(record_of(table, moves))
        made = own_moves(record, context.tables.games, moves, request.seat, request.since)
        if not made:
            raise Refused("nothing-to-review")
        return record, _sampled(made, self._limits.decisions)

    async def _make(self, context: HandlerContext, pending: PendingReview) -> None:
        key = pending.request.key
        try:
            review = await self._made(context, pending)
            self._keep(key, review)
            if not pending.result.done():
                pending.result.set_result(review)
        except TimeoutError:
            pending.fail("review-late")
        except Exception:
            log.exception("table %s: could not make a review", key[0])
            pending.fail("review-failed")
        finally:
            pending.fail("review-closing")
            del self._pending[key]

    def _keep(self, key: _Key, review: Review) -> None:
        self._kept[key] = review
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    async def _made(self, context: HandlerContext, pending: PendingReview) -> Review:
        """The review. Raises `TimeoutError` if the thinking processes have too much to do."""
        request, glances = pending.request, list[Glance]()
        table, screens = request.table, context.screens_of(request.table)
        turns = {moment.step.move: moment.turn for moment in moments(pending.record, context.tables.games)}
        for number, view, move in pending.moves:
            seed = _seed(table, "glance", number)
            glances.append(await self._thinkers.glance(table.game, view, move, seed))
            pending.step()
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        found = Review(len(glances), max(turns.values()), [], [], None, outcome.scores[request.seat])
        appraised: dict[int, Reviewed] = {}
        while (place := _most_promising(glances, appraised, screens)) is not None:
            number, view, move = pending.moves[place]
            appraisal = await self._thinkers.appraise(table.game, view, move, _seed(table, "move", number))
            appraised[place] = Reviewed(turns[number], view, move, appraisal)
            costs, leads = _shown(appraised.values(), screens)
            found = found._replace(costs=costs, leads=leads)
            pending.steps = pending.steps._replace(found=found)
        return found if request.sealed else found._replace(deal=await self._worth(pending))

    async def _worth(self, pending: PendingReview) -> DealWorth:
        """The worth of the deal to the seat. Raises `TimeoutError`."""
        table, seat = pending.request.table, pending.request.seat
        deal, plays = _deal(table), list[list[int]]()
        for number in range(self._limits.deals):
            plays.append(await self._thinkers.play_deal(table.game, deal, _seed(table, "deal", number)))
            pending.step()
        more = [scores[seat] - fmean(scores) for scores in plays]
        return DealWorth(fmean(scores[seat] for scores in plays), fmean(more), stdev(more) / sqrt(len(more)))

    async def screen(
        self, context: HandlerContext, interaction: Interaction, request: _Request, review: Review
    ) -> Screen:
        """The page of a review: the first one, or a decision with table and hand as the person saw them."""
        table, screens = request.table, context.screens_of(request.table)
        page = min(request.page, len(review.shown))
        emoji = context.pictures.legend(table.game.key, table.guild_id, interaction.user_id)
        if not page:
            first = shown.closing(shown.opening(table, screens, review), table, review, page)
            first.legend = emoji
            return first
        view = review.shown[page - 1].view
        last = shown.closing(
            Screen().text(*shown.findings(table, screens, review, page)), table, review, page
        )
        board, hand = shown.table_text(table, screens, view), screens.private_text(view)
        screen = Screen(colour=screens.colour).text(*shown.heading(table, screens, review, page))
        screen.legend = emoji
        parts: list[tuple[str, Callable[[Any], Picture | None], str]] = [
            ("table", screens.table_picture, board),
            ("own", screens.own_picture, hand),
        ]
        for name, picture, words in parts:

            def draw(picture: Callable[[Any], Picture | None] = picture) -> Picture | None:
                return picture(view)

            place = (f"review {name} {page}", table.id, interaction.user_id)
            wanted = Wanted(draw, place, table.guild_id, interaction.user_id, at=len(screen.items))
            pictures = len(screen.plates)
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
        self,
        reviews: Reviews,
        context: HandlerContext,
        interaction: Interaction,
        pending: PendingReview,
        again: bool,
    ) -> None:
        self._reviews, self._context, self._interaction = reviews, context, interaction
        self._pending, self._again = pending, again

    async def wait(self, seconds: float) -> bool:
        return await self._pending.wait(seconds)

    def progress(self) -> Screen:
        pending, page = self._pending, read_number(self._interaction.to.arg) or 0
        table = pending.request.table
        screens = self._context.screens_of(table)
        return shown.progress(table, screens, pending.steps, page, self._again)

    async def outcome(self) -> Screen:
        try:
            review = await self._pending.result
        except Refused as refused:
            return say(refusal(refused)).buttons(shown.review_button(self._pending.request.table))
        request = replace(self._pending.request, page=read_number(self._interaction.to.arg) or 0)
        return await self._reviews.screen(self._context, self._interaction, request, review)

    def leave(self) -> None:
        """The making of the review goes on, so that a later press finds it."""


def _shown(appraised: Iterable[Reviewed], screens: AnyScreens) -> tuple[list[Reviewed], list[Reviewed]]:
    """The decisions that cost most, and those that were best."""
    first = sorted(appraised, key=lambda each: -each.gain)
    costs = [each for each in first if is_cost(each.appraisal)]
    leads = [each for each in first if is_lead(each.appraisal, screens, each.view, each.move)]
    return costs[:_NAMED], leads[:_NAMED]


def _most_promising(
    glances: Sequence[Glance], appraised: Mapping[int, Reviewed], screens: AnyScreens
) -> int | None:
    """The decision that may cost or lead by most; None if no other may do so by more than those that are shown."""
    for found, most in zip(
        _shown(appraised.values(), screens), map(attrgetter, ("cost", "lead")), strict=True
    ):
        enough = found[-1].gain if len(found) == _NAMED else 0.0
        left = {
            place: most(glance)
            for place, glance in enumerate(glances)
            if place not in appraised and most(glance) >= max(glance.least, enough)
        }
        if left:
            return max(left, key=lambda place: left[place])
    return None


def _sampled(made: Sequence[OwnMove], most: int) -> list[OwnMove]:
    """At most so many moves, evenly spaced."""
    if len(made) <= most:
        return [*made]
    return [made[number * len(made) // most] for number in range(most)]


def _deal(table: Table) -> Deal:
    key = match_key(bytes.fromhex(table.body.host_seed), table.contributions)
    return Deal(len(table.seats), table.game.load_options(table.body.options), key)


def _seed(table: Table, what: str, number: int) -> bytes:
    return hashlib.sha256(f"review:{table.id}:{what}:{number}".encode()).digest()
