"""The review of a match that is over: the decisions of one person that cost most, and those that were best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.art.picture import Picture
from bot.art.results import Flag, Stretch, course_picture
from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.tables.history import OwnMove
from bot.tables.model import Table
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, PICTURED, Screen, button, pager, to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.words import bar
from engine.agents.advice import Appraisal, adviser_of
from engine.agents.search import Outlook
from engine.game import own_decision

REVIEW: Final = "review"
"""The intent of the button that reviews the presser's own decisions. Its argument is the page; "" is the first."""
PUZZLE: Final = "puzzle"
"""The intent of the button that asks for a puzzle, and of those that answer it: their argument is the choice."""
PROFILE: Final = "profile"
"""The intent of the button that leads from a puzzle back to its person's profile."""
BIG_MISTAKE: Final = 0.25
"""The smallest chance to win that a big mistake loses."""
MISTAKE: Final = 0.1
"""The smallest chance to win that a mistake loses, and that a great move gains."""
TOLD: Final = 5
"""The difference of chances to win from which on it is told, in per cent."""
NEAR: Final = 0.05
"""The smallest difference from an even chance that counts as being ahead or behind."""
EVEN: Final = 0.15
"""The largest difference from an even chance at which a match is called even."""
WHOLE_STORY: Final = 1000
"""The length, in characters, of the story of a turning point on its own page."""
STORY: Final = 240
"""The length, in characters, of the story of a turning point on the first page, which has room for five."""
LETTERS: Final = "ABCDE"
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
    """The chance to win, from 0 to 1, after a move: the number of the move, its turn, and the person's own move.

    The last point is the end of the match, which has no move of the person.
    """

    number: int
    turn: int
    chance: float
    own: OwnMove | None = None


class Swing(NamedTuple):
    """A change of the chance to win between two moves of a person; `turns` has the events since the first, by turn."""

    before: Point
    after: Point
    turns: Sequence[Sequence[SeenEvent]]

    @property
    def gained(self) -> float:
        return self.after.chance - self.before.chance


class Review(NamedTuple):
    """The findings of a review in `decisions` decisions: those that cost most, and those that were best, in this order.

    `hints` are the decisions in which a hint was not followed: they are compared with the hint. `course` is the chance
    to win after the person's turns and at the end, empty until it is found; `swings` are the greatest changes in it, in
    the order of the match.
    """

    decisions: int
    costs: list[Reviewed]
    leads: list[Reviewed]
    hints: list[Reviewed]
    course: Sequence[Point] = ()
    swings: Sequence[Swing] = ()

    @property
    def shown(self) -> list[Reviewed]:
        """The decisions that have a page each, after the first page."""
        costs = {each.number for each in self.costs}
        return [*self.costs, *self.leads, *[each for each in self.hints if each.number not in costs]]


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


def progress(table: Table, screens: AnyScreens, seat: int, steps: Steps, page: int) -> Screen:
    """The screen that the page of a seat's review replaces when it is ready: the first page, as far as it is found."""
    done, decisions, turns, found = steps
    if done <= decisions:
        text = _("Looking at your decisions … {n} of {of}").format(n=min(done + 1, decisions), of=decisions)
        drawn = bar(done, decisions)
    else:
        text = _("Following your chance to win from turn to turn …")
        drawn = bar(done - decisions, turns)
    screen = opening(table, screens, found, seat) if found and found.shown else Screen(colour=CALM)
    screen.text(f"🔎 {text}", drawn)
    rest = _("The rest of the review appears here when it is ready.")
    screen.text("-# " + (rest if found and found.shown else _("The review appears here when it is ready.")))
    return screen.buttons(review_button(table, page=page))


