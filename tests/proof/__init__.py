"""Whether several processes on one database take over from each other and lose nothing: `python -m tests.proof`.

Real processes of the bot run on a real PostgreSQL server, with a simulated Discord between them and people who
press. Processes are killed and frozen, and the server is restarted, all at random. The invariants meanwhile are
checked in `tests.proof.verdict`.
"""
