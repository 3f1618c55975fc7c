"""The answers of all statistics and of the summary, straight from a store."""

from collections.abc import Iterable

import msgspec

from mergecast.queues.model.instant import DAY, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store

_YEAR = 365 * DAY


async def all_answers(store: Store, name: Repository, end: int = 60 * _YEAR) -> dict[str, bytes]:
    """Every statistic and the summary over short and long windows up to `end`."""
    known = await store.repository(name)
    if known is None:
        return {}
    repository_id, first_at = known.id, known.first_at or end

    def work(reader: Reader) -> dict[str, bytes]:
        groups = reader.groups(repository_id)
        found = {}
        for window in _windows(first_at, end):
            observed = Window(max(window.start, first_at), window.end)
            question = Question(
                repository_id, window, observed, grid_for(window), groups, first_at, with_intervals=True
            )
            for statistic in (*STATISTICS.values(), SUMMARY):
                answer = msgspec.json.encode(statistic.answer(reader, question))
                found[f"{statistic.name} from {window.start}"] = answer
        return found

    return await store.read(repository_id, work)


def _windows(first_at: int, end: int) -> Iterable[Window]:
    return Window(first_at, first_at + DAY), Window(first_at - DAY, first_at + 30 * DAY), Window(0, end)
