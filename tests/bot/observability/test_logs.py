"""The log as JSON lines: what stands in each, and what never does."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.observability.context import Operation, operation_scope, set_table
from bot.observability.logs import FIELDS, QUIET, LogFormat, set_up_logging
from bot.version import own_version
from tests.bot.app.test_running import end_of
from tests.bot.fake_discord import FakeDiscord
from tests.bot.tables.samples import ANA, BEN, match_of, tables_on

log = logging.getLogger("bot.tests")


class Written:
    """A log of its own, in place of the tests'."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler: logging.Handler = logging.NullHandler()

    def begin(self, form: LogFormat, level: str = "DEBUG") -> None:
        root = logging.getLogger()
        handlers = list(root.handlers)
        root.handlers.clear()  # or this would be left as it is
        try:
            set_up_logging(level, form, version="1.2.3", stream=self.stream)
            [self.handler] = root.handlers
        finally:
            root.handlers[:] = [*handlers, *root.handlers]

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def written() -> Iterator[Written]:
    root = logging.getLogger()
    before, levels = root.level, {name: logging.getLogger(name).level for name in QUIET}
    written = Written()
    yield written
    root.removeHandler(written.handler)
    written.handler.close()
    root.setLevel(before)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


async def test_a_json_line_says_for_which_shard_server_and_table_it_was_written(written: Written) -> None:
    written.begin("json")
    with operation_scope(Operation("press", "join", server=55, table=7, shard=0)):
        log.info("table %s: done “%s”", 7, "ä")
    [line] = written.lines()
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "INFO",
        "logger": "bot.tests",
        "message": "table 7: done “ä”",
        "version": "1.2.3",
        "shard": 0,
        "server": 55,
        "table": 7,
        "operation": "join",
    }


async def test_unknown_fields_are_omitted(written: Written) -> None:
    written.begin("json")
    log.info("outside")
    with operation_scope(Operation("command", "/start", server=55)):
        log.info("no table yet")
        set_table(3)
        log.info("a table")
    outside, before, after = written.lines()
    assert not {*outside} & {"shard", "server", "table", "operation"}
    assert (before["server"], before.get("table"), before.get("shard")) == (55, None, None)
    assert after["table"] == 3


def test_fields_of_other_libraries_are_omitted(written: Written) -> None:
    written.begin("json")
    log.warning("hello", extra={"body": "Ana holds 4 Coins"})
    log.warning({"body": "Ana holds 4 Coins"})
    assert all({*line} <= {*FIELDS} for line in written.lines())
    assert "Ana" not in written.stream.getvalue()


def test_an_error_is_one_line_with_its_traceback(written: Written) -> None:
    written.begin("json")
    try:
        raise ValueError("a fault\nof two lines")
    except ValueError:
        log.exception("table 4: redraw failed")
    [line] = written.lines()
    assert line["message"] == "table 4: redraw failed"
    assert line["traceback"].startswith("Traceback")


async def test_text_stays_as_it_was(written: Written) -> None:
    written.begin("text", "INFO")
    with operation_scope(Operation("press", "join", server=55, table=7)):
        log.info("table 7: done")
        log.debug("not written")
    assert written.stream.getvalue().endswith(" INFO bot.tests: table 7: done\n")
    assert len(written.stream.getvalue().splitlines()) == 1


@pytest.mark.system
async def test_every_line_of_a_running_bot_is_json_and_names_the_server_of_a_job(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=77)
    async with FakeDiscord().serving() as fake:
        bot = await fake.start_bot(path, LOG_FORMAT="json", LOG_LEVEL="DEBUG")
        await fake.asked_for("PATCH", "/channels/77/messages/")
        bot.terminate()
        _status, said = await end_of(bot)
    lines = [json.loads(line) for line in said.splitlines()]
    assert {line["version"] for line in lines} == {own_version()}
    [redraw] = [line for line in lines if line["message"] == f"table {table.id}: redraw is done"][:1]
    assert (redraw["server"], redraw["table"], redraw["shard"]) == (table.guild_id, table.id, 0)
