"""The news that a player has missed, in a sentence for each turn, and the events of a match by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import LARGE, escape
from bot.ui.screens.names import NO_BREAK, Names
from bot.ui.screens.news import GREAT
from cogs.artifact import names as name
from cogs.artifact import words
from cogs.artifact.narrator import Narrator
from engine.artifact.card_list import Catalogue, Challenge, Encounter

BEGINS: Final = ("moved", "skipped")
"""The events with which a turn begins; a move may follow a roll that let its player choose a direction."""
WHOLE: Final = ("skipped", "party_out", "fell")
"""Events that are told in sentences of their own."""
SET_UP: Final = ("scenario", "rolled_party", "created")
"""Events that the table and one's own screen show before the parties set out."""
HURT: Final = ("wounded", "member_out")
"""Events that befall a party's member."""
_MOMENTS: Final = {"seized": 5, "reached": 4, "picked_up": 4, "party_out": 4, "member_out": 2}
_LESSER: Final = dict.fromkeys(("wounded", "aid", "aid_lost", "turn_lost", "thrown_back"), 2)
_OWN_MOMENTS: Final = {"faced": 3, "fought": 3, "met": 3, **_LESSER}
NEAR_HOME: Final = 8
"""A party that is thrown back from a square below this one with the Artifact was a roll from winning."""
IN_FULL: Final = 4
"""With more parties than this, the table message has no room for all that rolls are made of in its latest turns."""


def newest_turn(events: Sequence[SeenEvent]) -> int:
    """How many of these events belong to the newest turn that has begun, and to what has followed; 0 if none has."""
    for back, event in enumerate(reversed(events), 1):
        if event.kind in BEGINS:
            rolled = back < len(events) and events[-back - 1].kind == "rolled"
            return back + rolled
    return 0


def concerns(event: SeenEvent, viewer: int) -> bool:
    """Whether this befell the viewer's party: also in a fight or a robbery."""
    return event.seat == viewer or event.facts.get("other") == viewer


def moment(event: SeenEvent, viewer: int | None) -> int:
    """How much an event stands out: the Artifact and lost parties for all, fights and losses for who has them."""
    if event.kind == "moved":
        return GREAT * words.comes_home(event.facts)
    if event.facts.get("artifact") and event.facts.get("from", 0) < NEAR_HOME:  # a fight, or thrown back
        return GREAT
    own = viewer is not None and concerns(event, viewer) and (event.kind, event.seat) != ("met", viewer)
    over_it = event.kind == "fought" and event.facts.get("artifact", False)  # never in small print
    return max(_MOMENTS.get(event.kind, 0), _OWN_MOMENTS.get(event.kind, 0) + over_it if own else 0)


def effect(event: SeenEvent) -> int:
    """How good an event is for its seat: whatever has to do with the Artifact above all."""
    good = event.kind not in (*HURT, *WHOLE, "turn_lost", "thrown_back", "aid_lost")
    if event.kind == "moved" and event.facts.get("artifact") and not words.comes_home(event.facts):
        return 3 if event.facts["from"] - event.facts["to"] > 2 else 1
    if event.kind in ("fought", "faced"):
        good = event.facts.get("winner") == event.seat or event.facts.get("overcome", False)
    elif good and event.kind not in ("picked_up", "seized", "reached") and not moment(event, None):
        return 0
    mattered = event.kind in ("fought", "turn_lost") or (event.kind == "faced" and not good)
    size = 3 if moment(event, None) >= GREAT else 1 + mattered
    return size if good else -size


