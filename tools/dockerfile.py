"""Reads the Dockerfile and .dockerignore: the stages with their steps, and the files that they are given."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction, as in `COPY bot ./bot`, with its continued lines in one."""

    word: str
    rest: str

    @property
    def words(self) -> list[str]:
        """The rest of the instruction: the list of its exec form, or its words."""
        return list(json.loads(self.rest)) if self.rest.startswith("[") else shlex.split(self.rest)


@dataclass(slots=True)
class Stage:
    """The lines between a `FROM` and the next one."""

    base: str
    name: str
    steps: list[Step] = field(default_factory=list[Step])

    def all(self, word: str) -> list[Step]:
        """The steps of this kind, in their order."""
        return [step for step in self.steps if step.word == word]

    def last(self, word: str) -> Step:
        """The step of this kind that counts. Raises `LookupError` if there is none."""
        if not (found := self.all(word)):
            raise LookupError(f"the stage {self.name or 'of the image'} has no {word}")
        return found[-1]

    def variables(self, given: dict[str, str]) -> dict[str, str]:
        """The environment that `ENV` makes of a given one, with `ARG`s at their defaults where they are not given."""
        made = dict(given)
        for step in self.steps:
            if step.word == "ARG":
                name, _, default = step.words[0].partition("=")
                made.setdefault(name, default)
            if step.word == "ENV":
                for name, _, value in (each.partition("=") for each in step.words):
                    made[name] = re.sub(r"\$(\w+)", lambda found: made.get(found[1], ""), value)
        return made


def read_stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            base, *named = rest.split()
            stages.append(Stage(base, named[-1] if named else ""))
        elif word:
            stages[-1].steps.append(Step(word, rest.strip()))
    return stages


def is_sent(path: str, ignored: list[str]) -> bool:
    """Whether a file is among those that the build gets, by the lines of .dockerignore: the last that fits decides."""
    sent = True
    parts = path.split("/")
    above = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    for line in ignored:
        pattern = line.removeprefix("!").strip("/")
        if not pattern or pattern.startswith("#"):
            continue
        anywhere = pattern.removeprefix("**/")
        names = parts if anywhere != pattern else above if "/" in pattern else parts[:1]
        if any(fnmatch.fnmatchcase(name, anywhere) for name in names):
            sent = line.startswith("!")
    return sent


def sent_files(root: Path = ROOT) -> list[Path]:
    """The files of the project that a build gets."""
    ignored = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    tops = [path for path in sorted(root.iterdir()) if is_sent(path.name, ignored)]
    files = [file for top in tops for file in ([top] if top.is_file() else sorted(top.rglob("*")))]
    return [file for file in files if file.is_file() and is_sent(file.relative_to(root).as_posix(), ignored)]
