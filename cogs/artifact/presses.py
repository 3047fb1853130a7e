"""The meaning of each button and menu of the private screen: a move, or the selection after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.ui.screens.game_screens import Meaning, Pressed, keep_selection
from cogs.artifact import turn
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.state import View
from engine.errors import IllegalMove


def _roll(_view: View, _pressed: Pressed) -> m.Move:
    return m.ROLL


def _forward(_view: View, _pressed: Pressed) -> m.Move:
    return m.FORWARD


def _back(_view: View, _pressed: Pressed) -> m.Move:
    return m.BACK


def _set_out(view: View, pressed: Pressed) -> m.Move:
    if view.phase != s.PARTY:
        raise IllegalMove("other-decision")
    return turn.created(view, pressed.choices)


def _meet(_view: View, pressed: Pressed) -> m.Move:
    return m.Meet(turn.number(pressed.arg))


def _name(_view: View, pressed: Pressed) -> m.Move:
    return m.Name(turn.number(pressed.arg))


def _use(view: View, pressed: Pressed) -> m.Move:
    _aids_asked(view)
    return m.Use(turn.set_aids(view, pressed.arg))


def _spend(view: View, pressed: Pressed) -> m.Move:
    _aids_asked(view)
    return m.Use(turn.chosen_aids(view, pressed.choices.get(turn.AIDS, ())))


def _aids_asked(view: View) -> None:
    if view.phase not in (s.ATTACK, s.DEFEND, s.CHALLENGE):
        raise IllegalMove("other-decision")


def _give_up(view: View, pressed: Pressed) -> m.Move:
    if view.phase != s.GIVE_UP:
        raise IllegalMove("other-decision")
    return m.GiveUp(turn.given_up(view, next(iter(pressed.chosen), pressed.arg)))


MEANINGS: Final[Mapping[str, Meaning[View, m.Move]]] = {
    turn.TENS: keep_selection,
    turn.EQUIP: keep_selection,
    turn.SET_OUT: _set_out,
    turn.ROLL: _roll,
    turn.FORWARD: _forward,
    turn.BACK: _back,
    turn.MEET: _meet,
    turn.NAME: _name,
    turn.USE: _use,
    turn.AIDS: keep_selection,
    turn.SPEND: _spend,
    turn.GIVE_UP: _give_up,
}
"""By intent."""
