"""Whether reports about CI checks that a source translated keep the rules of those that clients send."""

from collections.abc import Sequence
from operator import attrgetter

from mergecast.incoming.intake.ci_check_rules import INSTANTS, LONGEST_CHECK, LONGEST_URL, MOST_ATTEMPTS
from mergecast.incoming.intake.event_bodies import to_wire
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.ci_check import CONCLUSIONS, CiCheckReport

_SHORT = 100  # within the limit of every text
_instants = attrgetter(*INSTANTS)


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
