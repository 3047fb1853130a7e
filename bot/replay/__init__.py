"""Replays of a match from its record: a page to step through, and a film (`bot.replay.film`)."""
