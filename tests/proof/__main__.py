"""Runs the proof: `python -m tests.proof`; `--help` tells how to make it shorter, longer or harder."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import fields
from pathlib import Path

from tests.proof.plan import Plan
from tests.proof.prove import prove


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    for each in fields(Plan):
        kind = float if isinstance(each.default, float) else int
        about = f"{each.metadata['about']} ({each.default:g})"
        parser.add_argument(f"--{each.name}", type=kind, default=each.default, help=about)
    parser.add_argument("--keep", metavar="FOLDER", help="where the processes' logs stay; default: nowhere")
    parser.add_argument("--before", metavar="FILE", help="Python code that each process runs first")
    chosen = vars(parser.parse_args())
    keep, file = chosen.pop("keep"), chosen.pop("before")
    before = Path(file).read_text() if file else ""
    verdict = asyncio.run(prove(plan := Plan(**chosen), keep=keep, before=before))
    print(*verdict.report(plan).lines(), sep="\n", flush=True)
    sys.exit(1 if verdict.faults or verdict.slow else 0)


if __name__ == "__main__":
    main()
