"""`python -m bot play`: the whole bot in a simulated Discord on a local page, with no token and no network.

SimCord simulates Discord, and its Preview is the page; the bot is the real one with its real store. `world` makes the
simulated Discord, `pages` serves the page, `session` runs everything, and `quirks` changes SimCord where its public
interface does not suffice.
"""

from bot.playground.session import play

__all__ = ["play"]
