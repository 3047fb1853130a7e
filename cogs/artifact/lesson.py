"""The lesson of Artifact: a race in which it pays not to reach the Artifact first, in fourteen presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.lessons import Lesson, Replies, Step
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.catalogue import SECOND
from engine.artifact.state import View

ALONE: Final[Replies] = ((1, m.ROLL),)
"""A turn of the opponent in which nothing asks for a choice."""
CHALLENGED: Final[Replies] = ((1, m.ROLL), (1, m.HOLD_BACK))
"""A turn of the opponent with a Challenge, without an Aid."""
OTHER_PARTY: Final = m.Create((), ("picks", "sextant"))


@by_language
def lesson() -> Lesson:
    """The lesson with its texts."""
    return Lesson(
        seed=458,
        seats=2,
        cards="01ac7fa630dc689e",
        options={"scenario": "drowned_temple"},
        steps=(*_start(), *_boons(), *_aids(), *_trail(), *_artifact()),
        closing=(
            _(
                "The party that takes the Artifact must come home with it: wait on the way, one to six "
                "squares ahead."
            ),
            _(
                "Turn for the Artifact only while its holder is within six squares of you, because "
                "everyone moves at the same speed."
            ),
            _("Spend a Boon when it can turn a roll and failing would cost much; keep some for the fights."),
        ),
        facts=facts,
        would=would,
    )


def _start() -> tuple[Step, ...]:
    return (
        Step(
            m.Create((), ("pistols", "texts")),
            _(
                "Bring the Artifact {artifact} from square 30 home to square 1 and you win. Dice have made "
                "your party."
            ),
            _("Two pieces of equipment are chosen already, for what your party lacks. Press **Set Out**."),
            _("The proposed equipment is good for this party."),
            shows=("created", "parties", "order", "moved", "challenge", "faced"),
            given={"tens": 0},
            replies=((1, OTHER_PARTY), *CHALLENGED),
        ),
        Step(
            m.ROLL,
            _(
                "{a} went first and is on square {square_a}. Each square has a Boon 🎒 or a Challenge ❗ for "
                "you."
            ),
            _("Press **Roll**: you move as far as the die shows."),
            shows=("moved", "aid"),
            given={"square": 1},
            replies=CHALLENGED,
        ),
        Step(
            m.ROLL,
            _("You found {stick_chart}: a Boon, which is spent on one roll that names its ability."),
            _("You carry it until you need it. Press **Roll**."),
            shows=("moved", "challenge"),
            given={"square": 4, "aids": ("pistols", "stick_chart", "texts")},
        ),
    )


def _boons() -> tuple[Step, ...]:
    return (
        Step(
            m.Use(("pistols", "stick_chart")),
            _(
                "❗ {encounter}: your die and your {asks} ({have}) against two dice. Chance {chance}, with "
                "one Boon {chance_pistols}, with two {chance_all}."
            ),
            _(
                "Boons add up: spend {pistols} and {stick_chart} with one button. Failing would cost you a "
                "Boon."
            ),
            _("The lesson spends both Boons here, to show how they add up."),
            shows=("used", "faced", "moved"),
            proves={"faced": {"overcome": True}},
            given={"square": 9, "have": 3, "penalty": "aid_lost"},
            replies=CHALLENGED,
        ),
    )


def _aids() -> tuple[Step, ...]:
    return (
        Step(
            m.ROLL,
            _(
                "You are on square {square}, {a} on {square_a}. If you land on another party, you fight "
                "it: the loser is wounded."
            ),
            _("Press **Roll**. If none of your Boons fits a Challenge, the dice are rolled immediately."),
            shows=("moved", "challenge", "faced", "aid"),
            proves={"faced": {"overcome": True}},
            given={"square": 9, "square_a": 10},
            replies=ALONE,
        ),
        Step(
            m.ROLL,
            _(
                "Your party had what was asked. From square {second} on Challenges are harder, and Boons "
                "are stronger."
            ),
            _("Press **Roll**."),
            shows=("moved", "challenge"),
            given={"square": 15},
        ),
        Step(
            m.Use(("texts",)),
            _(
                "❗ {encounter} asks for {asks}; that gives you {have}. Chance {chance}, with equipment "
                "{chance_texts}."
            ),
            _("Spend {texts}: equipment is for what your party lacks."),
            _("Without help this Challenge is likely to be lost."),
            shows=("used", "faced", "moved"),
            proves={"faced": {"overcome": True}},
            given={"square": 19, "have": 2},
            replies=ALONE,
        ),
    )


def _trail() -> tuple[Step, ...]:
    return (
        Step(
            m.ROLL,
            _("Square {square}: {left} more to the Artifact. {a} is behind you, on {square_a}."),
            _("Press **Roll**."),
            shows=("moved", "challenge", "faced"),
            given={"square": 19, "square_a": 17},
            replies=ALONE,
        ),
        Step(
            m.ROLL,
            _("Your Boons are all spent, so be sparing with the next. Others can be found on the way."),
            _("Press **Roll**."),
            shows=("moved", "aid"),
            given={"square": 21, "number_of_aids": 0},
            replies=ALONE,
        ),
        Step(
            m.ROLL,
            _("You found {votive}. {a} has passed you and is on square {square_a}."),
            _("Press **Roll**, and watch who comes to square 30 first."),
            shows=("moved", "challenge"),
            given={"square": 22, "square_a": 24, "aids": ("votive",)},
        ),
        Step(
            m.HOLD_BACK,
            _(
                "❗ {encounter}: chance {chance}, with {votive} {chance_votive}. Failing costs no more than "
                "a turn."
            ),
            _(
                "Choose **Without Boons**: whoever takes the Artifact must come past you. Keep the Boon "
                "for that fight."
            ),
            _("Keep the Boon: a lost turn hurts little while you wait for the Artifact to come back."),
            shows=("faced", "turn_lost", "reached", "skipped"),
            proves={"faced": {"overcome": False}},
            given={"square": 28, "square_a": 24, "penalty": "turn_lost"},
            replies=((1, m.ROLL), (1, m.ROLL)),
        ),
    )


def _artifact() -> tuple[Step, ...]:
    return (
        Step(
            m.ROLL,
            _(
                "You lost a turn. {a} took the Artifact {artifact} and is on the way home, now on square "
                "{square_a}."
            ),
            _("From now on everyone rolls first and then chooses the direction. Press **Roll**."),
            shows=("rolled",),
            given={"holder": 1, "square": 28, "square_a": 25},
        ),
        Step(
            m.BACK,
            _("A {die}: back on the trail it leads to square {back}, where {a} is with the Artifact."),
            _(
                "Turn now: press **Back to {back}** and fight. The loser takes a wound; a second one sends "
                "a member "
                "home, and a party with no members left is out."
            ),
            _("The Artifact is behind you, and running on does not bring it nearer."),
            shows=("moved", "met"),
            given={"die": 3, "back": 25, "square_a": 25},
        ),
        Step(
            m.Use(("votive",)),
            _(
                "⚔️ {ability} counts: you have {own}, {a} {theirs}. Each adds a die and Boons. Chance "
                "{win}, with the Boon {win_votive}."
            ),
            _(
                "Spend {votive}: this is what you saved it for. The winner takes the Artifact, the loser a "
                "wound."
            ),
            _("This is the fight that decides: spend what fits."),
            shows=("used", "fought", "seized", "wounded"),
            proves={"fought": {"winner": 0}, "seized": {"other": 1}},
            given={"own": 2, "theirs": 1, "holder": 1},
        ),
    )


# -- fields and other moves


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of the texts.

    An Aid by its key is its name with what it is worth. square and square_a are where the viewer and the opponent (a)
    stand, left the squares to 30, back where the die leads backwards, aids the keys of the viewer's. At a Challenge:
    encounter, asks, have, penalty, chance, and chance_KEY with an Aid, chance_all with each that
    fits; in a fight likewise ability, own, theirs, win and win_KEY, the least chance whatever the other spends.
    """
    scenario = c.scenario(view)
    found: dict[str, Any] = {
        "artifact": name.ARTIFACT,
        "a": names.bold(1),
        "square": view.at[0],
        "square_a": view.at[1],
        "left": s.END - view.at[0],
        "back": view.at[0] - view.die,
        "die": view.die,
        "holder": view.holder,
        "aids": tuple(view.aids[0]),
        "number_of_aids": len(view.aids[0]),
        "tens": c.tens(view),
        "second": SECOND,
    }
    for key, aid in scenario.aids.items():
        found[key] = f"**{name.written_aid(scenario, key)}** ({name.aid_worth(aid)})"
    faced, fits = c.encounter(view), [aid.key for aid, _n in _fitting(view)]
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


def _fitting(view: View) -> list[tuple[Any, int]]:
    return c.fitting(view) if view.phase in (s.CHALLENGE, s.ATTACK) else []


def would(view: View, move: Any) -> str:
    """The effect that a move would have, in a sentence."""
    match move:
        case m.Create():
            return _("That would set out with another choice.")
        case m.Roll():
            return _("**Roll** would move your party.")
        case m.Go():
            return _("That would move your party the other way.")
        case m.Use(aids=()):
            return _("That would spend no Boon.")
        case m.Use():
            return _("That would spend {aids}.").format(
                aids=name.aids_of(view.catalogue, move.aids, c.scenario(view).key)
            )
        case _:
            return _("The rules allow that.")
