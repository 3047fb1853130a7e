"""The texts of a scenario can be collected for translators, and looked up again by its English words."""

from __future__ import annotations

from babel.messages.catalog import Catalog

from tests.engine.artifact.scene import GAME
from tests.texts import collected
from tools.texts import texts_of_scenario

STORIES = [text for scenario in GAME.card_list.scenarios for text in texts_of_scenario(scenario)]


def words(catalog: Catalog) -> set[str]:
    return {message.id for message in catalog if isinstance(message.id, str)}


def test_every_title_and_story_is_collected_with_its_place():
    catalog = collected(stories=True)
    for text, place in STORIES:
        message = catalog.get(text)
        assert message
        assert f"Translators: {place}" in message.auto_comments
    assert words(catalog) - words(collected(stories=False)) == {text for text, _ in STORIES}


def test_no_story_takes_the_translation_of_another_text():
    assert len({text for text, _ in STORIES}) == len(STORIES)
    assert not {text for text, _ in STORIES} & words(collected(stories=False))


def test_a_story_is_never_taken_for_a_pattern():
    """No braces and no percent signs: what is put into other sentences stays as it is."""
    assert not [text for text, _ in STORIES if set(text) & set("{}%")]
