"""The review of a match that is over: the moments that mattered for one person, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, groupby, pairwise
from math import ceil
from typing import Any, Final

from bot.art.picture import Picture
from bot.art.results import Flag, course_picture
from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import Seat, Table
from bot.ui.screens import components as ui
from bot.ui.screens.appraisals import Point, Review, Reviewed, Swing, by_hint, ends, facts, margin, percent
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.hints import reason_text
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import CALM, PICTURED, Screen, button, pager, to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.news import GREAT
from bot.ui.screens.words import bar, turn_text
from engine.agents.advice import adviser_of
from engine.game import same_move

REVIEW: Final = "review"
"""The intent of the button that reviews the presser's own decisions. Its argument is the page; "" is the first."""
EVEN: Final = 0.7
"""The smallest part of one's even share of the chance to win at which a match is called even."""
AHEAD: Final = 1 - EVEN / 2
"""The chance to win above which somebody is ahead."""
FALL: Final = 0.15
"""The smallest fall to below this chance that is told of a match that was won."""
STORY: Final = 280
"""The length, in characters, from which on the story of a turning point has only what mattered most."""
BRIEF: Final = 120
"""The same in the list of all moments."""
STEP: Final = 0.5
"""The place of a decision's loss on the course of a match: so much of a move before the decision."""
Race = Sequence[tuple[int, int]]
"""The scores of a person and of a Master with the same deal, after each turn."""
Around = tuple[Screen, Screen]
"""The screen above a position, and the screen below it."""


def review_button(table: Table, view_version: str = "", page: int = 0) -> ui.Button:
    """The button that asks for a page of the presser's review; with `BESIDE` the pressed private screen stays."""
    to = Id(REVIEW, table.id, view_version, str(page) if page else "")
    return button(pgettext("button", "Review"), to, emoji="🔎")


def review_offer(table: Table, view_version: str = BESIDE) -> list[ui.Button]:
    """The button below the end of a match; none if there is no review of it."""
    there_is = table.status == "over" and adviser_of(table.game) is not None
    return [review_button(table, view_version)] if there_is else []


def progress(table: Table, done: int, of: int, page: int) -> Screen:
    """The screen that a page of a review replaces when it is ready: so many steps are done."""
    text = "🔎 " + _("Looking at your decisions, and at your chance to win from turn to turn …")
    later = "-# " + _("The review appears here when it is ready.")
    return Screen(colour=CALM).text(text, bar(done, of), later).buttons(review_button(table, page=page))


def opening(
    table: Table, screens: AnyScreens, review: Review, seat: int, raced: Sequence[str] = (), race: Race = ()
) -> Screen:
    """The first page of a seat's review: the match in a sentence, and its moments, each with the number of its page.

    `raced` are lines about the race with a Master for the greater score of a daily deal, and `race` its course.
    """
    told, moments = [*raced], review.moments
    if len(review.course) > 1 and not raced:
        told += [*filter(None, [_final_scores(table, screens)]), verdict(screens, review)]
        if certain := review.certain:
            text = _("At the end hardly anything could change that ({since}).")
            told[-1] += " " + text.format(since=_span(screens, certain[0], certain[-1]))
    if not any(each.appraisal.costly for each in moments if isinstance(each, Reviewed)):
        told.append(_("No decision cost you much: the computer would have played much the same."))
    screen = Screen(colour=screens.colour).text(_("### 🔎 Your review"), *told)
    if len(review.course) > 1:
        screen.add([ui.text(f"-# {course_text(screens, review, race)}", id=PICTURED)])
    if race:
        screen.text(_("-# Dollars by turn: the broad line is yours, the fine one a Master's in your seat."))
    last = Screen().text(*[f"-# {line}" for line in _small_print(screens, review, table.seats[seat])])
    if moments:
        of_daily = _(
            "**The moments that mattered against the Veterans** (your money at the end, your chance to win)"
        )
        screen.text(of_daily if table.is_daily else _("**The moments that mattered** (your chance to win)"))
    for page, each in enumerate(moments, 1):
        opens = button(str(page), Id(REVIEW, table.id, arg=str(page)))
        lines = that_fit(
            Screen([*screen.items, *last.items]), _lines(table, screens, review, seat, page, each)[::-1]
        )
        screen.add([ui.section(ui.text("\n".join(lines[::-1]) or f"**{page}**"), opens)])
    return screen.add(last.items)


