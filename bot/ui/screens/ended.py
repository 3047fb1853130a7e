"""The message that ends a match: its result, or the reason for an early end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.ratings import PROVISIONAL
from bot.store.model import AttemptRow, LogRow, ResultRow
from bot.tables.daily import Progress, day_of_match, ends_at, rank_of
from bot.tables.model import Table
from bot.tables.results import FEWEST, PERSON, played_enough
from bot.tables.thinking import MasterPlay
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.fitting import that_fit
from bot.ui.screens.game_screens import AnyScreens, SeenEvent, has_pictures
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import DAILY, OVER, Screen, button
from bot.ui.screens.lobby import play_again
from bot.ui.screens.names import NO_BREAK, Names
from bot.ui.screens.review import Race, after_turn, review_offer, span_text
from bot.ui.screens.same_deal import comparison
from bot.ui.screens.words import duration_text, ending_text, last_word, won_text
from engine.game import load_event

GREAT_STEP: Final = 40
"""The least change of a rating, in points, that is explained."""
LITTLE: Final = 0.5
"""A match that counts less than this part for everybody is explained."""
SHARE: Final = "daily-share"
"""The intent of the buttons that show one's result of a day as it would be posted. The argument is the day."""
FEWEST_TO_COMPARE: Final = 5
"""With fewer people on all servers, a place among them is not shown as a share."""
REPLAY: Final = "replay"
"""The intent of the button that shows the match as a film."""
SPAN: Final = 3
"""The most turns that a line about the gap in a race is of."""


def ended(
    table: Table,
    screens: AnyScreens,
    log: Sequence[LogRow],
    stored: Sequence[ResultRow] = (),
    group: Sequence[Table] = (),
) -> Screen:
    """The message that ends a match: winners, ranks with their reasons, highlights, ratings, an agent's last word,
    and **Play Again**; or the reason for an early end.

    `log` is the whole log, `stored` the stored result, if there is one, and `group` all tables with the same deal, if
    they are over. All people with a seat are mentioned.
    """
    if table.status == "abandoned":
        return _farewell(table, screens, group)
    view = table.game.view(table.state, None)
    names = Names(table.seats)
    screen = Screen(colour=screens.colour)
    heading = f"## {won_text(view.outcome, screens, names)}"
    screen.text(heading, f"{screens.title()} · {_how_long(table, log, screens)}", *_everybody(table))
    screen.rule().text(*screens.result(view, names))
    if lines := comparison(table, group):
        screen.rule().text(*lines)
    if lines := that_fit(screen, screens.highlights(public_events(log), view, names)[::-1]):
        screen.rule().text(*lines[::-1])
    said = last_word(table, screens, view.outcome)
    if small := [*filter(None, [_unrated(table, log), _ratings(stored, names), said])]:
        screen.text(*[f"-# {line}" for line in small])
    return _after_the_end(screen, table, screens)


def _farewell(table: Table, screens: AnyScreens, group: Sequence[Table]) -> Screen:
    screen = Screen(colour=OVER)
    screen.text(f"## {screens.title()}", "🏁 " + ending_text(table, Names(table.seats)), *_everybody(table))
    if lines := comparison(table, group):
        screen.rule().text(*lines)
    return _after_the_end(screen, table, screens)


def _everybody(table: Table) -> list[str]:
    people = [f"<@{seat.user_id}>" for seat in table.seats if seat.user_id is not None]
    return ["-# " + " ".join(people)] if people else []


def _ratings(stored: Sequence[ResultRow], names: Names) -> str:
    shown = sorted((row for row in stored if row.user_id), key=lambda row: (row.place, row.seat))
    steps = {
        row.seat: (row.after.points, row.after.points - row.before.points)
        for row in shown
        if row.before and row.after
    }
    if not steps:
        return ""
    changes = [f"{names.bold(seat)} {points} ({signed(step)})" for seat, (points, step) in steps.items()]
    text = _("📈 Ratings: {changes}").format(changes=" · ".join(changes))
    if all(row.weight is not None and row.weight < LITTLE for row in shown):
        return f"{text} · {why_little()}"
    if max(abs(step) for _points, step in steps.values()) < GREAT_STEP:
        return text
    settles = ngettext(
        "First matches move a rating far; it settles after {n} match.",
        "First matches move a rating far; it settles after {n} matches.",
        PROVISIONAL,
    )
    return f"{text} · {settles.format(n=PROVISIONAL)}"


def _unrated(table: Table, log: Sequence[LogRow]) -> str:
    """The reason why a match of people alone is not rated, if the table shows it; empty for others."""
    sitters = table.body.sitters
    if len(sitters) < FEWEST or sitters.count(PERSON) < len(sitters) or table.in_group:
        return ""
    if table.hints:
        return _("The host allowed hints, so the match is not rated.")
    if not played_enough(table, log):
        return _("The match is not rated: fewer than two people made a third of the usual moves themselves.")
    return ""


