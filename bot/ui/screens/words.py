"""The host's own texts, for every game: limits, levels, events of a table, and agents as characters.

A line follows from an agent's level, game and name alone, and a word from the public result. So neither tells anything
about cards or thoughts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from babel import Locale

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.tables.absence import played_by_agent
from bot.tables.deadlines import waited_for
from bot.tables.ending import undecided
from bot.tables.holidays import last_noon
from bot.tables.lobby import AGENT_NAMES
from bot.tables.model import DAY, HOUR, MINUTE, Seat, Table
from bot.ui.screens.game_screens import AnyScreens, SeenEvent, Setting
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from engine.game import AnyGame, Outcome


def limit_text(seconds: int | None) -> str:
    """A turn limit in words."""
    if seconds is None:
        return pgettext("turn limit", "none")
    if seconds >= 2 * DAY:
        days = seconds // DAY
        return ngettext("{n} day", "{n} days", days).format(n=days)
    if seconds >= HOUR:
        hours = seconds // HOUR
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    minutes = seconds // MINUTE
    return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)


def moment(at: float, now: float) -> str:
    """A past moment, both in seconds as people are shown them: how long ago it was, or its time of day.

    A message reckons how long ago by the reader's clock, for which a moment less than a minute ago may lie ahead.
    """
    return f"<t:{int(at)}:{'R' if now - at >= MINUTE else 't'}>"


def language_name(language: str) -> str:
    """A language's name for itself."""
    name = Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


def pace_text(pace: str) -> str:
    """The agents' pace, in a word."""
    return {
        "quick": pgettext("the agents' pace", "quick"),
        "calm": pgettext("the agents' pace", "calm"),
    }.get(pace, pgettext("the agents' pace", "usual"))


def match_line(game: AnyGame, screens: AnyScreens) -> str:
    """The number of players, the playing time and the weight of a game in a line, as far as they are known."""
    parts = [_("{least} to {most} players").format(least=game.min_seats, most=game.max_seats)]
    if screens.minutes is not None:
        least, most = screens.minutes
        parts.append(_("{least}–{most} minutes").format(least=least, most=most))
    if screens.weight is not None:
        parts.append({"light": _("easy to learn"), "medium": _("plenty to learn")}[screens.weight])
    return " · ".join(parts)


def catching_up(table: Table) -> list[str]:
    """The lines that say when the table message of a group DM is brought up to date; none at other tables.

    A lobby also says where people are called at any time.
    """
    if not (table.in_group and table.live):
        return []
    lines = [_("-# In a group I can only answer: this message catches up whenever someone presses a button.")]
    if table.state is None:
        lines.append(
            _("-# If you've installed me too, I can call you by direct message at any time: `/settings`.")
        )
    return lines


def level_name(level: str) -> str:
    """The level of an agent, in a word."""
    return {
        "novice": pgettext("agent", "Novice"),
        "veteran": pgettext("agent", "Veteran"),
        "expert": pgettext("agent", "Expert"),
        "master": pgettext("agent", "Master"),
    }.get(level, level.capitalize())


def level_style(level: str) -> str:
    """A sentence about how the agents of a level play, and for whom they are; empty for a level without one."""
    return {
        "novice": _("The Novice passes up many chances: a good first opponent."),
        "veteran": _("The Veteran knows the game well: for people who have played before."),
        "expert": _("The Expert thinks a whole turn through: for people who play often."),
        "master": _("The Master tries out the turns to come: the hardest to beat."),
    }.get(level, "")


def status_name(status: str) -> str:
    """The status of a table, in a word or two."""
    return {
        "lobby": _("in the lobby"),
        "playing": _("under way"),
        "paused": pgettext("match", "paused"),
        "over": pgettext("match", "over"),
    }.get(status, _("ended early"))


def ending_text(table: Table, names: Names) -> str:
    """The sentence about a table that ended before its match was over: the reason, and the person who ended it."""
    who = _person(table, table.body.ended_by, names)
    voters = listing([names.bold(seat) for seat in table.body.end_votes])
    texts = {
        "lobby-empty": _("Everyone left, so the lobby has closed."),
        "lobby-expired": _("No one started the match within a day, so the lobby has closed."),
        "lobby-closed": _("{who} closed the lobby.") if who else _("The host closed the lobby."),
        "pause-expired": _("No one came back for a week, so the match has ended."),
        "agreed": _("The players agreed to end the match: {voters}.")
        if voters
        else _("The players agreed to end the match."),
        "host": _("{who} ended the match.") if who else _("The host ended the match."),
        "manager": _("{who}, who manages this channel, ended the match.")
        if who
        else _("A channel manager ended the match."),
        "channel-gone": _("The channel is gone, and the match with it."),
        "operator": _("My operator has closed this table."),
        "time-over": _("The time for this match is over, so it has ended."),
        "server-left": _("I was not on this server for a week, so the match has ended."),
        "lesson-finished": _("The lesson is over."),
        "lesson-changed": _("The lesson has changed, so this one has ended."),
        "lesson-anew": _("You started the lesson over."),
    }
    text = texts.get(table.body.ending, _("The match has ended early."))
    return text.format(who=who, voters=voters) if "{" in text else text


