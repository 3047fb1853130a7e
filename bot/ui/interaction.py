"""One interaction from its arrival to its answer: the person, the press or command, and the delivery in time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import discord
from discord import ui

from bot.gateway.errors import UNDELIVERED as UNDELIVERED  # part of this module's interface
from bot.ui.origin import LanguageOf, Origin
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Screen, ScreenView
from bot.ui.tokens import FirstAnswer, Token, ringing, twice
from bot.ui.uploads import Attachments, Uploads

log = logging.getLogger(__name__)

T = TypeVar("T")

ResponseMode = Literal["update", "ephemeral", "public"]
"""The form of an answer: an edit of the pressed message, a new message for the presser alone, or a new public one.

The first two are for the presser alone. So an edit of a message that others see too becomes a new ephemeral message.
In the bot's direct messages a message for the presser alone is an ordinary one, which stays there.
"""
DeferralMode = Literal["update", "ephemeral"]
"""The form of a deferral. It is never public, because a refusal that follows could then not be hidden."""

UNKNOWN_MESSAGE: Final = 10008
"""Discord's error code for a message that has been deleted."""

OnAccepted = Callable[[Attachments | None], None]
"""To be called once Discord has accepted a change of a message, with the files of the message, if they are known."""
OnDelivered = Callable[[int | None], Awaitable[None]]
"""To be called once an answer is delivered, with the id of the message that shows it."""
EditContext = AbstractAsyncContextManager[OnAccepted]
"""The context in which a message is changed by an answer."""
DEFER_AFTER: Final = 1.5
"""Seconds after which an answer is deferred. Discord gives up on an unanswered interaction after 3 seconds."""
UPLOAD_WITHIN: Final = 2.2
"""Seconds after its arrival within which an interaction is answered with pictures; after them, without. Discord
waits for 3 seconds, and the second try takes time as well."""


@dataclass(slots=True)
class Reply:
    """An answer to an interaction. The presser alone sees `screen`, unless the mode is "public".

    `on_delivered` is called once the answer is delivered, with the id of the message that shows the screen; `lost` is
    called if the answer cannot be delivered. Without a screen, the pressed public message is the answer.

    After a deferral no form can be opened, so a `modal` comes together with a screen that is shown instead if it is too
    late for the form. `game` is the key of the screen's game, if the screen belongs to no table. Discord notifies the
    people whose ids are in `ring` of a public answer, which has to mention them.

    The answer to a press on a public message changes that message, even if a private answer to the presser follows.
    `table` is the message's new view and the context of the change; None leaves the message as it is. The router sets
    it, from what everybody may see, and nothing else in an answer changes a public message.
    """

    screen: Screen | None = None
    mode: ResponseMode = "ephemeral"
    modal: ui.Modal | None = None
    on_delivered: OnDelivered | None = None
    lost: Callable[[], None] | None = None
    ring: Sequence[int] = ()
    table: tuple[ScreenView, EditContext] | None = None
    game: str | None = None
    is_followed: bool = False
    """Whether the screen is brought up to date from then on, as private screens are."""