def news_line(event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> str:
    """One line about an event among this viewer's news. Challenges and others' fights are named with their result."""
    t = Narrator(event, viewer, names, catalogue)
    match event.kind:
        case "met" if viewer == event.facts["other"]:
            return _attacked(t)
        case "rolled" | "met" | "challenge" | "rolled_party" | "created":  # seen, or told by what follows
            return ""
        case "fought":
            return words.fought(t, named=viewer != event.facts["other"])
        case "used" if _spends_nothing(event):
            return ""
        case "aid":
            found = None if t.facts.get("again") else t.encounter()
            return words.gained(t) + (f"\n-# *{name.written(found.story)}*" if found and t.you else "")
        case "over":
            return words.ending(t)
        case "faced":
            rolled, outcome = words.rolled_and_outcome(t)
            told, one = f"{name.CHALLENGE} **{_title(t)}**: {outcome}\n", t.encounter()
            # The screen with the decision had the story, and what was asked for.
            if event.facts.get("asked", True) or one is None or one.challenge is None:
                return f"{told}{rolled}."
            return f"{told}{name.challenge(one.challenge)}. {rolled}.\n-# *{name.written(one.story)}*"
        case _:
            return words.worded(t)


def suspense(
    turn: Sequence[SeenEvent], move: Sequence[SeenEvent], names: Names, catalogue: Catalogue
) -> tuple[Sequence[SeenEvent], list[str]]:
    """The beginning of the Challenge or fight that a move has rolled, and the lines about it until then."""
    seat, rolls = (
        (move[0].seat if move else None),
        (n for n, one in enumerate(move) if one.kind in ("faced", "fought")),
    )
    at = next((n for n in rolls if move[n].seat == seat), None)
    if at is None:
        return (), []
    t, before = Narrator(move[at], seat, names, catalogue), turn[: len(turn) - len(move) + at]
    begun = [event for event in before if event.kind == ("challenge" if t.kind == "faced" else "met")]
    so_far = [Narrator(event, seat, names, catalogue) for event in move[:at] if not _spends_nothing(event)]
    told = [words.worded(each) for each in so_far if each.kind not in ("met", "challenge")]
    facts, one = t.facts, t.encounter() if t.kind == "faced" else None
    if one is not None and one.challenge is not None:
        asked = [] if facts.get("asked", True) else [f"-# *{name.written(one.story)}*"]
        told += [f"### {_faces(one, one.challenge)}", *asked]
        told.append(_("If you fail: {penalty}.").format(penalty=name.penalty(one.challenge)))
    elif t.kind == "fought":
        text = _("{sign} You fight {other}: {ability}")
        values = {"other": t.bold(facts["other"]), "ability": name.ability_of(facts["ability"])}
        told.append("### " + text.format(sign=name.FIGHT, **values))
    chance = _("Your chance to win: **{chance}**") if t.kind == "fought" else _("Your chance: **{chance}**")
    told.append(chance.format(chance=name.percent(t.chance())))
    return begun[-1:], [*told, f"{name.DIE} " + _("The dice are rolling …")]


def _faces(one: Encounter, asked: Challenge) -> str:
    return f"{name.CHALLENGE} **{name.written(one.title)}** ({name.challenge(asked)})"


def _attacked(t: Narrator) -> str:
    """That the viewer's party was met by another on its way."""
    key, who = t.facts["ability"], t.bold(t.seat or 0)
    if key is None:  # the mover names the ability
        return _("⚔️ {who} **attacks you!**").format(who=who)
    aided = t.facts.get("aided", (True, True))[1]
    begun = _("⚔️ {who} **attacks you**: a fight of {ability}.").format(who=who, ability=name.ability_of(key))
    return begun if aided else begun + " " + _("No Boon of yours fits.")


def _spends_nothing(event: SeenEvent) -> bool:
    return event.kind == "used" and not event.facts["aids"]


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """A player's turn in one line: "**Ana** rolls 3️⃣ to square 7 and overcomes “The Comb”.".

    What concerns the viewer is told as news, to "you". It has a sentence for each party that did something, in the
    order of events. The table message of many parties has no room for all that rolls are made of.
    """
    brief = viewer is not None or len(names) > IN_FULL
    if all(event.kind == "rolled" for event in events):
        return []  # the line that says who chooses a direction names the die
    events = [event for event in events if event.kind not in SET_UP]
    moments = [event for event in events if moment(event, None) >= GREAT and not brief]
    great = max(moments, key=lambda event: moment(event, None), default=None)
    if great is not None and great.kind == "reached":  # only the end of the trail is meant
        events = [event for event in events if event.kind != "moved"]
    turn, ends = _Turn(great, brief=brief), list[str]()
    for event in events:
        narrator = Narrator(event, viewer, names, catalogue)
        if event.kind == "over":
            ends.append(words.ending(narrator))
        elif viewer is not None and concerns(event, viewer) and event.kind != "order":
            # Without a story, and what a Challenge's roll is made of.
            turn.tell(news_line(event, viewer, names, catalogue).partition("\n")[0])
            alone = event.kind == "challenge" and len(events) == 1  # else a decision or a result names it
            found = narrator.encounter() if alone else None
            if found is not None and found.challenge is not None:
                turn.tell(f"{_faces(found, found.challenge)}.")
        else:
            turn.add(narrator)
    is_open = viewer is None and bool(events) and events[-1].kind == "challenge"  # as the line below says
    heading = [] if great is None else [_heading(great, events, names, catalogue)]
    told = [*heading, *filter(None, [turn.summary(is_open=is_open)]), *ends]
    # An event of the set-up is told alone.
    last = [event for event in events[-1:] if not (_spends_nothing(event) or is_open)]
    return told or [words.worded(Narrator(event, viewer, names, catalogue)) for event in last]


def _heading(great: SeenEvent, events: Sequence[SeenEvent], names: Names, catalogue: Catalogue) -> str:
    """The greatest moment of a turn as a heading, for the table message."""
    narrator = Narrator(great, None, names, catalogue)
    line = LARGE + (words.taken(narrator) if great.kind == "reached" else words.worded(narrator))
    fights = [event.facts["totals"] for event in events if event.kind == "fought"]
    if great.kind == "seized" and fights:
        line += f" {name.FIGHT} {max(fights[-1])}{NO_BREAK}:{NO_BREAK}{min(fights[-1])}"
    return line


@dataclass
class _Sentence:
    """The deeds of one party in a row, and what befell people by them."""

    party: int | None = None
    who: str = ""
    deeds: list[str] = field(default_factory=list[str])
    befallen: list[str] = field(default_factory=list[str])
    fight: bool = False
    """Whether it tells of a fight, so that whose people are wounded does not go without saying."""

    def worded(self) -> str:
        deeds = listing(self.deeds)
        if not self.befallen:
            # Translators: “Ana” “rolls 3️⃣ to square 7 and overcomes The Comb”
            return _("{who} {deeds}.").format(who=self.who, deeds=deeds)
        # Translators: “Ana” “rolls 3️⃣ to square 7 and fails at The Comb”; “Imara Hale is wounded”
        return _("{who} {deeds}; {befallen}.").format(
            who=self.who, deeds=deeds, befallen=listing(self.befallen)
        )


class _Turn:
    """A turn in sentences, in the order of events, below a heading that tells `great`.

    `brief`: without what rolls are made of.
    """

    def __init__(self, great: SeenEvent | None, *, brief: bool) -> None:
        self._great = None if great is None else great.facts
        self._brief = brief
        self._sentences: list[str] = []
        self._now = _Sentence()
        self._last = ""
        """The kind of the event that the newest deed tells."""
        self._begun: set[str] = set()
        """The kinds of the events told in a deed of their own that begin a fight or a Challenge."""

    def summary(self, *, is_open: bool) -> str:
        """All sentences; `is_open`: without the Challenge that is being faced, with which they end."""
        if is_open:
            self._replaces("challenge")
        self._end_sentence()
        return " ".join(self._sentences)

    def _end_sentence(self) -> None:
        if self._now.deeds:
            self._sentences.append(self._now.worded())
        self._now, self._last = _Sentence(), ""

    def tell(self, sentence: str) -> None:
        """Adds a sentence of its own, or none if it is empty."""
        self._end_sentence()
        self._sentences += [sentence] if sentence else []

    def add(self, t: Narrator) -> None:
        """Adds an event; an event that the other parts of the turn tell changes nothing."""
        now = self._now
        if t.kind in HURT and now.deeds:
            twice = t.kind == "member_out" and any(t.person() in each for each in now.befallen[-1:])
            now.befallen[-1 if twice else len(now.befallen) :] = [
                _befallen(t, named=now.fight or t.seat != now.party, twice=twice)
            ]
        elif t.kind in WHOLE or t.kind in HURT:
            self.tell(words.worded(t))
        elif deed := self._deed(t):
            if now.befallen or (now.deeds and now.party != t.seat):
                self._end_sentence()
            self._now.party, self._now.who = t.seat, t.bold(t.seat or 0)
            self._now.deeds.append(deed)
            self._now.fight |= t.kind == "fought"
            self._last = t.kind

    def _deed(self, t: Narrator) -> str:
        """An event as the end of a sentence that begins with its party; empty if other deeds say it."""
        match t.kind:
            case "fought":
                ended = _fight_ended(t, named="met" in self._begun and not self._replaces("met"))
                is_told = t.facts is self._great
                return ended if is_told else ended + self._sums(words.totals(t), t.facts["totals"])
            case "faced":
                named = "challenge" in self._begun and not self._replaces("challenge")
                outcome = _outcome(t.facts["overcome"], _title(t), named=named)
                against = t.facts["against"]
                return outcome + self._sums((words.own_total(t), against), (t.facts["total"], against))
            case "moved" | "seized" | "reached" | "picked_up" if t.facts is self._great:
                return ""
            case "met" | "challenge":
                self._begun.add(t.kind)
            case _:
                pass
        return _deed(t)

    def _sums(self, whole: Sequence[object], results: Sequence[int]) -> str:
        """Two rolls, on the table message with what they are made of."""
        shown = map(str, results if self._brief else whole)
        return f" ({' : '.join(shown)})".replace(" : ", f"{NO_BREAK}:{NO_BREAK}")

    def _replaces(self, begun: str) -> bool:
        """Whether a result follows the deed that began it, which is then taken out: the result names it."""
        if self._last == begun:
            self._now.deeds.pop()
            return True
        return False


def _outcome(overcome: bool, title: str, *, named: bool) -> str:
    """The result of a Challenge; `named`: after the deed that names it."""
    if named:
        return pgettext("deed", "overcomes it") if overcome else pgettext("deed", "fails")
    text = pgettext("deed", "overcomes “{title}”") if overcome else pgettext("deed", "fails at “{title}”")
    return text.format(title=title)


def _befallen(t: Narrator, *, named: bool, twice: bool) -> str:
    """The fate of a party's member, as a clause; `named`: with the party; `twice`: both wounds at once."""
    short = pgettext("clause", "{person} is wounded")
    long = pgettext("clause", "{person} of {who}'s party is wounded")
    if t.kind == "member_out":
        short = pgettext("clause", "{person} is wounded again and carried home")
        long = pgettext("clause", "{person} of {who}'s party is wounded again and carried home")
    if twice:
        short = long = pgettext("clause", "{person} is wounded twice and carried home")
    return (long if named else short).format(person=t.person(), who=t.bold(t.seat or 0))


def _deed(t: Narrator) -> str:
    """An event as the end of a sentence that begins with its mover; empty for what the other deeds say."""
    facts = t.facts
    match t.kind:
        case "moved":
            text = pgettext("deed", "rolls {die} homeward to square {square}")
            if words.comes_home(facts):
                text = pgettext("deed", "comes home with a roll of {die} (chance {chance})")
            elif facts.get("ahead"):
                text = pgettext("deed", "runs ahead with {die} to wait on square {square}")
            elif facts["direction"] == "forward":
                text = pgettext("deed", "rolls {die} to square {square}")
            elif facts.get("artifact"):
                text = pgettext(
                    "deed", "brings the Artifact {artifact} homeward with {die} to square {square}"
                )
            die, chance = name.die(facts["die"]), words.chance_home(facts)
            return text.format(die=die, square=facts["to"], artifact=name.ARTIFACT, chance=chance)
        case "thrown_back" if facts["from"] == facts["to"]:
            return pgettext("deed", "stays on square {square}").format(square=facts["to"])
        case "thrown_back":
            lost = name.squares_lost(abs(facts["to"] - facts["from"]))
            text = pgettext("deed", "is thrown back to square {square} ({lost})")
            return text.format(square=facts["to"], lost=lost)
        case "seized":
            text = pgettext("deed", "takes the Artifact {artifact} from {other}")
            return text.format(artifact=name.ARTIFACT, other=t.bold(facts["other"]))
        case "reached" | "picked_up":
            return pgettext("deed", "takes the Artifact {artifact}").format(artifact=name.ARTIFACT)
        case "met":
            return pgettext("deed", "meets {other}").format(other=t.bold(facts["other"]))
        case "used" if facts["aids"]:
            spent = pgettext("deed", "spends 🎒 {aids} (+{worth})")
            return spent.format(aids=t.aids(facts["aids"]), worth=facts["worth"])
        case "aid":
            found, text = t.encounter(), pgettext("deed", "gains the Boon “{title}”").format(title=_title(t))
            return text if found is None or found.aid is None else f"{text} ({name.aid_worth(found.aid)})"
        case "challenge":
            return pgettext("deed", "faces “{title}”").format(title=_title(t))
        case "turn_lost":
            return pgettext("deed", "loses the next turn")
        case "aid_lost":
            if facts["aid"] is None:
                return pgettext("deed", "has no Boon to lose")
            return pgettext("deed", "loses the Boon “{title}”").format(title=t.aids([facts["aid"]]))
        case _:
            return ""


def _fight_ended(t: Narrator, *, named: bool) -> str:
    """The result of a fight; `named`: after the deed that names the other party."""
    winner, other = t.facts["winner"], t.bold(t.facts["other"])
    told = pgettext("deed", "loses the fight"), pgettext("deed", "loses a fight with {other}")
    if winner is None:
        told = pgettext("deed", "fights to a draw"), pgettext("deed", "fights {other} to a draw")
    elif winner == t.seat:
        told = pgettext("deed", "wins the fight"), pgettext("deed", "wins a fight with {other}")
    return told[not named].format(other=other)


def _title(t: Narrator) -> str:
    found = t.encounter()
    return escape(t.facts["encounter"]) if found is None else name.written(found.title)