def _person(table: Table, user_id: int | None, names: Names) -> str:
    """A person's name; for a person without a seat, a mention, which Discord shows as the name."""
    if user_id is None:
        return ""
    seat = table.seat_of(user_id)
    return f"<@{user_id}>" if seat is None else names.bold(seat)


def table_event(event: SeenEvent, viewer: int | None, names: Names) -> str:
    """One line about an event of the table itself."""
    if event.kind == "paused":
        return _("⏸️ The match is paused.")
    if event.kind == "resumed":
        return _("▶️ The match goes on.")
    seat = event.seat or 0
    you = viewer is not None and viewer == event.seat
    before = escape(str(event.facts.get("of", "")))
    texts = {
        "missed": _("⏰ {name} ran out of time; a computer player steps in this time."),
        "away": _("⏰ {name} ran out of time again; a computer player plays until they are back."),
        "holiday": _("🌴 {name} goes on holiday; a computer player plays on."),
        "waits": _("🌴 Everyone agrees to wait for {name}."),
        "waits-no-more": _("🌴 The match no longer waits for {name}; a computer player plays."),
        "back": _("👋 {name} is back."),
        "left": _("🚪 {name} left; a computer player plays on."),
        "took-over": _("🪑 {name} takes over from 🤖\u00a0**{before}**.")
        if before
        else _("🪑 {name} takes over from a computer player."),
        "undone": _("↩️ {name} takes a move back."),
        "end-vote": _("🏳️ {name} wants to end the match."),
        "play-on": _("🏳️ {name} wants to play on after all."),
    }
    own = {
        "missed": _("⏰ You ran out of time; a computer player steps in for you this time."),
        "away": _("⏰ You ran out of time again; a computer player plays until you press **I'm Back**."),
        "holiday": _("🌴 You go on holiday; a computer player plays for you."),
        "waits": _("🌴 Everyone agrees to wait for you."),
        "waits-no-more": _("🌴 The match no longer waits for you; a computer player plays."),
        "back": _("👋 You are back."),
        "left": _("🚪 You left; a computer player plays on."),
        "took-over": _("🪑 You take over from 🤖\u00a0**{before}**.")
        if before
        else _("🪑 You take over from a computer player."),
        "undone": _("↩️ You take a move back."),
        "end-vote": _("🏳️ You want to end the match."),
        "play-on": _("🏳️ You want to play on after all."),
    }
    line = own.get(event.kind, "") if you else texts.get(event.kind, "")
    return line.format(name=names.bold(seat), before=before) if line else event.kind


def setting_event(event: SeenEvent, settings: Mapping[str, Setting]) -> str | None:
    """One line about a setting that was changed in the lobby; None for any other event of a table."""
    text = _("⚙️ The host sets {setting} to {value}.")
    if event.kind == "limit-set":
        title = _("Turn limit")
        return text.format(setting=f"**{title}**", value=limit_text(event.facts["limit"]))
    if event.kind != "option-set":
        return None
    name, value = str(event.facts["name"]), str(event.facts["value"] or "")
    setting = settings.get(name)
    if setting is None:
        title, shown = name, value
    else:
        title, shown = setting.title, setting.choices.get(value, setting.unchosen or value)
    return text.format(setting=f"**{escape(title)}**", value=escape(shown))


def duration_text(seconds: float) -> str:
    """A length of time in words, to the minute; from one day on, to the hour."""
    minutes = int(seconds // MINUTE)
    if minutes < 1:
        return _("less than a minute")
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        ngettext("{n} day", "{n} days", days).format(n=days) if days else "",
        ngettext("{n} hour", "{n} hours", hours).format(n=hours) if hours else "",
        ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes) if minutes and not days else "",
    ]
    return listing([part for part in parts if part])


def bar(done: int, of: int) -> str:
    """A progress line of twelve signs. `of` is 0 until it is known.

    >>> bar(1, 3)
    '▰▰▰▰▱▱▱▱▱▱▱▱'
    """
    full = 12 * done // of if of else 0
    return "▰" * full + "▱" * (12 - full)


def own_line(table: Table, screens: AnyScreens, seat: int) -> str:
    """The line of the agent in this seat about its play, in quotation marks.

    Empty for a person, for an agent that plays for one, in a lesson, and where the game has no lines for the level.
    """
    place = table.seats[seat]
    if not _is_character(table, place):
        return ""
    opponent = screens.opponents().get(place.agent or "")
    if opponent is None or not opponent.lines:
        return ""
    return _quoted(opponent.lines[_number(place) % len(opponent.lines)])


def introductions(table: Table, screens: AnyScreens) -> list[str]:
    """A line for each agent at the table: name, level, and what it says of its play."""
    names = Names(table.seats)
    return [
        f"{names.bold(seat)} · {level_name(place.agent or '')}: {line}"
        for seat, place in enumerate(table.seats)
        if (line := own_line(table, screens, seat))
    ]


CLOSE: Final = 0.1
"""A victory is close if the winner is ahead by at most this part of their score."""