class Interaction(Origin):
    """An interaction in the form that handlers receive."""

    def __init__(
        self,
        raw: discord.Interaction[Any],
        to: Id,
        language_of: LanguageOf,
        uploads: Uploads,
        values: Sequence[str] = (),
    ) -> None:
        super().__init__(raw, language_of)
        self.to = to
        self.uploads = uploads
        """Sends the files of answers."""
        self.values = list(values)
        self._deferred: DeferralMode | None = None
        self.first = FirstAnswer()
        """The first answer or deferral."""
        self._upload_until: float | None = None
        """Until when the first answer may be sent with its files, on the event loop's clock."""
        self.token: Token | None = None
        """The interaction's token, once it has been answered."""
        self.attachments: Attachments | None = None
        """The files of the message that shows the answer; None as long as they are not known."""
        self._on_answer: Callable[[int | None], None] | None = None

    @property
    def is_deferred(self) -> bool:
        """Whether this process has deferred the answer."""
        return self._deferred is not None

    @property
    def message(self) -> discord.Message | None:
        """The message whose component was pressed."""
        return self.raw.message

    @property
    def inputs(self) -> dict[str, list[str]]:
        """The values in a submitted form by the custom_ids of its inputs, read from the interaction's data alone."""
        data: Mapping[str, Any] = self.raw.data or {}
        return dict(_inputs(data.get("components")))

    @property
    def on_private(self) -> bool:
        """Whether the presser alone sees the pressed message."""
        return self.message is not None and (self.message.flags.ephemeral or self.in_own_dm)

    @property
    def on_public(self) -> bool:
        """Whether others see the pressed message too."""
        return self.message is not None and not self.on_private

    async def serve(
        self,
        answer: Awaitable[Reply],
        mode: DeferralMode,
        on_answer: Callable[[int | None], None] | None = None,
    ) -> None:
        """Delivers the answer. If the answer takes long, first defers it in this mode.

        `on_answer` is called once Discord has accepted the answer, with the id of the message that the token edits.
        """
        self._on_answer = on_answer
        self._upload_until = asyncio.get_running_loop().time() + UPLOAD_WITHIN
        work = asyncio.ensure_future(answer)
        reply: Reply | None = None
        try:
            try:
                await asyncio.wait({work}, timeout=None if self._deferred else DEFER_AFTER)
                if not work.done():
                    await self._defer(mode)
            except asyncio.CancelledError:
                work.cancel()
                raise
            finally:  # even if the deferral fails, the handler runs to its end, and a host that closes waits for it
                reply = await work
            message = await self._deliver(reply)
        except BaseException:
            if reply is not None and reply.lost is not None:
                reply.lost()
            raise
        if reply.on_delivered is not None:
            await reply.on_delivered(message)

    def let_go(self) -> None:
        """Releases the data that only the answer needed, because the token may retain the interaction for minutes."""
        self._on_answer = None
        self.raw.message = None

    def _answered(self, original: int | None) -> None:
        self.first.note_accepted()
        if self._on_answer is not None:
            self._on_answer(original)

    async def _defer(self, mode: DeferralMode) -> None:
        if self.on_public:
            mode = "update"
        elif self.message is None:
            mode = "ephemeral"
        self._deferred = mode
        response = self.raw.response
        if mode == "update":
            await self.first.send(response.defer)
        else:
            await self.first.send(lambda: response.defer(ephemeral=not self.in_own_dm, thinking=True))

    async def _deliver(self, reply: Reply) -> int | None:
        mode = reply.mode
        if mode == "update" and not self.on_private:
            mode = "ephemeral"  # what one person may see takes the place of nothing that others see
        if mode == "public" and not (self.guild_id or self.in_group):
            mode = "ephemeral"  # the bot may post for all on servers and in group DMs alone
        if reply.screen is not None:
            reply.screen.view().private = mode != "public"
        if self._deferred:
            return await self._deliver_late(reply, mode)
        return await self._deliver_first(reply, mode)

    async def _deliver_first(self, reply: Reply, mode: ResponseMode) -> int | None:
        response = self.raw.response
        if (modal := reply.modal) is not None:
            modal.stop()
            await self.first.send(lambda: response.send_modal(modal))
            return None
        if reply.screen is None:
            await self._answer_in_public(reply)
            return None
        view = reply.screen.view()
        if mode == "update":
            assert self.message is not None
            await self._edit_pressed(view)
            self._answered(self.message.id)
            return self.message.id
        if mode == "ephemeral" and self.on_public:
            await self._answer_in_public(reply)
            return await self._follow_up(reply, view)
        if mode == "public" and self.message is not None and self.on_private:
            await self.first.send(response.defer)  # the token can then edit the pressed message too
            self._answered(self.message.id)
            return await self._follow_up(reply, view, ephemeral=False)
        sent = await self._send_first(
            view,
            lambda files: response.send_message(
                view=view,
                ephemeral=mode == "ephemeral" and not self.in_own_dm,
                files=files,
                allowed_mentions=ringing(reply.ring),
            ),
        )
        if sent is None:
            message: int | None = (await self._edit_original(view)).id
        else:
            self.attachments, message = _attachments_of(sent), sent.message_id
        self._answered(message)
        return message

    async def _send_first(
        self,
        view: ScreenView,
        send: Callable[[list[Any]], Awaitable[T]],
        held: Attachments | None = None,
    ) -> T | None:
        """Sends the first answer by `send`, which is given its files. Returns None as `FirstAnswer.send` does."""
        return await self.uploads.send(
            self.channel_id,
            view,
            lambda files: self.first.send(lambda: send(files)),
            held=held,
            until=self._upload_until,
        )

    async def _edit_original(self, view: ScreenView, held: Attachments | None = None) -> discord.Message:
        """Makes the message that answered, or whose button was pressed, show this view."""
        edit = self.raw.edit_original_response
        edited = await self.uploads.send(
            self.channel_id,
            view,
            lambda files: twice(lambda: edit(view=view, attachments=files)),
            held=held,
        )
        self.attachments = edited.attachments
        return edited

    async def _edit_pressed(self, view: ScreenView) -> Attachments | None:
        """Answers by changing the pressed message; returns its new files, None if Discord does not name them."""
        assert self.message is not None
        held = self.message.attachments
        if self._deferred:
            return (await self._edit_original(view, held)).attachments
        edit = self.raw.response.edit_message

        async def send(files: list[Any]) -> Attachments | Literal["unknown"]:
            found = _attachments_of(await edit(view=view, attachments=files))
            kept = [file for file in files if isinstance(file, discord.Attachment)]
            # Discord names the files only where there are new ones.
            return found if found is not None else kept if kept == files else "unknown"

        found = await self._send_first(view, send, held)
        if found is None:
            await self._edit_original(view)
        else:
            self.attachments = None if found == "unknown" else found
        return self.attachments

    async def _answer_in_public(self, reply: Reply) -> None:
        """Answers with the pressed message itself, so that the interaction's token can edit it from now on."""
        assert self.message is not None
        response = self.raw.response
        try:
            if reply.table is not None:
                view, around = reply.table
                async with around as on_accepted:
                    on_accepted(await self._edit_pressed(view))
            elif not self._deferred:
                await self.first.send(response.defer)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if not self._deferred:
                await self.first.send(response.defer)  # the message has just been deleted
        self._answered(self.message.id)

    async def follow_up(self, reply: Reply) -> None:
        """Sends another message after the answer, for the presser alone unless its mode is "public"."""
        assert reply.screen is not None
        reply.screen.view().private = reply.mode != "public"
        message = await self._follow_up(reply, reply.screen.view(), ephemeral=reply.mode != "public")
        if reply.on_delivered is not None:
            await reply.on_delivered(message)

    async def _follow_up(self, reply: Reply, view: ScreenView, *, ephemeral: bool = True) -> int:
        followup = self.raw.followup

        async def send(files: list[Any]) -> discord.WebhookMessage:
            return await followup.send(
                view=view,
                ephemeral=ephemeral and not self.in_own_dm,
                wait=True,
                files=files,
                allowed_mentions=ringing(reply.ring),
            )

        async def send_safely(files: list[Any]) -> discord.WebhookMessage:
            # Discord accepts no nonce here: a second try may make a second message, which one person can bear.
            return await twice(lambda: send(files)) if ephemeral else await send(files)

        sent = await self.uploads.send(self.channel_id, view, send_safely)
        self.attachments = sent.attachments
        return sent.id

    async def _deliver_late(self, reply: Reply, mode: ResponseMode) -> int | None:
        if reply.screen is None:
            await self._answer_in_public(reply)
            return None
        view = reply.screen.view()
        channel = self.raw.channel
        if self._deferred == "update":
            assert self.message is not None
            self._answered(self.message.id)
            if mode != "update":
                return await self._follow_up(reply, view, ephemeral=mode == "ephemeral")
            await self._edit_pressed(view)
            return self.message.id
        if mode == "public" and self.in_group:
            return await self._post_late(reply, view)
        if mode == "public" and isinstance(channel, discord.abc.Messageable):
            # The first answer after a private deferral is always private, so a public one is posted as a message.
            nonce = str(self.id)  # a second try, such as one without files, makes no second message
            sent = await self.uploads.send(
                self.channel_id,
                view,
                lambda files: channel.send(
                    view=view, files=files, allowed_mentions=ringing(reply.ring), nonce=nonce
                ),
            )
            self.attachments = sent.attachments
            with suppress(
                *UNDELIVERED
            ):  # if the deletion fails, the posted message must be noted all the same
                await self.raw.delete_original_response()
            return sent.id
        edited = await self._edit_original(view)
        self._answered(edited.id)
        return edited.id

    async def _post_late(self, reply: Reply, view: ScreenView) -> int:
        """Posts a public answer after a private deferral in a group DM, where only a follow-up can be public.

        Discord makes the first follow-up the deferred answer, which is private. So that answer is edited first.
        """
        await self.raw.edit_original_response(view=Screen().text("…").view())
        sent = await self._follow_up(reply, view, ephemeral=False)
        self._answered(None)
        with suppress(*UNDELIVERED):
            await self.raw.delete_original_response()
        return sent


