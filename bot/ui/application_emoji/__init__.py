"""The application's own emoji on Discord: the games' drawings, their uploads, and the choice of those to show.

Discord holds an application's emoji for all servers. The name of an emoji is made of the drawing's name and a digest of
the drawing, such as `pot_shard_3f8a01c2`. From the names alone, every process can find the emoji that are present and
those that are missing, with any store. The store has the list of this program's own emoji. A start therefore need not
request the list from Discord, and emoji that somebody else has uploaded are never deleted.

The requests are made in the background, one at a time. Missing emoji are shown as the ordinary ones with which all
texts are written.
"""
