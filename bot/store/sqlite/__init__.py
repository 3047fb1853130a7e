"""What only a file of SQLite's needs: the writer's thread, the lock, the watch, copies and wiping."""
