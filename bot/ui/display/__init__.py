"""The messages of a table, by kind: their cached state, and the steps of a redraw."""
