"""The package's time zones are read, whatever the system has."""

from __future__ import annotations

import logging
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


@pytest.fixture(autouse=True)
def _system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system's database in which Vancouver has Tokyo's clock."""
    monkeypatch.delenv("PYTHONTZPATH", raising=False)
    (tmp_path / VANCOUVER).parent.mkdir()
    with as_file(files(tzdata) / "zoneinfo" / "Asia" / "Tokyo") as zone:
        (tmp_path / VANCOUVER).write_bytes(zone.read_bytes())
    zoneinfo.reset_tzpath([str(tmp_path)])
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


def hour_in_vancouver() -> int:
    """13: its clocks are no longer set back. 12 by older databases, as in Los Angeles; 5 by this system's."""
    return datetime(2026, 11, 28, 20, tzinfo=UTC).astimezone(zoneinfo.ZoneInfo(VANCOUVER)).hour


def test_the_package_is_read_in_place_of_the_system(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="bot.time_zones"):
        time_zones.use_package()
    assert hour_in_vancouver() == 13
    assert caplog.messages == [f"time zones: version {tzdata.IANA_VERSION}, of the package tzdata"]


def test_an_operators_folder_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONTZPATH", "/")
    time_zones.use_package()
    assert hour_in_vancouver() == 5
    assert zoneinfo.ZoneInfo("Europe/Berlin").key == "Europe/Berlin", "the package has what the folder lacks"


def test_quiet_hours_in_vancouver_are_those_of_its_clock_in_november_2026() -> None:
    time_zones.use_package()
    quiet = QuietHours(22, 7, VANCOUVER)
    begins, ends = (datetime(2026, 11, 28, hour, tzinfo=UTC).timestamp() for hour in (5, 14))
    assert quiet.until(begins - 1) is None
    assert quiet.until(begins) == ends
    assert quiet.until(ends - 1) == ends
    assert quiet.until(ends) is None
