"""Discord's Markdown as HTML, and nothing else as HTML."""

from __future__ import annotations

import doctest

import pytest

from bot.replay import page
from bot.replay.page import block, inline


def test_the_examples_are_right() -> None:
    done = doctest.testmod(page)
    assert done.attempted
    assert not done.failed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Ana** takes *one*", "<strong>Ana</strong> takes <em>one</em>"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("__Upper row__ ~~gone~~", "<u>Upper row</u> <s>gone</s>"),
        (r"\*not\* \_so\_ \**b*", "*not* _so_ *<em>b</em>"),
        ("`4` → `<7>`", "<code>4</code> → <code>&lt;7&gt;</code>"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("<:coin:1234567890>", "coin"),
        ('<script>alert("&")</script>', '&lt;script&gt;alert("&amp;")&lt;/script&gt;'),
        ("**<img src=x onerror=alert(1)>**", "<strong>&lt;img src=x onerror=alert(1)&gt;</strong>"),
    ],
)
def test_a_line(text: str, shown: str) -> None:
    assert inline(text) == shown


def test_blocks() -> None:
    text = "## Hand\n\n- a\n> b\n-# c\n```\n<d>\n **e**\n```\nf"
    assert block(text) == (
        '<h3>Hand</h3><p class="item">a</p><p class="quote">b</p><p class="small">c</p>'
        "<pre>&lt;d&gt;\n **e**</pre><p>f</p>"
    )


def test_a_fence_that_is_never_closed_ends_with_the_text() -> None:
    assert block("```\nx") == "<pre>x</pre>"
