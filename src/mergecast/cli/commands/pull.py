"""`mergecast pull`: every stay of a pull request, and why it waits; or pull requests by their titles."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import PENDING, connect_to, find_target, needs_newer_server, once_computed
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, PullRequest, Server, ZoneOptions, parse_place
from mergecast.cli.output import print_json, print_table, say
from mergecast.cli.periods import print_kept_since
from mergecast.errors import MergecastError
from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.figures import WAITS
from mergecast.queues.model.instant import duration
from mergecast.queues.model.verdict import RETRIED
from mergecast.queues.model.words import OUTCOME_WORDS, counted
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.answers import Answer, CiRun, PullHistory, StayInDetail
    from mergecast.client.client import Client
    from mergecast.queues.answers.pulls import Bisection
    from mergecast.queues.answers.verdicts import RemovalVerdict, VerdictEvidence

_NOT_FOUND = 404
_LISTED = 100
_TRIES = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COLUMNS = ("CI run", "started", "took", "ended", "together with")
_ENDINGS = {"timed_out": "timed out", "cancelled": "was cancelled"}
_FAILED = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})


def pull(
    pull_request: PullRequest,
    *,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="List the pull requests of OWNER/REPO with these words in the title"
        ),
    ] = None,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> int:
    """When will mine merge? Why does it wait, why was it removed?

    Shows every stay of the pull request in the queues.

    Example: mergecast pull demo/harbor#2203
    """
    repository, number = parse_place(*pull_request)
    zone = times.read()
    _check(repository, number, search)
    target = find_target(*server)
    is_served = target.is_served()
    with connect_to(target) as client:
        if number is None:
            return _search(client, repository, search or "", as_json=as_json)
        found = _history(client, repository, number, is_served=is_served)
    if as_json:
        print_json(found.raw)
    else:
        print_history(repository, found.value, zone, datetime.now(UTC))
    return 0


def _check(repository: str, number: int | None, search: str | None) -> None:
    if number is None and search is None:
        raise WrongUsage(
            f"the number is missing; write {repository}#42, or search titles: "
            f"mergecast pull {repository} --search WORDS"
        )
    if number is not None and search is not None:
        raise WrongUsage(f"--search needs a repository alone; write {repository} without #{number}")


def _history(client: "Client", repository: str, number: int, *, is_served: bool) -> "Answer[PullHistory]":
    from mergecast.client.errors import ErrorResponse

    try:
        with needs_newer_server("know the history of pull requests"):
            return once_computed(lambda: client.pull(repository, number), _is_pending, is_served=is_served)
    except ErrorResponse as error:
        if error.status == _NOT_FOUND and "is not known here" in str(error):
            raise MergecastError(f"{error}; {_advice(repository)}") from error
        raise


def _is_pending(found: "PullHistory") -> bool:
    waiting = found.waiting_for or None
    return waiting is not None and waiting.evidence.expected_merges == PENDING


def _advice(repository: str) -> str:
    queue, stays = f"mergecast queue {repository}", f"mergecast store stays {repository}"
    return f"`{queue}` lists those that wait, `{stays}` those that left"


def _search(client: "Client", repository: str, words: str, *, as_json: bool) -> int:
    with needs_newer_server("search titles"):
        found = client.pulls(repository, words, _LISTED)
    if as_json:
        print_json(found.raw)
        return 0
    pulls = found.value.pulls
    if not pulls:
        say(f"no title in {repository} contains `{words}`")
        return 0
    print_table(
        ("pull request", "title", "author"),
        [(f"#{one.pull_request}", one.title, one.author or "-") for one in pulls],
    )
    if found.value.next is not None:
        say("there are more; search for more words", file=sys.stderr)
    return 0


def print_history(repository: str, found: "PullHistory", zone: Zone, now: datetime) -> None:
    for line in _head(repository, found, zone, now):
        say(line)
    stays = found.stays
    for place, stay in enumerate(stays):
        say()
        say(_stay_line(len(stays) - place, stay, zone))
        _print_stay(stay, zone, now)
    print_kept_since(found.kept_since, zone)


def _head(repository: str, found: "PullHistory", zone: Zone, now: datetime) -> Iterator[str]:
    about, name = found.pull, f"{repository}#{found.pull_request}"
    if about is None:
        yield f"{name} · times in {zone.name}"
    else:
        author = f" by {about.author}" if about.author else ""
        yield f"{name} · {about.title}{author} · times in {zone.name}"
        yield from [about.url] if about.url else []
    yield headline(found.stays, now)
    if found.waiting_for:
        yield zone.translated(found.waiting_for.sentence, now)
    elif found.waiting_for is not None:
        yield "this server is older and does not say why a pull request waits; upgrade it"


def headline(stays: "Sequence[StayInDetail]", now: datetime) -> str:
    """How it ended, after how many tries and how much time in queues.

    >>> headline([], datetime.fromisoformat("2026-03-02T10:00:00Z"))
    'has not been in a queue'
    """
    if not stays:
        return "has not been in a queue"
    newest, count = stays[0], len(stays)
    spent = [seconds for stay in stays if (seconds := _seconds(stay, now)) is not None]
    least = "" if len(spent) == count else "at least "
    time = f"{least}{duration(sum(spent))}" if spent else "an unknown time"
    if newest.left_at is None:
        again = f"the {_ordinal(count)} time, {time} in all"
        return f"in the queue for {time if count == 1 else again}"
    tries = f"{_TRIES[count] if count < len(_TRIES) else count} tries, {time} in all"
    after = f"after {time if count == 1 else tries}"
    if newest.reason in MERGED_REASONS:
        return f"merged {after}"
    return f"left without merging {after}: {newest.reason or 'unknown reason'}"


def _ordinal(count: int) -> str:
    return {2: "second", 3: "third"}.get(count, f"{count}th")


def _seconds(stay: "StayInDetail", now: datetime) -> float | None:
    if stay.seconds is not None or stay.entered_at is None or stay.left_at is not None:
        return stay.seconds
    return max((now - datetime.fromisoformat(stay.entered_at)).total_seconds(), 0.0)


def _stay_line(ordinal: int, stay: "StayInDetail", zone: Zone) -> str:
    rule = f", {stay.priority_rule_name}" if stay.priority_rule_name else ""
    place = f"{stay.queue_name} → {stay.base_ref}{rule}"
    is_open = stay.left_at is None
    left = "now" if is_open else zone.shown_text(stay.left_at)
    ending = "in the queue" if is_open else stay.reason or "unknown reason"
    return f"stay {ordinal} · {place} · {zone.shown_text(stay.entered_at)} to {left} · {ending}"


def _print_stay(stay: "StayInDetail", zone: Zone, now: datetime) -> None:
    if stay.verdict is not None:
        for line in _verdict(stay.verdict, zone):
            say(line)
    if stay.waiting is not None:
        waits = " · ".join(
            f"{label} {duration(getattr(stay.waiting, name))}" for name, label in WAITS.items()
        )
        say(f"{duration(stay.seconds or 0)}: {waits}")
    if stay.checks:
        print_table(_COLUMNS, [_run(check, stay.pull_request, zone, now) for check in stay.checks])
    for line in _failures(stay.checks):
        say(line)
    for bisection in stay.bisections:
        say(f"bisection of {bisection.batch_id}: {_found(bisection, stay)}")


def _verdict(verdict: "RemovalVerdict", zone: Zone) -> Iterator[str]:
    """What came later comes before what was said then."""
    if verdict.in_queue_since is not None:
        yield f"It is in the queue again since {zone.shown_text(verdict.in_queue_since)}."
    if verdict.proven is not None:
        yield f"Later runs proved: {verdict.proven.sentence}"
        yield f"Said then: {verdict.sentence}"
    else:
        yield from [OUTCOME_WORDS[verdict.outcome]] if verdict.outcome else []
        yield verdict.sentence
    for line in _evidence(verdict.evidence):
        yield f"  {line}"


def _evidence(found: "Sequence[VerdictEvidence]") -> list[str]:
    """What several runs show is said once; that a run was a retry belongs to the line before."""
    lines: list[str] = []
    for one in found:
        if one.kind == RETRIED and lines:
            lines[-1] = f"{lines[-1]} {one.text}"
        else:
            lines.append(one.text)
    return [f"{line} ({count} runs)" if count > 1 else line for line, count in Counter(lines).items()]


def _failures(checks: "Sequence[CiRun]") -> Iterator[str]:
    """Because of which CI check each run failed; a server before CI checks does not know."""
    for check in checks:
        failed = check.failed_ci_check
        if failed is not None and check.outcome in _FAILED:
            link = f" · {failed.url}" if failed.url else ""
            ending = _ENDINGS.get(failed.conclusion or "", "failed")
            yield f"{check.batch_id} · {check.attempt}: {failed.name} {ending}{link}"


def _run(check: "CiRun", pull_request: int, zone: Zone, now: datetime) -> tuple[str, ...]:
    others = [f"#{number}" for number in check.pull_requests if number != pull_request]
    return (
        f"{check.batch_id} · {check.attempt}",
        zone.shown_text(check.started_at),
        _took(check, now),
        check.outcome or "in progress",
        " ".join(others) or "-",
    )


def _took(check: "CiRun", now: datetime) -> str:
    if check.started_at is None:
        return "-"
    end = now if check.ended_at is None else datetime.fromisoformat(check.ended_at)
    return duration(max((end - datetime.fromisoformat(check.started_at)).total_seconds(), 0.0))


def _found(bisection: "Bisection", stay: "StayInDetail") -> str:
    steps = counted(len(bisection.steps), "step")
    if bisection.ended_at is None:
        return f"{'in progress' if stay.left_at is None else 'end not reported'}, {steps}"
    culprit = "culprit found" if bisection.culprit_found else "no culprit found"
    limit = ", limit of failures reached" if bisection.max_failures_reached else ""
    return f"{culprit} in {steps}{limit}"