def won_text(outcome: Outcome, screens: AnyScreens, names: Names, viewer: int | None = None) -> str:
    """The sentences that name the winners to a viewer, by how much one is ahead, and how close the viewer was."""
    winners, scores = outcome.winners, outcome.scores
    who = listing([names.bold(seat) for seat in winners])
    if len(winners) != 1:
        return _("🏆 {names} share the victory!").format(names=who)
    [winner] = winners
    best = scores[winner]
    lead = best - max(scores[:winner] + scores[winner + 1 :])
    if best < 2:  # such scores only say who has won
        lead, best = 0, 0
    if lead > 0:
        text = _("🏆 You win by {lead}!") if winner == viewer else _("🏆 {names} wins by {lead}!")
    else:
        text = _("🏆 You win!") if winner == viewer else _("🏆 {names} wins!")
    text = text.format(names=who, lead=screens.amount(lead))
    if lead and viewer not in (None, winner):
        lead = best - scores[viewer]
        place = _("You are in place {place} with {score}.")
        text += " " + place.format(place=outcome.ranks[viewer], score=screens.amount(scores[viewer]))
    return " ".join([text, _("That was close.")]) if best and lead <= CLOSE * best else text


def last_word(table: Table, screens: AnyScreens, outcome: Outcome) -> str:
    """The word of the best of the agents at the end of a match, with its name; empty if no agent has a character.

    A deal of the day is played once, so that nobody there asks for another match.
    """
    speakers = [seat for seat in range(len(table.seats)) if own_line(table, screens, seat)]
    if not speakers or table.body.opens is not None:
        return ""
    speaker = min(speakers, key=lambda seat: (outcome.ranks[seat], seat))
    if speaker in outcome.winners:
        words = _won() if len(outcome.winners) == 1 else [_("We share it. I can live with that!")]
    else:
        words = _lost(table, table.seats[speaker].agent or "")
    word = words[(table.id + _number(table.seats[speaker])) % len(words)]
    return f"{Names(table.seats).bold(speaker)}: {_quoted(word)}"


def _won() -> list[str]:
    return [
        _("A good match. Once more?"),
        _("I enjoyed that! The next one may be yours."),
        _("This one is mine. Thank you for the match!"),
    ]


def _lost(table: Table, level: str) -> list[str]:
    """The words of an agent that has lost. If there is a stronger level, some words name it."""
    words = [
        _("Well played! I'd like another match."),
        _("Congratulations! That victory is yours."),
        _("You were too good for me today."),
    ]
    levels = [*table.game.agents]
    if level != levels[-1]:
        stronger = level_name(levels[levels.index(level) + 1])
        # Translators: an agent that has lost names the next stronger level.
        words.append(_("Well played! Your next opponent: {level}?").format(level=stronger))
    elif level == "master":
        words.append(_("You beat a Master. Well played!"))
    return words


def _is_character(table: Table, seat: Seat) -> bool:
    """Whether an agent of the game plays this seat for itself. A lesson's agents play fixed moves."""
    is_agent = seat.user_id is None and seat.left_by is None and seat.agent in table.game.agents
    return is_agent and not table.is_lesson


def _number(seat: Seat) -> int:
    """The number of an agent's name, so that agents with different names have different lines."""
    name = seat.name.partition(" ")[0]
    return AGENT_NAMES.index(name) if name in AGENT_NAMES else 0


def _quoted(words: str) -> str:
    # Translators: what a computer player says; use your language's quotation marks.
    return _("“{words}”").format(words=words)


def last_day_text(ends: int) -> str:
    """The last day of a holiday, as Discord shows it to each reader."""
    return f"<t:{last_noon(ends)}:D>"


def on_holiday(ends: int) -> str:
    """The remark on a seat in a lobby whose person is on holiday."""
    return "🌴 " + _("on holiday until {day}").format(day=last_day_text(ends))


def own_absence(table: Table, seat: int) -> str:
    """The line about an agent that plays for somebody who is away; empty if the person plays."""
    if not table.seats[seat].away and not (table.status == "playing" and played_by_agent(table, seat)):
        return ""
    if table.status != "paused" and table.seats[seat].holiday is not None:
        if waited_for(table, seat):
            return _("You are on holiday, and the match waits for you. Any move of yours resumes it.")
        return _(
            "You are on holiday, and a computer player plays for you. **I'm Back** ends that at this table."
        )
    if table.status == "paused":
        return _("⏸️ The match is paused. Press **I'm Back** to go on with it.")
    return _("A computer player plays for you.")


def own_wish(table: Table, seat: int) -> str:
    """The line about the viewer's wish to end the match; empty if there is none."""
    others = undecided(table) if table.under_way and seat in table.body.end_votes else []
    if not others:
        return ""
    names = Names(table.seats)
    text = ngettext(
        "You want to end the match. It ends once {names} agrees too.",
        "You want to end the match. It ends once {names} agree too.",
        len(others),
    )
    return text.format(names=listing([names.bold(other) for other in others]))


def turn_text(screens: AnyScreens, number: int) -> str:
    """The turn of a person with this number, or the round in a game that counts rounds."""
    return (_("Round {n}") if screens.counts_rounds else _("Turn {n}")).format(n=number)
