"""A question to a statistic, with every default filled in."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergecast.queues.model.event import Group
from mergecast.queues.model.window import Grid, Window


@dataclass(frozen=True, slots=True)
class Filters:
    """Which groups to keep; an empty filter keeps all."""

    base_refs: frozenset[str] = frozenset()
    queue_names: frozenset[str] = frozenset()
    priority_rule_names: frozenset[str] = frozenset()

    def keep(self, group: Group) -> bool:
        return (
            (not self.base_refs or group.base_ref in self.base_refs)
            and (not self.queue_names or group.queue_name in self.queue_names)
            and (not self.priority_rule_names or group.priority_rule_name in self.priority_rule_names)
        )


@dataclass(frozen=True, slots=True)
class Page:
    """For a list: how it is sorted, and how many of its entries are wanted."""

    order: str = "-seconds"  # a minus: the largest first
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Question:
    """One repository, one window, and the groups that the filters keep."""

    repository_id: int
    window: Window
    observed: Window  # the observed part of the window; empty if start >= end
    grid: Grid
    groups: Mapping[int, Group]
    since: int | None = None  # the first event of the repository
    with_intervals: bool = False  # for a summary: a series of intervals too
    page: Page = Page()
    last_at: int | None = None  # the last event of the repository
    is_present: bool = False  # the window reaches up to now
    is_looking: bool = False  # this server has not looked at the repository yet
    before: Window | None = None  # for a summary: what to compare with; the usual window if None
    filters: Filters = Filters()
    name: str | None = None  # of a CI check
    kept_since: int | None = None  # what ended before may have been deleted because of its age
    repository: str = ""  # for a page: its name, and the time zone of its readers
    time_zone: str = "UTC"

    def by_window(self) -> list[object]:
        """Parameters of a query over the whole window."""
        return [self.repository_id, self.window.start, self.window.end, list(self.groups)]

    def by_interval(self) -> list[object]:
        """Parameters of a query that cuts the window into intervals."""
        return [*self.by_window(), self.grid.width, self.grid.shift]

    def observed_by_interval(self) -> list[object]:
        """The same for the observed part of the window."""
        span = [self.repository_id, self.observed.start, self.observed.end, list(self.groups)]
        return [*span, self.grid.width, self.grid.shift]
