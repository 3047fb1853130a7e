"""The authors and publishers of a game in words, and the statement that this project is independent of them."""

from __future__ import annotations

from dataclasses import replace

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import AnyScreens, Credits, Page


def credits_line(credits: Credits) -> str:
    """Authors, publishers and year in a line: "By Ana and Ben · published by Chen · 2009"."""
    if not (credits.authors or credits.publishers):
        return _("Its author and its publisher are not known here")
    parts = [
        _("By {authors}").format(authors=listing([*credits.authors]))
        if credits.authors
        else _("Its author is not known here"),
        _("published by {publishers}").format(publishers=listing([*credits.publishers]))
        if credits.publishers
        else _("its publisher is not known here"),
    ]
    return " · ".join([*parts, *([str(credits.year)] if credits.year else [])])


def disclaimer() -> list[str]:
    """The relation of this project to the authors and publishers of its games, in paragraphs."""
    return [
        _(
            "The games are the work of their authors and publishers. Digsite is not theirs, and they have not "
            "endorsed it."
        ),
        _(
            "Its rules were written anew in words of its own, and its pictures were drawn for it. Numbers marked as "
            "*our own number* or as this project's own are not those of the printed cards."
        ),
        _(
            "If you like a game, buy it: from its publisher or in a game shop, and second-hand where it is out of "
            "print."
        ),
    ]


def rules_and_credits(screens: AnyScreens, *, in_match: bool) -> list[Page]:
    """The pages of a game's rules with the credits: in a line on the first page, and in full on an additional last one.

    In a match, the game's reference page comes first.
    """
    pages = screens.rules()
    if in_match:
        pages.sort(key=lambda page: not page.reference)
    line = credits_line(screens.credits())
    pages[0] = replace(pages[0], text=f"-# {line}\n{pages[0].text}")
    whole = "\n\n".join([f"**{screens.title()}**\n{line}", *disclaimer()])
    return [*pages, Page(_("The printed game"), whole)]
