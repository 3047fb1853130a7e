"""The texts of refusals, by their codes; those of games' moves are the games' own."""

from __future__ import annotations

from typing import Any

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.tables.refusals import Refused
from bot.ui.screens.permissions import name_of
from bot.ui.screens.same_deal import same_deal_refusals


def refusal(refused: Refused) -> str:
    """The reason of a refusal, as a friendly sentence."""
    facts: dict[str, Any] = {**refused.facts}
    if "again" in facts:
        facts["when"] = f"<t:{int(facts['again']) + 1}:R>"  # rounded up, so that nobody tries too early
    if "channels" in facts:
        facts["places"] = listing([f"<#{each}>" for each in facts["channels"]])
    texts = _of_the_match() | _of_advice() | _of_pictures() | _of_threads() | _without_a_server()
    texts |= (
        _of_the_start(facts) | _of_challenges() | same_deal_refusals() | _of_seats(facts) | _of_places(facts)
    )
    text = texts.get(refused.code) or _("That can't be done now.")
    return text.format(**facts) if "{" in text else text


def _of_the_start(facts: dict[str, Any]) -> dict[str, str]:
    """Refusals about lobbies, starts under way, and starts that are not possible."""
    return {
        "not-started": _("The match hasn't started yet."),
        "started": _("The match has already started. Free seats can be taken over under **More**."),
        "starting": _("The match is about to begin: seats, settings and lucky words are settled."),
        "settings-late": _("The match has been started, so its settings can't be changed any more."),
        "lobby-over": _("This lobby has closed. `/games list` shows how to open a new one."),
        "word-late": _(
            "Your word came too late: seats and lucky words were settled when the match was started."
        ),
        "start-delayed": _(
            "Discord isn't accepting my messages right now. Seats and lucky words are settled; the "
            "match begins by itself as soon as Discord accepts them again."
        ),
        "may-not-post": _(
            "I'm not allowed to post in this channel, because I lack the permission **{permission}**. The match hasn't "
            "started. Please ask someone who manages this server to give it to me."
        ),
        "may-not-post-yet": _(
            "I'm not allowed to post in this channel, because I lack the permission **{permission}**. Seats, settings "
            "and lucky words stay as they are; the match begins by itself as soon as I can post. Please ask someone "
            "who manages this server to give it to me."
        ),
        "may-not-repost": _(
            "I'm not allowed to post in this channel, because I lack the permission **{permission}**. The table comes "
            "to the bottom as soon as someone who manages this server gives it to me."
        ),
        "option-gone": _(
            "This lobby was opened with an option that I no longer have. Please close it and open a new one."
        ),
        "too-few": ngettext(
            "The match needs at least {seats} player. Wait for friends to join, or add a computer player.",
            "The match needs at least {seats} players. Wait for friends to join, or add a computer player.",
            int(facts.get("seats", 2)),
        ),
    }


def _of_challenges() -> dict[str, str]:
    return {
        "challenge-holiday": _("<@{person}> is on holiday until <t:{ends}:D>. Please ask again afterwards."),
        "challenge-off": _(
            "On this server nobody can be challenged. `/games list` shows how to open a lobby for everyone."
        ),
        "challenge-strangers": _(
            "On this server you can challenge only people with whom you have played. `/games list` shows how to open "
            "a lobby for everyone."
        ),
        "challenge-limited": _(
            "<@{person}> can't be challenged by everyone, so I opened nothing. `/games list` shows how to open a "
            "lobby that anyone can join."
        ),
        "challenge-declined": _(
            "<@{person}> has declined when you asked. You can challenge them again {when}. `/games list` shows how to "
            "open a lobby for everyone."
        ),
    }


