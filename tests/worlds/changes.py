"""What is changed in a queue: the policy that made the history, and the one that is asked for."""

from dataclasses import dataclass, replace

from mergecast.forecasting.replay.values import Landing, Policy, QueueRule, github_policy, gitlab_policy
from mergecast.queues.model.instant import MINUTE


@dataclass(frozen=True)
class Change:
    """Two policies; a timeout is given its length when the world is known."""

    name: str
    before: Policy
    after: Policy


def queue(size: int, slots: int, **rule: int) -> Policy:
    """Full batches of a size, or what has come after five minutes; so many runs at once."""
    return Policy(rules=(QueueRule(size, size, 5 * MINUTE, **rule),), max_parallel_checks=slots)


def _skipping(policy: Policy) -> Policy:
    return replace(policy, skip_intermediate_results=True)


_RETRYING = {"max_checks_retries": 1}

CHANGES = (
    Change("batch 1 to 5", queue(1, 5), queue(5, 5)),
    Change("batch 5 to 1", queue(5, 5), queue(1, 5)),
    Change("batch 3 to 8, retry", queue(3, 4, **_RETRYING), queue(8, 4, **_RETRYING)),
    Change("parallel 1 to 5", queue(2, 1), queue(2, 5)),
    Change("parallel 10 to 3", queue(1, 10), queue(1, 3)),
    Change("parallel 5 to 2, retry", queue(4, 5, **_RETRYING), queue(4, 2, **_RETRYING)),
    Change("retry on", queue(3, 5), queue(3, 5, **_RETRYING)),
    Change("retry off", queue(3, 5, **_RETRYING), queue(3, 5)),
    Change("skip on", queue(3, 5), _skipping(queue(3, 5))),
    Change("skip off", _skipping(queue(3, 5)), queue(3, 5)),
    Change("skip, batch 1 to 4", _skipping(queue(1, 8)), _skipping(queue(4, 4))),
    Change("timeout", queue(3, 4, **_RETRYING), queue(3, 4, max_checks_retries=1, checks_timeout=1)),
    Change("split limit", queue(6, 3), queue(6, 3, batch_max_failure_resolution_attempts=1)),
    Change("GitHub, build 5 to 2", github_policy(5), github_policy(2)),
    Change("GitHub, build 3 to 10", github_policy(3), github_policy(10)),
    Change(
        "GitHub, groups of 3", github_policy(5), github_policy(5, Landing(min_entries=3, wait=60 * MINUTE))
    ),
    Change("GitLab, 20 to 4", gitlab_policy(20), gitlab_policy(4)),
    Change("GitLab, 3 to 10", gitlab_policy(3), gitlab_policy(10)),
)

# The size of batches changes, or there are batches to learn from.
BATCH_CHANGES = (
    Change("batch 1 to 5", queue(1, 5), queue(5, 5)),
    Change("batch 2 to 8", queue(2, 4), queue(8, 4)),
    Change("batch 5 to 1", queue(5, 5), queue(1, 5)),
    Change("batch 3 to 8, retry", queue(3, 4, **_RETRYING), queue(8, 4, **_RETRYING)),
    Change("batch 8 to 3", queue(8, 2), queue(3, 2)),
    Change("batch 2 to 8, one at a time", queue(2, 1), queue(8, 1)),
    Change("parallel 1 to 5", queue(2, 1), queue(2, 5)),
    Change("parallel 5 to 2, retry", queue(4, 5, **_RETRYING), queue(4, 2, **_RETRYING)),
    Change("batch 1 to 3", queue(1, 3), queue(3, 3)),
    Change("batch 4 to 6", queue(4, 3), queue(6, 3)),
    Change("skip, batch 1 to 4", _skipping(queue(1, 8)), _skipping(queue(4, 4))),
    Change("retry on", queue(3, 5), queue(3, 5, **_RETRYING)),
)

# To sizes that the history hardly has, or does not have.
SIZE_CHANGES = (
    Change("batch 8 to 3", queue(8, 2), queue(3, 2)),
    Change("batch 4 to 16", queue(4, 3), queue(16, 3)),
    Change("batch 2 to 8", queue(2, 4), queue(8, 4)),
    Change("batch 3 to 6", queue(3, 4), queue(6, 4)),
)


def pulls_at_once(policy: Policy) -> float:
    """Roughly how many pull requests are under test when all slots are taken."""
    slots = policy.max_parallel_checks
    # A batch is seldom full, and what runs behind a failure is wasted.
    return float(slots**0.8 * policy.rules[0].batch_size_max ** 0.7)
