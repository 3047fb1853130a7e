"""Gives texts other words in code, lessons, rules and all catalogues, and keeps their translations.

    python tools/reword.py CHANGES.json

The file maps each English text, as it stands in the code, to its new words. A plural form is a text of its own. The new
words of a translation are changed in the catalogue as always. Tests that look for a text are named.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools import texts

WIDTH: Final = 90
"""The most characters of a part of a text."""


def reworded(source: str, changes: Mapping[str, str]) -> str:
    """A module's source with other words in its texts.

    >>> reworded('print(_("How are " "you?"))', {"How are you?": "Hello!"})
    'print(_("Hello!"))'
    """
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = source.encode()
    found = [
        (starts[node.lineno - 1] + node.col_offset, starts[end - 1] + (node.end_col_offset or 0), node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value in changes
        and (end := node.end_lineno) is not None
    ]
    for start, end, old in sorted(found, reverse=True):
        data = data[:start] + _literal(changes[old]).encode() + data[end:]
    return data.decode()


def reworded_data(source: str, changes: Mapping[str, str]) -> str:
    """A lesson's file, or one of rules, with other words in its texts."""
    for old, new in changes.items():
        line = re.compile(rf"^(# |\* |  |){re.escape(old)}$", re.MULTILINE)
        source = line.sub(lambda found, new=new: found[1] + new, source.replace(_quoted(old), _quoted(new)))
    return source


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _literal(text: str) -> str:
    """A text as it stands in the code; a long one in several parts, which `formatted` puts on lines of their own."""
    return " ".join(_quoted(part) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    while len(text) > WIDTH:
        cut = text.rfind(" ", 0, WIDTH) + 1 or WIDTH
        yield text[:cut]
        text = text[cut:]
    yield text


def formatted(source: str) -> str:
    """A module's source in the form of the project: `ruff format` also adds the parentheses that a long text needs."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "module.py", "-"]
    done = subprocess.run(
        command, input=source, text=True, cwd=texts.ROOT, check=True, stdout=subprocess.PIPE
    )
    return done.stdout


def reword_catalogue(file: Path, changes: Mapping[str, str]) -> None:
    """Puts the translations of these texts under their new words."""
    with file.open("rb") as old:
        catalog = read_po(old, locale=file.parts[-3])
    for message in list(catalog):
        forms = message.id if isinstance(message.id, tuple | list) else [message.id]
        new = [changes.get(str(form), str(form)) for form in forms]
        if new == [str(form) for form in forms] or not message.id:
            continue
        catalog.delete(str(forms[0]), message.context)
        catalog.add(
            tuple(new) if len(new) > 1 else new[0],
            message.string,
            message.locations,
            auto_comments=message.auto_comments,
            context=message.context,
        )
    texts.write(catalog, file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("changes", type=Path)
    changes: dict[str, str] = json.loads(parser.parse_args().changes.read_text(encoding="utf-8"))
    used: set[str] = set()
    for folder in ("bot", "cogs"):
        for file in sorted((texts.ROOT / folder).rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            new = reworded(source, changes)
            if new != source:
                file.write_text(formatted(new), encoding="utf-8")
                held = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
                used |= {text for text in changes if text in held}
    for file in sorted([*texts.ROOT.glob("cogs/*/lesson.toml"), *texts.ROOT.glob("cogs/*/rules.md")]):
        source = file.read_text(encoding="utf-8")
        file.write_text(reworded_data(source, changes), encoding="utf-8")
        used |= {old for old, new in changes.items() if reworded_data(source, {old: new}) != source}
    for file in sorted(texts.LOCALES.glob("*/LC_MESSAGES/digsite.po")):
        reword_catalogue(file, changes)
    texts.main([])
    for text in sorted(set(changes) - used):
        sys.stdout.write(f"not in the code: {text!r}\n")
    for file in sorted((texts.ROOT / "tests").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        for text in changes:
            if text in source:
                sys.stdout.write(f"{file.relative_to(texts.ROOT)} looks for {text!r}\n")


if __name__ == "__main__":
    main()
