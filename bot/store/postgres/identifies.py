"""SQL for the identify slots at Discord: one slot per bucket in some seconds, for all processes together.

PostgreSQL only: the times are those of the server's clock, which the processes share.
"""

from __future__ import annotations

from typing import Final

from bot.store.engine import Tx, TxFunction
from bot.store.postgres.timing import POSTGRES

_MARK: Final = """
    INSERT INTO identifies AS last (bucket, at) VALUES ($1, clock_timestamp())
    ON CONFLICT (bucket) DO UPDATE SET at = clock_timestamp()
        WHERE last.at <= clock_timestamp() - $2 * interval '1 second'
            OR last.at > clock_timestamp() + interval '1 second'  -- the server's clock was set back"""
_WAIT: Final = """
    SELECT extract(epoch FROM at - clock_timestamp())::double precision + $2 FROM identifies WHERE bucket = $1"""


def reserve_slot(bucket: int, every: float) -> TxFunction[float]:
    """Reserves a slot of the bucket and returns 0.0, or returns the seconds to wait."""

    async def run(tx: Tx) -> float:
        if await tx.execute(_MARK, bucket, every):
            return 0.0
        [(wait,)] = await tx.fetch(_WAIT, bucket, every)
        return max(POSTGRES.least_wait, float(wait))

    return run
