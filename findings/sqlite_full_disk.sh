#!/usr/bin/env bash
# SQLite: a statement that finds the disk full ends the whole transaction, and the next statement commits by itself.
#
# Version:  SQLite 3.40.1 and the one of Python 3.13.0, by Python's sqlite3; no package.
# Expected: a failed statement is undone alone, as after a broken constraint, and the transaction goes on.
# Seen:     "database or disk is full" rolls back everything since BEGIN. Code that goes on with its next statement
#           writes that one for good, outside of any transaction: of three moves, the third alone is kept.
#           `max_page_count` stands for the full disk here.
# Output:   after a broken constraint: in a transaction True
#           after a full disk: in a transaction False, kept for good: ['third']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 - "$folder/moves.sqlite3" <<'END'
import sqlite3
import sys
from contextlib import suppress

writing = sqlite3.connect(sys.argv[1], isolation_level=None)
writing.execute("CREATE TABLE moves (what UNIQUE)")
writing.execute("PRAGMA max_page_count = 8").fetchall()

writing.execute("BEGIN")
writing.execute("INSERT INTO moves VALUES ('first')")
with suppress(sqlite3.IntegrityError):
    writing.execute("INSERT INTO moves VALUES ('first')")
goes_on = writing.in_transaction
print(f"after a broken constraint: in a transaction {goes_on}")

with suppress(sqlite3.OperationalError):
    writing.execute("INSERT INTO moves VALUES (zeroblob(1000000))")
still = writing.in_transaction
writing.execute("INSERT INTO moves VALUES ('third')")
kept = [what for (what,) in sqlite3.connect(sys.argv[1]).execute("SELECT what FROM moves")]
print(f"after a full disk: in a transaction {still}, kept for good: {kept}")
assert (goes_on, still, kept) == (True, False, ["third"])
END
echo "A full disk still ends an SQLite transaction in the middle, and what follows is committed."
