"""Collects the texts for translators: `make texts` renews bot/locales/digsite.pot and every language's catalogue.

`python tools/texts.py fr` begins a language: docs/translating.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.language import CASES
from bot.ui.screens import lessons, pages
from engine.artifact import create
from engine.artifact.card_list import ScenarioData
from engine.registry import load_games

ROOT: Final = Path(__file__).parents[1]
LOCALES: Final = ROOT / "bot" / "locales"
TEMPLATE: Final = LOCALES / "digsite.pot"
KEYWORDS: Final = {
    "_": None,
    "mark": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
NOUNS: Final = {"noun": ((1, "c"), 2), "counted_noun": (1, 2)}
"""The functions whose texts a language with cases has in each case."""
DEVELOPERS: Final = "The Digsite developers"
HEAD: Final = f"""\
# {{}} of Digsite.
# Copyright (C) 2026 {DEVELOPERS}
# This file is distributed under the licence of Digsite (MIT).
#"""
REPORTS: Final = "an issue, as CONTRIBUTING.md says"
MILLIONS: Final = re.compile(r"n != 0 && n % 1000000 == 0 \? 1 : 2")
"""The end of a plural rule that has a form for whole millions, in Babel since 2.19 ("un millón de cartas")."""
STORIES: Final = True
"""Whether the stories of Artifact's scenarios are collected."""


class Text(NamedTuple):
    """A text of a scenario for players, with a word for translators about where it stands."""

    text: str
    place: str


def texts_of_scenario(scenario: ScenarioData) -> Iterator[Text]:
    """All texts of a scenario that players read, in the order in which they come up."""
    yield Text(scenario.title, "scenario")
    yield Text(scenario.prize, f"{scenario.title}: the Artifact, in a sentence")
    yield Text(scenario.departure, f"{scenario.title}: the parties set out")
    for part in scenario.parts:
        yield Text(part.title, f"{scenario.title}: half of the trail")
        for encounter in part.encounters:
            kind = "an Aid" if encounter.aid else "a Challenge"
            yield Text(encounter.title, f"{scenario.title}: {kind}, title")
            yield Text(encounter.story, f"{scenario.title}: {encounter.title}")
            if encounter.again:
                yield Text(encounter.again.title, f"{scenario.title}: {kind}, title")
                yield Text(encounter.again.story, f"{scenario.title}: {encounter.again.title}")
    yield Text(scenario.discovery, f"{scenario.title}: the Artifact is first taken")
    yield Text(scenario.homecoming, f"{scenario.title}: the Artifact is brought home")


def collect(*, stories: bool = STORIES) -> Catalog:
    """All texts in `bot` and `cogs`, with their contexts, the files in which they stand, and comments on them.

    With `stories`, those of Artifact's scenarios too. A story is looked up under its English text, like any other text.
    """
    catalog = Catalog(
        project="Digsite",
        version="main",
        header_comment=HEAD.format("Texts"),
        msgid_bugs_address=REPORTS,
        fuzzy=False,
    )
    for file, message, comments, context in _found({**KEYWORDS, **NOUNS}):
        catalog.add(message, None, [(file, 0)], auto_comments=comments, context=context)
    for name, texts_of in {"lesson.toml": lessons.texts_of, "rules.md": pages.texts_of}.items():
        for place in sorted(ROOT.glob(f"cogs/*/{name}")):
            if place.parent.name not in _unpublished():
                for text in texts_of(place):
                    catalog.add(text, None, [(place.relative_to(ROOT).as_posix(), 0)])
    if stories:
        for scenario in create().card_list.scenarios:
            for text, place in texts_of_scenario(scenario):
                file = f"engine/artifact/scenarios/{scenario.key}.json"
                catalog.add(text, None, [(file, 0)], auto_comments=[f"Translators: {place}"])
    return catalog


def _unpublished() -> set[str]:
    """The packages of games that are not published yet."""
    games = (game for game in load_games().values() if not game.published)
    return {type(game).__module__.split(".")[1] for game in games}


