"""The rules as players read them: the texts of `rules.md`, pictures, and the encounters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.kit import paged
from bot.ui.screens.pages import Sample, labelled_page, read_rules, steps_page
from cogs.artifact import names as name
from cogs.artifact.table import encounter_line
from engine.artifact.card_list import Catalogue, Scenario
from engine.artifact.party import EQUIPMENT

RULES: Final = Path(__file__).with_name("rules.md")
ROOM: Final = 3400
"""Characters of a page of encounters."""


def rules(catalogue: Catalogue, illustrated: Sequence[Page]) -> list[Page]:
    """All pages (`rules.md`), with the `illustrated` ones and those of the encounters."""
    equipment = [f"- {name.equipment(aid.key)} · {name.aid_worth(aid)}" for aid in EQUIPMENT]
    fields = {"die": name.DIE, "artifact": name.ARTIFACT, "aids": name.AIDS, "challenge": name.CHALLENGE}
    fields |= {"wound": name.WOUND, "fight": name.FIGHT, "equipment": "\n".join(equipment)}
    tables: list[Page] = []
    for scenario in catalogue.scenarios:
        title, head = name.written(scenario.data.title), _provenance(scenario)
        tables += [Page(title, "\n".join([head, *page])) for page in paged(_tables(scenario), ROOM)]
    return read_rules(RULES, fields, {"pictures": illustrated, "tables": tables})


def _tables(scenario: Scenario) -> list[str]:
    lines: list[str] = []
    for data, part in zip(scenario.data.parts, scenario.parts, strict=True):
        first, *others = [encounter_line(one) for one in part if one.key]
        lines += [f"__{name.written(data.title)}__\n{first}", *others]
    return lines


def _provenance(scenario: Scenario) -> str:
    if scenario.data.provenance == "house":
        return "-# " + _("The rules list no encounters: these are this project's own.")
    return "-# " + _("Provenance: {provenance}").format(provenance=scenario.data.provenance)


TRAIL: Final = 26
PARTY: Final = (31, 2)
"""The moves of the sample before the trail and the party that are shown, and the party's seat."""
TURN: Final = 10
"""The moves before a turn in which a party meets a Challenge."""


def pages(screens: AnyScreens, sample: Sample) -> list[Page]:
    """The three pages."""

    def turn() -> list[Picture | None]:
        faced = screens.vignette(sample.events(TURN + 1))
        trail = [screens.table_picture(sample.view(moves, None)) for moves in (TURN, TURN + 1)]
        return [*trail, faced]

    return [
        labelled_page(
            _("The trail in a picture"),
            lambda: screens.table_picture(sample.view(TRAIL, None)),
            [
                ((79, 326, 52, 50), _("Home, on square 1: the Artifact must come here.")),
                ((616, 8, 108, 100), _("The end of the trail, where the Artifact waits on square 30.")),
                ((436, 136, 60, 84), _("A party on its square. The arrow shows whose turn it is.")),
                ((143, 310, 240, 60), _("The first half of the trail.")),
                (
                    (15, 104, 180, 56),
                    _("The second half, where Challenges are harder and Boons are stronger."),
                ),
            ],
        ),
        labelled_page(
            _("A party in a picture"),
            lambda: screens.own_picture(sample.view(*PARTY)),
            [
                ((6, 4, 200, 150), _("A member. When it is out, its abilities are lost too.")),
                ((6, 110, 200, 40), _("The abilities of the member.")),
                (
                    (83, 160, 74, 136),
                    _("An ability, and how often the party has it: that number is added to your die."),
                ),
                ((248, 212, 60, 86), _("A Boon and its worth. It helps one roll, and is spent.")),
            ],
        ),
        steps_page(
            _("A turn in three pictures"),
            turn,
            [
                _("You roll a die, and your party moves that far along the trail."),
                _("Its square has a Boon or a Challenge. A party on it means a fight."),
                _("At a Challenge your roll and your abilities count against two dice. Boons can be spent."),
            ],
        ),
    ]
