"""Plays several games at once into the database named, printing each answer after it was acknowledged.

The parent kills it, or CRASH_AT does.
"""

import asyncio
import itertools
import sys

from db import Commit, NewOutbox, Store


async def play(store: Store, game_id: int) -> None:
    for seq in itertools.count(await store.length(game_id)):
        await store.commit(
            Commit(
                game_id=game_id,
                expected=seq,
                records=((seq, b"r%d" % seq),),
                checkpoints=((seq, b"c" * 5000),),
                position=b"%d" % seq,
                events=((seq, 0, b"e"),),
                outbox=(NewOutbox(game_id, f"turn{seq}", b"m"),),
                interaction_id=game_id * 1_000_000 + seq,
                now_ms=seq,
            )
        )
        print(game_id, seq, flush=True)


async def main(path: str) -> None:
    async with await Store.open(path) as store:
        print("open", flush=True)
        await asyncio.gather(*(play(store, game.id) for game in await store.games("running")))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
