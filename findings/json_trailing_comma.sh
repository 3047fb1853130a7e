#!/usr/bin/env bash
# Python's json: the line of the error of a trailing comma is another one since Python 3.13.
#
# Version:  Python 3.12 and 3.13; no package.
# Expected: `lineno` of the error is part of the interface, and stays where it was for the same text.
# Seen:     up to 3.12 the parser complains of what it finds in place of the next name, on the line of the bracket;
#           since 3.13 it has a message for trailing commas, and counts the line of the comma.
# Output:   Python 3.12: line 3 (Expecting property name enclosed in double quotes)
#           Python 3.13: line 2 (Illegal trailing comma before end of object)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
find_python() { # the first that runs, of the names on the path and those that pyenv has
    for each in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        if "$each" -c '' 2> "$folder/errors"; then echo "$each" && return; fi
    done
    return 1
}
if ! { older=$(find_python 3.12) && newer=$(find_python 3.13); }; then
    echo "Skipped: this needs Python 3.12 and 3.13."
    exit 0
fi

for python in "$older" "$newer"; do
    "$python" - <<'END'
import json
import sys

try:
    json.loads('{\n  "seats": 4,\n}')
except json.JSONDecodeError as error:
    print(f"Python {sys.version_info.major}.{sys.version_info.minor}: line {error.lineno} ({error.msg})")
    assert error.lineno == (3 if sys.version_info < (3, 13) else 2)
END
done
echo "A trailing comma is still an error of the next line up to Python 3.12, and of its line since 3.13."
