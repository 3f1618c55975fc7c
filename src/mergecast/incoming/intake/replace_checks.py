"""Replaces the reports about CI checks of translated threads."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from mergecast.incoming.intake.event_bodies import to_wire
from mergecast.incoming.intake.event_rules import (
    INSTANTS,
    LONGEST_CHECK,
    LONGEST_URL,
    MOST_ATTEMPTS,
    read_event,
)
from mergecast.incoming.sources.translation import Translation, Untranslated
from mergecast.queues.model.ci_check import CONCLUSIONS, CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.store.ci.add import replace_derived_checks
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory
from mergecast.queues.store.ci.runs import MOST_EXECUTIONS
from mergecast.queues.store.held_repository import HeldRepository

NEVER = 2**62  # an instant that no report reaches
_LONGEST_REASON = 200
_TOO_MANY_CHECKS = f"more than {MOST_EXECUTIONS:,} executions of checks in one CI run"
_SHORT = 100  # within the limit of every text
_instants = attrgetter(*INSTANTS)


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


def why_invalid(report: CiCheckReport, now: int) -> str | None:
    """The first rule that a report breaks; None if it is valid."""
    if _is_plainly_valid(report, now):
        return None
    read = read_event(to_wire(report), "", now)
    if not isinstance(read, list):
        return None
    return f"{report.type}: {read[0].name.strip('/')} {read[0].message}"


def _is_plainly_valid(report: CiCheckReport, now: int) -> bool:
    """Whether a report certainly keeps all rules; nearly all do, and reading each field takes much longer."""
    texts = (
        *(report.id, report.base_ref, report.queue_name, report.batch_id, report.check_id, report.name),
        "no label" if report.runner is None else report.runner,
    )
    given = [at for at in _instants(report) if at is not None]
    return (
        _are_plain(texts)
        and (report.conclusion is None or report.conclusion in CONCLUSIONS)
        and 0 <= report.happened_at <= now
        and (not given or (given == sorted(given) and given[0] >= 0 and given[-1] <= now))
        and (not given or given[-1] - given[0] <= LONGEST_CHECK)
        and 1 <= report.attempt <= MOST_ATTEMPTS
        and (report.url is None or _is_plain_url(report.url))
    )


def _are_plain(texts: Sequence[str]) -> bool:
    together = "".join(texts)
    return (
        all(map(str.strip, texts))
        and max(map(len, texts)) <= _SHORT
        and together.isascii()
        and together.isprintable()
    )


def _is_plain_url(url: str) -> bool:
    is_text = len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and " " not in url
    return is_text and url.startswith("https://") and url[8:9].isalnum()
