"""`python -m bot play`: the whole bot against a simulated Discord in a local page, with no token and no network.

`play` is the composition root. Discord is SimCord's, the page is SimCord's Preview, the bot is the real one with its
real store. What is odd about the two of them is kept in `world` (Discord) and `pages` (the page).
"""

from bot.playground.session import play

__all__ = ["play"]
