#!/usr/bin/env bash
# pydantic-core: its fast JSON functions are no drop-in for the standard library's: other keys, and other valid texts.
#
# Version:  pydantic-core 2.50.5.
# Expected: `to_json` and `from_json` write and read what `json` writes and reads, in less time.
# Seen:     the key None is written as "None", where `json` writes "null". Half of a surrogate pair, as in a name that
#           another program has cut, is read by `json` and refused by `from_json`, and likewise when it is written.
# Output:   key None: {"None":1}; by json: {"null": 1}
#           half a pair: read ValueError, written PydanticSerializationError; json reads and writes it
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" pydantic-core==2.50.5

PYTHONPATH="$folder/lib" python3 - <<'END'
import json

from pydantic_core import PydanticSerializationError, from_json, to_json

key, by_json = to_json({None: 1}).decode(), json.dumps({None: 1})
print(f"key None: {key}; by json: {by_json}")
assert (key, by_json) == ('{"None":1}', '{"null": 1}')

text = r'"Ann \ud83d"'
assert json.dumps(json.loads(text)) == text
try:
    from_json(text)
except ValueError as error:
    read = type(error).__name__
try:
    to_json(json.loads(text))
except PydanticSerializationError as error:
    written = type(error).__name__
print(f"half a pair: read {read}, written {written}; json reads and writes it")
END
echo "pydantic-core still writes a key None otherwise than json, and refuses half a surrogate pair."
