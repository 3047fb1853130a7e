"""What the playground changes inside SimCord. No other module touches what SimCord keeps private.

SimCord's Preview is made for looking at one short scene. With several people, a bot that acts by itself, and a long
evening of play, it has these limits, for which this module makes up:

- *Only one thing may happen at a time.* While the bot is still at something, a press fails for good ("outcome
  uncertain"). Here, presses and refreshes take turns.
- *A press is refused if its page has been published anew* since the person saw it, which happens whenever an agent
  moves. And if the message has changed but has not been published yet, the press hits whatever now stands in that
  place. Here, a press counts for the control that the person saw, wherever in its message that now stands. If it has
  gone meanwhile, the bot gets the press all the same and explains that in its own words.
- *What was chosen in a menu stays ticked in whatever menu takes its place*, and choosing it there does nothing, so that
  nobody could sell two cards of a kind one after the other. Here, a menu that has changed begins without ticks.
- *Publishing takes longer the longer the channel is*, mostly because the same Markdown parser is built again and again.
  Here, parsers are kept, and the list of messages covers only the newest ones.
- *Everything is remembered*: each request, each event, and each picture that was ever sent. Here, they are cleared.
- *The application's emoji have no pictures*, and a text shows one only under its whole name, although Discord goes by
  its id. Here, pages show them as Discord does.

SimCord has no public switches for this, so its version is pinned. If a newer version breaks this module, the tests of
the playground fail.
"""
# pyright: reportPrivateUsage=false, reportPrivateImportUsage=false

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any, cast

import simcord
from PIL import Image
from simcord.actors import _component_interaction
from simcord.backend.cdn import CDN_BASE
from simcord.enums import ComponentType
from simcord.http import router
from simcord.preview import _markdown, _messages, _queries, _snapshot
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._component_projection import _known_emoji
from simcord.preview._media import MediaInfo, _process_media

Controls = Mapping[str, str]
Menu = tuple[str, tuple[str, ...]]
"""A menu's custom_id, and the values that the bot shows as chosen in it."""

