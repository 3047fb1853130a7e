"""A table is a match in a channel: its seats, its open decisions and their deadlines."""
