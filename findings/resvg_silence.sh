#!/usr/bin/env bash
# resvg: what it cannot draw is left out or black, and neither an exception nor a warning says so.
#
# Version:  resvg-py 0.5.0, Pillow 13.0.0 (which counts the pixels).
# Expected: a text without a font, or a colour of today's CSS, is an error, or is at least reported.
# Seen:     without fonts a text is not there at all; `oklch()` and `var()`, which browsers know, are painted black; a
#           shape whose size is in its CSS, which SVG 2 allows, is not there. The picture is a valid PNG file each time,
#           so a drawing that looks right in a browser must be compared by its pixels, or its elements be checked.
# Output:   attribute: (255, 0, 0, 255)
#           text without a font: nothing drawn
#           oklch(): (0, 0, 0, 255)
#           var() with a fallback: (0, 0, 0, 255)
#           size from CSS: nothing drawn
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    resvg-py==0.5.0 pillow==13.0.0

PYTHONPATH="$folder/lib" python3 - <<'END'
import io

import resvg_py
from PIL import Image

RED, BLACK, NOTHING = (255, 0, 0, 255), (0, 0, 0, 255), "nothing drawn"
CASES = {
    "attribute": ('<rect width="9" height="9" fill="red"/>', RED),
    "text without a font": ('<text y="9" font-size="12" fill="red">W</text>', NOTHING),
    "oklch()": ('<rect width="9" height="9" fill="oklch(0.63 0.26 29)"/>', BLACK),
    "var() with a fallback": ('<rect width="9" height="9" style="fill: var(--ink, red)"/>', BLACK),
    "size from CSS": ('<rect fill="red" style="width: 9px; height: 9px"/>', NOTHING),
}
for name, (body, expected) in CASES.items():
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{body}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    drawn = image.getpixel((4, 4)) if image.getbbox() else NOTHING
    print(f"{name}: {drawn}")
    assert drawn == expected, name
END
echo "resvg still draws what it does not know as nothing or in black, without a word."