def opening(table: Table, screens: AnyScreens, review: Review, seat: int) -> Screen:
    """The first page of a seat's review: the match in a sentence, its turning points, and the decisions that the other
    pages show.
    """
    told = [verdict(screens, review)] if review.course else []
    screen = Screen(colour=screens.colour).text(_("### 🔎 Your review"), *told)
    if len(review.course) > 1:
        screen.add([ui.text(f"-# {course_text(screens, review)}", id=PICTURED)])
    if review.swings:
        screen.text(*_turning_points(table, screens, review, seat))
    none = _("**Costliest decisions**\nNone worth mentioning: the computer would have played much the same.")
    costs = [_("**Costliest decisions**"), *_lines(table, screens, review, review.costs)]
    screen.text(*(costs if review.costs else [none]))
    if review.leads:
        screen.text(_("**Best decisions**"), *_lines(table, screens, review, review.leads))
    reckoned = ngettext(
        "The computer's reckoning: {n} decision of yours, tried out many times from what you saw then, beside another "
        "move, with everybody playing well from there.",
        "The computer's reckoning: {n} decisions of yours, each tried out many times from what you saw then, beside "
        "another move, with everybody playing well from there.",
        review.decisions,
    ).format(n=review.decisions)
    small = [reckoned]
    if followed := len(table.seats[seat].followed):
        text = _("Hints that you followed: {n}. A move of theirs above has 🦉: a review looks further.")
        small.append(text.format(n=followed))
    last = Screen().text(*[f"-# {line}" for line in small])
    if lines := _lines(table, screens, review, review.shown[len(review.costs) + len(review.leads) :]):
        heading = _("**Hints that you did not follow**")
        screen.text(*that_fit(Screen([*screen.items, *last.items]), [heading, *lines][::-1])[::-1])
    return screen.add(last.items)


def verdict(screens: AnyScreens, review: Review) -> str:
    """The course of a match in a sentence. A person is ahead who rather wins than not; the odds turn after the last
    point at which that was not as it ended.
    """
    *points, end = review.course
    even, won = 0.5, end.chance
    if 0 < won < 1:
        return _("You shared the victory.")
    near = -NEAR if won == 0 else NEAR
    other = [number for number, point in enumerate(points) if (point.chance > even + near) != bool(won)]
    if not other:
        text = (
            _("You were ahead throughout.")
            if won
            else _("You were never ahead: {chance}% to win at the best.")
        )
        return text.format(chance=percent(max(point.chance for point in points)))
    before, since = points[: other[-1] + 1], _when(screens, review.course[other[-1] + 1])
    far = (min if won else max)(before, key=lambda point: point.chance)
    if max(abs(point.chance - even) for point in before) <= EVEN:
        text = _("The match was even, until the odds turned against you ({since}).")
        if won:
            text = _("The match was even, until the odds turned your way ({since}).")
    elif won:
        text = _("You came from behind: {chance}% to win at the lowest, until the odds turned ({since}).")
    else:
        text = _("You were ahead: {chance}% to win at the best, until the odds turned ({since}).")
    if not review.swings:
        text += " " + _("No single moment decided it.")
    return text.format(chance=percent(far.chance), since=since)


def _when(screens: AnyScreens, point: Point) -> str:
    return _("The end") if point.own is None else _turn(screens, point.own.view, point.turn)


def _turning_points(table: Table, screens: AnyScreens, review: Review, seat: int) -> list[str]:
    """For each turning point its letter, its turns, the chance to win before and after it, and what happened."""
    lines = [_("**Turning points**")]
    for letter, swing in zip(LETTERS, review.swings, strict=False):
        story = _story(table, screens, review, swing, seat, STORY)
        lines += [f"**{letter} · {_span(screens, swing)}** · {_change(swing)}", f"-# {story}"]
    return lines


def _span(screens: AnyScreens, swing: Swing) -> str:
    return " – ".join(dict.fromkeys(_when(screens, point) for point in (swing.before, swing.after)))


def _change(swing: Swing) -> str:
    text = _("chance to win {before}% → **{after}%**")
    return text.format(before=percent(swing.before.chance), after=round(100 * swing.after.chance))


