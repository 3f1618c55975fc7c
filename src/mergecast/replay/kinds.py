"""The policies of queues without a configuration document: GitHub's merge queue, GitLab's merge trains."""

from dataclasses import replace

from mergecast.replay.values import Landing, Policy, QueueRule, Variants

_ENTRIES_OF_THEIR_OWN = Variants(forms_behind_failure=True, waits_for_ahead=False)


def github(
    max_entries_to_build: int = 5, landing: Landing | None = None, checks_timeout: int | None = None
) -> Policy:
    """Every entry has its own build; GitHub's group size only affects which entries are pushed together."""
    return Policy(
        rules=(QueueRule(checks_timeout=checks_timeout),),
        max_parallel_checks=max_entries_to_build,
        landing=landing or Landing(),
        variants=_ENTRIES_OF_THEIR_OWN,
    )


def gitlab(parallel_pipelines: int = 20, checks_timeout: int | None = None) -> Policy:
    """Tests the first cars of the train at the same time, counting those that have passed."""
    return Policy(
        rules=(QueueRule(checks_timeout=checks_timeout),),
        max_parallel_checks=parallel_pipelines,
        variants=replace(_ENTRIES_OF_THEIR_OWN, slot_until_merged=True),
    )
