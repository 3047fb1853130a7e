"""A Discord on loopback, as slow and as strict as the real one, and people in it who press."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from tests.bot.fake_discord import FakeDiscord, Interaction, path_of

ANSWERS_IN: Final = 0.1
"""Seconds that Discord takes for a request: what one sees from a European machine on an ordinary day."""
ALL_TOGETHER: Final = 50
"""Requests a second, all channels together; more are refused. Requests by an interaction's token are not counted."""
A_CHANNEL: Final = 5
"""Requests of one kind in one channel in `WINDOW` seconds."""
WINDOW: Final = 5.0
PRIVATE: Final = 64
"""The flag of a message that one person sees."""
ALL_PERMISSIONS: Final = (1 << 50) - 1

COMMAND, PRESS = 2, 3
NEW, NEW_LATER, CHANGED = 4, 5, 7
"""How an interaction is answered: with a message, now or later, or by changing the one that was pressed."""
BUTTON, MENU = 2, 3

IN_PLACE: Final = ("join", "leave-lobby", "start")
"""The presses that the pressed message itself answers. Another press on a public message is answered by a private one.
"""

Component = dict[str, Any]


@dataclass
class Shown:
    """A message as it was last sent: where it stands and what can be pressed on it."""

    id: int
    channel: int
    components: list[Component]
    flags: int = 0

    @property
    def controls(self) -> list[Component]:
        """Its buttons and menus that can be used."""
        return [part for part in walk(self.components) if "custom_id" in part and not part.get("disabled")]

    def control(self, intent: str) -> Component | None:
        """The control that means this, whatever else its custom_id says."""
        found = (part for part in self.controls if part["custom_id"].split(":")[2] == intent)
        return next(found, None)


@dataclass
class Answer:
    """The result of an interaction: the screen that answered it, and when (on the loop's clock)."""

    channel: int
    user: int
    pressed: Shown | None
    asked: float
    shown: asyncio.Future[Shown] = field(default_factory=asyncio.Future[Shown])
    at: float = 0.0
    in_place: bool = False
    """Whether the pressed message answers, although all can see it."""
    original: tuple[int, int] = (0, 0)
    """The id and the flags of the message that its token edits."""
    interaction: Interaction | None = None


def walk(components: list[Component]) -> Iterator[Component]:
    """All components, nested ones too."""
    for part in components:
        yield part
        yield from walk(part.get("components", []))


