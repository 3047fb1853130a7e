"""The review of a match that is over: the decisions of one person that cost most, and those that were best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.art.picture import Picture
from bot.art.results import Flag, Stretch, course_picture
from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, PICTURED, Screen, button, pager, to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.words import bar, level_name
from engine.agents.advice import Appraisal, adviser_of

REVIEW: Final = "review"
"""The intent of the button that reviews the presser's own decisions. Its argument is the page; "" is the first."""
PUZZLE: Final = "puzzle"
"""The intent of the button that asks for a puzzle, and of those that answer it: their argument is the choice."""
PROFILE: Final = "profile"
"""The intent of the button that leads from a puzzle back to its person's profile."""
AGAIN: Final = "1"
"""The view version of the buttons on a review and its progress: if neither is there any more, the answer says so."""
BIG_MISTAKE: Final = 0.25
"""The smallest chance to win that a big mistake loses."""
MISTAKE: Final = 0.1
"""The smallest chance to win that a mistake loses, and that a great move gains."""
TOLD: Final = 5
"""The difference of chances to win from which on it is told, in per cent."""
STORY: Final = 400
"""The length, in characters, of the story of a turning point: three of them leave room for six decisions."""
LETTERS: Final = "ABC"
"""The names of turning points."""
Around = tuple[Screen, Screen]
"""The screen above a position, and the screen below it."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision of a person: the number of the move and its turn, the view then, the move, and its appraisal."""

    number: int
    turn: int
    view: Any
    move: Any
    appraisal: Appraisal

    @property
    def gain(self) -> float:
        """The worth of the choice between the two moves compared, by which decisions are ranked."""
        return max(self.appraisal.cost, self.appraisal.lead)


class Point(NamedTuple):
    """The chance to win, from 0 to 1, after a move: the number of the move, and its turn."""

    number: int
    turn: int
    chance: float


class Swing(NamedTuple):
    """A change of the chance to win between two moves of a person; `turns` has the events since the first, by turn.

    `view` is that before the second; None at the end of the match.
    """

    before: Point
    after: Point
    view: Any | None
    turns: Sequence[Sequence[SeenEvent]]

    @property
    def gained(self) -> float:
        return self.after.chance - self.before.chance


class Review(NamedTuple):
    """The findings of a review in `decisions` decisions: those that cost most, and those that were best, in this order.

    `course` is the chance to win after the person's turns and at the end, empty until it is found; `swings` are the
    greatest changes in it, in the order of the match.
    """

    decisions: int
    costs: list[Reviewed]
    leads: list[Reviewed]
    course: list[Point]
    swings: list[Swing]

    @property
    def shown(self) -> list[Reviewed]:
        """The decisions that have a page each, after the first page."""
        return [*self.costs, *self.leads]


def review_button(table: Table, view_version: str = "", page: int = 0) -> ui.Button:
    """The button that asks for a page of the presser's review; with `BESIDE` the pressed private screen stays."""
    to = Id(REVIEW, table.id, view_version, str(page) if page else "")
    return button(pgettext("button", "Review"), to, emoji="🔎")


def review_offer(table: Table, view_version: str = BESIDE) -> list[ui.Button]:
    """The button below the end of a match; none if there is no review of it."""
    there_is = table.status == "over" and adviser_of(table.game) is not None
    return [review_button(table, view_version)] if there_is else []


class Steps(NamedTuple):
    """How far a review is. `done` steps are done: first all `decisions`, and in the end so many `turns`.

    Between the two, those decisions are appraised that are worth it. `found` is what the review shows by then.
    """

    done: int
    decisions: int
    turns: int
    found: Review | None = None


def progress(table: Table, screens: AnyScreens, seat: int, steps: Steps, page: int, *, again: bool) -> Screen:
    """The screen that the page of a seat's review replaces when it is ready: the first page, as far as it is found.

    `again`: the review is made a second time.
    """
    done, decisions, turns, found = steps
    if done <= decisions:
        text = _("Looking at your decisions … {n} of {of}").format(n=min(done + 1, decisions), of=decisions)
        drawn = bar(done, decisions)
    else:
        text = _("Following your chance to win from turn to turn …")
        drawn = bar(done - decisions, turns)
    screen = opening(table, screens, found, seat) if found and found.shown else Screen(colour=CALM)
    screen.text(f"🔎 {text}", drawn)
    if again:
        screen.text("-# " + _("It was interrupted, so I'm making it again."))
    rest = _("The rest of the review appears here when it is ready.")
    screen.text("-# " + (rest if found and found.shown else _("The review appears here when it is ready.")))
    return screen.buttons(review_button(table, AGAIN, page))


