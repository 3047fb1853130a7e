"""Worker processes beside the bot's event loop, for agents' thinking and the drawing of pictures."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Any


class Pool:
    """Worker processes that are started at their first use, and again after they were ended.

    Each process calls `prepare` once with `arguments`.
    """

    def __init__(self, processes: int, prepare: Callable[..., None], *arguments: Any) -> None:
        self._processes, self._prepare, self._arguments = processes, prepare, arguments
        self._pool: ProcessPoolExecutor | None = None

    @property
    def is_open(self) -> bool:
        return self._pool is not None

    def open(self) -> ProcessPoolExecutor:
        """The running processes; starts them if necessary."""
        if self._pool is None:
            self._pool = open_pool(self._processes, self._prepare, *self._arguments)
        return self._pool

    def is_now(self, pool: ProcessPoolExecutor) -> bool:
        """Whether `pool` has not been ended."""
        return pool is self._pool

    def end(self, pool: ProcessPoolExecutor | None = None) -> bool:
        """Ends the processes, even in the middle of their work. Returns whether they were running.

        `pool`: ends only these processes. Another caller that found them broken may have started new ones.
        """
        ended = self._pool
        if ended is None or (pool is not None and pool is not ended):
            return False
        self._pool = None
        close_pool(ended)
        return True


def ignore_stop_signals() -> None:
    """Ignores the stop signals while the process exits, because Python removes its signal handlers before the end."""
    for number in stop_signals():
        signal.signal(number, signal.SIG_IGN)


def stop_signals() -> list[signal.Signals]:
    """The signals that stop the program in order: SIGTERM, SIGINT (Ctrl-C), and SIGHUP from a closed terminal.

    SIGHUP is left out where it is ignored, as in a program that `nohup` has started.
    """
    hangup = [number for number in signal.Signals if number.name == "SIGHUP"]  # Windows has no SIGHUP
    heeded = [number for number in hangup if signal.getsignal(number) != signal.SIG_IGN]
    return [signal.SIGTERM, signal.SIGINT, *heeded]


def open_pool(processes: int, prepare: Callable[..., None], *arguments: Any) -> ProcessPoolExecutor:
    """A pool of `processes` processes, each of which calls `prepare` once with `arguments`."""
    return ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(prepare, arguments),
    )


def close_pool(pool: ProcessPoolExecutor) -> None:
    """Ends the pool's processes, even in the middle of their work."""
    children = _processes_of(pool)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in children:  # otherwise Python would wait for them at its exit
        process.terminate()


def _prepare(prepare: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    for number in stop_signals():
        if (
            number != signal.SIGTERM
        ):  # a terminal's signals are meant for the bot, which then ends this process
            signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    prepare(*arguments)


def _end_with_the_bot() -> None:
    """Ends this process when the bot has ended. A bot that is killed cannot end its processes."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(1)


def _processes_of(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    # Before Python 3.14, which has `terminate_workers`, no public interface gives access to the processes.
    processes: dict[int, BaseProcess] | None = getattr(pool, "_processes", None)
    return list(processes.values()) if processes else []
