"""Answers that carry an ETag, kept so that the platform need not send or count them again."""

from collections import OrderedDict
from hashlib import sha256

from mergecast.platform.fetch import Fetched

MOST_BYTES = 32 << 20
_WEIGHT = 1024  # of an entry beside its body: headers and key


class Remembered:
    """The answers used last, up to a size. Tokens are part of the key, as digests only."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._answers: OrderedDict[bytes, Fetched] = OrderedDict()

    def recall(self, *key: str) -> Fetched | None:
        digest = _digest(key)
        answer = self._answers.get(digest)
        if answer is not None:
            self._answers.move_to_end(digest)
        return answer

    def keep(self, answer: Fetched, *key: str) -> None:
        if "etag" not in answer.headers or _size(answer) > self._most_bytes // 4:
            return
        digest = _digest(key)
        self._drop(digest)
        self._answers[digest] = answer
        self._bytes += _size(answer)
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._answers)))

    def _drop(self, digest: bytes) -> None:
        answer = self._answers.pop(digest, None)
        if answer is not None:
            self._bytes -= _size(answer)


def _size(answer: Fetched) -> int:
    return len(answer.body) + _WEIGHT


def _digest(key: tuple[str, ...]) -> bytes:
    return sha256("\0".join(key).encode()).digest()
