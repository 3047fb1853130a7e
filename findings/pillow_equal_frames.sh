#!/usr/bin/env bash
# Pillow: an animation has fewer frames than were saved, where neighbours are equal, and GIF frames shorter times.
#
# Version:  Pillow 13.0.0.
# Expected: four images saved with `save_all` are four frames; a time that the format cannot hold is rounded.
# Seen:     equal neighbours become one frame with the sum of their times, so numbers of frames do not lead back to the
#           images. A GIF's times are cut to hundredths of a second: 19 ms is 10, not 20, and 33 ms frames (30 a second)
#           run a tenth too fast.
# Output:   GIF: 4 images, frames of [600, 400] ms
#           PNG: 4 images, frames of [600, 400] ms
#           GIF: 19 and 33 ms become [10, 30]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" pillow==13.0.0

PYTHONPATH="$folder/lib" python3 - <<'END'
import io

from PIL import Image


def times(kind: str, colours: str, durations: list[int]) -> list[int]:
    first, *others = [Image.new("RGB", (8, 8), {"r": "red", "b": "blue"}[colour]) for colour in colours]
    file = io.BytesIO()
    first.save(file, kind, save_all=True, append_images=others, duration=durations)
    saved, found = Image.open(file), []
    for number in range(saved.n_frames):
        saved.seek(number)
        found.append(round(saved.info["duration"]))
    return found


for kind in ("GIF", "PNG"):
    frames = times(kind, "rrrb", [100, 200, 300, 400])
    print(f"{kind}: 4 images, frames of {frames} ms")
    assert frames == [600, 400]
cut = times("GIF", "rb", [19, 33])
print(f"GIF: 19 and 33 ms become {cut}")
assert cut == [10, 30]
END
echo "Pillow still merges equal neighbours, and cuts a GIF's times to hundredths."