def _small_print(screens: AnyScreens, review: Review, own: Seat) -> list[str]:
    """How the decisions were looked at, and what came of the hints."""
    small = [
        _(
            "The computer tried out {n} of your decisions many times, from what you saw then: people play on well, "
            "computer players at their level."
        ).format(n=review.decisions)
    ]
    hints = review.hints
    if taken := max(len(own.hinted), len(own.followed) + len(hints)):
        small.append(_("🦉 Hints followed: {n} of {of}.").format(n=len(own.followed), of=taken))
        if misled := sum(by_hint(own, each.view) for each in review.costs):
            small[-1] += " " + _("Wrong among these: {n}.").format(n=misled)
    if hints:
        text = _(
            "Refused and tried out: {n}. The hint was better: {better}, as good: {even}, worse: {worse}."
        )
        wrong, worse = (
            [each for each in hints if getattr(each.appraisal, name)] for name in ("costly", "beats_other")
        )
        better, even = str(len(wrong)), len(hints) - len(wrong) - len(worse)
        if wrong:  # not all of them need have a page
            better += f" ({', '.join(dict.fromkeys(when_of(screens, each) for each in wrong))})"
        small[-1] += " " + text.format(n=len(hints), better=better, even=even, worse=len(worse))
    if rest := taken - len(own.followed) - len(hints):
        small[-1] += " " + _("Taken back, or only the order differed: {n}.").format(n=rest)
    return small


def verdict(screens: AnyScreens, review: Review) -> str:
    """The course of a match in a sentence. The favourite rather wins than not, and somebody with much less than an even
    share is none; the odds turn by the greatest change after the last point at which that was not as it ended.
    """
    *points, end = review.course
    first: Any = points[0].view
    won, bound = end.chance, 0.5 if end.chance else EVEN / first.seats
    if 0 < won < 1:
        return _("You shared the victory.")
    sign = 1 if won else -1

    def turns(start: int) -> str:
        pairs = pairwise(review.course[start:])
        return _span(screens, *max(pairs, key=lambda pair: sign * (pair[1].chance - pair[0].chance)))

    highest = accumulate((point.chance for point in points), max)
    fell, at = max((high - points[number].chance, number) for number, high in enumerate(highest))
    if won and fell >= FALL and (least := points[at].chance) <= AHEAD < least + fell:
        text = _("You were ahead, fell back to {chance}%, and pulled ahead once more ({since}).")
        return text.format(chance=percent(least), since=turns(at))
    other = [number for number, point in enumerate(points) if (point.chance > bound) != bool(won)]
    if not other:
        text = (
            _("You were the favourite throughout.")
            if won
            else _("You were never the favourite: {chance}% to win at the best.")
        )
        return text.format(chance=percent(max(point.chance for point in points)))
    before, since = points[: other[-1] + 1], turns(other[-1])
    low, peak = (each(before, key=lambda point: point.chance) for each in (min, max))
    far = low if won else peak
    fallen = min(point.chance for point in before[: 1 + before.index(peak)])
    if far.chance >= EVEN / first.seats if won else far.chance <= AHEAD:
        text = _("The match was open, until the odds turned against you ({since}).")
        if won:
            text = _("The match was open, until the odds turned your way ({since}).")
    elif won:
        text = _("You came from behind: {chance}% to win at the lowest, until the odds turned ({since}).")
    elif fallen < bound:
        text = _("You fought back from {low}% to {chance}%, until the odds turned once more ({since}).")
    else:
        text = _("You were the favourite: {chance}% to win at the best, until the odds turned ({since}).")
    return text.format(chance=percent(far.chance), low=percent(fallen), since=since)


def when_of(screens: AnyScreens, at: Point | Reviewed) -> str:
    if at.view is None:
        return _("The end")
    return turn_text(screens, _turn(screens, at))


def _span(screens: AnyScreens, before: Point, after: Point) -> str:
    first, last = (when_of(screens, point) for point in (before, after))
    if first == last or after.view is None:
        return last
    return span_text(screens, _turn(screens, before), _turn(screens, after))


def span_text(screens: AnyScreens, first: int, last: int) -> str:
    """The turns from the first to the last."""
    text = _("Rounds {n}–{last}") if screens.counts_rounds else _("Turns {n}–{last}")
    return turn_text(screens, last) if first == last else text.format(n=first, last=last)