class BusyDiscord(FakeDiscord):
    """A Discord that keeps its limits and remembers what stands in its channels."""

    def __init__(self, answers_in: float | None = None) -> None:
        super().__init__()
        self._answers_in = ANSWERS_IN if answers_in is None else answers_in
        self.routes: Counter[tuple[bool, str]] = Counter()
        """Requests so far, by whether they count towards the limit of all together, and by route."""
        self._own: dict[tuple[int, int], Shown] = {}
        """By channel and person: the newest message there that this person alone sees."""
        self.channels: dict[int, dict[int, Shown]] = {}
        """By channel, the messages that stand in it, by their ids."""
        self.refused = 0
        """Requests answered with 429."""
        self.counted = 0
        """Requests that count towards the limit of all together."""
        self.bots: list[int] = []
        """The process ids of its bots."""
        self.uploads = 0
        """Files that were sent."""
        self._files: dict[int, list[Component]] = {}
        """By message: the files that it has."""
        self._watched: dict[int, asyncio.Future[None]] = {}
        self._answers: dict[str, Answer] = {}
        self._lately: deque[float] = deque()
        self._buckets: dict[tuple[str, int], deque[float]] = {}

    # -- people

    async def command(
        self, name: str, *, user: int, guild: int, channel: int, game: str = "archaeology", **options: Any
    ) -> Answer:
        """Has a person use one of a game's commands."""
        given = [{"type": 4, "name": key, "value": value} for key, value in options.items()]
        inner = {"type": 1, "name": name, "options": given}
        data = {"id": "1", "name": game, "type": 1, "options": [inner]}
        return await self._interact(COMMAND, data, user=user, guild=guild, channel=channel, pressed=None)

    async def use(self, shown: Shown, intent: str, *, user: int, guild: int) -> Answer:
        """Has a person press a button of a message, or choose the first option of a menu."""
        control = shown.control(intent)
        assert control is not None, f"{intent} among {shown.controls}"
        chosen = [control["options"][0]["value"]] if control["type"] == MENU else None
        return await self.use_control(shown, control, chosen, user=user, guild=guild)

    async def use_control(
        self, shown: Shown, control: Component, chosen: list[str] | None, *, user: int, guild: int
    ) -> Answer:
        """Has a person press this button of a message, or choose these values in this menu."""
        data = {"custom_id": control["custom_id"], "component_type": control["type"]}
        if chosen is not None:
            data["values"] = chosen
        return await self._interact(
            PRESS,
            data,
            user=user,
            guild=guild,
            channel=shown.channel,
            pressed=shown,
            in_place=control["custom_id"].split(":")[2] in IN_PLACE,
        )

    async def _interact(
        self,
        kind: int,
        data: Component,
        *,
        user: int,
        guild: int,
        channel: int,
        pressed: Shown | None,
        in_place: bool = False,
    ) -> Answer:
        answer = Answer(channel, user, pressed, asyncio.get_running_loop().time(), in_place=in_place)
        message = None
        if pressed is not None:
            message = self._message(channel, pressed.id)
            message |= {"components": pressed.components, "flags": pressed.flags}
            message["attachments"] = self._files.get(pressed.id, [])
            answer.pressed = Shown(
                pressed.id, channel, [], pressed.flags
            )  # thousands of presses are remembered
        # Known before it is delivered: the bot may answer at once.
        self._answers[f"token{self._ids + 1}"] = answer
        number = await self.interact(
            kind, data, user=user, channel=channel, guild=guild, message=message, permissions=ALL_PERMISSIONS
        )
        answer.interaction = self.interactions[f"token{number}"]
        return answer

    def standing(self, channel: int, intent: str) -> Shown | None:
        """The newest message of a channel on which this can be pressed."""
        shown = self.channels.get(channel, {})
        return next((shown[key] for key in sorted(shown, reverse=True) if shown[key].control(intent)), None)

    def own_screen(self, channel: int, user: int) -> Shown | None:
        """The newest message of a channel that this person alone sees, as it looks now."""
        return self._own.get((channel, user))

    async def stands(self, channel: int, intent: str, *, after: int = 0) -> Shown:
        """Waits until a message of a channel can be pressed so; one that is newer than `after`."""
        while True:
            shown = self.standing(channel, intent)
            if shown is not None and shown.id > after:
                return shown
            await self.changed(channel)

    async def changed(self, channel: int) -> None:
        """Waits until a message of a channel is posted or edited."""
        await asyncio.shield(self._watched.setdefault(channel, asyncio.get_running_loop().create_future()))

    # -- the interface

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        data = await request.read()
        parts = path_of(request).strip("/").split("/")
        self.routes[counts(request), _route(request.method, parts)] += 1
        if counts(request):
            refusal = self._over_the_limit()
            if refusal is not None:
                return refusal
        await asyncio.sleep(self._answers_in)
        process = request.match_info.get("process", "")
        refused = self.refusal(process, parts)
        if refused is not None:
            return _response(refused[1], {}, refused[0])
        body = _json_of(data, request.content_type)
        headers: dict[str, str] = {}
        if parts[0] == "channels" and len(parts) > 2:
            headers = self._bucket(request.method, int(parts[1]))
        content = self._take(request.method, parts, body, process)
        return _response(content, headers)

    def _over_the_limit(self) -> web.StreamResponse | None:
        now = asyncio.get_running_loop().time()
        while self._lately and self._lately[0] <= now - 1:
            self._lately.popleft()
        if len(self._lately) >= ALL_TOGETHER:
            self.refused += 1
            wait = self._lately[0] + 1 - now
            content = {"message": "You are being rate limited.", "retry_after": wait, "global": True}
            headers = {"Via": "1.1 loopback", "X-RateLimit-Global": "true", "Retry-After": f"{wait:.3f}"}
            return _response(content, headers, 429)
        self._lately.append(now)
        self.counted += 1
        return None

    def _bucket(self, method: str, channel: int) -> dict[str, str]:
        """The headers by which discord.py knows how much a channel takes."""
        now = asyncio.get_running_loop().time()
        made = self._buckets.setdefault((method, channel), deque())
        while made and made[0] <= now - WINDOW:
            made.popleft()
        made.append(now)
        return {
            "X-RateLimit-Bucket": method.lower(),
            "X-RateLimit-Limit": str(A_CHANNEL),
            "X-RateLimit-Remaining": str(max(0, A_CHANNEL - len(made))),
            "X-RateLimit-Reset-After": f"{made[0] + WINDOW - now:.3f}",
        }

    def _take(self, method: str, parts: list[str], body: Any, process: str) -> Any:
        match parts:
            case ["interactions", _id, token, "callback"]:
                return self._called_back(token, body)
            case ["webhooks", _bot, token, *rest]:
                return self._followed_up(method, token, rest, body)
            case ["channels", channel, "messages", message] if method == "DELETE":
                self.channels.get(int(channel), {}).pop(int(message), None)
                return {}
            case ["channels", channel, "messages", *rest] if method in ("POST", "PATCH"):
                number = int(rest[0]) if rest else self._next()
                self._show(Shown(number, int(channel), body.get("components", [])))
                return self._with_files(int(channel), number, body)
            case _:
                return self._content(method, "/" + "/".join(parts), process)

    def _called_back(self, token: str, body: Any) -> Any:
        answer, data = self._answers[token], body.get("data") or {}
        if body["type"] in (NEW, NEW_LATER):
            answer.original = self._next(), data.get("flags", 0)
        else:
            assert answer.pressed is not None
            answer.original = answer.pressed.id, answer.pressed.flags
        if body["type"] in (NEW, CHANGED):
            self._sent(answer, *answer.original, data)
        message = self._with_files(answer.channel, answer.original[0], data)
        made: dict[str, Any] = {"interaction": {"id": token.removeprefix("token"), "type": 3}}
        made["interaction"]["response_message_id"] = message["id"]
        return made | {"resource": {"type": body["type"], "message": message}}

    def _followed_up(self, method: str, token: str, rest: list[str], body: Any) -> Any:
        answer = self._answers[token]
        number, flags = answer.original
        if method == "POST":
            number, flags = self._next(), body.get("flags", 0)
        elif rest[-1] != "@original":
            number, flags = int(rest[-1]), 0 if int(rest[-1]) in self.channels[answer.channel] else PRIVATE
        if method == "DELETE":
            self.channels.get(answer.channel, {}).pop(number, None)
            return {}
        self._sent(answer, number, flags, body)
        return self._with_files(answer.channel, number, body)

    def _sent(self, answer: Answer, number: int, flags: int, data: Any) -> None:
        """A message was sent or changed through a token. A press is answered by the first message that was not pressed,
        or else by a change of the one that they pressed.
        """
        shown = Shown(number, answer.channel, data.get("components", []), flags)
        if not flags & PRIVATE:
            self._show(shown)
        elif (older := self.own_screen(answer.channel, answer.user)) is None or older.id <= number:
            self._own[answer.channel, answer.user] = shown
        pressed = answer.pressed
        if (
            pressed is not None
            and number == pressed.id
            and not pressed.flags & PRIVATE
            and not answer.in_place
        ):
            return
        if not answer.shown.done():
            answer.at = asyncio.get_running_loop().time()
            answer.shown.set_result(shown)

    def _with_files(self, channel: int, number: int, data: Any) -> dict[str, Any]:
        """The message as Discord describes it, with the files that it has after a request."""
        if "attachments" in data:
            kept = {each["id"]: each for each in self._files.get(number, ())}
            self._files[number] = [
                kept.get(str(each["id"])) or self._new_file(each) for each in data["attachments"]
            ]
        says = {"attachments": self._files.get(number, []), "components": data.get("components", [])}
        return self._message(channel, number) | says

    def _new_file(self, described: Component) -> Component:
        self.uploads += 1
        made, name = str(self._next()), described["filename"]
        where = f"https://cdn.invalid/{made}/{name}"
        return {"id": made, "filename": name, "size": 1, "url": where, "proxy_url": where}

    def _show(self, shown: Shown) -> None:
        self.channels.setdefault(shown.channel, {})[shown.id] = shown
        watched = self._watched.pop(shown.channel, None)
        if watched is not None:
            watched.set_result(None)


