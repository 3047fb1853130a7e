"""The messages of a table, by kind: what is remembered of them, and the steps of a redraw."""
