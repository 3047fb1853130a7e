"""The store in an SQLite file: the writer's thread, the lock, the watch, copies and wiping."""
