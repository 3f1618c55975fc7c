"""Recorded documents that were read lately: who tries a configuration asks again and again for the same."""

from collections import OrderedDict

from mergecast.store.catalog import KnownRepository

MOST_BYTES = 16 << 20
# An entry costs more than its text.
_ENTRY_BYTES = 500

_Key = tuple[int, int, int]


class RecentDocuments:
    """By the state of their repository, so that an entry is never out of date. For one thread."""

    def __init__(self) -> None:
        self._documents: OrderedDict[_Key, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, known: KnownRepository, number: int) -> bytes | None:
        key = (known.id, known.recordings, number)
        document = self._documents.get(key)
        if document is not None:
            self._documents.move_to_end(key)
        return document

    def keep(self, known: KnownRepository, number: int, document: bytes) -> None:
        key = (known.id, known.recordings, number)
        if key in self._documents or len(document) > MOST_BYTES // 4:
            return
        self._documents[key] = document
        self._bytes += len(document) + _ENTRY_BYTES
        while self._bytes > MOST_BYTES:
            _, oldest = self._documents.popitem(last=False)
            self._bytes -= len(oldest) + _ENTRY_BYTES
