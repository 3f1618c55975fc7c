"""All published statistics, by name, in the order of the interface."""

from mergecast.queues.stats import (
    average_ci_runtime,
    batch_bisection,
    batch_size,
    branches,
    checks_retries,
    failure_rate,
    idle_queue_time,
    merge_queue_checks_outcome,
    queue_size,
    queues,
    queues_checks_outcome_count,
    queues_entered_count,
    queues_merged_count,
    queues_pr_exit_reasons,
    running_speculative_checks,
    skip_intermediate_results,
    time_to_merge,
    total_queue_time,
)
from mergecast.queues.stats.statistic import Statistic

STATISTICS: dict[str, Statistic] = {
    module.STATISTIC.name: module.STATISTIC
    for module in (
        time_to_merge,
        merge_queue_checks_outcome,
        queues_checks_outcome_count,
        queues_entered_count,
        queues_merged_count,
        average_ci_runtime,
        idle_queue_time,
        total_queue_time,
        queue_size,
        running_speculative_checks,
        batch_size,
        batch_bisection,
        branches,
        checks_retries,
        failure_rate,
        skip_intermediate_results,
        queues_pr_exit_reasons,
        queues,
    )
}