def read_interaction(
    raw: discord.Interaction[Any], language_of: LanguageOf, uploads: Uploads
) -> Interaction | None:
    """A press on a component or a submitted form; None for all other interactions."""
    data: Mapping[str, Any] = raw.data or {}
    if raw.type is discord.InteractionType.component:
        values = data.get("values")
    elif raw.type is discord.InteractionType.modal_submit:
        values = None
    else:
        return None
    # Only messages of this bot can be pressed, so an unreadable custom_id is from an older version.
    to = read_id(str(data.get("custom_id", ""))) or Id("unknown")
    return Interaction(raw, to, language_of, uploads, [str(value) for value in values or ()])


def _inputs(components: Any) -> Iterator[tuple[str, list[str]]]:
    for component in components or ():
        if "custom_id" in component:
            values = component.get("values") or [component.get("value")]
            yield str(component["custom_id"]), [value for value in values if isinstance(value, str)]
        yield from _inputs(component.get("components"))
        yield from _inputs(filter(None, [component.get("component")]))


def _attachments_of(answer: discord.InteractionCallbackResponse[Any] | None) -> Attachments | None:
    """The files of the message with which an interaction was answered; None if Discord did not name them."""
    resource = answer.resource if answer is not None else None
    return resource.attachments if isinstance(resource, discord.Message) else None
