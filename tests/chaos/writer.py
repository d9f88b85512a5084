"""A process that writes until it is killed: `python -m tests.chaos.writer FILE SCOPE SEED`.

It prints one line for each acknowledgement, at once: the ids of the entries that are now promised to be there.
Two threads write, one at a time and in batches, replace under keys, retract, and recall, so that a kill may hit
anything.
"""

from __future__ import annotations

import os
import random
import sys
from threading import Thread

from memoranda.runtime.sync import Memory, Scope


def acknowledge(*ids: str) -> None:
    """Prints ids in one system call, so that a line is there whole or not at all."""
    os.write(1, f"{' '.join(ids)}\n".encode())


def write(scope: Scope, seed: int) -> None:
    """Writes for ever."""
    chance = random.Random(seed)
    number = 0
    while True:
        number += 1
        text = f"note {number} of thread {seed} " + "lorem ipsum " * chance.randrange(60)
        match chance.randrange(10):
            case 0:
                receipts = scope.remember_many([f"{text} {part}" for part in range(chance.randrange(1, 20))])
                acknowledge(*(receipt.entry.id for receipt in receipts if receipt.entry))
            case 1:
                receipt = scope.remember(text, key=f"key {chance.randrange(5)}", tags=["keyed"])
                acknowledge(receipt.entry.id if receipt.entry else "")
            case 2:
                receipt = scope.remember(text, idempotency_key=f"request {seed} {number}")
                scope.retract(receipt.entry.id if receipt.entry else "")
                acknowledge(receipt.entry.id if receipt.entry else "")
            case 3:
                scope.recall(f"note {number - 1}", limit=3)
            case _:
                receipt = scope.remember(text)
                acknowledge(receipt.entry.id if receipt.entry else "")


def main(path: str, scope: str, seed: str) -> None:
    """Opens the file and writes until killed."""
    with Memory(path) as memory:
        threads = [Thread(target=write, args=(memory.scope(scope), int(seed) * 10 + number)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
