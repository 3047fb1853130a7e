"""`python -m bot play`: the whole bot in a simulated Discord on a local page, without token or network.

SimCord simulates Discord; the bot and its store are real. `world` creates the simulated Discord and adds what SimCord
lacks, `acts` has what people do in it, `projection` says what one person sees, `server` serves that to the files in
`page`, and `session` runs all of it. No module uses or replaces a private part of SimCord.
"""

from bot.playground.opening import Game
from bot.playground.session import play

__all__ = ["Game", "play"]
