"""The host's own texts, for every game: limits, levels, refusals, and events of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.refusals import Refused
from bot.ui.screens.game_screens import AnyScreens, SeenEvent, Setting
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from engine.game import AnyGame


def limit_text(seconds: int | None) -> str:
    """A turn limit in words."""
    if seconds is None:
        return pgettext("turn limit", "none")
    if seconds >= HOUR:
        hours = seconds // HOUR
        return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    minutes = seconds // MINUTE
    return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)


def pace_text(pace: str) -> str:
    """The agents' pace, in a word."""
    return {
        "quick": pgettext("the agents' pace", "quick"),
        "calm": pgettext("the agents' pace", "calm"),
    }.get(pace, pgettext("the agents' pace", "usual"))


def hints_text(allowed: bool) -> str:
    """Whether hints are allowed, in a word."""
    return pgettext("hints", "allowed") if allowed else pgettext("hints", "none")


def match_line(game: AnyGame, screens: AnyScreens) -> str:
    """The number of players, the playing time and the weight of a game in a line, as far as they are known."""
    parts = [_("{least} to {most} players").format(least=game.min_seats, most=game.max_seats)]
    if screens.minutes is not None:
        parts.append(_("about {n} minutes").format(n=screens.minutes))
    if screens.weight is not None:
        parts.append({"light": _("easy to learn"), "medium": _("plenty to learn")}[screens.weight])
    return " · ".join(parts)


def level_name(level: str) -> str:
    """The level of an agent, in a word."""
    return {
        "apprentice": pgettext("agent", "Apprentice"),
        "novice": pgettext("agent", "Novice"),
        "veteran": pgettext("agent", "Veteran"),
        "master": pgettext("agent", "Master"),
    }.get(level, level.capitalize())