def _of_seats(facts: dict[str, Any]) -> dict[str, str]:
    return {
        "not-seated": _("You're not at this table. **More** lets you watch, and shows free seats."),
        "not-joined": _("You're not at this table yet. Press **Join** to take a seat."),
        "already-seated": _("You're already at this table."),
        "already-joined": _(
            "You're already at this table. Friends press **Join**; the menu seats computer players."
        ),
        "not-asked": _("You weren't asked to this lobby, so there is nothing to decline."),
        "seats-kept": _(
            "The free seats are kept for the people who were asked. You can join once they decline, or {when}."
        ),
        "table-full": ngettext(
            "The only seat is taken.", "All {seats} seats are taken.", int(facts.get("seats", 4))
        ),
        "challenge-self": _(
            "You can't challenge yourself. `/games list` shows how to open a lobby for everyone."
        ),
        "no-such-seats": _(
            "No game here has that many players. Choose a number from 2 to {most}, or none for any number."
        ),
        "challenge-bot": _("Bots don't play here. A lobby has a menu of computer players."),
        "not-manager": _("Only someone who manages this server can do that."),
        "missing-role": _(
            "Only people with the role <@&{role}> open tables here. Someone who manages this server can change that "
            "with `/setup`."
        ),
        "host-only": _("Only the host can do that: <@{host}>."),
        "not-seated-then": _(
            "Only those who played that match can play it again. `/games list` shows how to start one of your own."
        ),
        "not-away": _("You're already here: no computer player plays for you."),
        "seat-held": _("That seat is already taken. Choose another one."),
        "blocked-person": _(
            "You can no longer join my tables. If you think this is a mistake, please tell my operator."
        ),
        "blocked-watching": _(
            "You can no longer watch at my tables. If you think this is a mistake, please tell my operator."
        ),
        "on-holiday": _(
            "You're on holiday until <t:{ends}:D>, so you can't take a seat. You can end your holiday "
            "in `/settings`."
        ),
        "not-on-holiday": _("There is no one to wait for any more."),
        "blocked-server": _(
            "I no longer host tables on this server. If you think this is a mistake, please tell my operator."
        ),
        "sat-elsewhere": _("You've played another seat of this match, so you can't take over this one."),
    }


def _without_a_server() -> dict[str, str]:
    return {
        "no-match-of-yours": _(
            "You aren't playing this game alone. `/{game} start` begins a match, and `/games mine` "
            "lists all of yours."
        ),
        "no-score": _("You have no result of that day to share. Play its deal to the end first."),
        "shared-already": _("You've already posted this result, and it is posted once only."),
        "share-elsewhere": _(
            "I can't post here for everyone. Press **Share** on a server that I'm on, or in a group DM."
        ),
        "results-on-servers": _(
            "Results are saved for each server: `/profile` shows yours on a server that I'm on."
        ),
        "servers-only": _("That only works on a server that I'm on. `/games list` has the invitation."),
    }


def _of_places(facts: dict[str, Any]) -> dict[str, str]:
    return {
        "channel-taken": _(
            "There is already a match here. One channel holds one match at a time, but yours can have its own thread."
        ),
        "too-many-tables": ngettext(
            "You've opened {most} table that isn't over yet, and no one may have more. It counts until "
            "it is over, even if you've left it. End it with `/{game} end`, or wait until it is over.",
            "You've opened {most} tables that aren't over yet, and no one may have more. They count until they are "
            "over, even if you've left them. End one with `/{game} end`, or wait until one is over.",
            int(facts.get("most", 0)),
        ),
        "too-many-tables-here": ngettext(
            "This server has {most} table that isn't over yet, and no server may have more. Try again "
            "once it is over.",
            "This server has {most} tables that aren't over yet, and no server may have more. Try "
            "again once one of them is over.",
            int(facts.get("most", 0)),
        ),
        "too-fast": ngettext(
            "No one may open more than {most} table per minute. You can open your next one {when}.",
            "No one may open more than {most} tables per minute. You can open your next one {when}.",
            int(facts.get("most", 0)),
        ),
        "too-fast-here": ngettext(
            "Only {most} table per minute can be opened on this server. You can open the next one {when}.",
            "Only {most} tables per minute can be opened on this server. You can open the next one {when}.",
            int(facts.get("most", 0)),
        ),
        "closed-channel": _(
            "Tables are opened in {places} here. Someone who manages this server can change that with `/setup`."
        ),
        "not-yours": _("This is someone else's private match, and only they can see it."),
        "sealed": _(
            "This deal stays sealed until its day is over, {until}. Then everyone may look at it."
        ).format(until=f"<t:{facts.get('until', 0)}:R>"),
        "no-daily": _("There is no daily deal here."),
        "no-lesson": _("This game has no lesson here. `/{game} rules` explains it."),
        "time-over": _("The time for this match is over, so nothing more can be done in it."),
        "no-match-here": _("There is no match of this game in this channel. `/{game} start` opens one."),
        "other-game-here": _("In this channel, another game is being played: {title}."),
        "missing-permissions": _(
            "I can't play here yet. In this channel I need: {permissions}. Please ask someone who "
            "manages this server to allow it."
        ),
    }


