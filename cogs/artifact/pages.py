"""The rules as players read them: a first page, pictures, the turn in full, the encounters, and the rulings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.kit import paged
from bot.ui.screens.pages import Sample, labelled_page, steps_page
from cogs.artifact import names as name
from cogs.artifact.table import encounter_line
from engine.artifact.card_list import Catalogue, Scenario
from engine.artifact.party import EQUIPMENT

ROOM: Final = 3400
"""Characters of a page of encounters or rulings."""


def rules(catalogue: Catalogue, illustrated: Sequence[Page]) -> list[Page]:
    """All pages, the one to begin with first; the illustrated pages follow those on how to play."""
    pages = [_first(), _challenges(), _fights(), *illustrated, _tips()]
    for scenario in catalogue.scenarios:
        pages += _numbered(name.written(scenario.data.title), list(_tables(scenario)), _provenance(scenario))
    return [*pages, *_numbered(_("Full rules"), [f"- {ruling}" for ruling in rulings()])]


def _numbered(title: str, lines: Sequence[str], head: str = "") -> list[Page]:
    return [Page(title, "\n".join([head, *page] if head else page)) for page in paged(lines, ROOM)]


def _first() -> Page:
    lines = [
        _("1. Parties race along a trail of 30 squares. **Bring the Artifact home and you win.**"),
        _(
            "2. Your party: a leader with 5 abilities, three companions with 3, two helpers with 1. Dice say which."
        ),
        _(
            "3. You choose an ability for each 10 you rolled and two pieces of equipment. Everyone "
            "does this at the same time."
        ),
        _(
            "4. On your turn, roll a die {die} and move. The first on square 30 takes the Artifact {artifact}."
        ),
        _("5. From then on it must go back to square 1. Everyone else chooses a direction after each roll."),
        _("6. Squares 2 to 29 each hold an encounter: a **Boon** {aids} or a **Challenge** {challenge}."),
        _(
            "7. A Challenge: your die, your abilities that it names and Boons that you spend, against two dice."
        ),
        _(
            "8. Equal or higher overcomes it. Otherwise someone is wounded {wound}, or you lose a "
            "turn, squares or a Boon."
        ),
        _(
            "9. End your move on another party and you fight it {fight}. The loser takes a wound and "
            "gives up the Artifact."
        ),
        _(
            "10. A member wounded twice is out; a party with no members left is eliminated. The last "
            "party on the trail wins."
        ),
    ]
    values = {
        "die": name.DIE,
        "artifact": name.ARTIFACT,
        "aids": name.AIDS,
        "challenge": name.CHALLENGE,
        "wound": name.WOUND,
        "fight": name.FIGHT,
    }
    return Page(_("In three minutes"), "\n".join(line.format(**values) for line in lines))


def _challenges() -> Page:
    equipment = [f"- {name.equipment(aid.key)} · {name.aid_worth(aid)}" for aid in EQUIPMENT]
    lines = [
        _(
            "**Challenges.** Roll a die and add how often your party has the abilities that are named, "
            "twice where it says ×2, and the Boons that you spend. Two dice are rolled against you. "
            "You choose your Boons before the dice are rolled."
        ),
        "",
        _(
            "**Wounds.** A member drawn at random is wounded and loses one of its abilities; wounded "
            "again, it is out for good. The leader is drawn only when no one else is left."
        ),
        "",
        _(
            "**Other outcomes.** Squares lost: back against your last move, and with the Artifact "
            "toward 30. A turn lost: you skip the next one. A Boon lost: you choose which."
        ),
        "",
        _("**Boons** are spent for one roll that names their ability. This is the equipment:"),
        *equipment,
    ]
    return Page(_("Challenges and Boons"), "\n".join(lines))


def _fights() -> Page:
    lines = [
        _(
            "**Fights.** If your move ends on another party's square, you fight it: the Artifact's holder if it is "
            "there, otherwise a party of your choice. There are no fights on square 1; passing is free."
        ),
        "",
        _(
            "**How.** A ten-sided die says which ability counts; on a 10 you name it. You spend Boons first, then "
            "the other. Both roll a die and add the ability and the Boons. Equal rolls change nothing."
        ),
        "",
        _(
            "**The Artifact.** The winner of a fight takes it from the loser. If its party is lost on the trail, it "
            "lies there until someone lands on the square or passes it: the move stops there."
        ),
        "",
        _(
            "**The start.** Once all parties are made, everyone can see their sheets. Each player rolls a ten-sided "
            "die; the highest roll goes first, and ties are rerolled. Everyone starts on square 1."
        ),
        "",
        _("**The order of a turn.** The move; the Artifact; the fight; then the encounter on that square."),
    ]
    return Page(_("Fights and the Artifact"), "\n".join(lines))


def _tips() -> Page:
    lines = [
        _(
            "- Not every party must reach square 30. When another is about to take the Artifact, stop on "
            "its way home."
        ),
        _(
            "- Whoever holds the Artifact can only go home. Wait on its way, one to six squares ahead: "
            "your roll may end on it."
        ),
        _(
            "- Do not run behind the Artifact: everyone moves at the same speed. Turn back only while "
            "its holder is within six squares of you."
        ),
        _(
            "- Spend a Boon when it can turn the roll: you add a die to your abilities, and two dice "
            "are rolled against you, most often 6 to 8."
        ),
        _(
            "- Keep Boons of different abilities for the fights over the Artifact: the ability that "
            "counts there is drawn."
        ),
        _("- A fight for nothing can cost you a member. Pass other parties while no one has the Artifact."),
    ]
    return Page(_("How to win the race"), "\n".join(lines))


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


def rulings() -> list[str]:
    """The questions that the printed rules leave open, with this game's rulings by number."""
    return [
        _(
            "R40 An equal or higher roll overcomes a Challenge. The printed text says the opposite; a "
            "setting lets you play it that way."
        ),
        _("R41 Equipment is worth 3, Boons of the trail 1 to 4."),
        _(
            "R42 A Boon fits a roll that names its ability. In a fight the mover spends first, then the other."
        ),
        _("R43 The lost ability is drawn at random. A member without abilities can still be wounded."),
        _(
            "R44 With several parties on the square you fight one, once: the holder if it is there. "
            "There are no fights on square 1."
        ),
        _(
            "R45 A party with no members left is eliminated. The Artifact goes to the winner of the "
            "fight, or is dropped on the square."
        ),
        _("R46 When one party is left, it wins."),
        _("R47 The second table is for squares 16 to 29."),
        _(
            "R48 A 10 rolled in making a party is the player's choice. Everyone chooses at the same "
            "time; then the sheets are shown."
        ),
        _("R49 Sheets and the holder are public."),
        _("R50 Once the Artifact was taken, others choose a direction for the whole move, after the roll."),
        _(
            "R51 Squares lost never lead beyond 2 or 29, and bring nothing else. Without Boons, no Boon is lost."
        ),
        _("R52 A member may have an ability more than once, and each counts. A party's two pieces differ."),
        _("R53 A fight arises only where a move ends. A party that is to skip a turn still defends."),
        _(
            "R54 A party thrown back onto the Artifact's square takes it at the start of its next turn "
            "that is not skipped."
        ),
        _(
            "R55 A move stops at the trail's ends. A holder on square 1 wins immediately. 1 and 30 "
            "have no encounters."
        ),
        _("R56 A fight: opponent, ability, the mover's Boons, the other's Boons, both dice."),
        _("R57 ×2 doubles abilities in Challenges, never Boons or dice."),
        _(
            "R58 The wounded member is drawn with equal chances, the leader last. A second wound takes all abilities."
        ),
        _("R59 The highest roll of a ten-sided die goes first; ties are rerolled."),
        _("R67 Only you know the rolls for your party until the sheets are shown."),
        _("R68 A Boon of the trail names one ability. Squares lost are 3 at most."),
    ]


TRAIL: Final = 26
PARTY: Final = (31, 2)
"""The moves of the sample before the trail and the party that are shown, and the party's seat."""
TURN: Final = 9
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
                ((227, 130, 56, 84), _("A party on its square. The arrow shows whose turn it is.")),
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
                ((170, 210, 60, 86), _("A Boon and its worth. It helps one roll, and is spent.")),
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
