"""Replaces the reports about CI checks of translated threads."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from mergecast.incoming.intake.valid_checks import why_invalid
from mergecast.incoming.sources.translation import Translation, Untranslated
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.store.ci.add import replace_derived_checks
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory
from mergecast.queues.store.ci.runs import MOST_EXECUTIONS
from mergecast.queues.store.held_repository import HeldRepository

NEVER = 2**62  # an instant that no report reaches
_LONGEST_REASON = 200
_TOO_MANY_CHECKS = f"more than {MOST_EXECUTIONS:,} executions of checks in one CI run"


class Times(NamedTuple):
    """When a translation happens, and how old a report about a CI check may be."""

    now: int
    oldest_check: int

    @classmethod
    def at(cls, now: int, checks_keep: int) -> "Times":
        """With 0 as `checks_keep`, no report is young enough."""
        return cls(now, now - checks_keep if checks_keep else NEVER)


class Circumstances(NamedTuple):
    """The times of a translation, and what the last one of the same repository remembers."""

    times: Times
    memory: CiMemory = NO_MEMORY


def replace_checks(
    held: HeldRepository,
    translations: Mapping[int, Translation],
    threads: Collection[int],
    new: Collection[int],
    circumstances: Circumstances,
) -> tuple[dict[int, list[Untranslated]], CiMemory]:
    """Replace the reports about CI checks of these threads; returns why some of them were left out."""
    times, memory = circumstances.times, circumstances.memory.at(held.state)
    missing: defaultdict[int, list[Untranslated]] = defaultdict(list)
    wanted: dict[int, list[CiCheckReport]] = {}
    for number in threads:
        recent = [
            report for report in translations[number].ci_checks if placed_at(report) >= times.oldest_check
        ]
        wanted[number] = []
        for report in recent:
            # Every webhook of a check makes all reports of its pull request again.
            reason = None if memory.has(report) else why_invalid(report, times.now)
            if reason is None:
                wanted[number].append(report)
            else:
                missing[number].append(Untranslated(reason[:_LONGEST_REASON], report.happened_at))
    replaced = replace_derived_checks(held, wanted, new, memory)
    for number, reports in replaced.refused.items():
        missing[number] += [Untranslated(_TOO_MANY_CHECKS, times.now)] * reports
    return missing, replaced.memory
