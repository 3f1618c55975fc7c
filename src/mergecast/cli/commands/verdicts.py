"""`mergecast verdicts`: what was said about the removals of a period, and how often that was right."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.options import AsJson, MonthDates, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_json, print_table, say
from mergecast.queues.model.words import causes_in_words

if TYPE_CHECKING:
    from mergecast.queues.answers.verdicts import QueueVerdicts, SaidAct, VerdictOutcomes

_COLUMNS = (
    "said",
    "times",
    "came back and merged",
    "failed again",
    "came back changed",
    "did not return",
    "not known yet",
    "as said",
)


def verdicts(
    repository: RepositoryName,
    *,
    dates: MonthDates,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Whose fault were the removals, and was the advice right?

    Shows what was said about removed pull requests, what came of it, and how often it was right.

    Example: mergecast verdicts demo/harbor --since 14d
    """
    period = dates.read(times.read(), datetime.now(UTC))
    with connect(*server) as client, needs_newer_server("judge removals"):
        found = client.verdicts(repository, period.query())
    if as_json:
        print_json(found.raw)
    elif not found.value.queues:
        say("no removals in this period")
    else:
        for place, queue in enumerate(found.value.queues):
            if place:
                say()
            _print_queue(queue)


def _print_queue(queue: "QueueVerdicts") -> None:
    say(f"{queue.queue_name} → {queue.base_ref}: {queue.sentence}")
    say(f"Whose fault: {causes_in_words(queue.removal_causes.counts)}.")
    rows = [_row(one.act, one.said, one.outcomes, one) for one in queue.acts if one.said]
    said = sum(one.said for one in queue.acts)
    print_table(_COLUMNS, [*rows, _row("all of them", said, queue.outcomes, None)])


def _row(name: str, said: int, came: "VerdictOutcomes", act: "SaidAct | None") -> tuple[str, ...]:
    right = f"{act.right} of {act.known}" if act is not None and act.known else "-"
    counts = (said, came.merged, came.failed_again, came.changed, came.never_returned, came.open)
    return (name, *map(str, counts), right)