def mentions(shown: Shown, user: int) -> bool:
    """Whether a message names this person so that it may ring for them."""
    return any(f"<@{user}>" in part.get("content", "") for part in walk(shown.components))


def counts(request: web.Request) -> bool:
    """Whether a request counts towards Discord's limit."""
    return not path_of(request).startswith(("/interactions/", "/webhooks/"))


def _route(method: str, parts: list[str]) -> str:
    """A request in words, without ids and tokens."""
    match parts:
        case ["interactions", *_]:
            return "answer a press"
        case ["webhooks", _bot, _token, *rest]:
            what = "the original" if rest[-1:] == ["@original"] else "what was posted so"
            return {"POST": "post", "PATCH": f"edit {what}", "DELETE": f"delete {what}"}[
                method
            ] + ", by token"
        case ["channels", _channel, "messages", *rest]:
            return {"POST": "post", "PATCH": "edit", "DELETE": "delete", "GET": "read"}[method] + " a message"
        case _:
            return f"{method} {parts[0]}"


def _response(content: Any, headers: dict[str, str], status: int = 200) -> web.Response:
    # Not `json_response`: discord.py does not know the content type with its character set.
    body = json.dumps(content).encode()
    return web.Response(body=body, content_type="application/json", headers=headers, status=status)


def _json_of(data: bytes, kind: str) -> Any:
    if kind.startswith("multipart/"):  # a message with files, which come after its JSON
        text = data.decode("utf-8", "replace")
        return json.JSONDecoder().raw_decode(text[text.index("{") :])[0]
    return json.loads(data) if data else None