def _story(table: Table, screens: AnyScreens, review: Review, swing: Swing, seat: int, most: int) -> str:
    """The decisions of a swing that have a page, and the story of its turns; of too many, without those that stand out
    least for the seat. If nothing happened, the person's own move.
    """
    names = Names(table.seats)
    told = [(turn, " ".join(screens.recap(turn, seat, names))) for turn in swing.turns]

    def weight(each: tuple[Sequence[SeenEvent], str]) -> int:
        return max((2 * screens.moment(e, seat) + screens.concerns(e, seat) for e in each[0]), default=0)

    while sum(len(text) for _turn, text in told) > most and len(told) > 1:
        told.remove(min(told, key=weight))
    first, last, own = swing.before.number, swing.after.number, swing.after.own
    decisions = [
        _("Decision {n}: {grade}.").format(n=f"**{page}**", grade=grade(each.appraisal))
        for page, each in enumerate([*review.costs, *review.leads], 1)
        if first < each.number <= last
    ]
    story = [text for _turn, text in told if text]
    calm = not any(weight(each) for each in told if each[0][0].seat != seat)
    if calm and swing.before.turn != swing.after.turn:
        better, worse = _("It went better than expected for you."), _("It went worse than expected for you.")
        story.append(better if swing.gained > 0 else worse)
    if not story and own is not None:
        story = [_("**You:** {move}").format(move=screens.move_text(own.view, own.move, names))]
    return " ".join([*decisions, *story])


def turning_point(table: Table, screens: AnyScreens, review: Review, seat: int, page: int) -> Around:
    """A turning point's page: above, its turn, the chance to win, and what happened."""
    at = page - len(review.shown) - 1
    swing = review.swings[at]
    first = Screen(colour=screens.colour).text(
        f"### 🔎 {LETTERS[at]} · {_span(screens, swing)}",
        _change(swing),
        _story(table, screens, review, swing, seat, WHOLE_STORY),
    )
    return first, closing(Screen(), table, review, page)


def course(screens: AnyScreens, review: Review) -> Picture | None:
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
    return course_picture(points, stretches, flags, course_text(screens, review))


def course_text(screens: AnyScreens, review: Review) -> str:
    """The same in words."""
    last = {_when(screens, point): round(100 * point.chance) for point in review.course}
    points = [f"{when}: {chance}%" for when, chance in last.items()]
    return _("Your chance to win after each of your turns.") + " " + ", ".join(points)


def _lines(table: Table, screens: AnyScreens, review: Review, found: list[Reviewed]) -> list[str]:
    """For each of these decisions the number of its page, its turn and the move; what it brought; the better move."""
    names, lines = Names(table.seats), list[str]()
    for each in found:
        turn = _turn(screens, each.view, each.turn)
        move = _made(table, screens, each)
        lines += [
            f"**{review.shown.index(each) + 1} · {turn}** · {move}",
            f"-# {grade(each.appraisal)} · {facts(screens, each.appraisal)}",
        ]
        if each not in review.leads:
            lines.append(f"-# {_better(screens, review, each, names)}")
    return lines


def _made(table: Table, screens: AnyScreens, each: Reviewed) -> str:
    """The move that was made, with the sign of hints if it was one's."""
    move, asked = screens.move_text(each.view, each.move, Names(table.seats)), own_decision(each.view)
    by_hint = asked is not None and asked.id in table.seats[int(each.view.viewer)].followed
    return f"🦉 {move}" if by_hint else move


def _better(screens: AnyScreens, review: Review, each: Reviewed, names: Names) -> str:
    """The move with which a decision is compared."""
    text = _("**Better:** {move}")
    if each in review.hints:
        text = _("🦉 **Hint:** {move}")
    return text.format(move=screens.move_text(each.view, each.appraisal.move, names))


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
    made = _("**You:** {move}").format(move=_made(table, screens, each))
    parts = [[made], [screens.reason_text(each.view, each.appraisal.reason, names)]]
    if each not in review.leads:
        mine, better = (_ends(screens, each.view, names, found) for found in each.appraisal[-2:])
        parts = [[made, mine], [_better(screens, review, each, names), better, *parts[1]]]
    last = Screen().text(*[" ".join(filter(None, part)) for part in parts])
    return first, closing(last, table, review, page)


