"""`python -m bot play`: the whole bot in a simulated Discord on a local page, without token or network.

SimCord simulates Discord, and SimCord's Preview is the page; the bot and its store are real. `world` creates the
simulated Discord, `pages` serves the page, `session` runs the playground, and `simcord_patches` changes SimCord where
its public interface is not enough.
"""

from bot.playground.session import play

__all__ = ["play"]
