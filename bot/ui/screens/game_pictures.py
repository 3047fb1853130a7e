"""The pictures of a game, each optional by itself."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import Deed
from bot.ui.screens.game_inputs import Pressed, SeenEvent
from engine.game import MatchView

V_contra = TypeVar("V_contra", bound=MatchView, contravariant=True)


class GamePictures(ABC, Generic[V_contra]):
    """A game's pictures. Each of them is optional.

    A picture is made from a view, and has an alt text in the current language (`bot.language.speaking`).
    """

    own_in_film: ClassVar[bool] = True
    """Whether a film has the seats' own pictures below the table's. False if the table's picture shows the same."""

    def parts(self) -> Sequence[Part]:
        """All parts that this game's pictures are made of, for the contact sheet that shows them together."""
        return ()

    def emoji_parts(self) -> Mapping[str, Part]:
        """The drawings of this game's own emoji on Discord, by the ordinary emoji that its texts and buttons use.

        Where Discord shows no emoji of the application's own, the ordinary emoji are shown.
        """
        return {}

    def sign(self) -> Part | None:
        """The game's sign in pictures that show several games, about as high as wide."""
        return None

    def banner(self) -> Picture | None:
        """The picture at the head of a lobby."""
        return None

    def table_picture(self, view: V_contra) -> Picture | None:
        """The public part of the table, for the table message. `view` is a spectator's while the match is played.

        A game with this picture can be watched as a film.
        """
        return None

    def view_of_turn(self, view: Any, seat: int) -> Any:
        """The view in which the table's picture marks this seat, whose turn has just ended: for a film's frame.

        The same view unless overridden.
        """
        return view

    def own_picture(self, view: V_contra) -> Picture | None:
        """The viewer's possessions, such as a hand, for their private screen."""
        return None

    def sheet_picture(self, view: V_contra, pressed: Pressed) -> Picture | None:
        """The picture of a sheet, such as a company or a card's two sides. Arguments as for `sheet`."""
        return None

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        """A picture of the most memorable event among these of one turn; None if none is memorable.

        It is square and 240 pixels wide, or as wide as a message for an event that all at the table talk about.
        """
        return None

    def deeds(self, events: Sequence[SeenEvent]) -> Sequence[Deed]:
        """The deeds in these events of one turn, in its order, as signs: for the caption of a film's frame.

        There is at least one deed, even for a turn that brought nothing. None unless overridden.
        """
        return ()

    def podium(self, view: V_contra) -> Picture | None:
        """The result of a match that is over: the ranks, and the winner's means of winning."""
        return None