def _ends(screens: AnyScreens, view: Any, names: Names, outlook: Outlook) -> str:
    """The scores to which the agent plays on after a move; empty in a game without scores."""
    if not outlook.own:
        return ""
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    who = names.bold(others[0]) if len(others) == 1 else _("the best of the others")
    own, theirs = (screens.amount(round(score)) for score in (outlook.own, outlook.own - outlook.lead))
    return _("Played on: you about {own}, {who} about {theirs}.").format(own=own, who=who, theirs=theirs)


def grade(appraisal: Appraisal) -> str:
    """A decision in a few words: by the chance to win, which `facts` tells."""
    if appraisal.lead > 0:
        return _("Great move") if appraisal.gained >= MISTAKE else _("Good move")
    if not appraisal.costly:  # the move with which it is compared is a hint
        if percent(appraisal.made.chance) == percent(appraisal.other.chance) and abs(appraisal.cost) < 1:
            return _("As good as the hint")
        return _("You were right") if appraisal.cost <= 0 else _("Hardly worse than the hint")
    if appraisal.gained <= -BIG_MISTAKE:
        return _("Big mistake")
    return _("Mistake") if appraisal.gained <= -MISTAKE else _("Slip")


def facts(screens: AnyScreens, appraisal: Appraisal) -> str:
    """The effect of a decision on the chance to win; on the lead, if the chance is hardly another."""
    made, other, good = appraisal.made, appraisal.other, appraisal.lead > 0
    better, worse = (made, other) if good else (other, made)
    if better.own and worse.own:  # as the decision's page has the scores
        mine, others = [round(each.own) - round(each.own - each.lead) for each in (better, worse)]
        amount = mine - others
    else:
        amount = round(better.lead - worse.lead)
    if percent(made.chance) == percent(other.chance) and amount <= 0:
        return _("Chance to win either way: about {made}%").format(made=percent(made.chance))
    if percent(better.chance) - percent(worse.chance) >= TOLD or amount <= 0:
        chances = _("Chance to win: about {made}% instead of {other}%")
        return chances.format(made=percent(made.chance), other=percent(other.chance))
    leads = _("Lead: about {amount} more") if good else _("Lead: about {amount} less")
    return leads.format(amount=screens.amount(amount))


def percent(chance: float) -> int:
    """A chance in per cent. A match is never certain before its end, nor lost."""
    return min(99, max(1, round(100 * chance)))


def closing(screen: Screen, table: Table, review: Review, page: int) -> Screen:
    """Adds the buttons of a page: on the first one, those that open the others."""
    to, decisions = Id(REVIEW, table.id), len(review.shown)
    names = [*map(str, range(1, 1 + decisions)), *LETTERS[: len(review.swings)]]
    if page:
        turning = [review_button(table), *pager(to, "", page, 1 + len(names))]
        return screen.buttons(*turning, *to_the_table(table))
    opens = [button(name, to._replace(arg=str(number))) for number, name in enumerate(names, 1)]
    return screen.buttons(*opens[decisions:]).buttons(*opens[:decisions]).buttons(*to_the_table(table))


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
    text = _("**Today:** {move} Another move is better.")
    if move is each.move:
        text = _("**Today:** {move} So you played in the match; another move is better.")
    elif move is each.appraisal.move:
        text = _("**Today:** {move} Yes, this is the better move.")
    chosen = screens.move_text(each.view, move, Names(table.seats))
    return first.remark(text.format(move=chosen)), last.buttons(_to_the_profile())


def _to_the_profile() -> ui.Button:
    return button(pgettext("button", "Profile"), Id(PROFILE), emoji="🪪")
