"""Patches of SimCord for the playground. No other module uses SimCord's private parts.

SimCord's Preview is made for one short scene. With several people, a bot that acts by itself, and long sessions, it has
these limits:

- *One action at a time.* While the bot is busy, a press fails for good ("outcome uncertain"). Patched: presses and
  refreshes are serialised.
- *A press is refused if its page was published again* since the person saw it, as after each move of an agent. If the
  message has changed but was not published yet, the press goes to the control that is now in the same position.
  Patched: a press goes to the control that the person saw, also in a new position; if the control is gone, the bot gets
  the press all the same and explains.
- *A new menu gets the ticks of the menu that it replaces*, and choosing the same option again does nothing, so that two
  cards of a kind cannot be sold in a row. Patched: a changed menu starts without ticks.
- *Publishing slows down as the channel grows*, mostly because the Markdown parser is rebuilt. Patched: parsers are
  cached, and the list of messages has the newest messages only.
- *Requests, events and pictures are never deleted.* Patched: old ones are deleted.
- *The application's emoji have no pictures*, and a text shows an emoji under its full name only, although Discord
  identifies it by its id. Patched: pages show emoji as Discord does.
- *A press waits for all that it began*, such as a film or a review, and is "uncertain" after five seconds. Patched:
  a press is over when the bot has answered it, and the pages follow what comes later.
- *All interactions are in English.* Patched: those of some people have another language.

Not patched: pages show one channel. A thread is a line below its message, and what is in it cannot be seen.

SimCord has no public options for these changes, so its version is pinned. The playground's tests fail if a newer
version breaks this module.
"""
# pyright: reportPrivateUsage=false, reportPrivateImportUsage=false

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any, cast

import simcord
from PIL import Image
from simcord import interactions
from simcord._runtime import _BOT_SCOPE
from simcord.actors import _component_interaction
from simcord.backend.cdn import CDN_BASE
from simcord.enums import ComponentType
from simcord.http import router
from simcord.preview import _markdown, _messages, _queries, _snapshot
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._component_projection import _known_emoji
from simcord.preview._media import MediaInfo, _process_media

from bot.background import Background
from bot.playground.timing import PLAYGROUND

Controls = Mapping[str, str]
Menu = tuple[str, tuple[str, ...]]
"""A menu's custom_id and its default values."""

ATTACHMENTS = f"{CDN_BASE}/attachments/"
EMOJI_IN_TEXT = re.compile(r"<(a?):(\w{2,32}):(\d{1,20})>")
GONE_CONTROL = "late_custom_id"
PLACE_OF_PICTURES = """
.gallery-item .media-lightbox-trigger { width: 100%; }
/* As in Discord, a small picture stands beside its text on phones too. */
.component-section { grid-template-columns: minmax(0, 1fr) 84px !important; }
"""
LINKS_TO_MESSAGES = """
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="https://discord.com/channels/"]');
  if (!link) return;
  event.preventDefault();
  const id = link.href.split("/").pop();
  const message = document.querySelector(`.channel-message[data-message-id="${CSS.escape(id)}"]`);
  if (message) {
    message.scrollIntoView();
  } else {
    ui.exactId.value = id;
    ui.exactForm.requestSubmit();
  }
}, true);
"""
ADDITIONS = {"/preview.css": PLACE_OF_PICTURES, "/app.js": LINKS_TO_MESSAGES}


