"""Responses that carry an ETag, kept so that the platform need not send or count them again."""

from hashlib import sha256

from mergecast.lru import BoundedCache
from mergecast.platform.fetch import Fetched

MOST_BYTES = 32 << 20
_ENTRY_BYTES = 1024  # what an entry costs besides its body: headers and key


class ETagCache:
    """The responses used last, up to a size. Tokens are part of the key, as digests only."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._answers: BoundedCache[bytes, Fetched] = BoundedCache(most_bytes, _size)

    def get(self, *key: str) -> Fetched | None:
        return self._answers.get(_digest(key))

    def put(self, answer: Fetched, *key: str) -> None:
        if "etag" in answer.headers:
            self._answers.put(_digest(key), answer)


def _size(answer: Fetched) -> int:
    return len(answer.body) + _ENTRY_BYTES


def _digest(key: tuple[str, ...]) -> bytes:
    return sha256("\0".join(key).encode()).digest()
