"""The recorded documents of open pull requests."""

from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import OpenSnapshots, count_fitting


def read_open_snapshots(reader: Reader, repository_id: int, most: int, most_bytes: int) -> OpenSnapshots:
    """The newest ones that fit: at most `most`, and together at most `most_bytes`."""
    sizes = reader.rows("sizes_of_open_snapshots", [repository_id])
    kept = count_fitting((size for _, size in sizes[:most]), most_bytes)
    rows = reader.rows("open_snapshots", [repository_id, [number for number, _ in sizes[:kept]]])
    records = tuple((number, document.encode()) for number, document in rows)
    return OpenSnapshots(records, len(sizes) - len(records))