def _turn(screens: AnyScreens, at: Point | Reviewed) -> int:
    view: Any = at.view
    return view.round if screens.counts_rounds else at.turn


def effect_on(screens: AnyScreens, event: SeenEvent, seat: int, sign: int) -> int:
    """How much an event speaks for a change of this seat's chance, up or down as `sign` is; a great one between two
    others speaks for either.
    """
    if "winners" in event.facts:
        return 3 * sign if seat in event.facts["winners"] else -3 * sign
    effect = screens.effect(event)
    if event.seat != seat and event.facts.get("other", seat) != seat:
        return abs(effect) if screens.moment(event, None) >= GREAT else -sign * effect
    return sign * (effect if event.seat == seat else -effect)


def _story(table: Table, screens: AnyScreens, swing: Swing, seat: int, most: int = STORY) -> str:
    """The story of a swing's turns: the events that were good or bad for the seat, and of too many those that mattered
    most, in about `most` characters.
    """
    names, turns = Names(table.seats), swing.turns
    scores = _final_scores(table, screens) if _is_end(swing) else ""
    sign, is_long = 1 if swing.gained > 0 else -1, swing.after.turn - swing.before.turn > 1
    brief = screens.recap(swing.luck, seat, names) if swing.luck else []
    luck = " ".join(brief or [screens.describe(event, seat, names) for event in swing.luck])
    if luck and swing.then and most > BRIEF:
        luck = " → ".join((luck, *screens.recap(swing.then, seat, names)[:1]))
    meaning = screens.meaning(swing, names) if most > BRIEF else ""
    if luck and not turns:
        text = _("Good luck: {event}") if sign > 0 else _("Bad luck: {event}")
        text = "{event}" if swing.plain else text  # the turn with it weighs more than the luck
        return f"{text.format(event=luck)} {meaning}".strip()

    def is_kept(event: SeenEvent, least: int) -> bool:
        if least > 1 and scores and event.kind == "over":  # the end alone tells no cause
            return False
        if (effect := effect_on(screens, event, seat, sign)) >= least or not least:
            return True
        stands_out = screens.moment(event, None) or (is_long and event.seat == seat)
        return event.kind in screens.causes or bool(least == 1 and effect == 0 and stands_out)

    def told(least: int) -> str:
        stands = list[list[SeenEvent]]()
        for turn in turns:
            kept = list[SeenEvent]()
            for event in reversed(turn):
                if is_kept(event, least) or screens.leads_to(event, kept):
                    kept.insert(0, event)
            said = (event for event in kept if event.kind not in screens.causes)
            stands += [kept] if any(screens.describe(event, seat, names) for event in said) else []
        return " ".join(line for turn in stands for line in screens.recap(turn, seat, names))

    stories = [*filter(None, map(told, range(1, 4)))] or [told(0)]
    story = next((story for story in stories if len(story) <= most), stories[-1])
    if swing.plain:
        text = _("Less than expected: {event}") if sign > 0 else _("More than expected: {event}")
        story = text.format(event=story)
    given = _given_away(table, screens, swing, seat)
    return " ".join(filter(None, (story, given, scores, luck, "" if meaning in story else meaning)))


def _final_scores(table: Table, screens: AnyScreens) -> str:
    outcome, names = table.game.outcome(table.state), Names(table.seats)
    scores = outcome.scores if outcome and table.game.scored else ()
    return " · ".join(f"{names.bold(at)} {screens.amount(n)}" for at, n in enumerate(scores))


def _given_away(table: Table, screens: AnyScreens, swing: Swing, seat: int) -> str:
    """The sentences about the help that the seat's own moves were to others in a fall."""
    if swing.gained >= 0 and not swing.felt:
        return ""
    view, told = swing.after.view or table.game.view(table.state, seat), [*chain(*swing.turns)]
    return screens.helped(view, swing.events, told, seat, Names(table.seats))


