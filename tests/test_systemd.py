"""The units of systemd: systemd understands them, and the service may do no more than it needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = Path(__file__).parents[1] / "deploy" / "systemd"
NEWER: Final = ("RestartSteps=", "RestartMaxDelaySec=")
"""Lines that systemd before 254 does not know, as the page says."""


def units() -> dict[str, str]:
    """The units, by name."""
    return {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}


def version() -> int:
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd-analyze is not installed")
    return int(
        subprocess.run([analyze, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    )


def test_all_units_are_found() -> None:
    assert set(units()) == {
        "digsite.service",
        *(f"digsite-{name}.{kind}" for name in ("backup", "offsite") for kind in ("service", "timer")),
    }


@pytest.mark.parametrize(
    "line",
    [
        "MemoryMax=1G",
        "CapabilityBoundingSet=",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
        "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged",
        "RestartPreventExitStatus=2",
    ],
)
def test_the_service_is_held_to_what_it_needs(line: str) -> None:
    assert line in units()["digsite.service"].splitlines()


def test_systemd_understands_every_unit(tmp_path: Path) -> None:
    older = version() < 254
    for name, text in units().items():
        program = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE)
        lines = [line for line in program.splitlines() if not (older and line.startswith(NEWER))]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in units():
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)],
            capture_output=True,
            text=True,
            check=False,
        )
        said = [line for line in done.stderr.splitlines() if "digsite" in line]
        assert (done.returncode, said) == (0, []), done.stderr
