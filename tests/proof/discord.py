"""The simulated Discord between several processes, which remembers every press and all that was shown of a match."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from bot.ui.screens.ids import Id, read_id
from tests.bench.busy_discord import Answer, BusyDiscord, Component, Shown, counts, walk
from tests.bot.fake_discord import Interaction
from tests.proof.plan import ANSWERED_WITHIN, Plan

FIRST_MESSAGE: Final = 10_000_000
"""Messages and presses are numbered from here, above the messages with which matches began."""
TOKENS_LIVE: Final = 900.0
NONCES_LIVE: Final = 300.0
"""Seconds for which a second message with the same nonce is not posted, but answered with the first."""
ANSWERS_IN: Final = 0.05
"""Seconds that it takes for a request."""
SENT: Final = "X-Sent"
"""The header in which a process tells when it sent a request, on the machine's clock."""
DATED: Final = f"""
import time
from bot.ratelimit.limiter import RateLimiter
_paced = RateLimiter._on_request_start
async def _dated(pace, session, context, request):
    await _paced(pace, session, context, request)
    request.headers["{SENT}"] = str(time.monotonic())
RateLimiter._on_request_start = _dated
"""
"""Run by each process first, so that it dates its requests."""
REMARKS: Final = ("ℹ️", "⚠️", "↩️")
"""With these begins what a screen says of a press that made no move."""


@dataclass(slots=True, eq=False)
class Press:
    """A press of a person's, and what came of it. Times are on the loop's clock."""

    id: int
    at: float
    shard: int
    table: int
    intent: str
    received: tuple[str, ...]
    """The processes to which it was delivered."""
    made: Interaction
    acknowledged: bool = False
    """Whether its answer shows a move that it made."""


@dataclass
class ShownMoves:
    """The moves of each match that people were shown or told of, at least."""

    moves: dict[int, int] = field(default_factory=dict[int, int])

    def note(self, shown: Shown) -> None:
        for to in ids(shown):
            if (number := _moves(to)) is not None and number > self.moves.get(to.table, 0):
                self.moves[to.table] = number


def ids(shown: Shown) -> list[Id]:
    """The meanings of a message's controls."""
    return [to for part in shown.controls if (to := read_id(part["custom_id"]))]


def _moves(to: Id) -> int | None:
    """How many moves had been made at least when this control was drawn; None if it does not tell."""
    return (
        int(to.view_version.split(".")[0])
        if to.view_version and (to.intent.startswith("g.") or to.intent == "undo")
        else None
    )


def acknowledges(pressed: Id, shown: Shown) -> bool:
    """Whether this screen, with which a press was answered, tells that the press made a move.

    It does if the screen is one of the match, has no remark about the press, and offers something else than what was
    decided. Some answers that do are left out, so that none is taken for one that does not.
    """
    texts = [str(part.get("content", "")) for part in walk(shown.components)]
    if any(text.startswith(REMARKS) for text in texts):
        return False
    controls = [to for to in ids(shown) if to.table == pressed.table]
    if not controls or any(to.intent == "change-answer" for to in controls):
        return False
    offered = [_moves(to) or 0 for to in controls if to.intent.startswith("g.")]
    return not offered or min(offered) > (_moves(pressed) or 0)


class ProofDiscord(BusyDiscord):
    """A Discord that several processes are connected to at once."""

    def __init__(self, plan: Plan, servers: set[int]) -> None:
        super().__init__(ANSWERS_IN)
        self._ids = FIRST_MESSAGE
        self._plan = plan
        self.guilds = servers
        self.tells_of_guilds = True
        self.shards, self.concurrency = plan.shards, plan.concurrency
        self.keeps_identify_limit = True
        self.patience = ANSWERED_WITHIN
        self.presses: list[Press] = []
        self.received = ShownMoves()
        self.results: dict[int, dict[int, Shown]] = {}
        """By table, the messages that have told how its match ended, also those that were deleted, by their ids."""
        self.commands: list[tuple[str, list[str]]] = []
        """Each registration of commands: the process that made it, and the commands' names."""
        self._nonces: dict[tuple[int, str], tuple[float, int]] = {}
        """By channel and nonce: when the message was posted, and its id."""
        self.sent: list[float] = []
        """When the requests were sent that count. If this program is late, those of seconds come within one."""

    async def person_presses(
        self, shown: Shown, control: Component, chosen: list[str] | None, *, user: int, guild: int
    ) -> tuple[Press, Answer]:
        answer = await self.use_control(shown, control, chosen, user=user, guild=guild)
        made, to = answer.interaction, read_id(control["custom_id"])
        assert made is not None
        assert to is not None
        shard = (guild >> 22) % self._plan.shards
        received = tuple(session.process for session in made.receivers)
        press = Press(made.id, made.at, shard, to.table, to.intent, received, made)
        self.presses.append(press)
        return press, answer

    def forget_tokens(self) -> None:
        """Forgets the interactions whose tokens Discord would take no more."""
        now = asyncio.get_running_loop().time()
        for token, made in list(self.interactions.items()):
            if now - made.at < TOKENS_LIVE:
                break
            del self.interactions[token], self._answers[token]

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if counts(request) and SENT in request.headers:  # a test may make one that is none of the bot's
            self.sent.append(float(request.headers[SENT]))
        return await super()._answer(request)

    def busiest(self, seconds: float) -> int:
        """The most requests that count, and that were sent within so many seconds."""
        most, first, sent = 0, 0, sorted(self.sent)
        for last, at in enumerate(sent):
            while sent[first] <= at - seconds:
                first += 1
            most = max(most, last - first + 1)
        return most

    def _take(self, method: str, parts: list[str], body: Any, process: str) -> Any:
        match parts:
            case ["channels", channel, "messages"] if method == "GET":
                there = self.channels.get(int(channel), {})
                return [self._as_posted(there[number]) for number in sorted(there, reverse=True)]
            case ["channels", channel, "messages"] if method == "POST" and body.get("enforce_nonce"):
                return self._post_once(int(channel), body["nonce"], parts, body, process)
            case [*_, "commands"] if method == "PUT":
                self.commands.append((process, [command["name"] for command in body]))
        return super()._take(method, parts, body, process)

    def _post_once(self, channel: int, nonce: str, parts: list[str], body: Any, process: str) -> Any:
        """Posts a message, unless one with this nonce stands there already."""
        now = asyncio.get_running_loop().time()
        at, number = self._nonces.get((channel, nonce), (now, 0))
        earlier = self.channels.get(channel, {}).get(number)
        if earlier is not None and now - at < NONCES_LIVE:
            return self._as_posted(earlier)
        posted = super()._take("POST", parts, body, process)
        self._nonces[channel, nonce] = now, int(posted["id"])
        return posted

    def _as_posted(self, shown: Shown) -> Any:
        return self._with_files(shown.channel, shown.id, {}) | {"components": shown.components}

    def _show(self, shown: Shown) -> None:
        self.received.note(shown)
        for to in ids(shown):
            if to.intent == "again":
                self.results.setdefault(to.table, {})[shown.id] = shown
        super()._show(shown)

    def _sent(self, answer: Answer, number: int, flags: int, data: Any) -> None:
        self.received.note(Shown(number, answer.channel, data.get("components", []), flags))
        super()._sent(answer, number, flags, data)
