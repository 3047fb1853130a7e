"""The application's own emoji on Discord: the games' drawings, their uploads, and which of them can be shown.

Discord keeps an application's emoji for all servers. Each has a name made of the drawing's own name and a digest of the
drawing, such as `pot_shard_3f8a01c2`: so every process, with whatever store, sees what is there and what is missing.
The store keeps which of them are this program's, so that a start need not wait for Discord to show them, and so that
nothing is ever deleted that somebody else has uploaded.

All this happens beside the tables' work, one request at a time. Missing emoji are shown as the ordinary ones with which
all texts are written.
"""
