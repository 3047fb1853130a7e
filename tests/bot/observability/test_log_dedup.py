"""An outage of Discord writes only a few lines to the log, and their number at its end. All else is logged as usual."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.gateway.errors import Brief, brief, is_transient, keep_texts_out_of_logs
from bot.observability.logs import LONG, QUIET_SECONDS, DedupHandler


def discord_error(status: int, code: int = 0, text: str = "") -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="Trouble")
    return discord.HTTPException(response, {"code": code, "message": text})


class Log:
    """A log whose text can be read, and a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.stream = io.StringIO()
        self.handler = DedupHandler(self.stream, lambda: self.now)

    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log() -> Iterator[Log]:
    log = Log()
    root = logging.getLogger()
    root.addHandler(log.handler)
    yield log
    root.removeHandler(log.handler)
    log.handler.close()


host = logging.getLogger("bot.app.host")
shard = logging.getLogger("discord.shard")


def redraws_fail(log: Log, error: Exception, *, times: int, every: float = 0.5) -> None:
    for number in range(times):
        host.warning("table %s: %s failed: %s", number, "redraw", Brief(error))
        log.now += every


@pytest.mark.parametrize("error", [discord_error(503), discord_error(429), aiohttp.ServerDisconnectedError()])
def test_a_repeated_error_is_logged_once_and_counted_when_the_outage_ends(log: Log, error: Exception) -> None:
    redraws_fail(log, error, times=50)
    log.handler.check()
    assert log.lines() == [f"table 0: redraw failed: {brief(error)}"]
    log.now += QUIET_SECONDS
    log.handler.check()
    assert log.lines()[1:] == [
        f"table 0: redraw failed: {brief(error)}; and 49 more of this kind within 24 s"
    ]
    log.handler.check()
    assert len(log.lines()) == 2
    redraws_fail(log, error, times=1)
    assert len(log.lines()) == 3, "the next outage is another one"


def test_each_cause_is_logged_and_counted_by_itself(log: Log) -> None:
    for _ in range(10):
        redraws_fail(log, discord_error(503), times=1)
        redraws_fail(log, TimeoutError(), times=1)
        shard.error("Attempting a reconnect in %.2fs", 1.0, exc_info=discord_error(502))
    log.now += QUIET_SECONDS
    log.handler.check()
    assert len(log.lines()) == 6
    assert [line for line in log.lines() if "and 9 more" in line] == log.lines()[3:]


def test_long_outage_is_counted_every_ten_minutes(log: Log) -> None:
    for _ in range(int(3 * LONG / 10)):
        redraws_fail(log, discord_error(503), times=1, every=10)
        log.handler.check()
    assert len(log.lines()) == 4


def test_one_failure_alone_is_one_line(log: Log) -> None:
    redraws_fail(log, discord_error(503), times=1)
    log.now += QUIET_SECONDS
    log.handler.check()
    assert len(log.lines()) == 1


def test_errors_that_were_not_counted_yet_are_counted_when_the_process_ends(log: Log) -> None:
    redraws_fail(log, discord_error(503), times=3)
    log.handler.close()
    assert log.lines()[-1].endswith("and 2 more of this kind within 1 s")


def test_outages_have_no_traceback_and_other_errors_do(log: Log) -> None:
    def logged(error: Exception) -> str:
        try:
            raise error
        except (ValueError, aiohttp.ClientError):
            shard.exception("Attempting a reconnect for shard ID %s in %.2fs", 0, 1.5)
        return log.stream.getvalue()

    outage = aiohttp.ServerDisconnectedError()
    assert logged(outage) == f"Attempting a reconnect for shard ID 0 in 1.50s ({brief(outage)})\n"
    assert "Traceback" in logged(ValueError("a fault of discord.py's"))


def test_errors_of_the_bots_own_are_all_written_with_their_references(log: Log) -> None:
    for number in range(3):
        try:
            raise discord_error(503)
        except discord.HTTPException:
            host.exception("table 1: a press failed (%s)", number)
    assert log.stream.getvalue().count("Traceback") == 3


def test_an_error_that_is_no_outage_is_logged_for_every_table(log: Log) -> None:
    redraws_fail(log, discord_error(403, 50013), times=5)
    redraws_fail(log, discord_error(400, 50035), times=5)
    assert len(log.lines()) == 10


def test_warnings_of_too_many_requests_are_counted_too(log: Log) -> None:
    for number in range(20):
        logging.getLogger("discord.http").warning(
            "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds.",
            "PATCH",
            number,
            1.0,
        )
    assert len(log.lines()) == 1


# -- what is never logged


def test_an_error_prints_without_discords_own_words_wherever_it_is_printed() -> None:
    keep_texts_out_of_logs()
    error = discord_error(400, 50035, "In content: SECRET is not allowed")
    for printed in (str(error), repr(error), brief(error), str(Brief(error)), f"{error}"):
        assert "SECRET" not in printed
        assert "400" in printed
        assert "50035" in printed
    assert "SECRET" in error.text


def test_an_address_with_a_token_in_it_is_not_printed() -> None:
    request: Any = SimpleNamespace(real_url="https://discord.com/api/webhooks/1/TOKEN")
    error = aiohttp.ClientResponseError(request, (), status=404)
    assert "TOKEN" not in brief(error)
    assert "404" in brief(error)


@pytest.mark.parametrize(
    ("error", "outage"),
    [
        (discord_error(500), True),
        (discord_error(429), True),
        (discord_error(403), False),
        (discord_error(404), False),
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (aiohttp.ClientError(), True),
        (discord.GatewayNotFound(), True),
        (ValueError(), False),
    ],
)
def test_outages_are_distinguished_from_refusals(error: Exception, outage: bool) -> None:
    assert is_transient(error) is outage
