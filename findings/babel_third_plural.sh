#!/usr/bin/env bash
# Babel: a new Italian, Spanish, French or Portuguese catalogue has a third plural form, for whole millions.
#
# Version:  Babel 2.18.0 and 2.19.0.
# Expected: a minor version leaves the number of plural forms of a well-known language alone.
# Seen:     2.18 begins these catalogues with two forms, 2.19 with three. The third is not for large numbers: it is the
#           second in the list, so what used to be "all others" moves from `msgstr[1]` to `msgstr[2]`. A catalogue that
#           exists keeps its two, so files of one project differ in shape by the day on which their language was begun.
# Output:   2.18.0: it 2, es 2, fr 2, pt 2, de 2; a catalogue that exists keeps 2
#           2.19.0: it 3, es 3, fr 3, pt 3, de 2; a catalogue that exists keeps 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 2.18.0 2.19.0; do
    python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/$version" "babel==$version"
    PYTHONPATH="$folder/$version" python3 - <<'END'
import io

import babel
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

new = {language: Catalog(locale=language) for language in ("it", "es", "fr", "pt", "de")}
head = b'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
old = read_po(io.BytesIO(head), locale="it")
forms = ", ".join(f"{language} {catalog.num_plurals}" for language, catalog in new.items())
print(f"{babel.__version__}: {forms}; a catalogue that exists keeps {old.num_plurals}")
more = 3 if babel.__version__ == "2.19.0" else 2
assert [catalog.num_plurals for catalog in new.values()] == [more, more, more, more, 2]
assert old.num_plurals == 2
if more == 3:
    assert "% 1000000 == 0 ? 1 : 2" in new["it"].plural_expr
END
done
echo "Babel 2.19 still begins these languages with a plural form more than 2.18."