def page_of(
    table: Table, screens: AnyScreens, review: Review, seat: int, page: int, race: Race = ()
) -> Around:
    """The page of a moment: all words stand below the position, beside the buttons. `race`: see `opening`."""
    moments = review.moments
    each, of = moments[page - 1], len(moments)
    when = _span(screens, each.before, each.after) if isinstance(each, Swing) else when_of(screens, each)
    first, last = Screen(colour=screens.colour), Screen().text(f"### 🔎 {page}/{of} · {when}")
    if isinstance(each, Swing):
        first.text("-# " + _("The position before:"))
        text = _("{before}% → **{after}%** to win")
        if table.is_daily:
            text = _("{before}% → **{after}%** to beat the Veterans")
        changed = text.format(before=percent(each.before.chance), after=_at_last(each.after))
        scores = each.scores_text(screens, Names(table.seats))
        own = _own_part(moments, each, _given_away(table, screens, each, seat))
        points = each.after.outlook, each.before.outlook
        held = screens.differences(table.game.view(table.state, seat), points, (), Names(table.seats))
        last.text(changed, *filter(None, [scores]), _story(table, screens, each, seat), *own, *held)
    else:
        last.text(*_decision(table, screens, review, each))
    # The first page has the final scores.
    if race and not _is_end(each) and any(race[turn := _turn_in(race, each)]):
        last.text("-# " + _("**Against a Master**"), after_turn(screens, turn, race[turn]))
    return first, closing(last, table, review, page)


def after_turn(screens: AnyScreens, turn: int, scores: tuple[int, int], now: int = 0) -> str:
    """A race after a turn of both, and the person's score of `now` if that is greater."""
    own, its = map(screens.amount, scores)
    if now > scores[0]:
        own = _("{own}, now {now}").format(own=own, now=screens.amount(now))
    return _("-# After turn {turn}: you {own} · a Master {its}").format(turn=turn, own=own, its=its)


def _is_end(each: Reviewed | Swing) -> bool:
    """Whether a moment ends with the match."""
    return isinstance(each, Swing) and each.after.view is None


def _turn_in(race: Race, each: Reviewed | Swing) -> int:
    turn = each.turn if isinstance(each, Reviewed) else each.after.turn
    return len(race) - 1 if _is_end(each) else min(turn, len(race) - 1)


def _at_last(point: Point) -> int:
    """The chance to win at a point, in per cent: at the end of the match it is certain."""
    return percent(point.chance) if point.view is not None else round(100 * point.chance)


def _own_part(moments: Sequence[Reviewed | Swing], swing: Swing, given: str) -> list[str]:
    """The line about what the person's own moves had to do with a turning point, one of these moments; `given`: its
    words about cards that they gave away.
    """
    if given:
        text = _("Giving that away was no mistake: the computer would have played much the same.")
        return [f"-# {text}"] * swing.sound
    if swing.gained > 0:
        return []
    for page, each in enumerate(moments, 1):
        if not isinstance(each, Reviewed) or each.number > swing.begins:
            continue
        if each.appraisal.costly and each.turn == swing.before.turn:
            return ["-# " + _("It came right after your decision on page {n}.").format(n=page)]
    if not (swing.blameless and swing.turns):
        return []
    return ["-# " + _("Your own moves weren't to blame: the computer would have played much the same.")]


