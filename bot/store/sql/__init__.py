"""The SQL statements of the store; SQLite and PostgreSQL run the same text.

A function for a write copies its arguments when it is called, because the caller may change them before the write runs.
A write may run several times: if the connection was lost during COMMIT, `tx.again` is True in the next attempt, because
the earlier attempt may have been committed.
"""
