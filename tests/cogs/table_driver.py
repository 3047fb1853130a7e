"""Drives a table as people do: by commands, presses and menus, and by reading what then stands on the screens.

A `Room` is a channel of a simulated Discord with the real bot in it; a `Person` is somebody there; a `Page` is a
message as it looks now. The game is the name of its command group, and nothing here knows its rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

import discord
import pytest
import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.backend.models import Interaction, Overwrite
from simcord.enums import InteractionType, OverwriteType
from simcord.http import FakeWebhookAdapter, client

import cogs
from bot.app.client import Digsite, make_client
from bot.app.host import Host
from bot.app.services import AppTiming
from bot.settings import Settings
from bot.tables.deadlines import wait
from bot.tables.model import Table
from bot.ui.private_screens import PRESENT
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from engine import registry
from engine.game import AnyGame
from tests.bot.hosts import run_due
from tests.cogs.limits import LABEL, RADIO_GROUP
from tests.cogs.page import BUTTON, MENTION, MENU, Page
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

load_games = cache(registry.load_games)


def add_game(monkeypatch: pytest.MonkeyPatch, game: AnyGame, screens: type[AnyScreens]) -> None:
    """Has the bots of a test offer one game more, with these screens."""
    games = {**load_games(None), game.key: game}
    monkeypatch.setattr("tests.cogs.table_driver.load_games", lambda _folder: games)
    monkeypatch.setattr(cogs, "GAMES", (*cogs.GAMES, screens))


_DISPATCH = client.router.dispatch


@dataclass
class Delivery:
    """An interaction ready to be delivered, once or more often, whatever has happened since it was made."""

    person: Person
    record: Interaction
    payload: dict[str, Any]

    @property
    def room(self) -> Room:
        return self.person.room

    def now(self) -> Delivery:
        """The same press on the screen as it was then, made now."""
        return self.person.interaction(self.record.type, self.payload["data"], self.payload.get("message"))

    @property
    def answered(self) -> bool:
        return self.record.responded

    @property
    def answers(self) -> list[Page]:
        """The messages that answered, as far as they are still there."""
        answered = _without_calls(page for page in map(self._page, self.record.followup_ids) if page.exists)
        original = self.record.message_id
        # A press on a message that all see is answered with this message too; what its presser is told follows.
        if original is None or (answered and original == self.record.source_message_id):
            return answered
        return [page for page in [self._page(original)] if page.exists] + answered

    def _page(self, number: int) -> Page:
        return Page(self.room.env, self.record.channel_id, number)

    @property
    def answer(self) -> Page:
        """The message that answered."""
        assert self.answers, "nothing answered this"
        return self.answers[-1]


@dataclass
class Form:
    """A form that somebody has open."""

    person: Person
    shown: simcord.InteractionResult

    @property
    def custom_id(self) -> str:
        assert self.shown.modal is not None
        return str(self.shown.modal["custom_id"])

    @property
    def labels(self) -> list[dict[str, Any]]:
        assert self.shown.modal is not None
        return self.shown.modal["components"]

    @property
    def questions(self) -> list[str]:
        return [label["label"] for label in self.labels]

    def options(self, question: str) -> dict[str, str]:
        """The options of a question: values by label."""
        return {each["label"]: each["value"] for each in self._input(question)["options"]}

    def chosen(self, question: str) -> list[str]:
        """The labels that are shown as chosen."""
        return [each["label"] for each in self._input(question)["options"] if each.get("default")]

    def _input(self, question: str) -> dict[str, Any]:
        return next(label["component"] for label in self.labels if label["label"] == question)

    def filled(self, answers: Mapping[str, str | Sequence[str]]) -> dict[str, Any]:
        """The submitted values, by custom_id: these options, by label, and elsewhere those shown as chosen."""
        values: dict[str, Any] = {}
        for question in self.questions:
            part, options = self._input(question), self.options(question)
            answer = answers.get(question, self.chosen(question))
            chosen = [options[each] for each in ([answer] if isinstance(answer, str) else answer)]
            values[part["custom_id"]] = chosen[0] if part["type"] == RADIO_GROUP else chosen
        assert set(answers) <= set(self.questions), self.questions
        return values

    async def answer(self, answers: Mapping[str, str | Sequence[str]]) -> Page:
        """Chooses these options, by label, leaves the others as they are shown, and submits."""
        return await self.submit(**self.filled(answers))

    async def submit(self, **values: Any) -> Page:
        return await self.person.answered(await self.person.actor.submit_modal(self.shown, values))


@dataclass(eq=False)
class Person:
    """Somebody in the channel."""

    room: Room
    actor: simcord.MemberActor

    @property
    def id(self) -> int:
        return self.actor.id

    @property
    def name(self) -> str:
        return self.actor.user.global_name or self.actor.name

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    async def command(self, name: str, **options: Any) -> Page:
        """Types `/game name`, or `/name` where the name begins with a slash."""
        words = name[1:] if name.startswith("/") else f"{self.room.game} {name}"
        return await self.answered(await self.actor.slash(self.room.channel, words, **options))

    async def press(self, page: Page, label: str) -> Page:
        """Presses a button by its label; returns the answer."""
        page = await self._behind(page, label)
        buttons = page.buttons
        menus = [menu.placeholder for menu in page.menus]
        beside = f"greyed: {page.greyed}, menus: {menus}"
        assert label in buttons, f"no button {label!r} among {list(buttons)} ({beside}): {page.text}"
        return await self.answered(await self.actor.click(page.as_message(), custom_id=buttons[label]))

    async def press_stale(self, page: Page, intent: str, table: int | None = None) -> Page:
        """Presses a button that stood on the page of this table, or of the room's, before; returns the answer."""
        press = self.forging(page, str(Id(intent, table or (await self.room.table()).id)))
        await self.room.deliver(press)
        return press.answer

    async def choose(self, page: Page, placeholder: str, *labels: str) -> Page:
        """Chooses these options, and no others, of a menu; returns the answer."""
        menu = page.menu(placeholder)
        values = [menu.options[label] for label in labels]
        return await self.answered(
            await self.actor.select(page.as_message(), values, custom_id=menu.custom_id)
        )

    async def _behind(self, page: Page, label: str) -> Page:
        """The page with this button, which may stand behind **More**, **Log**, or a lobby's **Rules & Settings**."""
        behind = next((each for each in ("Rules & Settings", "More", "Log") if each in page.buttons), None)
        return page if label in page.buttons or behind is None else await self.press(page, behind)

    async def open_form(self, page: Page, label: str) -> Form:
        page = await self._behind(page, label)
        shown = await self.actor.click(page.as_message(), custom_id=page.buttons[label])
        assert shown.modal is not None
        return Form(self, shown)

    async def fill(self, page: Page, label: str, answers: Mapping[str, str | Sequence[str]]) -> Page:
        """Opens the form behind a button, chooses these options in it, and submits; returns the answer."""
        return await (await self.open_form(page, label)).answer(answers)

    async def delete_data(self) -> Page:
        """Has their data deleted; returns what they are told in the end."""
        sure = await self.press(await self.command("/privacy"), "Delete My Data")
        return await self.press(sure, "Delete Permanently")

    async def hand(self) -> Page:
        """Opens their private screen."""
        return await self.command("hand")

    async def answered(self, result: simcord.InteractionResult) -> Page:
        """The answer to an interaction, once the bot has done what became due by it."""
        await self.room.catch_up()
        shown = [*([result.response] if result.response else []), *result.followups]
        pages = [Page(self.room.env, each.channel_id, each.id) for each in shown]
        if answers := _without_calls(pages):
            return answers[-1]
        since = result._interaction.id
        posted = [page for page in self.room.pages() if page.id > since and not MENTION.search(page.text)]
        assert result.deferred, f"{self.name} got no answer"
        assert posted, f"{self.name} got no answer after a wait"
        return posted[0]

    # -- interactions to be delivered later, twice, or with others at once

    def pressing(self, page: Page, label: str) -> Delivery:
        """A press on the page as it is now."""
        return self._made(page, {"custom_id": page.buttons[label], "component_type": BUTTON})

    def choosing(self, page: Page, placeholder: str, *labels: str) -> Delivery:
        menu = page.menu(placeholder)
        values = [menu.options[label] for label in labels]
        return self._made(page, {"custom_id": menu.custom_id, "component_type": MENU, "values": values})

    def forging(self, page: Page, custom_id: str, values: list[str] | None = None) -> Delivery:
        """A press on a component that is not on the page: an older version's, or a made-up one."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
        if values is not None:
            data |= {"component_type": MENU, "values": values}
        return self._made(page, data)

    def submitting(self, form: Form, **values: Any) -> Delivery:
        """The form's submission, filled in: by custom_id a text or a choice, or a list of choices."""
        parts = [
            {
                "type": LABEL,
                "component": {"custom_id": key, "values" if isinstance(value, list) else "value": value},
            }
            for key, value in values.items()
        ]
        source = form.shown._interaction.source_message_id
        assert source is not None
        page = Page(self.room.env, self.room.channel.id, source)
        message = dict(serializers.message_payload(self.room.env.backend, page.kept))
        return self.interaction(
            InteractionType.MODAL_SUBMIT, {"custom_id": form.custom_id, "components": parts}, message
        )

    def _made(self, page: Page, data: dict[str, Any]) -> Delivery:
        message = dict(serializers.message_payload(self.room.env.backend, page.kept))
        return self.interaction(InteractionType.MESSAGE_COMPONENT, data, message)

    def interaction(self, kind: int, data: dict[str, Any], message: dict[str, Any] | None) -> Delivery:
        """Any interaction of this person's, on a message as it is given."""
        record, payload = interactions.base_payload(
            self.room.env.backend,
            type=kind,
            channel_id=self.room.channel.id,
            guild_id=self.room.guild.id,
            user_id=self.id,
            data=data,
        )
        if message is not None:
            record.source_message_id = int(message["id"])
            payload["message"] = message
        return Delivery(self, record, payload)


