"""Answers to look-ups whose picture is rendered late: the answer is sent without it, and edited once it is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.background import Background, Locks
from bot.clock import Clock
from bot.gateway.errors import Brief
from bot.ui.interaction import UNDELIVERED, Interaction, Reply, ResponseMode
from bot.ui.screens.kit import Screen

log = logging.getLogger(__name__)

Draw = Callable[[Callable[[], None]], Awaitable[tuple[Screen, bool]]]
"""Draws a screen with its picture; returns whether the screen is complete. If it is not, the function that `Draw` is
given is called once the picture is rendered."""
_LONGEST: Final = 30.0
"""Seconds for which an answer awaits its picture, by the event loop's clock."""


class LateAnswers:
    """Answers with screens that nothing but a press changes, and edits those whose picture was late."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._newest: dict[int, int] = {}
        """By message: the interaction whose late picture the message awaits."""
        self._locks = Locks()
        """Locks by message, which are held while a message is edited."""
        self.waits = Background()
        """The waits for pictures."""

    async def reply(
        self, interaction: Interaction, draw: Draw, mode: ResponseMode, *, game: str | None = None
    ) -> Reply:
        """The answer with the screen as far as it is ready. `game` is that of `Reply`."""
        rendered = asyncio.Event()
        screen, complete = await draw(rendered.set)
        begin = partial(self._begin, interaction, draw, screen, rendered)
        return Reply(screen, mode, game=game, on_delivered=None if complete else begin)

    async def pressed(self, message: int) -> None:
        """To be called for a press on a message, before its answer: the message no longer awaits a picture."""
        if self._newest.pop(message, None) is not None or message in self._locks:
            async with self._locks.hold(message):  # an edit that is under way lands before the answer
                pass

    def close(self) -> None:
        """Ends the waits for pictures."""
        self.waits.cancel()

    async def _begin(
        self,
        interaction: Interaction,
        draw: Draw,
        shown: Screen,
        rendered: asyncio.Event,
        message: int | None,
    ) -> None:
        if message is None:
            return
        self._newest[message] = interaction.id
        self.waits.start(self._follow(interaction, draw, shown, rendered, message), "late answer")

    async def _follow(
        self, interaction: Interaction, draw: Draw, shown: Screen, rendered: asyncio.Event, message: int
    ) -> None:
        """Waits for the picture, and edits the message unless another press has changed it."""
        try:
            async with asyncio.timeout(_LONGEST):
                await rendered.wait()
            async with self._locks.hold(message):
                if self._newest.get(message) == interaction.id:
                    await self._edit(interaction, draw, shown, message)
        except TimeoutError:
            log.info("a picture has not come in time for its answer")
        except UNDELIVERED as error:
            log.info("an answer gets no picture (%s)", Brief(error))
        except Exception:
            log.exception("an answer gets no picture")
        finally:
            if self._newest.get(message) == interaction.id:
                del self._newest[message]

    async def _edit(self, interaction: Interaction, draw: Draw, shown: Screen, message: int) -> None:
        token = interaction.token
        if token is None or token.until <= self._clock.now():
            return
        screen, _complete = await draw(lambda: None)
        screen.emoji_map = shown.emoji_map
        if token.prepare(screen.view()).digest != shown.view().digest:
            await token.edit(message, screen.view())
            # A page that is shown once more has the picture.
            shown.items, shown.plates, shown.instead = screen.items, screen.plates, screen.instead
