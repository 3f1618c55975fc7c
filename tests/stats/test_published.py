"""The published statistics and the oracle that checks their answers."""

from mergecast.queues.stats.published import STATISTICS
from property.oracle import STATISTICS as CHECKED


def test_the_oracle_answers_every_published_statistic() -> None:
    """A statistic that the oracle does not know would be published unchecked."""
    assert sorted(STATISTICS) == sorted(CHECKED)