def _found(keywords: Mapping[str, Any]) -> Iterator[tuple[str, Any, list[str], str | None]]:
    """The texts in calls of these functions: file, text or its plural forms, comments, and context.

    Those of games that are not published yet are left out.
    """
    unpublished = _unpublished()
    for folder in ("bot", "cogs"):
        found = extract_from_dir(
            ROOT / folder,
            keywords=dict(keywords),
            method_map=[("**.py", "python")],
            comment_tags=("Translators:",),
        )
        for file, _line, message, comments, context in found:
            if folder == "cogs" and file.partition("/")[0] in unpublished:
                continue
            yield f"{folder}/{file}", message, comments, context


def with_cases(template: Catalog, language: str) -> Catalog:
    """The template for a language, in which each noun stands once more for each case that the language has."""
    whole = Catalog(fuzzy=False)
    for message in template:
        if message.id:
            whole[message.id] = message
    for file, text, comments, context in _found(NOUNS) if language in CASES else ():
        for case in CASES[language]:
            whole.add(
                text,
                None,
                [(file, 0)],
                auto_comments=[*comments, f"Translators: in the case “{case}”"],
                context=f"{context}, {case}" if context else case,
            )
    return whole


def begin(language: str) -> Catalog:
    """An empty catalogue of a language, with the plural forms of numbers below a million: texts have no larger ones."""
    catalog = Catalog(locale=language, fuzzy=False)
    if MILLIONS.search(catalog.plural_expr):
        rule = MILLIONS.sub("1", catalog.plural_expr)
        catalog.mime_headers = [("Plural-Forms", f"nplurals=2; plural={rule};")]
    return catalog


def renew(catalog: Catalog, template: Catalog) -> None:
    """Gives a catalogue the texts of the template. Its translations and the names of its makers stay."""
    assert catalog.locale is not None
    made = catalog.creation_date
    catalog.update(with_cases(template, str(catalog.locale)), no_fuzzy_matching=True)
    catalog.creation_date = made  # another date at every run would be a change each time
    catalog.obsolete.clear()
    catalog.project, catalog.version = template.project, template.version
    catalog.msgid_bugs_address = template.msgid_bugs_address
    name = str(catalog.locale.english_name)
    if "EMAIL@ADDRESS" in catalog.header_comment:
        catalog.header_comment = HEAD.format(f"{name} texts")
    if "EMAIL@ADDRESS" in catalog.last_translator:
        catalog.last_translator = DEVELOPERS
    if "LL@li.org" in catalog.language_team:
        catalog.language_team = name
    if isinstance(catalog.revision_date, str):
        catalog.revision_date = made


def write(catalog: Catalog, file: Path) -> None:
    """Writes a catalogue with the files in which its texts stand; line numbers would change with every edit."""
    file.parent.mkdir(parents=True, exist_ok=True)
    for message in catalog:
        # Babel sets it where a text gets plural forms, and shows no fuzzy text.
        message.flags.discard("fuzzy")
        if str(catalog.locale) in CASES:
            # A translation may ask for a case, which that format does not know: `{cards:acc}`.
            message.flags.discard("python-brace-format")
    with file.open("wb") as out:
        write_po(out, catalog, width=100, sort_output=True)


def read(file: Path, locale: str | None = None) -> Catalog:
    with file.open("rb") as text:
        return read_po(text, locale=locale)


def complete(message: Message) -> bool:
    """Whether a text is translated, in all its plural forms."""
    string = message.string
    return all(string) if isinstance(string, tuple) else bool(string)


def main(new: list[str]) -> None:
    """Renews the template and all catalogues, and makes those of the `new` languages."""
    template = collect()
    template.creation_date = read(TEMPLATE).creation_date
    write(template, TEMPLATE)
    for language in new:
        file = LOCALES / language / "LC_MESSAGES" / "digsite.po"
        if not file.exists():
            write(begin(language), file)
    for file in sorted(LOCALES.glob("*/LC_MESSAGES/digsite.po")):
        catalog = read(file, file.parts[-3])
        renew(catalog, template)
        write(catalog, file)
        missing = [message.id for message in catalog if message.id and not complete(message)]
        sys.stdout.write(f"{file.parts[-3]}: {len(catalog)} texts, {len(missing)} to translate\n")


if __name__ == "__main__":
    main(sys.argv[1:])
