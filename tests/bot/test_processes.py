"""Processes beside the bot end with it, whenever it is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_OPEN = """
import time
from bot.processes import Pool
if __name__ == "__main__":
    print("opening", flush=True)
    pool = Pool(1, int).open()
    pool.submit(int).result()
    pool.submit(time.sleep, 600)
    print("open", flush=True)
    input()
"""


@pytest.mark.parametrize("after", [0.0, 0.05, 0.2, None])
def test_a_helper_ends_when_the_bot_is_killed(after: float | None, tmp_path: Path) -> None:
    """So many seconds after the bot began to start the helper; None: while the helper works."""
    script = tmp_path / "bot_and_helper.py"
    script.write_text(_OPEN, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    ) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "opening\n"
        if after is None:
            assert bot.stdout.readline() == "open\n"
        else:
            time.sleep(after)
        bot.kill()
        bot.communicate(timeout=30)  # ends when the helper has ended, which has the pipes open too
