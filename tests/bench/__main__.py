"""Runs the benchmarks: `python -m tests.bench [NAME ...]`, all of them or those named.

A benchmark is a module of this package with a function `run` that takes nothing and returns a `Report`, or
several.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import platform
from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

import tests.bench
from tests.bench.report import Report

Benchmark = Callable[[], Report | Iterable[Report]]


def benchmarks() -> dict[str, Benchmark]:
    """The benchmarks by the name of their module."""
    found: dict[str, Benchmark] = {}
    for module in sorted(pkgutil.iter_modules(tests.bench.__path__), key=lambda module: module.name):
        if module.name == "__main__":
            continue
        run: Any = getattr(importlib.import_module(f"tests.bench.{module.name}"), "run", None)
        if run and not signature(run).parameters:
            found[module.name] = run
    return found


def main() -> None:
    found = benchmarks()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures speed.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(found)}; all if none is given"
    )
    names = parser.parse_args().names or list(found)
    if unknown := set(names) - set(found):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(found)}")
    print(f"Python {platform.python_version()} on {os.cpu_count()} cores ({platform.machine()})")
    for name in names:
        result = found[name]()
        for report in (result,) if isinstance(result, Report) else result:
            print("", *report.lines(), sep="\n", flush=True)


if __name__ == "__main__":
    main()
