"""The sample for a new game: `rules.py` and `screens.py`, of which docs/adding-a-game.md makes a game of its own.

One seat is asked at a time, hands are private, and all is text.
"""

from tests.oasis.rules import Oasis, create

__all__ = ["Oasis", "create"]
