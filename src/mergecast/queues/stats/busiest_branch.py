"""Which base branch merged the most pull requests?"""

from collections import Counter
from typing import NamedTuple

from mergecast.queues.model.instant import Window, grid_for
from mergecast.queues.stats.answer import Question
from mergecast.queues.store.reader import Reader


class Branch(NamedTuple):
    base_ref: str
    merged: int


def busiest_branch(reader: Reader, repository_id: int, window: Window) -> Branch | None:
    """None if nothing was merged; of branches that merged equally many, the first by name."""
    groups = reader.groups(repository_id)
    question = Question(repository_id, window, window, grid_for(window), groups)
    merged: Counter[str] = Counter()
    for group_id, _, number in reader.rows("queues_merged_count", question.by_interval()):
        merged[groups[group_id].base_ref] += number
    return max(
        (Branch(*counted) for counted in sorted(merged.items())),
        key=lambda branch: branch.merged,
        default=None,
    )
