"""The dig site in words: what is left in it, and that it is nearly empty."""

from __future__ import annotations

from bot.language import gettext as _
from bot.language import listing, ngettext
from cogs.archaeology_family import names as card
from engine.archaeology_family.state import View


def left(view: View) -> str:
    """The rest of the dig site, with the hazards in it."""
    if view.outcome is not None:
        return _("**Dig site** · empty")
    if not view.site:
        return _("**Dig site** · empty: sell what you hold. The match ends when no one holds a card.")
    cards = card.number_of_cards(view.site)
    thieves = ngettext("{n} Thief", "{n} Thieves", view.thieves).format(n=view.thieves)
    storms = ngettext("{n} Sandstorm", "{n} Sandstorms", view.sandstorms).format(n=view.sandstorms)
    hazards = [f"{card.THIEF} {thieves}"] if view.thieves else []
    hazards += [f"{card.SANDSTORM} {storms}"] if view.sandstorms else []
    if not hazards:
        text = ngettext(
            "**Dig site** · {cards}, a treasure",
            "**Dig site** · {cards}, all of them treasures",
            view.site,
        )
        return text.format(cards=cards)
    text = ngettext(
        "**Dig site** · {cards}: {hazards}", "**Dig site** · {cards}, among them {hazards}", view.site
    )
    return text.format(cards=cards, hazards=listing(hazards))


def nearly_empty(view: View) -> str:
    """The rest of the dig site, from the round on in which it becomes empty; empty before."""
    if view.outcome is not None or view.site > view.seats:
        return ""
    if not view.site:
        return f"🏁 {left(view)}"
    text = _(
        "🏁 Only {cards} left to dig up. Then everyone goes on without digging, until no one holds a card."
    )
    return text.format(cards=card.number_of_cards(view.site))