def course(screens: AnyScreens, review: Review, race: Race = ()) -> Picture | None:
    """The picture of the chance to win, from move to move, or of a race; None if it is not found yet."""
    if len(review.course) < 2:
        return None
    if race:
        top, moments = 2 * -(-max(map(max, race)) // 2) or 2, enumerate(review.moments, 1)
        flags = [Flag(page, at := _turn_in(race, each), at, _is_good(each)) for page, each in moments]
        own, its = ([(n, scores[side] / top) for n, scores in enumerate(race)] for side in (0, 1))
        turns, marks = {n: n for n in range(1, len(race))}, [screens.amount(top * n // 2) for n in range(3)]
        return course_picture(own, turns, flags, course_text(screens, review, race), its, marks)
    course = {float(point.number): point.chance for point in review.course}
    begun = {point.number: _turn(screens, point) for point in review.course[:-1]}
    for each in (each for each in review.moments if isinstance(each, Reviewed)):
        course.setdefault(each.number, each.appraisal.made.chance)
        begun[each.number] = _turn(screens, each)
        if each.appraisal.costly:  # its loss is a step down
            course[each.number - STEP] = each.appraisal.other.chance
    places, turns = dict[float, float](), dict[int, int]()  # all turns are equally wide
    for at, (turn, numbers) in enumerate(groupby(sorted(course), lambda number: begun.get(ceil(number), 0))):
        same = [*numbers]
        places |= {number: at + rank / len(same) for rank, number in enumerate(same)}
        turns[turn] = at
    flags = list[Flag]()
    for page, each in enumerate(review.moments, 1):
        first, last = places[each.begins], places.get(each.number - STEP, places[each.number])
        if isinstance(each, Reviewed):
            first, last = last, places[each.number]
        flags.append(Flag(page, first, last, _is_good(each)))
    turns.pop(0, None)  # the end
    points = [(places[number], course[number]) for number in sorted(course)]
    return course_picture(points, turns, flags, course_text(screens, review))


def _is_good(each: Reviewed | Swing) -> bool:
    """A decision's grade may praise it where the chance hardly changes."""
    return each.gained > 0 if isinstance(each, Swing) else not each.appraisal.costly


def course_text(screens: AnyScreens, review: Review, race: Race = ()) -> str:
    """The same in words."""
    if race:
        text = _("Sold by each turn, by you and a Master in your seat: {scores}")
        return text.format(scores=", ".join(":".join(map(screens.amount, scores)) for scores in race[1:]))
    last = {when_of(screens, point): _at_last(point) for point in review.course}
    points = [f"{when}: {chance}%" for when, chance in last.items()]
    return _("Your chance to win after each of your turns.") + " " + ", ".join(points)


def _lines(
    table: Table, screens: AnyScreens, review: Review, seat: int, page: int, each: Reviewed | Swing
) -> list[str]:
    """A moment in two lines: the number of its page, its turn and what it changed; what happened, or both moves."""
    names = Names(table.seats)
    if isinstance(each, Swing):
        changed = f"{percent(each.before.chance)}% → **{_at_last(each.after)}%**"
        span = _span(screens, each.before, each.after)
        return [f"**{page} · {span}** · {changed}", f"-# {_story(table, screens, each, seat, BRIEF)}"]
    changed = f"{each.grade} · {facts(screens, each.appraisal, short=True, daily=table.is_daily)}"
    moves = [_made(table, screens, each), _other(screens, review, each, names)]
    return [f"**{page} · {when_of(screens, each)}** · {changed}", f"-# {' '.join(moves)}"]


def _made(table: Table, screens: AnyScreens, each: Reviewed) -> str:
    """The person's move, with the sign of hints if it was one's."""
    move = screens.move_text(each.view, each.move, Names(table.seats))
    hinted = by_hint(table.seats[int(each.view.viewer)], each.view)
    text = _("**You:** {move}")
    if hinted and each.appraisal.costly:
        text = _("**You, by a hint that was wrong:** {move}")
    return text.format(move=f"🦉 {move}" if hinted else move)


def _other(screens: AnyScreens, review: Review, each: Reviewed, names: Names) -> str:
    if same_move(each.appraisal.move, each.move):  # there was nothing to compare it with
        return ""
    costly = each.appraisal.costly
    text = _("**Better:** {move}") if costly else _("**Instead of:** {move}")
    move = screens.move_text(each.view, each.appraisal.move, names)
    return text.format(move=f"🦉 {move}" if each in review.hints else move)


def _decision(table: Table, screens: AnyScreens, review: Review, each: Reviewed) -> list[str]:
    """A decision's grade and what it changed; both moves, each with what it leads to, and the reason for the better."""
    names = Names(table.seats)
    reason = reason_text(screens, each.view, each.appraisal.reason, names)
    agree = margin(each.appraisal) > 0  # else scores would speak against the chances
    mine, other = (
        [f"-# {end}"] if agree and (end := ends(screens, each.view, names, found)) else []
        for found in (each.appraisal.made, each.appraisal.other)
    )
    beside = _other(screens, review, each, names)
    outlooks, moves = (each.appraisal.made, each.appraisal.other), (each.move, each.appraisal.move)
    end = table.game.view(table.state, each.view.viewer)
    held = screens.differences(end, outlooks, moves, names)
    lines = [
        f"**{each.grade}** · {facts(screens, each.appraisal, daily=table.is_daily)}",
        _made(table, screens, each),
        *mine,
    ]
    lines += [reason, beside, *other] if each.appraisal.is_better else [beside, *other, reason]
    return [*filter(None, [*lines, *held])]


def closing(screen: Screen, table: Table, review: Review, page: int) -> Screen:
    """Adds the buttons of a page. On the first one, each moment has the button that opens its page beside it."""
    to, pages = Id(REVIEW, table.id), len(review.moments)
    if page:
        turning = pager(to, "", page, 1 + pages)
        return screen.buttons(review_button(table), *turning, *to_the_table(table))
    return screen.buttons(*to_the_table(table))
