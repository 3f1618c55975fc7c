"""What rules are evaluated on: one pull request, under one configuration, at one instant."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from mergecast.language.conditions.compare import Search
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import GroupResult
from mergecast.language.conditions.tree import All, Condition
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.queues.model.instant import to_datetime
from mergecast.queues.model.snapshot import PullRequest, Snapshot


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that a result may depend on."""

    configuration: Configuration
    evaluator: Evaluator
    products: frozenset[str] | None  # the enabled products; None if they were never set

    @property
    def view(self) -> SnapshotView:
        return self.evaluator.view

    @property
    def now(self) -> int:
        return self.evaluator.now

    @property
    def search(self) -> Search:
        return self.evaluator.search

    @property
    def snapshot(self) -> Snapshot:
        return self.view.snapshot

    @property
    def pull(self) -> PullRequest:
        return self.view.pull

    @property
    def today(self) -> date:
        return to_datetime(self.now).date()

    def lacks(self, product: str) -> bool:
        """Whether the product is known to be off."""
        return self.products is not None and product not in self.products

    def judge(self, conditions: Iterable[Condition], view: SnapshotView | None = None) -> GroupResult:
        """Evaluate whether all conditions hold, on this pull request or on another view of it."""
        evaluator = self.evaluator if view is None else Evaluator(view, self.now, self.search)
        result = evaluator.evaluate(All(tuple(conditions)))
        assert isinstance(result, GroupResult)  # noqa: S101 -- a group evaluates to a group
        return result