def _after_the_end(screen: Screen, table: Table, screens: AnyScreens) -> Screen:
    watch_again = [replay_button(table)] if has_pictures(screens) else []
    return screen.buttons(
        button(_("Play Again"), play_again(table), SUCCESS, emoji="🔁"),
        *watch_again,
        *review_offer(table, ""),
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
    )


def replay_button(table: Table, view_version: str = "") -> ui.Button:
    """The button that shows a match as a film; with `BESIDE` the pressed private screen stays."""
    return button(pgettext("button", "Replay"), Id(REPLAY, table.id, view_version), emoji="🎬")


def _how_long(table: Table, log: Sequence[LogRow], screens: AnyScreens) -> str:
    began = next((row.at for row in log if row.source != "table"), table.changed_at)
    ended = table.changed_at if table.ended_at is None else table.ended_at
    moves = ngettext("{n} move", "{n} moves", table.sequence).format(n=table.sequence)
    duration = duration_text(max(0, ended - began))
    return duration if screens.counts_rounds else f"{duration} · {moves}"


def public_events(log: Sequence[LogRow]) -> list[SeenEvent]:
    """The log's events of the match itself, as a spectator saw them."""
    events = [load_event(json.loads(row.event)) for row in log if row.source != "table"]
    return [SeenEvent(event.kind, event.seat, event.facts) for event in events]


def signed(change: int) -> str:
    """A change of points with its sign."""
    return f"{change:+}".replace("-", "−")


def why_little() -> str:
    """The reasons why a match counts in part."""
    return _(
        "A match counts less against someone you have often met this season, and against someone who has met few "
        "other people."
    )


