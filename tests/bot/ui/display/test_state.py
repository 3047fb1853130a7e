"""The cached state of a message is as certain as Discord's answers, and a table is forgotten as a whole."""

from __future__ import annotations

import pytest

from bot.ui.display.state import DisplayStates, MessageState
from bot.ui.screens import components as ui
from bot.ui.screens.kit import ScreenView

OLD_VIEW, NEW_VIEW = ScreenView([ui.text("the old drawing")]), ScreenView([ui.text("the new drawing")])
OLD, NEW = OLD_VIEW.digest, NEW_VIEW.digest
TABLE, OTHER, BOARD = 1, 2, 100


def test_a_message_shows_the_drawing_of_its_only_edit() -> None:
    message = MessageState()
    assert not message.shows(NEW)
    with message.editing(NEW_VIEW):
        assert message.edits_sent == 1
        assert message.shows(NEW)
    assert message.edits_sent == 0
    assert message.shows(NEW)


def test_after_edits_that_overlap_it_is_unsure_what_a_message_shows_until_one_more_edit() -> None:
    message = MessageState()
    with message.editing(OLD_VIEW), message.editing(NEW_VIEW):
        assert message.unsure
    assert not message.shows(OLD)
    assert not message.shows(NEW)
    with message.editing(NEW_VIEW):
        pass
    assert message.shows(NEW)


def test_an_edit_that_fails_may_have_taken_effect() -> None:
    message = MessageState()
    message.note_posted(OLD, [])
    with pytest.raises(OSError, match="lost"), message.editing(NEW_VIEW):
        raise OSError("the answer got lost")
    assert message.unsure
    assert message.attachments is None
    message.forget_drawing()
    assert message == MessageState()


def test_the_files_of_a_message_are_not_known_after_edits_that_overlap() -> None:
    message = MessageState()
    with message.editing(OLD_VIEW), message.editing(NEW_VIEW):
        message.note_attachments([])
    assert message.attachments is None
    with message.editing(NEW_VIEW):
        pass
    message.note_attachments([])
    assert message.attachments == []


def test_a_post_whose_message_is_being_edited_does_not_undo_what_the_edit_shows() -> None:
    message = MessageState()
    with message.editing(NEW_VIEW):
        message.note_posted(OLD)
        message.forget_drawing()
    assert message.shows(NEW)


def test_a_message_that_is_being_edited_is_not_forgotten() -> None:
    table = DisplayStates().of(TABLE)
    with table.message(BOARD).editing(NEW_VIEW):
        table.forget_message(BOARD)
    assert table.message(BOARD).shows(NEW)
    table.forget_message(BOARD)
    assert table.messages == {}


def test_the_earliest_check_wins() -> None:
    table = DisplayStates().of(TABLE)
    for when in (30.0, 10.0, 20.0):
        table.check(when)
    assert table.check_at == 10.0


def test_a_forgotten_table_leaves_nothing() -> None:
    states = DisplayStates()
    for table in (TABLE, OTHER):
        states.of(table).searched = True
        states.of(table).message(BOARD + table).note_posted(OLD)
    states.forget(TABLE)
    states.forget(TABLE)
    assert states.get(TABLE) is None
    assert [table for table, _state in states] == [OTHER]
    states.keep_only({TABLE})
    assert [*states] == []


def test_a_sweep_keeps_tables_of_which_something_is_remembered() -> None:
    states = DisplayStates()
    states.of(TABLE).searched = True
    states.of(TABLE).message(BOARD)
    states.of(OTHER).message(BOARD + 1)
    states.sweep(now=0.0)
    assert [(table, state.messages) for table, state in states] == [(TABLE, {})]
