"""Reviews of matches that are over, for the people who played them.

A review is computed when somebody asks for it, and is not stored. It looks at the asker's own decisions, each as the
asker saw it then. The thinking processes appraise one decision at a time, and only while they are free of live
thoughts, so that no agent at a table waits for a review; several reviews take turns.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import speaking
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
from bot.ui.screens.ids import BESIDE
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import say
from bot.ui.screens.refusals import refusal
from bot.ui.screens.review import REVIEW, Review, Reviewed
from engine.agents.advice import adviser_of
from engine.fairness import match_key
from engine.record import Record

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Request:
    """A person's request: the table, the seat, the decisions to look at, and whether the deal is sealed."""

    table: Table
    seat: int
    moves: Sequence[OwnMove] = field(repr=False)
    sealed: bool


class Reviews:
    """Handles the button **Review**."""

    def __init__(self, thinkers: Thinkers, limits: ReviewLimits = REVIEWS) -> None:
        self._thinkers = thinkers
        self._limits = limits
        self._at_work: set[int] = set()
        """The people whose reviews are under way."""
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
        """The reply that the review will replace. Raises `Refused`."""
        person = interaction.user_id
        if person in self._at_work:
            raise Refused("review-under-way")
        if len(self._at_work) >= self._limits.at_once:
            raise Refused("reviews-full")
        request = await self._request(context, interaction)
        self._at_work.add(person)
        with speaking(interaction.locale):
            screen = shown.pending(request.table, len(request.moves))
        return Reply(
            screen,
            "ephemeral" if interaction.to.view_version == BESIDE else interaction.own_mode,
            then=partial(self._begin, context, interaction, request),
            lost=partial(self._at_work.discard, person),
        )

    async def _request(self, context: HandlerContext, interaction: Interaction) -> _Request:
        table = await context.tables.get(interaction.to.table)
        if table.status != "over":
            raise Refused("not-over" if table.live else "no-review")
        if adviser_of(table.game) is None:
            raise Refused("no-review")
        store = context.tables.store
        own = own_seat(table, interaction.user_id, await store.log(table.id))
        if own is None:
            raise Refused("not-played")
        moves = await store.moves(table.id)
        record = Record.model_validate_json(record_of(table, moves))
        made = own_moves(record, context.tables.games, moves, *own)
        if not made:
            raise Refused("nothing-to-review")
        sealed = has_sealed_deal(table, context.tables.utc) or not await is_over(context.tables, table)
        return _Request(table, own[0], _sampled(made, self._limits.decisions), sealed)

    async def _begin(
        self, context: HandlerContext, interaction: Interaction, request: _Request, message: int | None
    ) -> None:
        task = asyncio.create_task(
            self._follow(context, interaction, request, message), name=f"review of table {request.table.id}"
        )
        self.following.add(task)
        task.add_done_callback(self.following.discard)

    async def _follow(
        self, context: HandlerContext, interaction: Interaction, request: _Request, message: int | None
    ) -> None:
        """Makes the review, and shows it or the reason why there is none."""
        try:
            try:
                screen = await self._screen(context, interaction, request, await self._made(request))
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

    async def _made(self, request: _Request) -> Review:
        """The review. Raises `TimeoutError` if the thinking processes have too much to do."""
        table, seat, limits = request.table, request.seat, self._limits
        reviewed: list[Reviewed] = []
        for number, view, move in request.moves:
            appraisal = await self._thinkers.appraise(table.game, view, move, _seed(table, "move", number))
            reviewed.append(Reviewed(number, view, move, appraisal))
        deal = _deal(table)
        scores = [
            await self._thinkers.play_deal(table.game, deal, seat, _seed(table, "deal", number))
            for number in range(0 if request.sealed else limits.deals)
        ]
        outcome = table.game.outcome(table.state)
        assert outcome is not None
        certain = [each for each in reviewed if each.appraisal.error < _gain(each)]
        costs = sorted(certain, key=lambda each: -each.appraisal.cost)
        leads = sorted(certain, key=lambda each: -each.appraisal.lead)
        return Review(
            len(reviewed),
            [each for each in costs if each.appraisal.cost >= limits.least][: limits.named],
            [each for each in leads if each.appraisal.lead >= limits.least][: limits.named],
            sum(scores) / len(scores) if scores else None,
            outcome.scores[seat],
        )

    async def _screen(
        self, context: HandlerContext, interaction: Interaction, request: _Request, review: Review
    ) -> Screen:
        """The screen of a review, with the hands of those moments as the person saw them."""
        table, screens = request.table, context.screens_of(request.table)
        with speaking(interaction.locale):
            screen = Screen(colour=screens.colour).text(*shown.opening(table, review))
            written, kept = Screen([*screen.items]), list[shown.Part]()
            for part in shown.parts(table, screens, review):
                if that_fit(written, [part.text]):
                    written.text(part.text)
                    kept.append(part)
        screen.legend = context.pictures.legend(table.game.key, table.guild_id, interaction.user_id)
        for number, part in enumerate(kept):
            screen.rule().text(part.text)
            if part.view is None:
                continue

            def draw(part: shown.Part = part) -> Picture | None:
                with speaking(interaction.locale):
                    return screens.own_picture(part.view)

            place = (f"review {number}", table.id, interaction.user_id)
            wanted = Wanted(draw, place, table.guild_id, interaction.user_id, at=len(screen.items))
            pictures = len(screen.plates)
            await context.pictures.soon(screen, wanted, wait=self._limits.picture)
            with speaking(interaction.locale):
                hand = screens.private_text(part.view)
            if len(screen.plates) == pictures and that_fit(written, [hand]):
                written.text(hand)
                screen.text(hand)
        with speaking(interaction.locale):
            return shown.closing(screen, table)


def _gain(each: Reviewed) -> float:
    return max(each.appraisal.cost, each.appraisal.lead)


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
