"""`mergecast queue`: what is in the queues now, and what is wrong."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.commands.alerts import incident_lines, is_long
from mergecast.cli.connection import PENDING, connect_to, find_target, once_computed
from mergecast.cli.options import AsJson, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_json, print_table, say
from mergecast.errors import MergecastError
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import UNKNOWN_MERGE_WORDS, percentage
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.answers import QueueContents, Queues
    from mergecast.queues.answers.queue import Entry, Eta, ExpectedMerge


_COLUMNS = ("", "pull request", "priority", "waited", "batch", "expected", "at the latest", "merges")


def queue(
    repository: RepositoryName,
    *,
    times: ZoneOptions,
    as_json: AsJson = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Exit with code 1 if an alert is open, or no event came for 7 days; for scripts",
        ),
    ] = False,
    server: Server,
) -> int:
    """Is the queue stuck? What is in it, and when will each merge?

    Nine out of ten pull requests merge before `at the latest`.

    Example: mergecast queue demo/harbor
    """
    zone = times.read()
    target = find_target(*server)
    is_served = target.is_served()
    with connect_to(target) as client:
        answer = once_computed(lambda: client.queue(repository), _is_pending, is_served=is_served)
    found = answer.value
    if check and found.alerts is None:
        raise MergecastError("this server is older and does not tell of alerts; upgrade it")
    status = 1 if check and (found.alerts or is_long(found.silence)) else 0
    if as_json:
        print_json(answer.raw)
        return status
    _print_alerts(found, zone)
    for source in found.polled:
        say(source.sentence(zone.shown_text))
    if found.silence is not None:
        say(found.silence.sentence)
    if not found.queues:
        say("the queues are empty")
    for queue in found.queues:
        _print_queue(queue, zone)
    return status


def _print_alerts(answer: "Queues", zone: Zone) -> None:
    """What is wrong comes first, then the queues for which that is unknown."""
    for line in incident_lines(answer, zone):
        say(line)
    for queue in answer.undiagnosed:
        say(f"{queue.base_ref} · {queue.queue_name}: {queue.sentence}")


def _print_queue(queue: "QueueContents", zone: Zone) -> None:
    say(f"{queue.base_ref} · {queue.queue_name}")
    print_table(_COLUMNS, [_entry_row(entry, zone) for entry in queue.entries])
    for entry in queue.entries:
        if entry.failed is not None:
            say(f"#{entry.pull_request}: {entry.failed.sentence}")
    if any(entry.expected_merge is None for entry in queue.entries):
        say(f"no expected time: {UNKNOWN_MERGE_WORDS[queue.expected_merges or 'too_little_history']}")
    elif queue.trust is not None:
        say(_trust(queue.trust.eta))


def _is_pending(answer: "Queues") -> bool:
    return any(queue.expected_merges == PENDING for queue in answer.queues)


def _trust(eta: "Eta") -> str:
    p50, p90 = eta.p50_range, eta.p90_range
    weeks = (
        f"; depending on the weeks, {p50.low:.0%} to {p50.high:.0%} and {p90.low:.0%} to {p90.high:.0%}"
        if p50 and p90
        else ""
    )
    return (
        f"of {eta.cases} past cases, {eta.p50:.0%} merged before the expected time "
        f"and {eta.p90:.0%} before the latest{weeks}"
    )


def _entry_row(entry: "Entry", zone: Zone) -> tuple[str, ...]:
    return (
        str(entry.position),
        f"#{entry.pull_request}",
        entry.priority_rule_name or "-",
        duration(entry.waited_seconds),
        entry.batch_id or "-",
        *_expected(entry.expected_merge, zone),
    )


def _expected(expected: "ExpectedMerge | None", zone: Zone) -> tuple[str, str, str]:
    if expected is None:
        return "-", "-", "-"
    return zone.shown_text(expected.p50), zone.shown_text(expected.p90), percentage(expected.chance)
