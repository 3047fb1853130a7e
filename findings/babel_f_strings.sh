#!/usr/bin/env bash
# Babel: the same source gives another catalogue under Python 3.11 than under 3.12, where a text stands in an f-string.
#
# Version:  Babel 2.19.0, Python 3.11 and 3.12.
# Expected: an extractor finds the calls that the program makes, on whatever Python it runs.
# Seen:     Babel reads tokens. Up to 3.11 an f-string is one token, and calls in its braces are not found; no warning
#           says so. Since 3.12 its inside is tokens too, and they are. A template that one developer has collected
#           loses messages when another one collects it.
# Output:   Python 3.11: ['plain']
#           Python 3.12: ['in braces', 'plain']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
find_python() { # the first that runs, of the names on the path and those that pyenv has
    for each in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        if "$each" -c '' 2> "$folder/errors"; then echo "$each" && return; fi
    done
    return 1
}
if ! { older=$(find_python 3.11) && newer=$(find_python 3.12); }; then
    echo "Skipped: this needs Python 3.11 and 3.12."
    exit 0
fi
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" babel==2.19.0

for python in "$older" "$newer"; do
    PYTHONPATH="$folder/lib" "$python" - <<'END'
import io
import sys

from babel.messages.extract import extract_python

source = b"""
print(f"{count} {_('in braces')}")
print(_("plain"))
"""
found = [message for _line, _name, message, _comments in extract_python(io.BytesIO(source), ["_"], [], {})]
print(f"Python {sys.version_info.major}.{sys.version_info.minor}: {found}")
assert found == (["plain"] if sys.version_info < (3, 12) else ["in braces", "plain"])
END
done
echo "Babel still finds texts in the braces of an f-string from Python 3.12 on, and none before."
