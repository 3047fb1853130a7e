"""Converts Discord's Markdown to HTML, as far as the screens use it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

_INLINE: Final = re.compile(
    r"""\\(?P<escaped>[!-/:-@\[-`{-~])
    | `(?P<code>[^`]+)`
    | \*\*(?P<strong>.+?)\*\*(?!\*)
    | __(?P<u>.+?)__
    | ~~(?P<s>.+?)~~
    | \*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*
    | <a?:(?P<emoji>\w+):\d+>
    """,
    re.X | re.S,
)
_LINE: Final = re.compile(r"(?P<small>-# )|(?P<heading>#{1,3} )|(?P<item>[-*] )|(?P<quote>> )|(?P<fence>```)")


def inline(text: str) -> str:
    """One line of Markdown as HTML.

    >>> inline(r"**Ana** digs a *Map* \\*, `<4>`")
    '<strong>Ana</strong> digs a <em>Map</em> *, <code>&lt;4&gt;</code>'
    """
    parts: list[str] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts += html.escape(text[end : found.start()], quote=False), _marked(found)
        end = found.end()
    return "".join([*parts, html.escape(text[end:], quote=False)])


def _marked(found: re.Match[str]) -> str:
    mark, inner = str(found.lastgroup), str(found[str(found.lastgroup)])
    if mark in ("escaped", "emoji"):
        return html.escape(inner, quote=False)
    if mark == "code":
        return f"<code>{html.escape(inner, quote=False)}</code>"
    return f"<{mark}>{inline(inner)}</{mark}>"


def block(text: str) -> str:
    """Lines of Markdown as HTML, one block per line.

    >>> block("### Hand\\n- one\\n-# two")
    '<h3>Hand</h3><p class="item">one</p><p class="small">two</p>'
    """
    return "".join(_blocks(iter(text.split("\n"))))


def _blocks(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        found = _LINE.match(line)
        rest = line[found.end() :] if found else line
        if found is None:
            if line.strip():
                yield f"<p>{inline(line)}</p>"
        elif found["fence"]:
            yield _fenced(rest, lines)
        elif found["heading"]:
            yield f"<h3>{inline(rest)}</h3>"
        else:
            yield f'<p class="{found.lastgroup}">{inline(rest)}</p>'


def _fenced(first: str, lines: Iterator[str]) -> str:
    """The lines up to the end of a code block."""
    inside: list[str] = [first] if first else []
    for line in lines:
        if line.startswith("```"):
            break
        inside.append(line)
    return f"<pre>{html.escape(chr(10).join(inside), quote=False)}</pre>"
