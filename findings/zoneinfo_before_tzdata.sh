#!/usr/bin/env bash
# zoneinfo: installing the newest `tzdata` changes nothing where the system has time zones, however old they are.
#
# Version:  Python 3.11, tzdata 2026.6 (IANA 2026f) and 2025.2 (IANA 2025b), which plays the system's folder.
# Expected: a package that is named as a dependency, in its newest version, is what the program reads.
# Seen:     Python asks the folders of the system first, and the package only for a zone that they lack. IANA 2026f has
#           the clocks of Vancouver stay at UTC-7 in the winter of 2026; an old system's folder has them go back.
# Output:   with an older system folder: UTC-08:00; without one: UTC-07:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" tzdata==2026.6
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/old" tzdata==2025.2

PYTHONPATH="$folder/lib" python3 - "$folder/old/tzdata/zoneinfo" <<'END'
import sys
import zoneinfo
from datetime import datetime


def vancouver(*folders: str) -> str:
    zoneinfo.reset_tzpath(folders)
    zoneinfo.ZoneInfo.clear_cache()
    return datetime(2026, 12, 1, tzinfo=zoneinfo.ZoneInfo("America/Vancouver")).strftime("UTC%z")[:6] + ":00"


system, package = vancouver(sys.argv[1]), vancouver()
print(f"with an older system folder: {system}; without one: {package}")
assert (system, package) == ("UTC-08:00", "UTC-07:00")
END
echo "An old folder of the system still hides the newest tzdata from zoneinfo."
