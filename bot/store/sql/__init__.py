"""Every statement of the store, once: SQLite and PostgreSQL run the same text.

The functions for writes (`creating`, `finishing` …) return the write to run. They take over their values at once, not
when the write's turn comes, because the caller may have changed them or be gone by then. A write may be run several
times: if the connection was lost in a commit, `tx.again` says that an earlier try may have been kept.
"""