def among_others(
    one: Progress, screens: AnyScreens, following: AnyScreens | None, beside: Sequence[str] = ()
) -> list[str]:
    """A person's finished attempt at a daily deal: the headline, how good it is, and when the next deal begins.

    `following` has the screens of the next deal's game, None for none. `beside` are lines below the first place.
    """
    own = one.own
    if own is None or own.score is None:
        return []
    lines = [daily_headline(own.score, one.master, screens)]
    scores = [each.score for each in one.board if each.score is not None]
    if own in one.board:
        text = _("The first score of today on this server")
        if len(scores) > 1:
            text = _(
                "Place **{place}** of {people} on this server so far, with scores from {least} to {most}"
            )
        place, least, most = rank_of(one.board, own), screens.amount(scores[-1]), screens.amount(scores[0])
        lines.append(text.format(place=place, people=len(scores), least=least, most=most))
        lines += tied([score for score in scores if score == own.score])
    people, less = one.below
    share = _(
        "You scored more than **{share} %** of the {people} people who have finished it on all servers."
    )
    if people >= FEWEST_TO_COMPARE and less:
        lines.append(share.format(share=100 * less // people, people=people))
    return [*lines, *beside, *streak_lines(one.streak), next_line(own, one.streak, following)]


def next_line(own: AttemptRow, streak: int, following: AnyScreens | None) -> str:
    """The line about the next deal, after an attempt at today's that has ended."""
    text = _("📅 The next deal, {game}, comes {when}. All scores and matches open then.")
    if following is None:
        text = _("📅 All scores and matches open {when}.")
    elif own.score is not None:
        text = ngettext(
            "📅 The next deal, {game}, comes {when}: finish it for {n} day in a row. All scores, matches and your "
            "film open then.",
            "📅 The next deal, {game}, comes {when}: finish it for {n} days in a row. All scores, matches and your "
            "film open then.",
            streak + 1,
        )
    title = following and following.title()
    return text.format(game=title, when=f"<t:{int(ends_at(own.day))}:R>", n=streak + 1)


def tied(scores: Sequence[int]) -> list[str]:
    """The line that explains places which several people have."""
    return ["-# " + _("Equal scores share a place.")] if len({*scores}) < len(scores) else []


def daily_headline(score: int, master: MasterPlay | None, screens: AnyScreens) -> str:
    """The score of an attempt, beside that of the strongest agent in the person's seat once it is known."""
    lead = 0 if master is None else score - master.score
    text = "{score}" if master is None else _("{score} · level with a Master!")
    if lead > 0:
        text = _("{score} · a Master beaten by {lead}!")
    elif lead:
        text = _("{score} · {lead} short of a Master")
    return text.format(score=screens.amount(score), lead=screens.amount(abs(lead)))


def race(
    master: MasterPlay | None, log: Sequence[LogRow], screens: AnyScreens, score: int | None
) -> list[tuple[int, int]]:
    """The sales of the person and the Master before the first turn, and after each turn that both have ended; of a
    match that is over with this `score`, at last both scores. While it is played, the last is the person's of now.
    """
    its = screens.pace(events_of(master), 0) if master else [0]
    *own, now = screens.pace(public_events(log), 0)
    sold = [(0, 0), *zip(own, its[:-1], strict=False)]
    if score is None:
        sold.append((now, sold[-1][1]))
    elif master is not None and sold[-1] != (score, master.score):
        sold.append((score, master.score))
    return sold


def events_of(master: MasterPlay) -> list[SeenEvent]:
    """The events of the strongest agent's play, as a spectator saw them."""
    return [SeenEvent(*event[:3]) for event in master.events]


def race_lines(one: Progress, log: Sequence[LogRow], screens: AnyScreens, beat: int = 0) -> list[str]:
    """The lines about the race (`race`) while the match is played, and about the whole of it at the end.

    `beat` is the score of somebody else's that is to be beaten; 0 for none.
    """
    moved = max((row.sequence for row in log if row.mover == 0), default=0)
    parts = ([row for row in log if row.sequence < moved], log)
    was, sold = (race(one.master, part, screens, one.own and one.own.score) for part in parts)
    if one.own is not None:
        return gap_lines(sold, screens)
    goal = _("-# 🎯 {score} to beat").format(score=screens.amount(beat))
    return [*pace_lines(sold, was, screens), *[goal] * bool(beat)]


def pace_lines(sold: Race, was: Race, screens: AnyScreens) -> list[str]:
    """The person's sales of now beside the Master's (`race`).

    A turn of the Master's counts when the person has ended it, too, so that it says nothing of their present choice.
    `was` is the race before the person's latest move: if somebody has passed the other since, that stands out.
    """
    if len(sold) < 3 or not any(sold[-1]):
        return []
    own, its = map(screens.amount, sold[-1])
    text = after_turn(screens, len(sold) - 2, sold[-2], sold[-1][0])
    if (ahead := _ahead(sold[-1])) not in (0, _ahead(was[-1])):
        text = _("**A Master in your seat takes the lead: {its} to {own}**")
        if ahead > 0:
            text = _("**You take the lead over a Master in your seat: {own} to {its}**")
    return [text.format(own=own, its=its)]


def gap_lines(sold: Race, screens: AnyScreens) -> list[str]:
    """One to three times in which the gap between the person and the Master changed most (`race`), first of all towards
    its end; the turn since which it stands as it ended, if somebody had led before, is among them.
    """
    gaps, leads, lines = [own - its for own, its in sold], [*map(_ahead, sold)], list[str]()
    since = (n for n, lead in enumerate(leads) if any(leads[:n]) and leads[n - 1] != lead == leads[-1])
    shown = [(turned - 1, turned)] if (turned := max(since, default=0)) else []
    spans = [(last - turns, last) for turns in range(1, SPAN + 1) for last in range(turns, len(gaps))]
    changes = [(gaps[last] - gaps[first], last - first, first) for first, last in spans]
    changes.sort(key=lambda each: (each[0] * gaps[-1] < 0, -abs(each[0]), each))
    most = max((abs(change) for change, _turns, _first in changes), default=0)
    for change, turns, first in changes:
        apart = all(first + turns <= begin or end <= first for begin, end in shown)
        if apart and 3 * abs(change) > most and len(shown) < 3:
            shown.append((first, first + turns))
    for first, last in sorted(shown):
        made = [now - before for now, before in zip(sold[last], sold[first], strict=True)]
        own, its, mine, theirs = map(screens.amount, [*made, *sold[last]])
        text = _("-# **{when}** · You sold {own}, a Master {its}: {mine} to {theirs}")
        if last == turned and leads[-1]:
            text += " · " + _("the last change of the lead")
        ends = first + 2 == len(sold)  # one of the two may have had more turns
        when = _("The end") if ends else span_text(screens, first + 1, last)
        lines.append(text.format(when=when, own=own, its=its, mine=mine, theirs=theirs))
    return lines


def _ahead(scores: tuple[int, int]) -> int:
    return (scores[0] > scores[1]) - (scores[0] < scores[1])


def streak_lines(days: int) -> list[str]:
    """The line with the number of days in a row; empty for none."""
    text = ngettext("🔥 Streak: {n} day", "🔥 Streak: {n} days", days).replace(" ", NO_BREAK)
    return [text.format(n=days)] if days else []


def after_daily(table: Table) -> list[ui.Button]:
    """The buttons on the screen of a daily deal's match that has ended: **Share**, and today's deal beside it."""
    shared = [share_button(day_of_match(table))] if table.status == "over" and not table.body.shared else []
    return [*shared, button(_("The Daily Dig"), Id(DAILY, table.id), emoji="📅")]


def share_button(day: int) -> ui.Button:
    """The button that shows the presser's result of a day as it would be posted in the channel."""
    label = pgettext("button: post one's result", "Share")
    return button(label, Id(SHARE, arg=str(day)), SUCCESS, emoji="📤")
