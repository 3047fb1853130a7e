"""The New Expedition's pictures and emoji with their alt texts: what the family draws, and the match's monument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from bot.art import ink
from bot.art.drawings import as_emoji
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import Pen, Sign
from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.game_screens import SeenEvent
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art import table as desert
from cogs.archaeology_family.art import texts
from cogs.archaeology_family.art import vignettes as family_vignettes
from cogs.archaeology_family.art.cards import family_emoji, treasure
from cogs.archaeology_family.art.vignettes import cards as cards_of
from cogs.archaeology_family.art.vignettes import family_signs
from cogs.expedition.art import draw, monuments
from cogs.expedition.monuments import EMOJI, monument_name
from engine.archaeology_family.card_list import MAP, TREASURES, Bundles, CardList, bundles
from engine.expedition.monuments import SAFE
from engine.expedition.state import MONUMENTS, ExpeditionView, MonumentKey


def sign(monument: MonumentKey) -> Part:
    """A monument as a sign."""
    return draw("small-pyramid" if monument == "great_pyramid" else f"small-{monument}")


@cache
def expedition_emoji() -> Mapping[str, Part]:
    """The drawings of The New Expedition's emoji."""
    monuments = {EMOJI[key]: as_emoji(sign(key)) for key in MONUMENTS}
    own = {"⛺": as_emoji(draw("tent")), "👁️": as_emoji(draw("look")), "💥": as_emoji(draw("collapse"))}
    return {**family_emoji(len(TREASURES)), **monuments, **own}


def monument(view: ExpeditionView) -> str:
    """The monument with what lies in it, what that costs, and what everybody knows of it."""
    name = monument_name(view.monument)
    if view.monument == "ruins":
        return _ruins(view, name)
    left = texts.chambers(view.chambers, view.costs)
    text = _("{monument}: it holds {chambers}.") if left else _("{monument}: nothing is left in it.")
    sentences = [text.format(monument=name, chambers=left)]
    if view.monument in ("mine", "sphinx") and any(view.public_within[0]):
        known = texts.plain_cards(bundles(view.public_within[0]))
        sentences.append(_("Everyone knows that {cards} lie there.").format(cards=known))
    if view.turned:
        turned = texts.plain_cards(bundles([view.turned.count(kind) for kind in range(view.kinds)]))
        text = _("Revealed in it: {cards}, worth {worth} of {safe}.")
        sentences.append(text.format(cards=turned, worth=view.worth_turned, safe=SAFE))
    witnesses = sorted({seat for seats in view.privy for seat in seats})
    if witnesses:
        text = _("Players who have looked into it: {players}.")
        sentences.append(text.format(players=listing([texts.player(seat) for seat in witnesses])))
    if view.opened is not None:
        sentences.append(_("A coffin stands open, and someone is choosing what to keep."))
    return " ".join(sentences)


def _ruins(view: ExpeditionView, name: str) -> str:
    nothing = pgettext("a pit of the Ruins", "nothing")
    pits = [texts.plain_cards(bundles(within)) or nothing for within in view.public_within]
    text = _("{monument}: in three open pits, each for {maps}, lie {pits}.")
    shown = text.format(monument=name, maps=card.counted(MAP, view.costs[0]), pits="; ".join(pits))
    if not view.pile:
        return shown
    pile = card.number_of_cards(view.pile)
    return shown + " " + _("Sandstorms will uncover {cards} more.").format(cards=pile)


def table_picture(view: ExpeditionView) -> Picture:
    """The public part of the table."""
    return desert.table_picture(
        view, lambda scene, x, y: monuments.place_monument(scene, view, x, y), monument(view), view.tents
    )


def banner() -> Picture:
    """All six monuments behind the camp; an aeroplane brings the post."""
    scene = desert.desert()
    scene.place(draw("ruins"), 104, 92, 112)
    scene.place(draw("mine"), 204, 36, 118)
    scene.place(draw("pyramid"), 296, -3, 152)
    scene.place(draw("temple"), 424, 30, 120)
    for left in monuments.DOORS:
        scene.place(draw("door"), 424 + left * 120 / 264, 30 + 98 * 120 / 264, 27)
    scene.place(draw("tomb"), 520, 94, 118)
    scene.place(draw("aeroplane"), 596, 8, 100, turn=-8)
    desert.place_camp(scene)
    scene.place(draw("sphinx"), 352, 84, 104)
    return scene.picture(
        _(
            "A desert camp before ruins, a mine, a pyramid, a temple, a tomb and a sphinx. A biplane brings the post; "
            "finds lie in the sand, and a whirl of sand is coming up."
        )
    )


def vignette(events: Sequence[SeenEvent], card_list: CardList) -> Picture | None:
    """The picture of a turn: of what both games have, or of what happened in the Mine or before the Sphinx."""
    own: Sequence[str] = ("mined", "collapsed", "revealed")
    return family_vignettes.vignette(events, card_list, dict.fromkeys(own, _brought))


def signs(event: SeenEvent) -> Iterator[Sign]:
    """The signs of an event, for the captions of films."""
    facts = event.facts
    match event.kind:
        case "looked":
            yield draw("look")
        case "mined":
            yield from (draw("small-mine"), *cards_of(facts["cards"]))
        case "collapsed":
            yield from (draw("small-mine"), draw("collapse"))
        case "named":
            yield from (draw("small-sphinx"), *map(treasure, facts["treasures"]))
        case "revealed":
            yield from (draw("small-sphinx"), draw("arrow"), *cards_of(facts["taken"]))
        case "uncovered":
            yield from (draw("small-ruins"), *map(treasure, facts["treasures"]))
        case _:
            yield from family_signs(event)


def _brought(event: SeenEvent) -> Picture:
    place, text = {
        "mined": ("mine", _("{player} comes out of the Mine with {cards}.")),
        "collapsed": (
            "rubble",
            _(
                "The Mine collapses: the revealed cards are worth {worth}, more than {safe}. {player} gains nothing."
            ),
        ),
        "revealed": ("sphinx", _("The Sphinx answers {player} with {cards}.")),
    }[event.kind]
    cards: Bundles = event.facts["taken" if event.kind == "revealed" else "cards"]
    scene = family_vignettes.frame(ink.SHADE)
    scene.place(draw(place), 66, 10, 186)
    kinds = [kind for kind, n in cards for _copy in range(n)]
    family_vignettes.place_row(scene, kinds, 276, 46, 404, 98)
    family_vignettes.place_actor(scene, event.seat)
    worth = event.facts.get("worth")
    if event.kind == "collapsed":
        scene.figure(f"{worth}/{SAFE}", 160, 20, 46, pen=Pen(weight=1.4, halo=ink.SHADE))
    player = texts.player(event.seat or 0)
    player = player if event.kind == "revealed" else family_vignettes.sentence(player)
    facts = {"player": player, "cards": texts.plain_cards(cards), "worth": worth, "safe": SAFE}
    return scene.picture(text.format(**facts))
