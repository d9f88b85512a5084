"""Vectors in memory by the content that they stand for, so that the same text is not embedded twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from hashlib import blake2b

from memoranda.protocols.embedder import Kind

_OVERHEAD = 200  # bytes of a key, of two objects and of their place in the map, beside the vector's own


class VectorCache:
    """Float32 vectors by (kind, text), the least used leaving first. Safe in several threads.

    Args:
        max_bytes: most memory that it takes; 0 keeps nothing.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0
        self._hits = 0
        self._misses = 0

    def get(self, text: str, kind: Kind) -> bytes | None:
        """Returns the vector of that content."""
        key = _key(text, kind)
        with self._lock:
            found = self._vectors.get(key)
            if found is None:
                self._misses += 1
                return None
            self._hits += 1
            self._vectors.move_to_end(key)
            return found

    def put(self, text: str, kind: Kind, vector: bytes) -> None:
        """Keeps a vector; one that alone is larger than the bound is not kept."""
        key = _key(text, kind)
        with self._lock:
            before = self._vectors.pop(key, None)
            if before is not None:
                self._bytes -= len(before) + _OVERHEAD
            self._vectors[key] = vector
            self._bytes += len(vector) + _OVERHEAD
            while self._bytes > self._max_bytes:
                _, evicted = self._vectors.popitem(last=False)
                self._bytes -= len(evicted) + _OVERHEAD

    def gauges(self) -> tuple[int, int, int, int]:
        """Returns hits, misses, vectors kept, bytes taken."""
        with self._lock:
            return self._hits, self._misses, len(self._vectors), self._bytes


def _key(text: str, kind: Kind) -> bytes:
    return blake2b(text.encode(), digest_size=16, person=kind.encode()).digest()