def opening(table: Table, screens: AnyScreens, review: Review, seat: int) -> Screen:
    """The first page of a seat's review: the turning points, and the decisions that the other pages show."""
    looked = ngettext(
        "{n} decision of yours, each tried out many times from what you saw then.",
        "{n} decisions of yours, each tried out many times from what you saw then.",
        review.decisions,
    ).format(n=review.decisions)
    screen = Screen(colour=screens.colour).text(_("### 🔎 Your review"), looked)
    if table.seats[seat].followed:
        hints = _(
            "The moves of hints that you followed are left out: a review looks further than a hint can."
        )
        screen.text(f"-# {hints}")
    if len(review.course) > 1:
        screen.add([ui.text(f"-# {course_text(review)}", id=PICTURED)])
    if review.swings:
        screen.text(*_turning_points(table, screens, review, seat))
    screen.text(*_costly(table, screens, review))
    if review.leads:
        screen.text(_("**Best decisions**"), *_lines(table, screens, review, review.leads))
    measured = _("The {agent} tried out your move and another, with everybody playing well from there.")
    return screen.text("-# " + measured.format(agent=_strongest(table))) if review.shown else screen


def _turning_points(table: Table, screens: AnyScreens, review: Review, seat: int) -> list[str]:
    """For each turning point its letter, its turns, the chance to win before and after it, and what happened."""
    lines, names = [_("**Turning points**")], Names(table.seats)
    for letter, swing in zip(LETTERS, review.swings, strict=False):
        first, last = swing.before, swing.after
        when = _("The end") if swing.view is None else _turn(screens, swing.view, last.turn)
        text = _("**{letter} · {when}** · chance to win {before}% → **{after}%**")
        before, after = percent(first.chance), round(100 * last.chance)
        line = text.format(letter=letter, when=when, before=before, after=after)
        pages = [
            page for page, each in enumerate(review.costs, 1) if first.number < each.number <= last.number
        ]
        lines.append(" · 🔎 ".join([line, *map(str, pages)]))
        lines.append(f"-# {_story(screens, swing, seat, names)}")
    return lines


def _story(screens: AnyScreens, swing: Swing, seat: int, names: Names) -> str:
    """The story of a swing's turns; of too many, without those that stand out least for the seat."""
    told = [(turn, " ".join(screens.recap(turn, seat, names))) for turn in swing.turns]

    def weight(each: tuple[Sequence[SeenEvent], str]) -> int:
        return max((2 * screens.moment(e, seat) + screens.concerns(e, seat) for e in each[0]), default=0)

    while sum(len(text) for _turn, text in told) > STORY and len(told) > 1:
        told.remove(min(told, key=weight))
    return " ".join(filter(None, [text for _turn, text in told]))


def course(review: Review) -> Picture | None:
    """The picture of the chance to win, from move to move; None if it is not found yet."""
    if len(review.course) < 2:
        return None
    numbers = [point.number for point in review.course]
    stretches = [
        Stretch(letter, numbers.index(swing.before.number), numbers.index(swing.after.number))
        for letter, swing in zip(LETTERS, review.swings, strict=False)
    ]
    flags = [Flag(each.number, page, page > len(review.costs)) for page, each in enumerate(review.shown, 1)]
    points = [(point.number, point.chance) for point in review.course]
    return course_picture(points, stretches, flags, course_text(review))


def course_text(review: Review) -> str:
    """The same in words."""
    last = {point.turn: round(100 * point.chance) for point in review.course}
    points = [_("turn {n}: {chance}%").format(n=turn, chance=chance) for turn, chance in last.items()]
    return _("Your chance to win after each of your turns.") + " " + ", ".join(points)


def _costly(table: Table, screens: AnyScreens, review: Review) -> list[str]:
    if review.costs:
        return [_("**Costliest decisions**"), *_lines(table, screens, review, review.costs)]
    none = _("**Costliest decisions**\nNone worth mentioning: the {agent} would have played much the same.")
    return [none.format(agent=_strongest(table))]


def _lines(table: Table, screens: AnyScreens, review: Review, found: list[Reviewed]) -> list[str]:
    """For each of these decisions the number of its page, its turn and the move; what it brought; the better move."""
    names, lines = Names(table.seats), list[str]()
    for each in found:
        turn = _turn(screens, each.view, each.turn)
        move = screens.move_text(each.view, each.move, names)
        lines += [
            f"**{review.shown.index(each) + 1} · {turn}** · {move}",
            f"-# {grade(each.appraisal)} · {facts(screens, each.appraisal)}",
        ]
        if each.appraisal.cost > 0:
            lines.append(
                f"-# {_strongest(table)}: {screens.move_text(each.view, each.appraisal.move, names)}"
            )
    return lines


def _turn(screens: AnyScreens, view: Any, turn: int) -> str:
    return screens.when(view) or _("Turn {n}").format(n=turn)


