#!/usr/bin/env bash
# asyncpg: the connect timeout is one for all hosts of a DSN, and a first host that never answers uses it up.
#
# Version:  asyncpg 0.32.0.
# Expected: a DSN with two hosts is for failover, and `timeout` is for each host, as libpq's `connect_timeout` is.
# Seen:     the first host accepts the connection and says nothing; the whole timeout passes; the second is never
#           asked. A first host that refuses the connection is passed over at once, so a test with a stopped server
#           shows nothing.
# Output:   first host silent: TimeoutError, second host asked: False
#           first host refuses: second host asked: True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" asyncpg==0.32.0

PYTHONPATH="$folder/lib" python3 - <<'END'
import asyncio
import socket

import asyncpg


async def try_both(first: socket.socket, second: socket.socket) -> tuple[str, bool]:
    ports = [each.getsockname()[1] for each in (first, second)]
    attempt = asyncpg.connect(
        f"postgresql://someone@127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/db", timeout=2, ssl=False
    )
    try:
        await attempt
    except (TimeoutError, OSError, asyncpg.PostgresError) as error:
        kind = type(error).__name__
    try:
        second.accept()[0].close()
    except BlockingIOError:
        return kind, False
    return kind, True


def port(*, listens: bool) -> socket.socket:
    made = socket.socket()
    made.bind(("127.0.0.1", 0))
    if listens:
        made.listen()
    made.setblocking(False)
    return made


kind, asked = asyncio.run(try_both(port(listens=True), port(listens=True)))
print(f"first host silent: {kind}, second host asked: {asked}")
assert (kind, asked) == ("TimeoutError", False)
_, asked = asyncio.run(try_both(port(listens=False), port(listens=True)))
print(f"first host refuses: second host asked: {asked}")
assert asked
END
echo "asyncpg still spends its one connect timeout on the first host alone."
