"""The log on standard error, as text or as JSON lines.

Each record has the server and table of its operation, if known (`bot.observability.context`). No record at any level
contains a hidden card, a person's name or a token.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, Literal, TextIO

from pythonjsonlogger.json import JsonFormatter

from bot.observability.context import current_operation
from bot.observability.log_dedup import DedupHandler

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
