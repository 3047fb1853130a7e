"""Processes beside the bot end with it, and quietly, whenever it is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_DIE_HERE = """
import multiprocessing.util as util, os, signal
start = util.spawnv_passfds
def start_and_die(path, arguments, handles):
    number = start(path, arguments, handles)
    if "--multiprocessing-fork" in arguments:  # the other one is Python's own
        os.kill(os.getpid(), signal.SIGKILL)
    return number
util.spawnv_passfds = start_and_die
"""
"""The bot dies when the helper runs, and has not been told yet what to do."""

_OPEN = """
from bot.processes import Pool
if __name__ == "__main__":
    print("opening", flush=True)
    Pool(1, int).open().submit(int).result()
    print("open", flush=True)
    input()
"""


def killed(program: str, path: Path, after: float | None = None) -> str:
    """The standard error of a bot that runs this program and of its helpers, until the last of them has ended.

    It is killed so many seconds after it began to open its pool, or, without such a number, kills itself.
    """
    script = path / "bot_and_helper.py"
    script.write_text(program, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    ) as bot:
        assert bot.stdout is not None
        assert bot.stderr is not None
        if after is not None:
            assert bot.stdout.readline() == "opening\n"
            time.sleep(after)
            bot.kill()
        return bot.stderr.read()  # helpers have it open too


_SEND_HALF = """
import multiprocessing.popen_spawn_posix as popen
class Half:
    def __init__(self, *arguments, **options):
        self.file = open(*arguments, **options)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        pass
    def write(self, said):
        self.file.write(said[:HALF])
        self.file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
popen.open = Half
import os, signal
"""
"""The bot dies when it has told the helper only this much of what to do."""


def test_a_helper_that_loses_the_bot_before_it_knows_what_to_do_ends_quietly(tmp_path: Path) -> None:
    assert "Traceback" not in killed(_DIE_HERE + _OPEN, tmp_path)


@pytest.mark.parametrize("half", [1, 100, -1])
def test_a_helper_that_loses_the_bot_while_it_is_told_what_to_do_ends_quietly(
    half: int, tmp_path: Path
) -> None:
    assert "Traceback" not in killed(_SEND_HALF.replace("HALF", str(half)) + _OPEN, tmp_path)


@pytest.mark.parametrize("after", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_a_helper_that_is_starting_when_the_bot_is_killed_ends_quietly(after: float, tmp_path: Path) -> None:
    assert "Traceback" not in killed(_OPEN, tmp_path, after)
