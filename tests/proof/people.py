"""People who press what their messages show, again and again, and who press once more if nothing comes of it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Final

from bot.ui.screens.ids import read_id
from tests.bench.busy_discord import MENU, Answer, Component, Shown
from tests.proof.discord import Press, ProofDiscord, acknowledges
from tests.proof.matches import Spot
from tests.proof.plan import ANSWERED_WITHIN, Plan

USUAL: Final = ("g.dig", "g.steal", "g.discard", "g.end")
"""People mostly press the first of these that is there in Archaeology, so that turns are short."""
MOSTLY: Final = 0.8
BORED: Final = 2.0
"""Somebody whose turn it is not looks again after so many times the time for which they think."""
SCREEN_WITHIN: Final = 20.0
"""Seconds for which somebody whose press was answered waits for the screen."""


class Person:
    """Somebody at a table."""

    def __init__(self, discord: ProofDiscord, plan: Plan, spot: Spot, user: int) -> None:
        self._discord = discord
        self._plan = plan
        self._spot = spot
        self._user = user
        self._rng = Random(f"{plan.seed}/{user}")
        self._joined: set[int] = set()
        """The lobbies, by their messages, in which this person has pressed Join or Play Again."""

    async def play(self) -> None:
        """Plays until cancelled."""
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / self._plan.think))
            found = self._choose()
            if found is None:
                await self._look_elsewhere()
                continue
            shown, control = found
            after = await self._press(shown, control)
            if after is not None and _intent(control) == "hand" and not _moves(after):
                await self._look_elsewhere()

    async def _look_elsewhere(self) -> None:
        """Waits until something happens in the channel, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BORED * self._plan.think):
                await self._discord.changed(self._spot.channel)

    def _choose(self) -> tuple[Shown, Component] | None:
        """The control to press next, and its message."""
        messages = self._discord.channels.get(self._spot.channel, {})
        newest = [messages[number] for number in sorted(messages, reverse=True)]
        for shown in newest:
            if shown.control("join") or shown.control("again"):
                return self._between_matches(shown)
            if shown.control("hand"):
                own = self._discord.own_screen(self._spot.channel, self._user)
                moves = _moves(own) if own else []
                if own and moves and _table(moves[0]) == _table(shown.controls[0]):
                    return own, self._one_of(own, moves)
                hand = shown.control("hand")
                return (shown, hand) if hand else None
        return None

    def _one_of(self, own: Shown, moves: list[Component]) -> Component:
        if self._rng.random() < MOSTLY:
            usual = next((control for intent in USUAL if (control := own.control(intent))), None)
            if usual is not None:
                return usual
        return self._rng.choice(moves)

    def _between_matches(self, shown: Shown) -> tuple[Shown, Component] | None:
        """Opens the next lobby, joins it and starts its match."""
        host = self._user == self._spot.people[0]
        again, join, start = (shown.control(intent) for intent in ("again", "join", "start"))
        if again is not None:
            return (shown, again) if host else None
        if not host and shown.id not in self._joined and join is not None:
            self._joined.add(shown.id)
            return shown, join
        return (shown, start) if host and start is not None else None

    async def _press(self, shown: Shown, control: Component) -> Shown | None:
        """Presses and waits for what comes of it; returns the screen that answers."""
        chosen = None
        if control["type"] == MENU:
            count = max(1, control.get("min_values", 1))
            chosen = [option["value"] for option in self._rng.sample(control["options"], count)]
        press, answer = await self._discord.person_presses(
            shown, control, chosen, user=self._user, guild=self._spot.guild
        )
        return await self._answered(press, answer, control)

    async def _answered(self, press: Press, answer: Answer, control: Component) -> Shown | None:
        made, to = answer.interaction, read_id(control["custom_id"])
        assert made is not None
        assert to is not None
        try:
            async with asyncio.timeout(ANSWERED_WITHIN + 0.5):  # "This interaction failed"
                await made.done.wait()
            async with asyncio.timeout(SCREEN_WITHIN):
                screen = await asyncio.shield(answer.shown)
        except TimeoutError:
            return None
        press.acknowledged = to.intent.startswith("g.") and acknowledges(to, screen)
        return screen


def _moves(shown: Shown) -> list[Component]:
    """The controls of a screen with which a game is played."""
    return [control for control in shown.controls if _intent(control).startswith("g.")]


def _intent(control: Component) -> str:
    return str(control["custom_id"].split(":")[2])


def _table(control: Component) -> str:
    return str(control["custom_id"].split(":")[1])
