"""The command `/pictures`: who wants no pictures chooses text only, for themselves or for a server they manage."""

from __future__ import annotations

from typing import Final

from bot.app.host import Host
from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import Scope
from bot.tables.refusals import Refused
from bot.ui.interaction import Reply, Visit
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button

FOR_ME: Final = "pictures-for-me"
HERE: Final = "pictures-here"
ON: Final = "on"
OFF: Final = "off"


class PicturesCommand:
    """What `/pictures` shows, and its buttons."""

    def __init__(self, host: Host) -> None:
        self._choices = host.picture_choices
        self._gallery = host.gallery
        host.router.add_handler(FOR_ME, self._for_me, "update")
        host.router.add_handler(HERE, self._here, "update")

    async def show(self, visit: Visit) -> Reply:
        """The command's answer."""
        return Reply(self._screen(visit))

    def _screen(self, visit: Visit) -> Screen:
        with speaking(visit.locale):
            screen = Screen(colour=CALM).text(_("### Pictures"))
            if not self._gallery.on:
                return screen.text(
                    _("My operator has switched pictures off. All that they show stands in the text.")
                )
            here = self._choices.text_only("guild", visit.guild_id)
            mine = self._choices.text_only("person", visit.user_id)
            screen.text(
                _("This server sees text only.") if here else _("Tables are shown as pictures too."),
                _("Your own screens have text only.") if here or mine else _("So is what only you see."),
                "-# " + _("The text is complete without them. Open tables change with their next move."),
            )
            me = _("Show Me Pictures") if mine else _("Text Only for Me")
            screen.buttons(button(me, Id(FOR_ME, arg=ON if mine else OFF)))
            if visit.manages_server:
                everybody = _("Pictures in This Server") if here else _("Text Only in This Server")
                screen.buttons(button(everybody, Id(HERE, arg=ON if here else OFF)))
            return screen

    async def _for_me(self, visit: Visit) -> Reply:
        return await self._choose(visit, "person", visit.user_id)

    async def _here(self, visit: Visit) -> Reply:
        if not visit.manages_server:
            raise Refused("not-manager")
        return await self._choose(visit, "guild", visit.guild_id)

    async def _choose(self, visit: Visit, scope: Scope, number: int) -> Reply:
        if visit.to.arg not in (ON, OFF):
            raise Refused("unknown")
        await self._choices.choose(scope, number, text_only=visit.to.arg == OFF)
        return Reply(self._screen(visit), "update")
