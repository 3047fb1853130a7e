"""The composition root: creates all parts of the host, each before the parts that receive it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord

from bot import people
from bot.app.command_sync import Registration
from bot.app.controls import Blocklist, Notice
from bot.app.guild_removals import Removals
from bot.app.heartbeat import Heartbeat
from bot.app.host import Display, Host
from bot.app.housekeeping import Cleanup, Holidays, Housekeeping, PersonalWork
from bot.app.job_runner import JobRunner, RedrawJobs, RedrawTimes, Retries, ServerTasks, prompting
from bot.app.load import Load
from bot.app.operator import LeaveServer, Operator
from bot.app.services import Services
from bot.art.picture_cache import PictureCache
from bot.clock import Clock
from bot.language import forget_texts
from bot.people.front.games import Introductions
from bot.people.own_matches.digests import Digests
from bot.people.privacy.erasures import Erasures
from bot.people.privacy.handlers import Privacy
from bot.people.ratings.profile import REPLAY_BEST
from bot.replay.film_queue import FilmQueue
from bot.replay.film_replies import PAGE, POST, FilmReplies
from bot.replay.progress import ProgressReplies
from bot.replay.reviews import Reviews
from bot.tables.hints import Hints
from bot.tables.quota import Limits
from bot.tables.service import Policy, Tables
from bot.tables.thinking import Thinkers
from bot.ui.actions import ACTIONS
from bot.ui.actions.match import hint_actions, watch_actions
from bot.ui.application_emoji.registry import EmojiRegistry
from bot.ui.application_emoji.uploads import EmojiUploads, Signs
from bot.ui.call_choices import CallChoices
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.pictures import PictureChoices, Pictures
from bot.ui.public_screens import PublicScreens
from bot.ui.router import Router
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.table_display import Presenter
from bot.ui.uploads import Uploads


def build_host(
    client: discord.Client,
    services: Services,
    registration: Registration | None = None,
    leave_server: LeaveServer | None = None,
) -> Host:
    """A host, not started yet. `registration` is None without commands, `leave_server` without a connection."""
    settings, clock, store = services.settings, services.clock, services.store
    blocklist = Blocklist(store, clock, services.fleet)
    notice = Notice(store, clock, services.fleet)
    call_choices = CallChoices(store, services.fleet)
    redraw_times = RedrawTimes(settings, clock, services.timing)
    thinkers = Thinkers(settings.thinkers, settings.card_lists, services.metrics.thought)
    may = _seat_check(blocklist, call_choices, clock), call_choices.may_ask
    policy = Policy(settings.agent_delay, Limits.of(settings), *may, redraw_times.soonest)
    tables = Tables(store, services.games, clock, thinkers, policy, services.fleet)
    load = Load(settings, services.limiter)
    display = _build_display(client, services, tables, load, notice, call_choices)
    operator = Operator(tables, blocklist, notice, services.fleet, leave_server)
    retries = Retries(store, clock, services.fleet)
    housekeeping = _build_housekeeping(services, tables, display, operator, retries, registration)
    tasks = ServerTasks(services.fleet)
    redraws = RedrawJobs(tables, display.presenter, redraw_times, housekeeping.removals)
    privacy = Privacy(housekeeping.erasures, blocklist.blocks, settings.keep_days)
    reviews = Reviews(thinkers, display.progress_replies)
    own = (privacy.actions, hint_actions(Hints(thinkers)), reviews.actions, watch_actions(blocklist.blocks))
    router = _build_router(client, services, tables, display, own)
    digests = Digests(client, tables, display.screens, call_choices)
    tables.urgent += [redraw_times.expedite, display.presenter.draw_at_once]
    tables.changed.append(prompting(display.presenter.private, tasks))
    return Host(
        services=services,
        blocklist=blocklist,
        notice=notice,
        load=load,
        thinkers=thinkers,
        tables=tables,
        heartbeat=Heartbeat(services, tables),
        tasks=tasks,
        jobs=JobRunner(services, tables, redraws, retries, tasks, router.shard_of),
        housekeeping=housekeeping,
        personal=PersonalWork(services, Holidays(tables, call_choices), digests),
        privacy=privacy,
        router=router,
        reviews=reviews,
        **vars(display),
    )


def _seat_check(blocklist: Blocklist, choices: CallChoices, clock: Clock) -> Callable[[int, int], None]:
    """Returns what raises `Refused` if a person may not sit down at a table on a server."""

    def check(user_id: int, guild_id: int) -> None:
        blocklist.check(user_id, guild_id)
        choices.check_here(user_id, clock.now())

    return check


def _build_display(
    client: discord.Client,
    services: Services,
    tables: Tables,
    load: Load,
    notice: Notice,
    call_choices: CallChoices,
) -> Display:
    settings, store, fleet = services.settings, services.store, services.fleet
    screens: dict[str, AnyScreens] = {}
    picture_choices = PictureChoices(store, fleet)
    picture_cache = PictureCache(on=settings.pictures, seen=services.metrics.picture)
    signs = EmojiUploads(client, store, picture_cache, Signs(screens))
    emoji = EmojiRegistry(signs, services.clock, fleet, on=settings.pictures)
    uploads = Uploads(services.clock, services.metrics.upload_refused)
    pictures = Pictures(picture_cache, picture_choices, emoji, uploads, load.picture_staleness_budget)
    public = PublicScreens(tables, screens, pictures, lambda: notice.text)
    presenter = Presenter(client, tables, public, call_choices, load)
    films = FilmQueue(screens, settings.card_lists)
    progress_replies = ProgressReplies(services.clock)
    film_replies = FilmReplies(tables, screens, films, progress_replies, on=settings.pictures)
    return Display(
        screens=screens,
        picture_choices=picture_choices,
        call_choices=call_choices,
        picture_cache=picture_cache,
        emoji=emoji,
        pictures=pictures,
        presenter=presenter,
        films=films,
        progress_replies=progress_replies,
        film_replies=film_replies,
    )


def _build_router(
    client: discord.Client,
    services: Services,
    tables: Tables,
    display: Display,
    own: Sequence[Actions],
) -> Router:
    """`own` are the actions of handlers that have parts of their own."""
    context = HandlerContext(
        tables, display.presenter, display.pictures, display.screens, services.fleet, services.settings
    )
    films = display.film_replies
    replay = {
        REPLAY: Action(films.replay, "ephemeral"),
        REPLAY_BEST: Action(films.replay_chosen, "ephemeral"),
        POST: Action(films.post, "ephemeral"),
        PAGE: Action(films.page, "ephemeral"),
    }
    actions = {**ACTIONS, **people.ACTIONS, **replay}
    for each in own:
        actions |= each
    follow = Introductions(tables.store).follow
    return Router(client, context, actions, services.limiter, services.metrics, follow)


def _build_housekeeping(
    services: Services,
    tables: Tables,
    display: Display,
    operator: Operator,
    retries: Retries,
    registration: Registration | None,
) -> Housekeeping:
    def forget(user_id: int) -> None:
        display.picture_choices.forget(user_id)
        display.call_choices.forget(user_id)
        forget_texts()

    async def forgotten_elsewhere() -> None:
        forget_texts()

    services.fleet.on("forgotten", forgotten_elsewhere)
    return Housekeeping(
        services,
        Erasures(tables, services.fleet, forget),
        operator,
        Removals(tables, services.fleet),
        Cleanup(services, tables, display.presenter, retries),
        registration,
    )