def decision(table: Table, screens: AnyScreens, review: Review, page: int) -> Around:
    """A decision's page: above, its grade, its turn, and what it brought; below, both moves and the reason."""
    each, pages, names = review.shown[page - 1], len(review.shown), Names(table.seats)
    first = Screen(colour=screens.colour).text(
        f"### 🔎 {page}/{pages} · {grade(each.appraisal)}",
        f"-# {_turn(screens, each.view, each.turn)}",
        facts(screens, each.appraisal),
    )
    made = _("**You:** {move}").format(move=screens.move_text(each.view, each.move, names))
    reason = screens.reason_text(each.view, each.appraisal.reason, names)
    lines = [made, reason]
    if page <= len(review.costs):
        better = screens.move_text(each.view, each.appraisal.move, names)
        lines = [f"{made}\n**{_strongest(table)}:** {better}", reason]
    last = Screen().text(" ".join(filter(None, lines)))
    return first, closing(last, table, review, page)


def grade(appraisal: Appraisal) -> str:
    """A decision that cost or led by enough, in one or two words: by the chance to win, which `facts` tells."""
    if appraisal.lead > 0:
        return _("Great move") if appraisal.gained >= MISTAKE else _("Good move")
    if appraisal.gained <= -BIG_MISTAKE:
        return _("Big mistake")
    return _("Mistake") if appraisal.gained <= -MISTAKE else _("Slip")


def facts(screens: AnyScreens, appraisal: Appraisal) -> str:
    """The effect of a decision on the chance to win; on the lead, if the chance is hardly another."""
    made, other, good = appraisal.made, appraisal.other, appraisal.lead > 0
    better, worse = (made, other) if good else (other, made)
    lead = better.lead - worse.lead
    amount = round(lead) if lead >= 10 else round(2 * lead) / 2
    if percent(better.chance) - percent(worse.chance) >= TOLD or amount <= 0:
        chances = _("Chance to win: about {made}% instead of {other}%")
        return chances.format(made=percent(made.chance), other=percent(other.chance))
    leads = _("Lead at the end: about {amount} more") if good else _("Lead at the end: about {amount} less")
    return leads.format(amount=screens.amount(amount))


def percent(chance: float) -> int:
    """A chance in per cent. A match is never certain before its end, nor lost."""
    return min(99, max(1, round(100 * chance)))


def table_text(table: Table, screens: AnyScreens, view: Any) -> str:
    """The table at the moment of a decision in words, with the most important public fact."""
    board, line = "\n".join(ui.texts(screens.board(view, Names(table.seats)))), screens.call_line(view)
    return board if line in board else f"{line}\n{board}"


def _strongest(table: Table) -> str:
    return level_name(list(table.game.agents)[-1])


def closing(screen: Screen, table: Table, review: Review, page: int) -> Screen:
    """Adds the last lines of a page. A review that is ready lacks the worth of a deal that others still play."""
    turning = pager(Id(REVIEW, table.id, AGAIN), "", page, 1 + len(review.shown))
    return screen.buttons(*turning, *to_the_table(table))


# -- the puzzle


def has_puzzle(table: Table, user_id: int) -> bool:
    """Whether a stored review of this person's names a costly decision."""
    seat = table.seat_of(user_id)
    return seat is not None and bool(table.body.reviews.get(seat, {}).get("costs"))


def puzzle(table: Table, screens: AnyScreens, review: Review, moves: list[Any]) -> Around:
    """The puzzle of the costliest decision, with a button for each of these moves."""
    each, names, to = review.costs[0], Names(table.seats), Id(PUZZLE, table.id)
    when = f"-# {screens.title()} · {_turn(screens, each.view, each.turn)}"
    first = Screen(colour=screens.colour).text(_("### 🧩 Puzzle"), when)
    last = Screen().text(_("**It's your move, and you see what you saw then. What do you play?**"))
    texts = [screens.move_text(each.view, move, names) for move in moves]
    # Labels are no sentences, and have no Markdown, in which names are escaped.
    labels = [text.rstrip(".").replace("\\", "") for text in texts]
    if max(map(len, labels)) > 80:
        labels = [str(number) for number in range(1, 1 + len(texts))]
        last.text(*[f"**{label}** · {text}" for label, text in zip(labels, texts, strict=True)])
    last.buttons(*[button(label, to._replace(arg=str(number))) for number, label in enumerate(labels)])
    return first, last.buttons(_to_the_profile())


def solved(table: Table, screens: AnyScreens, review: Review, move: Any) -> Around:
    """The page of the costliest decision, with a remark about the move that was chosen in its puzzle."""
    each, (first, last) = review.costs[0], decision(table, screens, review, 1)
    text = _("**Today:** {move} The {agent} plays another move.")
    if move is each.move:
        text = _("**Today:** {move} So you played in the match; the {agent} plays another move.")
    elif move is each.appraisal.move:
        text = _("**Today:** {move} Yes, the {agent} plays this as well.")
    chosen = screens.move_text(each.view, move, Names(table.seats))
    return first.remark(text.format(move=chosen, agent=_strongest(table))), last.buttons(_to_the_profile())


def _to_the_profile() -> ui.Button:
    return button(pgettext("button", "Profile"), Id(PROFILE), emoji="🪪")
