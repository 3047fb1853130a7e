"""Runs the proof: `python -m tests.proof`; `--help` tells how to make it shorter, longer or harder."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import fields
from pathlib import Path

from tests.proof.plan import Plan
from tests.proof.prove import prove

HELP = {
    "seconds": "for how long there are troubles",
    "processes": "processes of the bot",
    "shards": "shards that they share",
    "matches": "live matches",
    "kills": "how often a process is killed",
    "freezes": "how often a process is frozen, mostly until its session has ended",
    "restarts": "how often the database server is restarted",
    "ends": "how often a process is told to end at once, in an orderly way",
    "drains": "how often a process is told to end, and first gives its shards away",
    "sessions": "how often the database server ends all sessions of a process",
    "think": "seconds between two presses of a person, on average",
    "concurrency": "buckets in which Discord lets shards identify",
    "quiet": "seconds that people go on playing once the troubles are over",
    "limit": "the matches' turn limit in seconds",
    "ending": "how many of the matches are near their end at first",
    "left": "moves that these have left, at most",
    "seed": "what the troubles are drawn from",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    for each in fields(Plan):
        kind = float if isinstance(each.default, float) else int
        about = f"{HELP[each.name]} ({each.default:g})"
        parser.add_argument(f"--{each.name}", type=kind, default=each.default, help=about)
    parser.add_argument(
        "--keep", metavar="FOLDER", help="where the processes' logs are kept; default: nowhere"
    )
    parser.add_argument(
        "--before", metavar="FILE", help="Python code that each process runs first, such as a fault"
    )
    chosen = vars(parser.parse_args())
    keep, file = chosen.pop("keep"), chosen.pop("before")
    before = Path(file).read_text() if file else ""
    verdict = asyncio.run(prove(plan := Plan(**chosen), keep=keep, before=before))
    print(*verdict.report(plan).lines(), sep="\n", flush=True)
    sys.exit(1 if verdict.faults or verdict.slow else 0)


if __name__ == "__main__":
    main()
