"""Processes that work for the bot beside its event loop: agents' thinking, the drawing of pictures."""

from __future__ import annotations

import multiprocessing
import multiprocessing.spawn as spawn
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Any, Final

_PYTHONS_OWN: Final = spawn.get_command_line
_END_QUIETLY: Final = """
import os, pickle
from multiprocessing.spawn import spawn_main
try:
    {main}
except (EOFError, pickle.UnpicklingError):
    if os.getppid() == {bot}:
        raise
    os._exit(1)
"""
"""What a process runs. Python's own form prints a traceback if the bot is killed before it has said what to do.

This program needs no module of the bot's: where these are found is part of what the bot has yet to say.
"""


class Pool:
    """Processes that are started when they are first needed, and anew after they were ended.

    Each of them calls `prepare` once with these arguments.
    """

    def __init__(self, processes: int, prepare: Callable[..., None], *arguments: Any) -> None:
        self._processes, self._prepare, self._arguments = processes, prepare, arguments
        self._pool: ProcessPoolExecutor | None = None

    @property
    def is_open(self) -> bool:
        return self._pool is not None

    def open(self) -> ProcessPoolExecutor:
        """The processes, started if they do not run."""
        if self._pool is None:
            self._pool = open_pool(self._processes, self._prepare, *self._arguments)
        return self._pool

    def is_now(self, pool: ProcessPoolExecutor) -> bool:
        """Whether these processes have not been ended."""
        return pool is self._pool

    def end(self, pool: ProcessPoolExecutor | None = None) -> bool:
        """Ends the processes, even in the middle of their work. Returns whether they still ran.

        `pool`: only if these are the ones. Somebody else who noticed that they are broken may have started new ones.
        """
        ended = self._pool
        if ended is None or (pool is not None and pool is not ended):
            return False
        self._pool = None
        close_pool(ended)
        return True


def ignore_stop_signals() -> None:
    """No signal ends the process any more, which just ends by itself. Python lets go of its handlers before that."""
    for number in stop_signals():
        signal.signal(number, signal.SIG_IGN)


def stop_signals() -> list[signal.Signals]:
    """The signals that end the program in good order: SIGTERM, SIGINT (Ctrl-C), and SIGHUP from a closed terminal.

    SIGHUP is left out where it is ignored, as in a program that `nohup` has started.
    """
    hangup = [number for number in signal.Signals if number.name == "SIGHUP"]  # Windows has none
    heeded = [number for number in hangup if signal.getsignal(number) != signal.SIG_IGN]
    return [signal.SIGTERM, signal.SIGINT, *heeded]


def open_pool(processes: int, prepare: Callable[..., None], *arguments: Any) -> ProcessPoolExecutor:
    """A pool of so many processes, each of which calls `prepare` once with these arguments."""
    spawn.get_command_line = _command_line
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
    for process in children:  # otherwise Python would wait at its end until they have finished
        process.terminate()


def _command_line(**handles: Any) -> list[str]:
    """The command that starts a process, in place of `multiprocessing.spawn.get_command_line`."""
    command = _PYTHONS_OWN(**handles)
    if "-c" in command:  # a frozen program has no such thing
        main = command.index("-c") + 1
        *_imports, call = command[main].split("; ")
        command[main] = _END_QUIETLY.format(main=call, bot=os.getpid())
    return command


def _prepare(prepare: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    for number in stop_signals():
        if (
            number != signal.SIGTERM
        ):  # a terminal's signals are meant for the bot, which then ends this process
            signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    prepare(*arguments)


def _end_with_the_bot() -> None:
    """Ends this process when the bot is gone. A bot that is killed cannot tell its processes to end."""
    bot = multiprocessing.parent_process()
    if bot is not None:
        bot.join()
        os._exit(1)


def _processes_of(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    # Before Python 3.14, which has `terminate_workers`, there is no public way to the processes.
    processes: dict[int, BaseProcess] | None = getattr(pool, "_processes", None)
    return list(processes.values()) if processes else []