class SharedPreview:
    """A Preview for several people and a bot that acts by itself."""

    def __init__(self, preview: simcord.Preview, catch_up: Callable[[], Awaitable[None]]) -> None:
        """Patches `preview`, which must be open. `catch_up` is called before each press and each refresh."""
        self._preview = preview
        self._catch_up = catch_up
        self._turn = asyncio.Lock()
        self._shown: dict[str, deque[tuple[int, Controls]]] = {}
        self._pictured: dict[str, set[str]] = {}
        self._menus: dict[str, dict[str, tuple[Menu, int]]] = {}
        self._act = preview._action
        self._prepare = preview._prepare_action
        self._publish = preview._publish
        self._drop_pictures = preview._reconcile_assets
        # Replaces methods of the instance `preview`, which Preview calls.
        vars(preview).update(
            _action=self._act_in_turn,
            _prepare_action=self._prepare_gone_control,
            _publish=self._publish_and_remember,
            _authorize_asset=_published_asset,
            _reconcile_assets=self._drop_older_pictures,
        )
        preview._server.runner._shutdown_timeout = PLAYGROUND.server_ends
        vars(preview)["_media_worker"] = self._pictures = PicturePreparer()
        # Preview also publishes an unused page for Python code; this layout is the cheapest one to publish.
        if preview._python is not None:
            preview._python.layout = "message"

    async def refresh(self) -> None:
        """Publishes every page again, after any running action."""
        async with self._turn:
            if self._preview._closed:
                return
            await self._now()
            await self._preview.refresh()
        for gone in self._shown.keys() - self._preview._pages.keys():
            del self._shown[gone]
            self._pictured.pop(gone, None)
            self._menus.pop(gone, None)

    async def _act_in_turn(self, page_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            await self._now()
            return await self._act(page_id, self._as_seen(page_id, body))

    async def _now(self) -> None:
        # If the bot is stuck, Preview shows an error on the page. An error raised here would leave the page hanging.
        with suppress(TimeoutError):
            await self._catch_up()

    def _publish_and_remember(self, page: Any, **options: Any) -> None:
        self._publish(page, **options)
        self._size_pictures(page)
        self._renew_menus(page)
        shown = self._shown.setdefault(page.id, deque(maxlen=PLAYGROUND.publications))
        controls = dict(_controls(page.snapshot))
        # Publications without a changed control share one mapping.
        same = bool(shown) and shown[-1][1] == controls
        shown.append((page.revision, shown[-1][1] if same else controls))

    def _renew_menus(self, page: Any) -> None:
        """Changes a menu's key if the menu or its defaults have changed, because pages store ticks by key."""
        known = self._menus.setdefault(page.id, {})
        for component in _components(page.snapshot):
            if component.get("type") != ComponentType.STRING_SELECT or "control_key" not in component:
                continue
            key = component["control_key"]
            ticked = tuple(option["value"] for option in component["options"] if option.get("default"))
            menu = (str(component.get("custom_id")), ticked)
            before, number = known.get(key, (menu, 0))
            known[key] = (menu, number + (menu != before))
            component["control_key"] = f"{key}:{known[key][1]}"

    def _size_pictures(self, page: Any) -> None:
        """Sets the sizes of new pictures, so that the page reserves room before they load."""
        for picture in page.assets.values():
            blob = self._preview._blobs.get(picture.digest)
            if blob is not None and not picture.validated and picture.contentType.startswith("image/"):
                with suppress(OSError), Image.open(BytesIO(blob.data)) as image:
                    picture.width, picture.height = image.size
                    picture.validated = True
                    self._pictures.prepare(picture.digest, blob.data)

    def _drop_older_pictures(self, page: Any) -> None:
        """Drops pictures, except those of the previous publication, because the page may be loading them."""
        referenced = set(page.referenced_assets)
        page.referenced_assets |= self._pictured.get(page.id, set())
        self._drop_pictures(page)
        self._pictured[page.id] = referenced

    def _as_seen(self, page_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The action, translated to the page's present state. An action that is too old is returned unchanged, and is
        then refused.
        """
        shown = self._shown.get(page_id or "", deque())
        seen = body.get("published_revision")
        then = next((controls for revision, controls in shown if revision == seen), None)
        if then is None:
            return body
        current = {**body, "published_revision": shown[-1][0]}
        if body.get("kind") in ("click", "select"):
            key = str(body.get("control_key"))
            if key not in then:
                return body
            place = _present_key(key, then[key], self._live_controls(key))
            current |= {"control_key": place} if place else {GONE_CONTROL: then[key]}
        return current

    def _live_controls(self, key: str) -> Controls:
        """The present controls of the message with `key`, published or not."""
        message_id = int(key.split(":")[1])
        channel = self._preview.env.backend.messages.get(self._preview.channel.id, {})
        message = channel.get(message_id)
        paths = (
            path
            for index, root in enumerate(message.components if message else [])
            for path in _component_paths(root, str(index))
        )
        keys = ((_component_key(part, path, message_id), part.get("custom_id")) for path, part in paths)
        return {key: custom_id for key, custom_id in keys if key and custom_id}

    def _prepare_gone_control(self, page: Any, kind: str, body: Mapping[str, Any]) -> Any:
        """Preview's plan for an action; if the pressed control is gone, a plan that sends the press to the bot."""
        if GONE_CONTROL not in body:
            return self._prepare(page, kind, body)
        preview = self._preview
        preview._require_current_history(page)
        message = preview._target_message(page, preview._target_id(body.get("target_id"), page.viewer))
        data: dict[str, Any] = {"custom_id": body[GONE_CONTROL], "component_type": ComponentType.BUTTON}
        if kind == "select":
            values = [str(value) for value in body["values"]]
            data |= {"component_type": ComponentType.STRING_SELECT, "values": values}

        async def press(action: Any, cursor: int) -> dict[str, Any]:
            pressed = _component_interaction(page.viewer, message, data)
            return await preview._run_interaction_action(page, action, cursor, pressed)

        return press


class PicturePreparer:
    """Prepares pictures before the pages request them, in place of Preview's `MediaWorker`.

    `MediaWorker` starts a process per picture and page, because a picture may be hostile. In the playground, all
    pictures are the bot's.
    """

    def __init__(self) -> None:
        self._prepared: dict[str, asyncio.Task[MediaInfo]] = {}

    def prepare(self, digest: str, blob: bytes, media_time: float | None = None) -> asyncio.Task[MediaInfo]:
        """Starts making the page's version of a picture, unless it was started before; returns the task."""
        if digest not in self._prepared:
            self._prepared[digest] = asyncio.create_task(asyncio.to_thread(_process_media, blob, media_time))
        return self._prepared[digest]

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """The page's version of the picture. Raises MediaError if it is not a picture."""
        return await asyncio.shield(self.prepare(key, blob, media_time))

    def release(self, key: str) -> None:
        """Deletes a picture that no page shows."""
        self._prepared.pop(key, None)

    async def close(self) -> None:
        self._prepared.clear()


def add_to_pages(preview: simcord.Preview) -> None:
    """Extends Preview's pages. Call before `preview` is opened.

    The pages reserve room for pictures, so that the board does not jump at each move; and a link to a message leads to
    that message on the page.
    """
    server = preview._server
    serve = server._static

    async def serve_more(request: Any) -> Any:
        answer = await serve(request)
        if request.path in ADDITIONS:
            answer.text += ADDITIONS[request.path]
        return answer

    vars(server)["_static"] = serve_more


def _published_asset(page: Any, asset_id: str, *, content: bool = True) -> Any:
    """The picture that a page shows, until the page shows another one.

    Preview would withdraw the picture as soon as the bot edits the message, before the page is published again, so the
    board would flicker at each move.
    """
    picture = page.assets.get(asset_id)
    if picture is None or (content and not picture.available):
        raise simcord.SetupError("asset is unavailable")
    return picture


def _controls(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The controls of a page, as pairs of key and custom_id."""
    for component in _components(snapshot):
        if "control_key" in component and "custom_id" in component:
            yield component["control_key"], component["custom_id"]


def _components(snapshot: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All components of the messages on a page."""
    waiting: list[Any] = [message["components"] for message in snapshot["messages"].values()]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += cast("list[Any]", part)
        elif isinstance(part, dict):
            component = cast("dict[str, Any]", part)
            yield component
            waiting += [component.get(name) for name in ("components", "accessory", "component")]


def _present_key(key: str, custom_id: str, now: Controls) -> str | None:
    """The present key of the control that had `key`; None if the control is gone. A key is a position in a message."""
    if now.get(key) == custom_id:
        return key
    return next((place for place, other in now.items() if other == custom_id), None)


@contextmanager
def quick_publishing() -> Generator[None]:
    """A context in which publishing stays fast in a long channel."""
    make_parser, list_messages = _markdown._markdown_parser, _snapshot._message_navigation
    parsers: dict[tuple[int, str], Any] = {}

    def parser(policy: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
        # The policies exist as long as their module, so their ids are stable.
        key = (id(policy), json.dumps(context, sort_keys=True, default=repr))
        if key not in parsers:
            if len(parsers) >= PLAYGROUND.parsers:
                parsers.clear()
            parsers[key] = make_parser(policy, context)
        return parsers[key]

    def newest_messages(preview: Any, page: Any, visible: list[Any]) -> Any:
        return list_messages(preview, page, visible[-PLAYGROUND.listed :])

    _markdown._markdown_parser, _snapshot._message_navigation = parser, newest_messages
    try:
        yield
    finally:
        _markdown._markdown_parser, _snapshot._message_navigation = make_parser, list_messages


@contextmanager
def emoji_as_on_discord() -> Generator[None]:
    """A context in which pages show the application's uploaded emoji under any name."""
    dispatch, make_context = router.dispatch, _messages._markdown_context

    def keep_picture(backend: Any, method: str, path: str, **options: Any) -> Any:
        answer = dispatch(backend, method, path, **options)
        if method == "POST" and path.endswith("/emojis"):
            picture = b64decode(options["json"]["image"].partition("base64,")[2])
            backend.cdn._blobs[f"{CDN_BASE}/emojis/{answer['id']}.png"] = picture
        return answer

    def context(preview: Any, page: Any, message: Any, channel: Any, *, content: str = "") -> dict[str, Any]:
        made = make_context(preview, page, message, channel, content=content)
        for text in _messages._message_texts(message, content):
            for animated, name, number in EMOJI_IN_TEXT.findall(text):
                if _known_emoji(page, number) is not None:
                    emoji = {"id": number, "name": name, "animated": bool(animated), "custom": True}
                    made["emojis"][number] = emoji
        return made

    users = (_messages, _queries, _snapshot)
    router.dispatch = keep_picture
    for module in users:
        vars(module)["_markdown_context"] = context
    try:
        yield
    finally:
        router.dispatch = dispatch
        for module in users:
            vars(module)["_markdown_context"] = make_context


@contextmanager
def languages_of(locales: Mapping[int, str]) -> Generator[None]:
    """A context in which the interactions of these users have these locales. SimCord's are all in English."""
    base_payload = interactions.base_payload

    def with_locale(*arguments: Any, **options: Any) -> Any:
        record, payload = base_payload(*arguments, **options)
        user = payload["member"]["user"] if "member" in payload else payload["user"]
        payload["locale"] = locales.get(int(user["id"]), payload["locale"])
        return record, payload

    interactions.base_payload = with_locale
    try:
        yield
    finally:
        interactions.base_payload = base_payload


@contextmanager
def apart_from_presses() -> Generator[None]:
    """A context in which SimCord does not wait for the tasks that go on after the answer to a press."""
    start = Background.start

    def start_apart(self: Background, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        scope = _BOT_SCOPE.set(None)
        try:
            return start(self, work, name)
        finally:
            _BOT_SCOPE.reset(scope)

    Background.start = start_apart
    try:
        yield
    finally:
        Background.start = start


def events_since_last_asked(env: simcord.Env) -> int:
    """Returns the number of requests and events since the last call, and deletes their records."""
    count = len(env.backend.transcript)
    env.backend.transcript.clear()
    env.http_requests.clear()
    return count


def forget_old_pictures(env: simcord.Env) -> None:
    """Deletes the attachments that no message has. Each new picture of a board leaves an old attachment behind."""
    messages = (message for channel in env.backend.messages.values() for message in channel.values())
    wanted = {attachment["url"] for message in messages for attachment in message.attachments}
    blobs = env.backend.cdn._blobs
    for url in [url for url in blobs if url.startswith(ATTACHMENTS) and url not in wanted]:
        del blobs[url]


def name_bot(env: simcord.Env, name: str, avatar: str) -> None:
    """Sets the bot's name and picture. Call before the bot starts."""
    env.backend.bot_user.name = name
    env.backend.bot_user.avatar = avatar


def avatar_url(user_id: int, avatar: str) -> str:
    """The address from which Preview loads a person's picture."""
    return f"{CDN_BASE}/avatars/{user_id}/{avatar}.png"
