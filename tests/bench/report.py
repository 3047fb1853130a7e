"""The results of a benchmark, and their printed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

WIDTH: Final = 100
"""Columns that notes are wrapped to."""


@dataclass(frozen=True)
class Report:
    """A table of figures. `notes` say how to read it: what was measured, and what counts as what."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def lines(self) -> Iterator[str]:
        """The report as text: the first column to the left, figures to the right."""
        table = [tuple(self.columns), *(tuple(row) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        yield self.title
        yield ""
        for number, row in enumerate(table):
            first, *others = (
                text.ljust(width) if place == 0 else text.rjust(width)
                for place, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            yield "  ".join([first, *others]).rstrip()
            if number == 0:
                yield "  ".join("-" * width for width in widths)
        if self.notes:
            yield ""
        for note in self.notes:
            yield from wrap(note, WIDTH, initial_indent="- ", subsequent_indent="  ")
