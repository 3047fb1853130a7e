"""The fair shuffle: its fingerprint, the values that entered the shuffle, and the page that explains both."""

from __future__ import annotations

from typing import Final

from bot.art.picture_cache import Plate
from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button, escape
from bot.ui.screens.refusals import refusal
from engine.fairness import OF_DAY, SAME_DEAL, commitment

FAIRNESS: Final = "fairness"
"""The intent of the button that explains why the shuffle is fair."""
SEAL: Final = 32
"""The digits of the fingerprint in a lobby: 128 bits. Two seeds that agree in them take some 2^64 tries to find."""


def fairness_button(table_id: int) -> ui.Button:
    return button(pgettext("button", "Fairness"), Id(FAIRNESS, table_id), emoji="⚖️")


def fairness(table: Table, record: Plate | None) -> Screen:
    """Explains why the shuffle is fair (docs/fairness.md), with the seed once it is no longer secret.

    `record` is the file with the record; None as long as the seed is secret.
    """
    screen = Screen(colour=CALM).text(_("### Is the shuffle fair?"), _how(table))
    lines = [_("**Fingerprint** (SHA-256): `{sealed}`").format(sealed=_sealed(table))]
    if record is not None:
        lines.append(_("**Seed**: `{seed}`").format(seed=table.body.host_seed))
    lines.append(_("**Mixed in**: {parts}").format(parts=", ".join(_parts(table))))
    screen.rule().text(*lines)
    if record is None:
        return screen.rule().text(_("The seed is shown once no one can play this deal any more."))
    kept = _(
        "The file holds the whole match, move by move and without names. Anyone can replay it with Digsite, by "
        "`digsite verify {file}`, and check that chance came out as recorded."
    )
    compare = (
        "" if table.is_private else _("The lobby showed the first half of the fingerprint: compare them.")
    )
    screen.rule().text(f"{kept.format(file=record.name)} {compare}".strip())
    return screen.file(record, refusal(Refused("not-sent")))


def _how(table: Table) -> str:
    if table.body.scheme == OF_DAY:
        return _(
            "The deal of a day is the same for everyone. I drew its secret seed on the day before and showed its "
            "fingerprint, the seal, in `/daily`. Nothing but the date was mixed in. All randomness of the match "
            "comes from these alone, so no one could change any of it afterwards."
        )
    if table.body.scheme == SAME_DEAL:
        return _(
            "This match has the deal of table {number}, with the same secret seed. When that match started, its "
            "lucky words and the ID of its start message were mixed in. All randomness comes from these alone, at "
            "each of the tables, so from then on no one could change any of it."
        ).format(number=table.body.same_of)
    if table.is_private:
        return _(
            "You play this match alone, without a lobby. When you asked for it, I drew a secret seed and mixed in the "
            "number that Discord gave your command or press. All randomness of the match comes from these alone. The "
            "fingerprint is shown here from the beginning, so no one could change any of it afterwards. It does not "
            "show that I drew the seed blindly."
        )
    return _(
        "Before anyone joined, I drew a secret seed and showed its fingerprint in the lobby. When the match "
        "started, lucky words and the ID of the start message were mixed in. All randomness of the match comes "
        "from these alone, so from then on no one could change any of it."
    )


def commitment_line(table: Table) -> str:
    """The line with the first digits of the fingerprint of the sealed seed. The page has all of them."""
    text = _(
        "-# ⚖️ The deal is sealed, so that no one can choose or change it: `{sealed}` (**Fairness**, at the table)"
    )
    return text.format(sealed=_sealed(table)[:SEAL])


def mixed_in_line(table: Table) -> str:
    """The line with all inputs of the shuffle, the seed as a fingerprint, shown to everybody before the first move.

    Lucky words are shown without names, because other people may take the seats and names may be deleted.
    """
    mixed_in = _("Mixed in: {parts}").format(parts=", ".join(_parts(table)))
    return f"{commitment_line(table)} · {mixed_in}"


def _parts(table: Table) -> list[str]:
    parts: list[str] = []
    for source, value in table.contributions:
        if source == "start":
            text = _("the number `{id}`") if table.is_private else _("the ID of the start message `{id}`")
            parts.append(text.format(id=value))
        elif source == "day":
            parts.append(_("the date {date}").format(date=value))
        else:
            parts.append(_("the lucky word “{word}”").format(word=escape(value)))
    return parts


def _sealed(table: Table) -> str:
    return commitment(bytes.fromhex(table.body.host_seed))
