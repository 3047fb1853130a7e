"""The log on standard error, as text or as JSON lines, without repetitions during an outage.

Each record has the server and table of its operation, if known (`bot.observability.context`). No record at any level
contains a hidden card, a person's name or a token.

Repeated errors with the same cause are logged once; their number is logged when the outage ends.
"""

from __future__ import annotations

import copy
import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TextIO

from pythonjsonlogger.json import JsonFormatter

from bot.gateway.errors import Brief, Fault, brief, is_transient
from bot.observability.context import current_operation

Kind = tuple[str, str, str]
"""Logger name, message template and cause. Errors that are equal in all three are repetitions."""
QUIET_SECONDS: Final = 30.0
"""Seconds without another error of its kind, after which an outage counts as over."""
LONG: Final = 600.0
"""Seconds after which the count of a continuing outage is logged and reset."""
_CHECK_EVERY: Final = 5.0
"""Seconds between two checks for the end of an outage."""


@dataclass(slots=True)
class _Repeated:
    first: logging.LogRecord
    began: float
    last: float
    more: int = 0


class DedupHandler(logging.StreamHandler[TextIO]):
    """Writes log lines; of a repeated error, only the first line.

    Writes the number of repetitions when the outage is over, every ten minutes while it continues, and on close.
    """

    def __init__(
        self,
        stream: TextIO,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(stream)
        self._now = now
        self._kinds: dict[Kind, _Repeated] = {}
        self._timer: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        cause = _cause(record)
        if cause is None:
            super().emit(record)
            return
        now = self._now()
        kind = (record.name, str(record.msg), cause)
        repeated = self._kinds.get(kind)
        if repeated is not None:
            repeated.more += 1
            repeated.last = now
            return
        record = _shortened(record, cause)
        self._kinds[kind] = _Repeated(record, now, now)
        self._schedule_check()
        super().emit(record)

    def check(self, *, at_the_end: bool = False) -> None:
        """Logs the number of repetitions in each outage that is over or long; with `at_the_end`, in all outages."""
        self.acquire()
        try:
            now = self._now()
            for kind, repeated in list(self._kinds.items()):
                over = at_the_end or now - repeated.last >= QUIET_SECONDS
                if repeated.more and (over or now - repeated.began >= LONG):
                    super().emit(_count(repeated))
                    repeated.began, repeated.more = now, 0
                if over:
                    del self._kinds[kind]
            self._timer = None
            if self._kinds:
                self._schedule_check()
        finally:
            self.release()

    def close(self) -> None:
        self.check(at_the_end=True)
        super().close()

    def _schedule_check(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(_CHECK_EVERY, self.check)
            self._timer.daemon = True
            self._timer.start()


def _cause(record: logging.LogRecord) -> str | None:
    """The cause of the outage or fault in this record; None for other records."""
    for argument in record.args if isinstance(record.args, tuple) else ():
        if isinstance(argument, Brief) and is_transient(argument.error):
            return brief(argument.error)
        if isinstance(argument, Fault):
            return str(argument)
    if not record.name.startswith("discord."):
        return None  # the bot's own errors are logged with their reference and traceback
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and is_transient(error):
        return brief(error)
    if record.levelno == logging.WARNING and record.name in ("discord.http", "discord.webhook.async_"):
        return "too many requests"  # the only warning of these loggers
    return None


def _shortened(record: logging.LogRecord, cause: str) -> logging.LogRecord:
    """The record without its traceback, which only shows discord.py and aiohttp internals."""
    if not record.exc_info:
        return record
    short = copy.copy(record)
    short.msg, short.args = f"{record.getMessage()} ({cause})", ()
    short.exc_info = short.exc_text = None
    return short


def _count(repeated: _Repeated) -> logging.LogRecord:
    count = copy.copy(repeated.first)
    count.msg = "%s; and %s more of this kind within %.0f s"
    count.args = (repeated.first.getMessage(), repeated.more, repeated.last - repeated.began)
    count.created = time.time()
    count.msecs = count.created % 1 * 1000
    return count


LogFormat = Literal["text", "json"]

QUIET: Final = ("aiosqlite", "asyncpg", "discord", "asyncio", "PIL", "websockets", "aiohttp", "markdown_it")
"""The loggers of libraries that would log SQL parameters or request bodies at DEBUG, and so hidden cards."""

FIELDS: Final = (
    "time",
    "level",
    "logger",
    "message",
    "version",
    "shard",
    "server",
    "table",
    "operation",
    "traceback",
)
"""The fields of a JSON line, in order; fields without a value are omitted."""
PLAIN: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def set_up_logging(
    level: str, form: LogFormat = "text", *, version: str = "", stream: TextIO | None = None
) -> None:
    """Sets up logging. The libraries in `QUIET` stay at INFO or above."""
    handler = DedupHandler(stream if stream is not None else sys.stderr)
    handler.addFilter(add_operation)
    handler.setFormatter(_Json(version) if form == "json" else logging.Formatter(PLAIN))
    logging.basicConfig(level=level, handlers=[handler])
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))


def add_operation(record: logging.LogRecord) -> bool:
    """Adds the operation to the record. Returns True, so that no record is filtered out."""
    operation = current_operation()
    if operation is not None:
        record.shard, record.operation = operation.shard, operation.name
        # 0 means none
        record.server, record.table = operation.server or None, operation.table or None
    return True


class _Json(JsonFormatter):
    """Formats a record as an object with `FIELDS` only, because libraries may add fields to a record."""

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - its parameters lack some types
            "{levelname}{name}{message}",
            style="{",
            timestamp="time",
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            static_fields={"version": version},
            json_ensure_ascii=False,
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {name: log_data[name] for name in FIELDS if log_data.get(name) is not None}
