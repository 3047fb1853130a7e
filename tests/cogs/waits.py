"""Counts the replies that wait for long work, so that a test knows when the time of their next edit is set."""

from __future__ import annotations

from typing import Any

import pytest
import simcord

from bot.background import Pending


class Waits:
    """The replies that wait now for work of a kind."""

    def __init__(self, env: simcord.Env, monkeypatch: pytest.MonkeyPatch, kind: type[Pending[Any]]) -> None:
        self.now = 0
        """Their number. Each of them has the time of its next edit set."""
        wait = kind.wait

        async def counted(pending: Pending[Any], seconds: float) -> bool:
            self.now += 1
            try:
                return await wait(pending, seconds)
            finally:
                self.now -= 1

        async def waited(pending: Pending[Any], seconds: float) -> bool:
            return await env.external_wait(counted(pending, seconds), reason="long work is awaited")

        monkeypatch.setattr(kind, "wait", waited)
