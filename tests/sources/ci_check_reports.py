"""Deliveries of sources → the reports about CI checks in them, without a store."""

from collections import defaultdict
from collections.abc import Iterable

from mergecast.incoming.intake.loading import rules_of
from mergecast.incoming.sources.translation import Translation
from mergecast.incoming.sources.unreadable import UNREADABLE
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import format_instant


def translations_of(deliveries: Iterable[Delivery]) -> dict[str, Translation]:
    """The translation of each thread, which depends on all others."""
    fields: defaultdict[str, dict[str, str]] = defaultdict(dict)
    sources = {}
    for delivery in deliveries:
        if delivery.thread is not None:
            fields[delivery.thread].setdefault(delivery.guid, delivery.fields)
            sources[delivery.thread] = delivery.source
    read = {
        thread: rules_of(sources[thread], thread).read(thread, list(own.values()))
        for thread, own in fields.items()
    }
    return {
        thread: one.translate(
            [other.standing.text for name, other in sorted(read.items()) if name not in (thread, UNREADABLE)]
        )
        for thread, one in read.items()
    }


def reports_of(deliveries: Iterable[Delivery]) -> list[CiCheckReport]:
    """The reports of all threads, in a fixed order."""
    return sorted(report for one in translations_of(deliveries).values() for report in one.ci_checks)


def reasons_of(deliveries: Iterable[Delivery]) -> list[str]:
    """What could not be translated."""
    return sorted(
        missing.reason for one in translations_of(deliveries).values() for missing in one.untranslated
    )


def as_line(report: CiCheckReport) -> str:
    """A report as a person reads it; what it does not have is left out."""
    instants = [report.queued_at, report.started_at, report.ended_at]
    parts = (
        f"{report.base_ref} {report.batch_id[:7]} attempt {report.attempt}",
        report.name,
        " → ".join("?" if instant is None else format_instant(instant)[11:19] for instant in instants),
        report.conclusion or "runs",
        report.runner or "",
        report.url or "",
        {None: "", True: "required", False: "not required"}[report.is_required],
    )
    return "  ".join(part for part in parts if part)


def lines_of(deliveries: Iterable[Delivery]) -> list[str]:
    return [as_line(report) for report in reports_of(deliveries)]