# How many publications of a page are remembered. A person presses what was drawn about half a second ago.
REMEMBERED = 64
# How many of the newest messages the list beside the channel, and the search in it, cover.
LISTED = 60
# Seconds for which closing waits for presses that are being answered; aiohttp would wait for a minute.
CLOSE_SECONDS = 1.0
ATTACHMENTS = f"{CDN_BASE}/attachments/"
EMOJI_IN_TEXT = re.compile(r"<(a?):(\w{2,32}):(\d{1,20})>")
LATE = "late_custom_id"
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
    """A Preview that several people use at once while the bot also acts by itself."""

    def __init__(self, preview: simcord.Preview, catch_up: Callable[[], Awaitable[None]]) -> None:
        """Take over `preview`, which must be open. `catch_up` is called before each press and each refresh."""
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
        # Preview calls these methods on its instance, so replacing them there is enough.
        vars(preview).update(
            _action=self._act_in_turn,
            _prepare_action=self._prepare_even_late,
            _publish=self._publish_and_remember,
            _authorize_asset=_published_asset,
            _reconcile_assets=self._drop_older_pictures,
        )
        preview._server.runner._shutdown_timeout = CLOSE_SECONDS
        vars(preview)["_media_worker"] = self._pictures = OwnPictures()
        # Preview also publishes a page for Python code, which nobody looks at; this layout makes that cheap.
        if preview._python is not None:
            preview._python.layout = "message"

    async def refresh(self) -> None:
        """Publish every page anew as soon as nothing else is happening."""
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
        # If the bot is stuck, Preview finds out next and tells the page. An error raised here would leave the page
        # hanging.
        with suppress(TimeoutError):
            await self._catch_up()

    def _publish_and_remember(self, page: Any, **options: Any) -> None:
        self._publish(page, **options)
        self._size_pictures(page)
        self._renew_menus(page)
        shown = self._shown.setdefault(page.id, deque(maxlen=REMEMBERED))
        controls = dict(_controls(page.snapshot))
        # Most publications change no control, so they share one mapping.
        same = bool(shown) and shown[-1][1] == controls
        shown.append((page.revision, shown[-1][1] if same else controls))

    def _renew_menus(self, page: Any) -> None:
        """Give a menu a new key if it has changed or the bot has set its ticks, because pages keep ticks by the key."""
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
        """Tell the page how large its new pictures are, so that it leaves room for them until they have loaded."""
        for picture in page.assets.values():
            blob = self._preview._blobs.get(picture.digest)
            if blob is not None and not picture.validated and picture.contentType.startswith("image/"):
                with suppress(OSError), Image.open(BytesIO(blob.data)) as image:
                    picture.width, picture.height = image.size
                    picture.validated = True
                    self._pictures.prepare(picture.digest, blob.data)

    def _drop_older_pictures(self, page: Any) -> None:
        """Keep the pictures of the previous publication too, because the page may be loading them just now."""
        referenced = set(page.referenced_assets)
        page.referenced_assets |= self._pictured.get(page.id, set())
        self._drop_pictures(page)
        self._pictured[page.id] = referenced

    def _as_seen(self, page_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The same action, translated to the page as it is now. One that is too old stays as it is, and is refused."""
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
            place = _place_now(key, then[key], self._live_controls(key))
            current |= {"control_key": place} if place else {LATE: then[key]}
        return current

    def _live_controls(self, key: str) -> Controls:
        """The controls that the message with `key` has now, even if the pages do not show them yet."""
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

    def _prepare_even_late(self, page: Any, kind: str, body: Mapping[str, Any]) -> Any:
        """Preview's own plan for an action; for a press on a control that has gone, a plan that tells the bot of it."""
        if LATE not in body:
            return self._prepare(page, kind, body)
        preview = self._preview
        preview._require_current_history(page)
        message = preview._target_message(page, preview._target_id(body.get("target_id"), page.viewer))
        data: dict[str, Any] = {"custom_id": body[LATE], "component_type": ComponentType.BUTTON}
        if kind == "select":
            values = [str(value) for value in body["values"]]
            data |= {"component_type": ComponentType.STRING_SELECT, "values": values}

        async def press(action: Any, cursor: int) -> dict[str, Any]:
            pressed = _component_interaction(page.viewer, message, data)
            return await preview._run_interaction_action(page, action, cursor, pressed)

        return press


class OwnPictures:
    """Prepares pictures before the pages ask for them, in place of Preview's `MediaWorker`.

    `MediaWorker` starts a process for each picture and page, because a picture may be hostile. Here, all pictures are
    the bot's own.
    """

    def __init__(self) -> None:
        self._prepared: dict[str, asyncio.Task[MediaInfo]] = {}

    def prepare(self, digest: str, blob: bytes, media_time: float | None = None) -> asyncio.Task[MediaInfo]:
        """Make the version of a picture that pages show, unless there is one already."""
        if digest not in self._prepared:
            self._prepared[digest] = asyncio.create_task(asyncio.to_thread(_process_media, blob, media_time))
        return self._prepared[digest]

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """The version of the picture that pages show. Raises MediaError if it is not a picture."""
        return await asyncio.shield(self.prepare(key, blob, media_time))

    def release(self, key: str) -> None:
        """Forget a picture that no page shows any more."""
        self._prepared.pop(key, None)

    async def close(self) -> None:
        self._prepared.clear()


def add_to_pages(preview: simcord.Preview) -> None:
    """Extend Preview's pages. To be called before `preview` is opened.

    The pages leave room for a picture before it has loaded, because otherwise the board would jump at each move. And a
    link to a message leads to that message on the page, as in Discord, because there is no discord.com here.
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
    """The picture that a page shows. It stays available until the page shows another one.

    Preview itself would withdraw it as soon as the bot edits the message. That is before the page is published anew, so
    that at each move the board would stand there without its picture for a moment.
    """
    picture = page.assets.get(asset_id)
    if picture is None or (content and not picture.available):
        raise simcord.SetupError("asset is unavailable")
    return picture


def _controls(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What can be pressed on a page, as pairs of a control's key and its custom_id."""
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


def _place_now(key: str, custom_id: str, now: Controls) -> str | None:
    """The present key of the control that had `key`; None if it has gone. Keys number the places in a message."""
    if now.get(key) == custom_id:
        return key
    return next((place for place, other in now.items() if other == custom_id), None)


@contextmanager
def quick_publishing() -> Generator[None]:
    """A context in which publications stay quick however long the channel gets."""
    make_parser, list_messages = _markdown._markdown_parser, _snapshot._message_navigation
    parsers: dict[tuple[int, str], Any] = {}

    def parser(policy: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
        # The policies live as long as their module, so their ids can serve as keys.
        key = (id(policy), json.dumps(context, sort_keys=True, default=repr))
        if key not in parsers:
            if len(parsers) >= 256:
                parsers.clear()
            parsers[key] = make_parser(policy, context)
        return parsers[key]

    def newest_messages(preview: Any, page: Any, visible: list[Any]) -> Any:
        return list_messages(preview, page, visible[-LISTED:])

    _markdown._markdown_parser, _snapshot._message_navigation = parser, newest_messages
    try:
        yield
    finally:
        _markdown._markdown_parser, _snapshot._message_navigation = make_parser, list_messages


@contextmanager
def emoji_as_on_discord() -> Generator[None]:
    """A context in which pages show the application's emoji that are uploaded, under whatever name a text has them."""
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


def events_since_last_asked(env: simcord.Env) -> int:
    """How many requests and events there were since the last call. Deletes their records, which nobody reads."""
    count = len(env.backend.transcript)
    env.backend.transcript.clear()
    env.http_requests.clear()
    return count


def forget_old_pictures(env: simcord.Env) -> None:
    """Delete the attachments that no message has any more. Each new picture of a board leaves the old one behind."""
    messages = (message for channel in env.backend.messages.values() for message in channel.values())
    wanted = {attachment["url"] for message in messages for attachment in message.attachments}
    blobs = env.backend.cdn._blobs
    for url in [url for url in blobs if url.startswith(ATTACHMENTS) and url not in wanted]:
        del blobs[url]


def name_bot(env: simcord.Env, name: str, avatar: str) -> None:
    """Give the bot its name and picture. To be called before the bot starts, so that it never has another."""
    env.backend.bot_user.name = name
    env.backend.bot_user.avatar = avatar


def avatar_url(user_id: int, avatar: str) -> str:
    """Where Preview looks for a person's picture."""
    return f"{CDN_BASE}/avatars/{user_id}/{avatar}.png"
