"""The intents of the buttons and menus of a turn. A menu's intent also names what is chosen in it."""

from __future__ import annotations

from typing import Final

ROLL: Final = "g.roll"
ORDER: Final = "g.order"
DIE: Final = "g.die"
USE: Final = "g.use"
ASK_DIVE: Final = "g.ask-dive"
DIVE_DICE: Final = "g.dive-dice"
DIVE: Final = "g.dive"
ASK_AGAIN: Final = "g.ask-again"
AGAIN_DICE: Final = "g.again-dice"
AGAIN: Final = "g.again"
GOODS: Final = "g.goods"
SELL: Final = "g.sell"
END: Final = "g.end"
END_NOW: Final = "g.end-now"
BACK: Final = "g.back"
