"""Reviews of matches that are over, for the people who played them.

A review is computed when somebody asks for it, and is not stored. It looks at the asker's own decisions, each as the
asker saw it then. The thinking processes appraise one decision at a time, and only while they are free of live
thoughts, so that no agent at a table waits for a review; several reviews take turns. The newest reviews are kept in
memory, so that their pages can be turned; another one is computed again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import speaking
from bot.replay.marks import is_cost, is_lead
from bot.replay.timing import REVIEWS, ReviewLimits
from bot.tables.model import Table
from bot.tables.own_moves import OwnMove, own_moves, own_seat
from bot.tables.refusals import Refused
from bot.tables.same_deal import is_over
from bot.tables.secrecy import has_sealed_deal
from bot.tables.thinking import Deal, Thinkers
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.records import record_of
from bot.ui.screens import review as shown
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.ids import BESIDE, read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import say
from bot.ui.screens.refusals import refusal
from bot.ui.screens.review import REVIEW, DealWorth, Review, Reviewed
from engine.agents.advice import adviser_of
from engine.fairness import match_key
from engine.record import Record

log = logging.getLogger(__name__)


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


class Reviews:
    """Handles the button **Review** and the buttons that turn a review's pages."""

    def __init__(self, thinkers: Thinkers, limits: ReviewLimits = REVIEWS) -> None:
        self._thinkers = thinkers
        self._limits = limits
        self._at_work: set[int] = set()
        """The people whose reviews are under way."""
        self._kept: OrderedDict[_Key, Review] = OrderedDict()
        """The newest finished reviews, the one that was looked at last at the end."""
        self.following: set[asyncio.Task[None]] = set()
        """The tasks of reviews that are under way; the host ends these tasks on close."""

    @property
    def actions(self) -> Actions:
        return {REVIEW: Action(self.review, "ephemeral")}

    def close(self) -> None:
        """Ends all reviews. Their messages say that the button asks again."""
        for task in self.following:
            task.cancel()

    async def review(self, context: HandlerContext, interaction: Interaction) -> Reply:
        """A page of a review that is kept, or the reply that the page will replace. Raises `Refused`."""
        person = interaction.user_id
        request = await self._request(context, interaction)
        mode = "ephemeral" if interaction.to.view_version == BESIDE else interaction.own_mode
        if review := self._kept.get(request.key):
            self._kept.move_to_end(request.key)
            return Reply(await self._screen(context, interaction, request, review), mode)
        moves = await self._moves(context, request)
        if person in self._at_work:
            raise Refused("review-under-way")
        if len(self._at_work) >= self._limits.at_once:
            raise Refused("reviews-full")
        self._at_work.add(person)
        with speaking(interaction.locale):
            screen = shown.pending(request.table, len(moves), request.page)
        return Reply(
            screen,
            mode,
            then=partial(self._begin, context, interaction, request, moves),
            lost=partial(self._at_work.discard, person),
        )

    async def _request(self, context: HandlerContext, interaction: Interaction) -> _Request:
        table = await context.tables.get(interaction.to.table)
        if table.status != "over":
            raise Refused("not-over" if table.live else "no-review")
        if adviser_of(table.game) is None:
            raise Refused("no-review")
        own = own_seat(table, interaction.user_id, await context.tables.store.log(table.id))
        if own is None:
            raise Refused("not-played")
        sealed = has_sealed_deal(table, context.tables.utc) or not await is_over(context.tables, table)
        return _Request(table, *own, sealed, read_number(interaction.to.arg) or 0)

    async def _moves(self, context: HandlerContext, request: _Request) -> list[OwnMove]:
        """The decisions to look at. Raises `Refused` if there are none."""
        table = request.table
        moves = await context.tables.store.moves(table.id)
        record = Record.model_validate_json(record_of(table, moves))
        made = own_moves(record, context.tables.games, moves, request.seat, request.since)
        if not made:
            raise Refused("nothing-to-review")
        return _sampled(made, self._limits.decisions)

    async def _begin(
        self,
        context: HandlerContext,
        interaction: Interaction,
        request: _Request,
        moves: Sequence[OwnMove],
        message: int | None,
    ) -> None:
        task = asyncio.create_task(
            self._follow(context, interaction, request, moves, message),
            name=f"review of table {request.table.id}",
        )
        self.following.add(task)
        task.add_done_callback(self.following.discard)

    async def _follow(
        self,
        context: HandlerContext,
        interaction: Interaction,
        request: _Request,
        moves: Sequence[OwnMove],
        message: int | None,
    ) -> None:
        """Makes the review, and shows a page of it or the reason why there is none."""
        try:
            try:
                review = await self._made(context, request, moves)
                self._keep(request.key, review)
                screen = await self._screen(context, interaction, request, review)
            except TimeoutError:
                with speaking(interaction.locale):
                    screen = say(refusal(Refused("review-late"))).buttons(shown.review_button(request.table))
            token = interaction.token
            if token is not None and token.until > context.tables.clock.now():
                await token.edit(message, screen.view())
        except UNDELIVERED as error:
            log.info("table %s: could not show a review (%s)", request.table.id, Brief(error))
        except Exception:
            log.exception("table %s: could not make a review", request.table.id)
        finally:
            self._at_work.discard(interaction.user_id)

    def _keep(self, key: _Key, review: Review) -> None:
        self._kept[key] = review
        while len(self._kept) > self._limits.kept:
            self._kept.popitem(last=False)

    async def _made(self, context: HandlerContext, request: _Request, moves: Sequence[OwnMove]) -> Review:
        """The review. Raises `TimeoutError` if the thinking processes have too much to do."""
        table, limits, screens = request.table, self._limits, context.screens_of(request.table)
        reviewed: list[Reviewed] = []
        for number, view, move in moves:
            appraisal = await self._thinkers.appraise(table.game, view, move, _seed(table, "move", number))
            reviewed.append(Reviewed(number, view, move, appraisal))
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        costs = [each for each in reviewed if is_cost(each.appraisal, limits.least)]
        leads = [
            each for each in reviewed if is_lead(each.appraisal, screens, each.view, each.move, limits.least)
        ]
        return Review(
            len(reviewed),
            sorted(costs, key=lambda each: -each.gain)[: limits.named],
            sorted(leads, key=lambda each: -each.gain)[: limits.named],
            None if request.sealed else await self._worth(request),
            outcome.scores[request.seat],
        )

    async def _worth(self, request: _Request) -> DealWorth:
        """The worth of the deal to the seat. Raises `TimeoutError`."""
        table, seat = request.table, request.seat
        deal = _deal(table)
        plays = [
            await self._thinkers.play_deal(table.game, deal, _seed(table, "deal", number))
            for number in range(self._limits.deals)
        ]
        more = [scores[seat] - fmean(scores) for scores in plays]
        return DealWorth(fmean(scores[seat] for scores in plays), fmean(more), stdev(more) / sqrt(len(more)))

    async def _screen(
        self, context: HandlerContext, interaction: Interaction, request: _Request, review: Review
    ) -> Screen:
        """The page of a review: the first one, or a decision with table and hand as the person saw them."""
        table, screens = request.table, context.screens_of(request.table)
        page = min(request.page, len(review.shown))
        with speaking(interaction.locale):
            if not page:
                return shown.closing(shown.opening(table, screens, review), table, review, page)
            view = review.shown[page - 1].view
            last = shown.closing(
                Screen().text(*shown.findings(table, screens, review, page)), table, review, page
            )
            board, hand = shown.table_text(table, screens, view), screens.private_text(view)
            screen = Screen(colour=screens.colour).text(*shown.heading(table, screens, review, page))
        screen.legend = context.pictures.legend(table.game.key, table.guild_id, interaction.user_id)
        parts: list[tuple[str, Callable[[Any], Picture | None], str]] = [
            ("table", screens.table_picture, board),
            ("own", screens.own_picture, hand),
        ]
        for name, picture, words in parts:

            def draw(picture: Callable[[Any], Picture | None] = picture) -> Picture | None:
                with speaking(interaction.locale):
                    return picture(view)

            place = (f"review {name} {page}", table.id, interaction.user_id)
            wanted = Wanted(draw, place, table.guild_id, interaction.user_id, at=len(screen.items))
            pictures = len(screen.plates)
            await context.pictures.soon(screen, wanted, wait=self._limits.picture)
            if len(screen.plates) == pictures and that_fit(Screen([*screen.items, *last.items]), [words]):
                screen.text(words)
        return screen.add(last.items)


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
