"""Tasks that go on after the answer to the press that started them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Background:
    """Tasks of one kind. The host waits for them on close, so each has to end soon then."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        """The tasks that have not ended."""

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Starts a task."""
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def cancel(self) -> None:
        """Cancels all tasks."""
        for task in self.tasks:
            task.cancel()
