"""Every text, in every language, with every kind of value that may be inserted."""

from __future__ import annotations

import re
import shutil
import string
import subprocess
from collections.abc import Iterator
from functools import cache
from gettext import c2py
from pathlib import Path

import discord
import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message

from bot.language import (
    PUBLISHED,
    Phrase,
    counted_noun,
    gettext,
    listing,
    ngettext,
    pgettext,
    phrase,
    speaking,
)
from tests.texts import collected
from tools.texts import LOCALES, TEMPLATE, begin, read, renew, write

CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/digsite.po"))
EVERY_CATALOGUE = pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parts[-3])
COUNTS = (0, 1, 2, 5, 11, 21, 22, 101)
CASE = re.compile(r"\{\w+:\w+\}")
LONG_NAME = "W" * 32
EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f]")
LINE = re.compile(r"(?:-# |#+ |- |> |\d+\. )?")
"""The mark at the beginning of a line, which makes it small, a heading, or a point of a list."""
BUTTON = 80
"""The most characters of a button's label."""


@cache
def catalogue(file: Path) -> Catalog:
    return read(file, file.parts[-3])


def messages(file: Path) -> Iterator[Message]:
    return (message for message in catalogue(file) if message.id)


def forms(text: object) -> list[str]:
    """A message's one form, or its plural forms."""
    return [str(form) for form in text] if isinstance(text, tuple | list) else [str(text)]


def fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def markup(text: str) -> dict[str, object]:
    """The marks of a text that its translation keeps, in any order: each changes how Discord shows it."""
    bold = re.findall(r"\*\*(.*?)\*\*", text)
    return {
        "bold": len(bold),
        "bold values": {field for part in bold for field in fields(part)},
        "italic": len(re.findall(r"(?<!\*)\*(?!\*)", text)),
        "code, mentions and links": sorted(re.findall(r"`[^`]*`|<[^>]*>|\]\([^)]*\)", text)),
        "emoji": sorted(EMOJI.findall(text)),
        "lines": [LINE.match(line)[0] for line in text.split("\n")],  # type: ignore[index]
        "ends": (text != text.lstrip(), text != text.rstrip()),
    }


def values(n: int) -> list[object]:
    """A value of every kind: a number, a name, a noun with a number, a list, and a noun within a phrase."""
    cards = counted_noun("{n} card", "{n} cards", n)
    return [
        n,
        f"**{LONG_NAME}**",
        cards,
        listing([cards, cards]),
        phrase("{sign} {cards}", sign="🪙", cards=cards),
    ]


@pytest.mark.parametrize("language", PUBLISHED)
def test_every_text_takes_every_kind_of_value_in_every_language(language: str) -> None:
    with speaking(language):
        for message in messages(LOCALES / language / "LC_MESSAGES" / "digsite.po"):
            first, last = (forms(message.id)[index] for index in (0, -1))
            asked = fields(last) | fields(first)
            for n in COUNTS:
                if message.context and not message.pluralizable:
                    text = pgettext(message.context, first)
                else:
                    text = ngettext(first, last, n) if message.pluralizable else gettext(first)
                for value in values(n):
                    if not isinstance(value, Phrase) and CASE.search(text):
                        continue  # a case is asked of phrases alone
                    shown = text.format(**dict.fromkeys(asked, value))
                    assert "{" not in shown, shown


@EVERY_CATALOGUE
def test_a_form_for_several_numbers_names_the_number(file: Path) -> None:
    """In Russian the form for 1 is that for 21 as well, so it may not say “the only seat”."""
    plural = c2py(catalogue(file).plural_expr)
    shared = {plural(n) for n in range(2, 200)}
    for message in messages(file):
        if message.pluralizable and "{n}" in forms(message.id)[-1]:
            for number, form in enumerate(forms(message.string)):
                assert not form or number not in shared or "{n}" in form, (message.id, form)


@EVERY_CATALOGUE
def test_every_plural_has_as_many_forms_as_the_language(file: Path) -> None:
    for message in messages(file):
        if message.pluralizable:
            assert len(forms(message.string)) == catalogue(file).num_plurals, message.id


def forms_below_a_million(rule: str) -> list[int]:
    """The plural forms of the numbers that texts may have. Rules look at no more than the last two digits of such."""
    return [c2py(rule)(n) for n in range(1000)]


@pytest.mark.parametrize("locale", list(discord.Locale), ids=str)
def test_a_new_language_has_a_plural_form_for_numbers_below_a_million_and_no_other(
    locale: discord.Locale,
) -> None:
    new = begin(str(Locale.parse(locale.value, sep="-")))
    assert set(forms_below_a_million(new.plural_expr)) == set(range(new.num_plurals)), new.plural_expr


@EVERY_CATALOGUE
def test_a_catalogue_has_the_plural_forms_with_which_its_language_would_begin_today(file: Path) -> None:
    new = begin(file.parts[-3])
    assert forms_below_a_million(catalogue(file).plural_expr) == forms_below_a_million(new.plural_expr)


def msgfmt_says(file: Path) -> str:
    """The faults and warnings of `msgfmt -c`, by which translators' tools accept a file."""
    program = shutil.which("msgfmt")
    if program is None:
        pytest.skip("gettext is not installed")
    checked = subprocess.run([program, "-c", "-o", "/dev/null", file], capture_output=True, check=False)
    return checked.stderr.decode()


@EVERY_CATALOGUE
def test_translators_tools_accept_a_catalogue(file: Path) -> None:
    assert msgfmt_says(file) == ""


def test_translators_tools_accept_the_template_and_what_is_begun_from_it(tmp_path: Path) -> None:
    # A template names no language and no translator, and msgfmt warns of that alone.
    assert not [line for line in msgfmt_says(TEMPLATE).splitlines() if "warning: header field" not in line]
    assert "ORGANIZATION" not in TEMPLATE.read_text(encoding="utf-8")
    new = begin("fr")
    renew(new, collected())
    write(new, tmp_path / "fr.po")
    assert msgfmt_says(tmp_path / "fr.po") == ""
    assert len(new) == len(collected())


def test_each_published_language_has_a_catalogue() -> None:
    assert set(PUBLISHED) <= {file.parts[-3] for file in CATALOGUES}


@EVERY_CATALOGUE
def test_every_translation_has_the_markup_of_its_text(file: Path) -> None:
    for message in messages(file):
        texts = [markup(text) for text in forms(message.id)]
        for form in forms(message.string):
            shown = markup(form)
            # A form for one number may say it in words.
            values = [{**text, "bold values": shown["bold values"]} for text in texts]
            assert shown in (texts if len(texts) == 1 else values), f"{message.id!r}: {form!r}"


@EVERY_CATALOGUE
def test_labels_of_buttons_fit(file: Path) -> None:
    for message in messages(file):
        if message.context and message.context.startswith("button"):
            for form in forms(message.string):
                assert len(form) <= BUTTON // 2, f"{form!r} is cut on a phone"


def test_no_english_sentence_begins_with_who_or_what_unless_it_is_a_question() -> None:
    sentences = [
        sentence
        for message in messages(CATALOGUES[0])
        for text in forms(message.id)
        for sentence in re.split(r"(?<=[.!?:;])\s+|\n", text)
    ]
    assert any(sentence.endswith("?") and "What " in sentence for sentence in sentences)
    assert not [
        each for each in sentences if re.match(r"\W*(Who|What)\b", each) and not re.search(r"\?\W*$", each)
    ]
