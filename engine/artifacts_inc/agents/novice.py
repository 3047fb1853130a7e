from random import Random

from engine.artifacts_inc.choices import every_move
from engine.artifacts_inc.state import View


class Novice:
    slow = False

    def choose(self, view: View, rng: Random):
        return next(every_move(view))