async def switch(boss: Person, what: str, *, on: bool) -> Page:
    """Switches something on or off for the server; returns the settings after that."""
    shown = await boss.command("/setup")
    form = await boss.open_form(shown, "Change Settings")
    others = [each for each in form.chosen("Switched on here") if each != what]
    return await form.answer({"Switched on here": [*others, what] if on else others})


def _without_calls(pages: Iterable[Page]) -> list[Page]:
    """These messages without the announcements, which are posted through the tokens of presses but answer none."""
    return [
        page for page in pages if page.ephemeral or "Leave" in page.buttons or not MENTION.search(page.text)
    ]


@dataclass
class Held:
    """Requests that are on their way and have not arrived."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: int = 0


class Nonces:
    """A rule of Discord that SimCord leaves out: a message with the nonce of an earlier one is that one.

    Discord remembers for some minutes; here it is for ever, so that a nonce that comes again wrongly is found.
    """

    def __init__(self) -> None:
        self._dispatch = _DISPATCH
        self._sent: dict[str, tuple[int, int]] = {}

    def dispatch(self, backend: Any, method: str, path: str, **options: Any) -> Any:
        body = options.get("json")
        if method != "POST" or not isinstance(body, dict) or not body.get("enforce_nonce"):
            return self._dispatch(backend, method, path, **options)
        nonce = str(body["nonce"])
        assert len(nonce) <= 25
        if nonce in self._sent:  # raises "Unknown Message" where that one has been deleted
            return serializers.message_payload(backend, backend.get_message(*self._sent[nonce]))
        made = self._dispatch(backend, method, path, **options)
        self._sent[nonce] = int(made["channel_id"]), int(made["id"])
        return made


async def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Lets the bot work until this holds, where it may not settle first."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.002)


@dataclass(eq=False)
class Room:
    """A channel where the bot is, and all that a test needs to move the world around it."""

    env: simcord.Env
    clock: ManualClock
    settings: Settings
    game: str
    guild: simcord.GuildHandle = field(init=False)
    channel: simcord.ChannelHandle = field(init=False)
    locales: dict[int, str] = field(default_factory=dict)
    """The languages of people and, as number 0, of the server; English where none is named."""
    calls_may_stay: bool = False
    """Whether earlier calls may stay in the channel, as in a group DM, where the bot deletes little."""
    answers_missing: int = 0
    """How many interactions cannot be answered, by what the test does to Discord."""

    def __post_init__(self) -> None:
        self.guild = self.env.create_guild("Digs")
        self.channel = self.guild.create_text_channel("games")

    @property
    def bot(self) -> Digsite:
        assert isinstance(self.env.bot, Digsite)
        return self.env.bot

    @property
    def host(self) -> Host:
        return self.bot.host

    # -- people

    def person(self, name: str, *, manages: bool = False) -> Person:
        """Somebody new; `manages`: they may manage the channel."""
        roles = []
        if manages:
            permissions = discord.Permissions(manage_channels=True)
            roles = [self.guild.create_role(f"manager {name}", permissions=permissions)]
        user = self.env.create_user(name.lower().replace(" ", "_")[:32] or "somebody", global_name=name)
        return Person(self, self.guild.add_member(user, roles=roles))

    def manager(self, name: str) -> Person:
        """Somebody new who may manage the server."""
        role = self.guild.create_role(f"manager {name}", permissions=discord.Permissions(manage_guild=True))
        user = self.env.create_user(name.lower(), global_name=name)
        return Person(self, self.guild.add_member(user, roles=[role]))

    async def lobby_of(self, *names: str, **options: Any) -> tuple[Page, list[Person]]:
        """A lobby that the first of these people opened and the others joined.

        Agents named among the options sit down at once, right after the first of them.
        """
        people = [self.person(name) for name in names]
        lobby = await people[0].command("start", **options)
        for person in people[1:]:
            await person.press(lobby, "Join")
        return lobby, people

    async def match_of(self, *names: str, agents: int = 0, **options: Any) -> list[Person]:
        """A match that has just begun: these people sit in this order, and after them so many novice agents."""
        lobby, people = await self.lobby_of(*names, **options)
        if agents:
            await people[0].choose(lobby, "Computer players", f"{agents} × Novice")
        await self.deliver(people[0].pressing(lobby, "Start Match"), catch_up=False)
        # As if the starter's first hand were too old to follow: tests open their own.
        self.host.presenter.states.of((await self.table()).id).screens.clear()
        await self.catch_up()
        return people

    # -- what stands in the channel

    def pages(self) -> list[Page]:
        """The messages that everybody sees in the channel, oldest first."""
        kept = self.env.backend.messages.get(self.channel.id, {}).values()
        shown = sorted(
            (message for message in kept if not message.is_ephemeral), key=lambda message: message.id
        )
        return [Page(self.env, self.channel.id, message.id) for message in shown]

    def announcements(self) -> list[Page]:
        """The messages that call somebody to a decision. Results and lobbies mention people too."""
        pages = [page for page in self.pages() if MENTION.search(page.text)]
        return [page for page in pages if not {"Play Again", "Join"} & {*page.buttons}]

    async def table(self, number: int | None = None) -> Table:
        """The channel's newest table, as the host knows it; or the one of this number."""
        if number is None:
            row = await self.host.store.latest_table(self.channel.id)
            assert row is not None
            number = row.id
        return await self.host.tables.get(number)

    async def asked(self, people: Iterable[Person]) -> Person:
        """One of these for whom the newest match waits: whom an announcement calls, or who plainly is there."""
        table = await self.table()
        asked = {table.seats[seat].user_id for seat in table.body.asked}
        waited_for = [person for person in people if person.id in asked]
        calls = "".join(page.text for page in self.announcements())
        return next((person for person in waited_for if person.mention in calls), waited_for[0])

    async def minds_wander(self) -> None:
        """Lets so much time pass that nobody is taken to look at their screen any more."""
        await self.later(PRESENT + 1)

    async def board(self) -> Page:
        """The table message of the newest match."""
        return await self._page("board")

    async def result(self) -> Page:
        return await self._page("result")

    async def _page(self, name: str) -> Page:
        number = getattr((await self.table()).body.messages, name)
        assert number is not None, f"there is no {name}"
        return Page(self.env, self.channel.id, number)

    def letters(self, person: Person) -> list[Page]:
        """The person's direct messages."""
        channel = self.env.backend.dm_channels.get(person.id)
        kept = self.env.backend.messages.get(channel or 0, {})
        return [Page(self.env, channel or 0, number) for number in sorted(kept)]

    # -- the course of things

    async def catch_up(self) -> None:
        """Lets the bot do what is due now: redraws, announcements, agents' moves, time-outs."""
        async with asyncio.timeout(PATIENCE):  # work that makes itself due again for ever fails the test
            await run_due(self.host)
        await self.env.settle()
        assert self.calls_may_stay or len(self.announcements()) <= 1, "one announcement at a time"

    async def deliver(self, *deliveries: Delivery, catch_up: bool = True) -> None:
        """Delivers interactions at once; the bot answers while all of them are there."""
        self.emit(*deliveries)
        await self.env.settle()
        if catch_up:
            await self.catch_up()

    @contextmanager
    def holding(self, part: str, method: str = "*") -> Iterator[Held]:
        """Keeps answers and edits whose address holds this from reaching Discord until they are let go."""
        held, request = Held(), FakeWebhookAdapter.request

        async def wait_for_it(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
            if part in route.url and method in ("*", route.method):
                held.waiting += 1
                await held.gate.wait()
            return await request(adapter, route, session, **options)

        with patch.object(FakeWebhookAdapter, "request", wait_for_it):
            yield held
            held.gate.set()

    @contextmanager
    def answers_lost(self, method: str, path: str, part: str) -> Iterator[None]:
        """Discord does what such a request with this in its body asks for, but the bot never hears of it."""
        request = FakeWebhookAdapter.request

        async def lost(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
            done = await request(adapter, route, session, **options)
            if route.method == method and path in route.url and part in str(options.get("payload")):
                raise OSError("the answer got lost")
            return done

        with patch.object(FakeWebhookAdapter, "request", lost):
            yield

    def emit(self, *deliveries: Delivery) -> None:
        """Has Discord deliver these, without waiting for what comes of it."""
        for delivery in deliveries:
            self.env.backend.emit("INTERACTION_CREATE", delivery.payload)

    async def deliver_late(self, late: Delivery, meanwhile: Iterable[Delivery]) -> None:
        """Delivers all of them in this order; the answer to the first reaches Discord after all else is done."""
        others = list(meanwhile)
        with self.holding(f"/interactions/{late.record.id}/"):
            self.emit(late, *others)
            await until(lambda: all(delivery.answered for delivery in others))
            await run_due(self.host)
        await self.env.settle()
        await self.catch_up()

    async def later(self, seconds: float) -> None:
        """Lets time pass, and the bot do what becomes due."""
        self.clock.advance(seconds)
        await self.env.advance_time(seconds)
        await self.catch_up()

    async def restart(self, *, crash: bool = False) -> None:
        """Stops the bot and starts a new one on the same file; `crash`: with no time to note that it stops."""
        if crash:
            await self.host.store.close()
        else:
            await self.host.close()
        await self.env.restart_bot(new_bot(self.settings, self.clock))
        await self.catch_up()

    async def stage(self, state: Any, number: int | None = None) -> None:
        """Puts the newest match of the channel, or that of a number, into another state of its game.

        The rest of the table stays.
        """
        table = await self.table(number)
        async with self.host.tables.change(table.id) as draft:
            draft.table.state = table.game.load(table.game.dump(state))
            draft.table.body.asked = {}
            wait(draft)
            draft.touch()
        await self.catch_up()

    # -- mishaps

    def forbid(self, **permissions: bool) -> None:
        """Takes these permissions from the bot in this channel."""
        denied = discord.Permissions(**permissions).value
        bot = self.env.backend.bot_user.id
        overwrite = Overwrite(target_id=bot, type=OverwriteType.MEMBER, allow=0, deny=denied)
        self.env.backend.set_overwrite(self._rights_of, overwrite)

    def allow_again(self) -> None:
        self.env.backend.delete_overwrite(self._rights_of, self.env.backend.bot_user.id)

    @property
    def _rights_of(self) -> int:
        """The channel whose permissions hold here: a thread has those of the channel it is in."""
        channel = self.env.backend.get_channel(self.channel.id)
        return (channel.parent_id if channel.is_thread else None) or channel.id

    def delete(self, page: Page) -> None:
        """Somebody with the right to do so deletes a message."""
        self.env.backend.delete_message(page.channel_id, page.id)

    def fail(self, method: str, path: str, status: int, code: int = 0, *, times: int | None = 1) -> None:
        """Has Discord refuse the next such requests; `path` is a pattern as of a shell."""
        self.env.inject_error(method, path, status=status, code=code, times=times)

    def translate_payload(self, payload: dict[str, Any]) -> None:
        """SimCord knows no languages: an interaction bears those of its person and of the server."""
        sender = payload.get("member", {}).get("user") or payload["user"]
        payload["locale"] = self.locales.get(int(sender["id"]), "en-US")
        payload["guild_locale"] = self.locales.get(0, "en-US")

    def heal(self) -> None:
        """Ends all injected failures."""
        self.env.backend.faults.clear()

    def requests(self, method: str, ending: str) -> Iterator[Any]:
        """The bodies of requests that the bot made, by method and the end of their path."""
        for entry in self.env.http_requests:
            if entry.method == method and entry.path.endswith(ending):
                yield entry.json

    def unanswered(self) -> list[str]:
        """The presses and forms without an answer."""
        interactions = self.env.backend.interactions
        delivered = [
            payload
            for _kind, name, payload in self.env.backend.transcript
            if name == "INTERACTION_CREATE" and payload
        ]
        return [
            str(payload["data"].get("custom_id") or payload["data"].get("name"))
            for payload in delivered
            if not interactions[int(payload["id"])].responded
        ]


UNHURRIED = AppTiming(save=60.0)
"""Closing a store may take its time: on a busy machine that is no fault, and it would be logged as one."""


def new_bot(settings: Settings, clock: ManualClock) -> Digsite:
    """A new process's bot, as the composition root makes it."""
    games = dict(load_games(settings.card_lists))
    return make_client(settings, clock, games, cogs.setup, UNHURRIED, shard_count=1)
