"""`digsite healthy`: requests the health of the running bot at its `METRICS` address, for container health checks."""

from __future__ import annotations

import argparse
import http.client
import sys
from typing import Final

from bot.cli.cogs import LoadCogs
from bot.settings import Address, Settings

LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The loopback address for a bot that listens on all addresses."""
ANSWER: Final = 3.0
"""Timeout of the connection, and again of the answer, in seconds."""


def command(settings: Settings, _chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Returns 0 if the bot is healthy, 1 if not, and 2 if no address is set."""
    if settings.metrics is None or settings.metrics.port == 0:
        print(
            "METRICS names no address and port, so the bot cannot be asked. Set it, as in METRICS=127.0.0.1:9464.",
            file=sys.stderr,
        )
        return 2
    fault = fault_at(settings.metrics)
    if fault is None:
        print(f"The bot at {settings.metrics} is well.")
        return 0
    print(f"The bot at {settings.metrics} is not well: {fault}.", file=sys.stderr)
    return 1


def fault_at(address: Address) -> str | None:
    """The reason why the bot at this address of this machine is not healthy; None if it is healthy."""
    host = LOOPBACK.get(address.host, address.host)
    connection = http.client.HTTPConnection(host, address.port, timeout=ANSWER)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except TimeoutError:
        return "it does not answer"
    except (OSError, http.client.HTTPException) as error:
        return f"it cannot be asked ({getattr(error, 'strerror', None) or type(error).__name__})"
    finally:
        connection.close()
    return None if status == http.HTTPStatus.OK else f"it answers with status {status}"
