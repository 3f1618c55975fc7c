"""When the silence of a repository becomes unusual for its hours of the week."""

from collections.abc import Iterable
from typing import Final

from mergecast.queues.model.instant import DAY, WEEK
from mergecast.signals.thresholds.levels import Levels

WITHOUT_HISTORY: Final = DAY  # what is usual while too little is known


def quiet_after(levels: Iterable[Levels], last_at: int) -> int:
    """The instant from which on no event is unusual, if the last one happened at `last_at`.

    Any source may send the next event, so the one for which silence stays usual for longest counts.
    """
    found = [
        source.silent_from(last_at) or last_at + WEEK
        for of_queue in levels
        for source in of_queue.sources.values()
    ]
    return max(found, default=last_at + WITHOUT_HISTORY)
