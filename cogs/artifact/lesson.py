"""The fields of the texts of Artifact's lesson (`lesson.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.ui.screens.names import Names
from cogs.artifact import names as name
from engine.artifact import choices as c
from engine.artifact import state as s
from engine.artifact.card_list import SECOND
from engine.artifact.state import View


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of the texts.

    An Aid by its key is its name with what it is worth. square and square_a are where the viewer and the opponent (a)
    stand, left the squares to 30, on where the die leads forwards, aids the keys of the viewer's. At a Challenge:
    encounter, asks, have, penalty, chance, and chance_KEY with an Aid, chance_all with each that
    fits; in a fight likewise ability, own, theirs, win and win_KEY, the least chance whatever the other spends.
    """
    scenario = c.scenario(view)
    at, die, aids = view.at[0], view.die, view.aids[0]
    found: dict[str, Any] = {"artifact": name.ARTIFACT, "a": names.bold(1), "holder": view.holder, "die": die}
    found |= {"square": at, "square_a": view.at[1], "left": s.END - at, "on": min(s.END, at + die)}
    found |= {"aids": list(aids), "number_of_aids": len(aids), "tens": c.tens(view), "second": SECOND}
    for key, aid in scenario.aids.items():
        found[key] = f"**{name.written_aid(scenario, key, 0)}** ({name.aid_worth(aid)})"
    faced, fits = c.encounter(view), [aid.key for aid, _n in c.fitting(view)]
    if view.phase == s.CHALLENGE and faced is not None and faced.challenge is not None:
        found["encounter"] = f"**{name.written(faced.title)}**"
        found["asks"] = name.challenge(faced.challenge)
        found["have"] = c.challenge_bonus(view, 0, faced.key)
        found["penalty"] = faced.challenge.penalty
        found["chance"] = name.percent(c.chance(view))
        found["chance_all"] = name.percent(c.chance(view, fits))
        found |= {f"chance_{key}": name.percent(c.chance(view, (key,))) for key in fits}
    if view.phase == s.ATTACK:
        found["ability"] = name.ability(view.ability)
        found["own"], found["theirs"] = (view.counts[seat][view.ability] for seat in (0, 1))
        found["win"] = name.percent(c.fight_chances(view)[0].win)
        found |= {f"win_{key}": name.percent(c.fight_chances(view, (key,))[0].win) for key in fits}
    return found
