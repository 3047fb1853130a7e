"""A table is a match in a channel: who sits where, what is waited for, and until when."""
