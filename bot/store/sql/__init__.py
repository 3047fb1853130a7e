"""The SQL statements of the store; SQLite and PostgreSQL run the same text.

A function for a write copies its arguments at the call, because the caller may change them before the write runs. A
write may run several times: after a connection lost during COMMIT, `tx.again` says that an earlier attempt may have
been committed.
"""
