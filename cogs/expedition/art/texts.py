"""The alt texts of The New Expedition's pictures: the monument, and the cards found in it."""

from __future__ import annotations

from bot.language import gettext as _
from bot.language import listing, pgettext
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art import texts
from cogs.expedition.monuments import monument_name
from engine.archaeology_family.card_list import MAP, bundles
from engine.expedition.monuments import SAFE
from engine.expedition.state import ExpeditionView


def monument(view: ExpeditionView) -> str:
    """The monument with what lies in it, what that costs, and what everybody knows of it."""
    name = monument_name(view.monument)
    if view.monument == "ruins":
        return _ruins(view, name)
    left = texts.chambers(view.chambers, view.costs)
    if not left:
        sentences = [_("{monument}: nothing is left in it.").format(monument=name)]
    else:
        sentences = [_("{monument}: it holds {chambers}.").format(monument=name, chambers=left)]
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
    pits = [
        texts.plain_cards(bundles(within)) or pgettext("a pit of the Ruins", "nothing")
        for within in view.public_within
    ]
    text = _("{monument}: in three open pits, each for {maps}, lie {pits}.")
    shown = text.format(monument=name, maps=card.counted(MAP, view.costs[0]), pits="; ".join(pits))
    if not view.pile:
        return shown
    pile = card.number_of_cards(view.pile)
    return shown + " " + _("Sandstorms will uncover {cards} more.").format(cards=pile)
