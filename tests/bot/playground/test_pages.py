"""The secret part of the playground's address: kept from one sitting to the next, and never empty."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

pytest.importorskip("simcord")

from bot.playground.pages import _key


def test_the_key_is_kept_and_private(tmp_path: Path) -> None:
    file = tmp_path / "key"
    key = _key(file)
    assert len(key) > 30
    assert _key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_key_file_that_a_killed_start_left_empty_is_filled(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.touch(0o600)
    key = _key(file)
    assert len(key) > 30
    assert _key(file) == key
