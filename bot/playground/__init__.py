"""`python -m bot play`: the whole bot in a simulated Discord on a local page, with no token and no network.

`play` is the composition root. Discord is SimCord's, the page is SimCord's Preview; the bot is the real one,
with its real store. `world` makes Discord, `pages` serves the page, `session` runs it all, and `quirks` is
what has to be done behind SimCord's back.
"""

from bot.playground.session import play

__all__ = ["play"]
