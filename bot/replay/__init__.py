"""Watching a match again from its record: as a page to step through, or as a film (`bot.replay.film`)."""