def _of_threads() -> dict[str, str]:
    return {
        "taken-thread": _(
            "There is already a match here, and a thread can't hold another thread. Please open yours "
            "in a channel."
        ),
        "taken-no-threads": _(
            "There is already a match here, and this kind of channel has no threads. Please open yours "
            "in another one."
        ),
        "taken-no-permission": _(
            "There is already a match here. I could open a thread for yours, but I need the permission "
            "{permissions} in this channel. Someone who manages this server can give it to me."
        ),
        "no-thread": _(
            "Discord doesn't let me open a thread in this channel, so I opened no table. Someone who "
            "manages this server can check my permissions here, or you can open your table in another "
            "channel."
        ),
    }


def _of_pictures() -> dict[str, str]:
    return {
        "pictures-off": _("My operator has switched pictures off. **Log** tells the match in words."),
        "no-pictures": _("This game has no pictures yet. **Log** tells the match in words."),
        "other-rules": _(
            "The rules have changed since this match was played, so I can't draw it again. **Log** "
            "tells it in words."
        ),
        "not-drawn": _("I couldn't draw this match. It is saved; please try again later."),
        "not-sent": _(
            "Discord doesn't accept this file here right now. Please try again in a few minutes. Perhaps I lack the "
            "permission **{permission}**; someone who manages this server can give it to me."
        ).format(permission=name_of("attach_files")),
        "film-gone": _("I no longer have this film at hand. Press **Replay**, and then **Post Here** again."),
        "film-elsewhere": _("A film can be posted only after the match, in the channel where it was played."),
        "film-of-others": _("Only people who played the match can post its film."),
        "films-full": _(
            "So many films are waiting to be drawn that there is no room for this one. The match is "
            "saved; please press **Replay** again in a few minutes."
        ),
        "superseded": _(
            "You've asked for another film since, so this one won't be drawn. Press **Replay** to ask for it again."
        ),
        "closing": _("I'm being restarted. Please press **Replay** again in a minute."),
    }


def _of_the_match() -> dict[str, str]:
    """Refusals because of the state of the match, and sentences about failures."""
    return {
        "stale": _(
            "The match has moved on since this screen was shown. Nothing was changed; here is how things stand."
        ),
        "no-table": _("I no longer have that match."),
        "unreadable": _(
            "This match was saved in a form that I can't read. It stays saved; please tell my operator."
        ),
        "match-over": _("This match is over."),
        "discord-away": _(
            "Discord isn't accepting my messages right now. Your match is saved; please try again in a moment."
        ),
        "table-delayed": _(
            "Discord isn't accepting my messages right now. The table comes to the bottom as soon as it does."
        ),
        "nothing-to-undo": _("It's too late to undo that."),
        "premove-made": _("You've already chosen. Press **Change My Choice** to choose again."),
        "not-your-move": _("It's not your turn yet. I'll call you when it is."),
        "paused": _("⏸️ The match is paused. Press **I'm Back** to go on with it."),
        "unknown": _(
            "That button belongs to an older version of me and no longer works. Open the screen again for a new one."
        ),
        "other-version": _(
            "That command belongs to another version of me: I'm being updated right now. Please try "
            "again in a few minutes."
        ),
        "repeated": _("That press was already counted."),
        "storage": _(
            "I couldn't save that, so nothing was changed. The match is saved as it was before; please "
            "try again in a moment."
        ),
        "failed": _(
            "Something went wrong on my side, and perhaps nothing has changed. The match is safe; please press "
            "again. My operator can find this as {reference}."
        ),
    }


def _of_advice() -> dict[str, str]:
    return {
        "no-hints": _("There are no hints at this table."),
        "hints-off": _("This table has hints off. Before a match, its host can allow them in the lobby."),
        "thinking": _("I'm already thinking about your hint."),
        "hint-late": _(
            "The computer players are so busy that I have no hint right now. Press **Hint** again in a moment."
        ),
        "not-over": _("The match isn't over yet. **Review** looks at your decisions once it is."),
        "no-review": _("There is no review of this match."),
        "no-puzzle": _("I no longer have this puzzle. **Review** after a match makes another one."),
        "not-played": _(
            "Only people who played the match can review it, and only if no one took over their seat."
        ),
        "nothing-to-review": _(
            "I can't find any decision in this match that you made on your own, so there is nothing to review."
        ),
        "review-under-way": _("Your last review is still under way. It appears where you asked for it."),
        "reviews-full": _(
            "So many reviews are under way that there is no room for yours. Try again in a few minutes."
        ),
        "review-late": _(
            "The computer players at the tables have so much to think about that I gave up on your "
            "review. Try again later."
        ),
        "review-failed": _("Something went wrong, so there is no review. Please press **Review** again."),
        "review-closing": _("I'm being restarted. Please press **Review** again in a minute."),
    }
