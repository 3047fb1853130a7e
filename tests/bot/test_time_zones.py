"""The newer database of time zones is read: the system's or the package's."""

from __future__ import annotations

import logging
import shutil
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path

import pytest
import tzdata

from bot import time_zones
from bot.tables.calling import QuietHours

VANCOUVER = "America/Vancouver"
NOON = datetime(2026, 11, 28, 20, tzinfo=UTC)
"""13 o'clock in Vancouver, whose clocks are no longer set back; 12 o'clock by older databases, as in Los Angeles."""


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("PYTHONTZPATH", raising=False)
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


def database(folder: Path, version: str, *, name: str = "tzdata.zi", vancouver: str) -> Path:
    """A system's database of this version, in which Vancouver has the clock of another zone."""
    (folder / "America").mkdir(parents=True)
    with as_file(files(tzdata) / "zoneinfo" / vancouver) as zone:
        shutil.copy(zone, folder / VANCOUVER)
    (folder / name).write_text(f"{version}\n# redo posix_right\n", encoding="utf-8")
    return folder


def hour_in_vancouver() -> int:
    return NOON.astimezone(zoneinfo.ZoneInfo(VANCOUVER)).hour


def test_the_package_is_read_in_place_of_an_older_system(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    system = database(tmp_path / "system", "# version 2025b", vancouver="America/Los_Angeles")
    zoneinfo.reset_tzpath([str(system)])
    zoneinfo.ZoneInfo.clear_cache()
    assert hour_in_vancouver() == 12
    with caplog.at_level(logging.INFO, logger="bot.time_zones"):
        time_zones.use_newer([str(system)])
    assert hour_in_vancouver() == 13, "not even from the cache"
    assert caplog.messages == [
        f"time zones: version {tzdata.IANA_VERSION}, of the package tzdata; the system has 2025b"
    ]


@pytest.mark.parametrize(("name", "version"), [("tzdata.zi", "# version 2099a"), ("+VERSION", "2099a")])
def test_a_newer_system_is_read_in_place_of_the_package(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, version: str
) -> None:
    system = database(tmp_path / "system", version, name=name, vancouver="Asia/Tokyo")
    with caplog.at_level(logging.INFO, logger="bot.time_zones"):
        time_zones.use_newer([str(tmp_path / "missing"), str(system)])
    assert hour_in_vancouver() == 5
    assert zoneinfo.ZoneInfo("Europe/Berlin").key == "Europe/Berlin", "the package has what the system lacks"
    assert caplog.messages == [f"time zones: version 2099a, in {system}"]


@pytest.mark.parametrize("version", ["", "# version unknown"])
def test_the_package_is_read_where_the_systems_version_is_unknown(tmp_path: Path, version: str) -> None:
    system = database(tmp_path / "system", version, vancouver="Asia/Tokyo")
    time_zones.use_newer([str(system)])
    assert hour_in_vancouver() == 13


@pytest.mark.parametrize(
    ("older", "newer"), [("2025c", "2026a"), ("2026a", "2026b"), ("2026z", "2026za"), ("", "1999a")]
)
def test_versions_are_compared_by_year_and_letters(older: str, newer: str) -> None:
    assert time_zones._age(older) < time_zones._age(newer)


def test_a_machine_without_a_database_reads_the_package(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="bot.time_zones"):
        time_zones.use_newer([])
    assert hour_in_vancouver() == 13
    assert caplog.messages == [f"time zones: version {tzdata.IANA_VERSION}, of the package tzdata"]


def test_an_operators_folder_is_read_whatever_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    system = database(tmp_path / "system", "# version 2025b", vancouver="Asia/Tokyo")
    monkeypatch.setenv("PYTHONTZPATH", str(system))
    with caplog.at_level(logging.INFO, logger="bot.time_zones"):
        time_zones.use_newer()
    assert hour_in_vancouver() == 5
    assert caplog.messages == [f"time zones: version 2025b, in {system}"]
    monkeypatch.setenv("PYTHONTZPATH", "")
    time_zones.use_newer()
    assert hour_in_vancouver() == 13


def test_quiet_hours_in_vancouver_are_those_of_its_clock_in_november_2026() -> None:
    time_zones.use_newer()
    quiet = QuietHours(22, 7, VANCOUVER)
    begins, ends = (datetime(2026, 11, 28, hour, tzinfo=UTC).timestamp() for hour in (5, 14))
    assert quiet.until(begins - 1) is None
    assert quiet.until(begins) == ends
    assert quiet.until(ends - 1) == ends
    assert quiet.until(ends) is None