def level_style(level: str) -> str:
    """A sentence about the way in which the agents of a level play; empty for a level without one."""
    return {
        "apprentice": _("The Apprentice is a gentle opponent for a first match."),
        "novice": _("The Novice plays sensibly, one move at a time."),
        "veteran": _("The Veteran thinks a whole turn through."),
        "master": _("The Master tries out the turns to come. Few people beat it."),
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
        "lobby-empty": _("Everybody left, so the lobby has closed."),
        "lobby-expired": _("Nobody started the match within a day, so the lobby has closed."),
        "lobby-closed": _("{who} closed the lobby.") if who else _("The host closed the lobby."),
        "pause-expired": _("Nobody came back for a week, so the match has ended."),
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
        "lesson-anew": _("You began the lesson anew."),
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
        "missed": _("⏰ {name} ran out of time; an agent steps in this time."),
        "away": _("⏰ {name} ran out of time again; an agent plays until they are back."),
        "holiday": _("🌴 {name} goes on holiday; an agent plays on."),
        "waits": _("🌴 All agree to wait for {name}."),
        "waits-no-more": _("🌴 The match no longer waits for {name}; an agent plays."),
        "back": _("👋 {name} is back."),
        "left": _("🚪 {name} left; an agent plays on."),
        "took-over": _("🪑 {name} takes over from 🤖 **{before}**.")
        if before
        else _("🪑 {name} takes over from an agent."),
        "undone": _("↩️ {name} takes the last move back."),
        "end-vote": _("🏳️ {name} wants to end the match."),
        "play-on": _("🏳️ {name} wants to play on after all."),
    }
    own = {
        "missed": _("⏰ You ran out of time; an agent steps in for you this time."),
        "away": _("⏰ You ran out of time again; an agent plays until you press **I'm Back**."),
        "holiday": _("🌴 You go on holiday; an agent plays for you."),
        "waits": _("🌴 All agree to wait for you."),
        "waits-no-more": _("🌴 The match no longer waits for you; an agent plays."),
        "back": _("👋 You are back."),
        "left": _("🚪 You left; an agent plays on."),
        "took-over": _("🪑 You take over from 🤖 **{before}**.")
        if before
        else _("🪑 You take over from an agent."),
        "undone": _("↩️ You take your last move back."),
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


def refusal(refused: Refused) -> str:
    """The reason of a refusal, as a friendly sentence."""
    facts: dict[str, Any] = {**refused.facts}
    if "again" in facts:
        facts["when"] = f"<t:{int(facts['again']) + 1}:R>"  # rounded up, so that nobody tries too early
    if "channels" in facts:
        facts["places"] = listing([f"<#{each}>" for each in facts["channels"]])
    texts = _of_the_match() | _of_advice() | _of_pictures()
    texts |= _without_a_server() | _of_the_start(facts) | _of_seats(facts) | _of_places(facts)
    text = texts.get(refused.code) or _("That cannot be done now.")
    return text.format(**facts) if "{" in text else text


def _of_the_start(facts: dict[str, Any]) -> dict[str, str]:
    """Refusals about lobbies, starts under way, and starts that are not possible."""
    return {
        "not-started": _("The match has not started yet."),
        "started": _("The match has already started. You can still take over a free seat under **More**."),
        "starting": _("The match is about to begin: seats, settings and lucky words are settled."),
        "settings-late": _("The match has been started, so its settings stand as they are."),
        "lobby-over": _("This lobby has closed. `/games list` shows how to open a new one."),
        "word-late": _(
            "Your word came too late: seats and lucky words were settled when the match was started."
        ),
        "start-delayed": _(
            "Discord does not take my messages at the moment. Seats and lucky words are settled; the match begins by "
            "itself as soon as Discord does."
        ),
        "may-not-post": _(
            "I am not allowed to post in this channel, so the match has not started. Please ask someone who "
            "manages this server."
        ),
        "may-not-post-yet": _(
            "I am not allowed to post in this channel. Seats, settings and lucky words stay as they are; the "
            "match begins by itself as soon as I can post. Please ask someone who manages this server."
        ),
        "same-code": _(
            "No lobby of this game on this server has that code. Its host finds it under **Settings**."
        ),
        "same-late": _("That match has been started, so no more tables can get its deal."),
        "same-full": _("{most} tables already have this deal. More are not possible."),
        "same-settings": _("Several tables have this deal, so the settings of the game stay as they are."),
        "same-words": _("The lucky words of the first table with this deal count, for all tables alike."),
        "same-seats": _("All tables with the same deal have as many seats. The first one has {seats}."),
        "same-waits": _("The first table with this deal starts before the others. It has not started yet."),
        "same-gone": _(
            "The first table with this deal is not being played any more, so this match cannot start. Please close "
            "this lobby and open a new one."
        ),
        "same-sat": _("You play this deal at another table, or have played it, so you cannot sit down here."),
        "same-sealed": _("This deal is still secret: it opens when all tables that have it are over."),
        "option-gone": _(
            "This lobby was opened with a choice that I do not have any more. Please close it and open a new one."
        ),
        "too-few": ngettext(
            "The match needs at least {seats} player. Wait for friends to join, or add an agent.",
            "The match needs at least {seats} players. Wait for friends to join, or add an agent.",
            int(facts.get("seats", 2)),
        ),
    }


def _of_seats(facts: dict[str, Any]) -> dict[str, str]:
    """Refusals about seats, and about rights of people and servers."""
    return {
        "not-seated": _("You do not sit at this table. **More** shows whether a seat is free to take over."),
        "not-joined": _("You do not sit at this table yet. Press **Join** to take a seat."),
        "already-seated": _("You already sit at this table."),
        "table-full": ngettext(
            "All {seats} seat is taken.", "All {seats} seats are taken.", int(facts.get("seats", 4))
        ),
        "no-server-id": _("That is no server's id. Nothing was done."),
        "owners-only": _("Only the owners of this application can do that."),
        "challenge-self": _(
            "You cannot challenge yourself. `/games list` shows how to open a lobby for everybody."
        ),
        "no-such-seats": _(
            "No game here is played by so many. Choose a number from 2 to {most}, or none for any number."
        ),
        "challenge-bot": _("Bots do not play here. A lobby has **Add Agent** for computer players."),
        "not-manager": _("Only someone who manages this server can do that."),
        "missing-role": _(
            "Only people with the role <@&{role}> open tables here. Someone who manages this server can change that "
            "with `/setup`."
        ),
        "host-only": _("Only the host can do that: <@{host}>."),
        "no-agents": _("No agent sits at this table."),
        "not-seated-then": _(
            "Only those who played that match can play it again. `/games list` shows how to start one of your own."
        ),
        "not-away": _("You are already here: no agent plays for you."),
        "seat-held": _("Somebody sits there already."),
        "blocked-person": _(
            "You cannot sit down at my tables any more. If you think that this is a mistake, please tell my operator."
        ),
        "on-holiday": _(
            "You are on holiday until <t:{ends}:D>, so you take no seat. `/settings` ends your holiday."
        ),
        "not-on-holiday": _("There is nobody to wait for any more."),
        "blocked-server": _(
            "I do not host tables on this server any more. If you think that this is a mistake, please tell my "
            "operator."
        ),
        "sat-elsewhere": _("You have played another seat of this match, so you cannot take this one over."),
    }


def _without_a_server() -> dict[str, str]:
    """Refusals where the bot is on no server."""
    return {
        "no-match-of-yours": _(
            "You play no match of this game alone. `/{game} start` begins one, and `/games mine` lists all of yours."
        ),
        "results-on-servers": _(
            "Results are kept for each server: `/profile` shows yours on a server that I am on."
        ),
        "servers-only": _("That is possible on a server that I am on. `/games list` has the invitation."),
    }


def _of_places(facts: dict[str, Any]) -> dict[str, str]:
    """Refusals about the places and the number of matches."""
    return {
        "channel-taken": _(
            "A match is already here. One channel holds one match at a time; try another channel or a thread."
        ),
        "too-many-tables": ngettext(
            "You have opened {most} table that is not over yet, and nobody may have more. It counts until it is "
            "over, even if you have left it. End it with `/{game} end`, or wait until it is over.",
            "You have opened {most} tables that are not over yet, and nobody may have more. They count until they "
            "are over, even if you have left them. End one with `/{game} end`, or wait until one is over.",
            int(facts.get("most", 0)),
        ),
        "too-many-tables-here": ngettext(
            "This server has {most} table that is not over yet, and no server may have more. There is room again "
            "once it is over.",
            "This server has {most} tables that are not over yet, and no server may have more. There is room "
            "again once one of them is over.",
            int(facts.get("most", 0)),
        ),
        "too-fast": ngettext(
            "Nobody may open more than {most} table a minute. You can open your next one {when}.",
            "Nobody may open more than {most} tables a minute. You can open your next one {when}.",
            int(facts.get("most", 0)),
        ),
        "too-fast-here": ngettext(
            "In one server no more than {most} table may be opened a minute. The next one can be opened {when}.",
            "In one server no more than {most} tables may be opened a minute. The next one can be opened {when}.",
            int(facts.get("most", 0)),
        ),
        "closed-channel": _(
            "Tables are opened in {places} here. Someone who manages this server can change that with `/setup`."
        ),
        "not-yours": _("This match is somebody else's, and nobody else sees it."),
        "sealed": _(
            "This deal stays sealed until its day is over, {until}. Then everybody may look at it."
        ).format(until=f"<t:{facts.get('until', 0)}:R>"),
        "no-daily": _("There is no daily deal here."),
        "no-lesson": _("This game has no lesson here. `/{game} rules` explains it."),
        "time-over": _("The time for this match is over, so nothing more can be done in it."),
        "no-match-here": _("There is no match of this game in this channel. `/{game} start` opens one."),
        "other-game-here": _("In this channel, another game is being played: {title}."),
        "missing-permissions": _(
            "I cannot play here yet: I need the permission {permissions} in this channel. Please ask "
            "someone who manages this server."
        ),
    }


def _of_pictures() -> dict[str, str]:
    """Refusals of films."""
    return {
        "pictures-off": _("My operator has turned pictures off. **Log** tells the match in words."),
        "no-pictures": _("This game has no pictures yet. **Log** tells the match in words."),
        "other-rules": _(
            "The rules have changed since this match was played, so I cannot draw it again. **Log** tells it in words."
        ),
        "not-drawn": _("I could not draw this match. It is kept; please try again later."),
        "not-sent": _(
            "The film is ready, but Discord does not take it from me here. Perhaps I am not allowed to attach files."
        ),
        "films-full": _(
            "So many films are waiting to be drawn that there is no place for this one. The match is kept; please "
            "press **Replay** again in a few minutes."
        ),
        "superseded": _(
            "You have asked for another film since, so this one is not drawn for you. **Replay** asks for it again."
        ),
        "closing": _("I am being restarted. Please press **Replay** again in a minute."),
    }


def _of_the_match() -> dict[str, str]:
    """Refusals because of the state of the match, and sentences about failures."""
    return {
        "stale": _(
            "The table has moved on since this screen was drawn. Nothing was done; here is how things stand."
        ),
        "no-table": _("I no longer have that match."),
        "unreadable": _(
            "This match was saved in a form that I cannot read. It is kept; please tell my operator."
        ),
        "match-over": _("This match is over."),
        "discord-away": _(
            "Discord does not take my messages at the moment. Your match is kept; please try again in a moment."
        ),
        "table-delayed": _(
            "Discord does not take my messages at the moment. The table comes to the bottom as soon as it does."
        ),
        "nothing-to-undo": _("It is too late to take that back."),
        "premove-made": _("You have chosen already. **Change My Choice** takes it back."),
        "not-your-move": _("It is not your turn yet. I will call you when it is."),
        "paused": _("⏸️ The match is paused. Press **I'm Back** to go on with it."),
        "unknown": _("That button belongs to an older version of me and does nothing any more."),
        "other-version": _(
            "That command belongs to another version of me: I am just being updated. Please try again in a few minutes."
        ),
        "repeated": _("That press was already counted."),
        "storage": _(
            "I could not save that, so nothing was changed. The match is kept as it was; please try "
            "again in a moment."
        ),
        "failed": _(
            "Something went wrong on my side, and perhaps nothing has changed. The match is safe; please press "
            "again. My operator can find this as {reference}."
        ),
    }


def _of_advice() -> dict[str, str]:
    """Refusals of hints and reviews."""
    return {
        "no-hints": _("There are no hints at this table."),
        "thinking": _("I am thinking about your hint already."),
        "hint-late": _(
            "The agents are so busy that I have no hint just now. Press **Hint** again in a moment."
        ),
        "not-over": _("The match is not over yet. **Review** looks at your decisions once it is."),
        "no-review": _("There is no review of this match."),
        "not-played": _(
            "A review looks at the decisions of those who played the match, unless somebody took over their seat."
        ),
        "nothing-to-review": _("I find no decision of yours in this match, so there is nothing to review."),
        "review-under-way": _("Your last review is still under way. It appears where you asked for it."),
        "reviews-full": _(
            "So many reviews are under way that there is no place for yours. Try again in a few minutes."
        ),
        "review-late": _(
            "The agents at the tables have so much to think about that your review was given up."
        ),
    }
