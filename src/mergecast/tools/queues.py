"""`queue_status`, `what_changed` and `list_repositories`: what is going on."""

from collections.abc import Iterator, Sequence
from typing import Any

from mergecast.queues.answers.changes import Change, Changes
from mergecast.queues.answers.repositories import ListedRepository
from mergecast.queues.answers.sources import PolledSource
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import causes_in_words, counted, percentage, plural
from mergecast.tools.asking import Asker
from mergecast.tools.strangers import cleaned, marked
from mergecast.tools.tool import (
    DAYS,
    INTEGER,
    LEFT_OUT,
    MOST_LINES,
    NAME,
    NUMBER,
    REPOSITORY,
    STRING,
    STRING_OR_NULL,
    Result,
    Tool,
    at,
    days_ago,
    list_of,
    no_time,
    object_of,
    optional,
)

ALERTS = {  # in words without text of strangers
    "no_run_started": "nothing runs on the branch although somebody waits",
    "run_too_long": "a CI run lasts longer than usual",
    "everyone_fails": "the last CI runs failed although they have no pull request in common",
    "going_round": "a pull request enters again and again, or a batch is split again and again",
    "nothing_merges": "nothing has merged for days although somebody waits",
    "source_silent": "a source reports nothing",
    "runs_slow": "CI runs take much longer than usual",
    "forgotten": "a pull request waits while later ones are tested",
}
_FIRST = 3  # in the text
_MOST_ABOUT = 5  # in the text about one alert
_MOST = 10  # in the content
_MOST_REPOSITORIES = 50
_MOST_NAMED = 20
_CHANGES = ("merged", "failure_rate", "time_in_queue_p50", "time_in_queue_p95", "ci_runs_per_merge")
_WEEKS_OF_CHANGES = 8
_TOO_LONG = 422


def _queue(row: dict[str, Any]) -> dict[str, str]:
    return {"base_ref": cleaned(row["base_ref"]), "queue_name": cleaned(row["queue_name"])}


def _named(row: dict[str, Any]) -> str:
    return f"{marked(row['queue_name'])} of {marked(row['base_ref'])}"


async def _queue_status(asker: Asker, given: dict[str, Any]) -> Result:
    found = await asker.about(given["repository"], "/queue")
    queues, alerts, undiagnosed = found["queues"], found["alerts"], found["undiagnosed"]
    entries = [(queue, entry) for queue in queues for entry in queue["entries"]]
    polled = [PolledSource(**one).sentence(at) for one in found.get("polled", [])]  # an older server has none
    lines = [*_incident_lines(found), *_undiagnosed(undiagnosed), *(f"{sentence}." for sentence in polled)]
    lines += _queue_lines(queues, MOST_LINES - len(lines)) or ["All queues are empty."]
    return Result(
        lines,
        {
            "in_queue": len(entries),
            "alerts": [_alert(one) for one in alerts[:_MOST]],
            "undiagnosed": [_queue(one) for one in undiagnosed[:_MOST]],
            "entries": [_entry(queue, entry) for queue, entry in entries[:_MOST]],
            "newest_event_at": found["newest_event_at"],
            "silence": found["silence"] and found["silence"]["sentence"],
            LEFT_OUT: sum(max(0, len(rows) - _MOST) for rows in (alerts, undiagnosed, entries)),
        },
    )


def _incident_lines(found: dict[str, Any], most: int = _FIRST) -> Iterator[str]:
    """The cause of each incident, and what else it brought about."""
    by_id = {one["id"]: one for one in found["alerts"]}
    incidents = found["incidents"]
    for incident in incidents[:most]:
        cause, *others = (by_id[id] for id in incident["alerts"])
        until = f" until {at(incident['ended_at'])}" if incident["ended_at"] else ""
        also = f"; also: {', '.join(sorted({_said(one) for one in others}))}" if others else ""
        what = f"{_said(cause)}{_about(cause)}{also}"
        yield f"Alert in {_named(cause)} since {at(incident['since'])}{until}: {what}."
    if more := len(incidents[most:]):
        yield f"There {plural(more, 'is', 'are')} {counted(more, 'more incident')}."
    if not incidents:
        yield "No alert."
    if found.get("silence"):
        yield found["silence"]["sentence"]


def _said(one: dict[str, Any]) -> str:
    if one["figure"] in ALERTS:
        return ALERTS[one["figure"]]
    figure = FIGURES.get(one["figure"])
    words = cleaned(one["figure"]) if figure is None else figure.words
    if one["reference"] is None:
        return f"{words} is above its threshold"
    return f"{words} is worse than in the reference period {marked(one['reference']['name'])}"


def _about(one: dict[str, Any]) -> str:
    listed = one["evidence"]["pull_requests"]
    numbers = ", ".join(f"#{number}" for number in listed[:_MOST_ABOUT])
    more = len(listed[_MOST_ABOUT:]) + one["evidence"].get("unlisted", 0)
    return f" ({numbers}{f' and {more:,} more' if more else ''})" if numbers else ""


def _undiagnosed(queues: list[dict[str, Any]]) -> Iterator[str]:
    if queues:
        names = ", ".join(_named(one) for one in queues[:_FIRST])
        more = f" and {len(queues) - _FIRST} more" if len(queues) > _FIRST else ""
        yield f"Not diagnosed, because of too little history: {names}{more}."


def _alert(one: dict[str, Any]) -> dict[str, Any]:
    kept = {name: one[name] for name in ("figure", "origin", "since", "ended_at", "value", "threshold")}
    listed = one["evidence"]["pull_requests"]
    unlisted = len(listed[_MOST:]) + one["evidence"].get("unlisted", 0)
    return {**_queue(one), **kept, "pull_requests": listed[:_MOST], "unlisted": unlisted}


def _entry(queue: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    expected = entry["expected_merge"]
    return {
        "number": entry["pull_request"],
        "position": entry["position"],
        **_queue(queue),
        "waited_seconds": round(entry["waited_seconds"]),
        "in_ci": entry["batch_id"] is not None,
        "expected": expected and expected["p50"],
        "latest": expected and expected["p90"],
        "chance": expected and expected["chance"],
        "expected_state": queue["expected_merges"],
    }


def _queue_lines(queues: list[dict[str, Any]], most: int) -> list[str]:
    if len(queues) <= most:
        return [_queue_line(queue) for queue in queues]
    rest = queues[most - 1 :]
    waiting = counted(sum(len(queue["entries"]) for queue in rest), "pull request")
    more = f"There are {len(rest)} more queues, with {waiting}."
    return [*(_queue_line(queue) for queue in queues[: most - 1]), more]


def _queue_line(queue: dict[str, Any]) -> str:
    entries = queue["entries"]
    first = "; ".join(_entry_words(entry) for entry in entries[:_FIRST])
    waits = counted(len(entries), "pull request")
    has_all = all(entry["expected_merge"] for entry in entries)
    missing = "" if has_all else f" {no_time(queue['expected_merges'])}"
    return f"{_named(queue)}: {waits}, {counted(len(queue['batches']), 'CI run')}. First: {first}.{missing}"


def _entry_words(entry: dict[str, Any]) -> str:
    expected = entry["expected_merge"]
    when = f", expected {at(expected['p50'])} ({percentage(expected['chance'])})" if expected else ""
    return f"#{entry['pull_request']} waited {duration(entry['waited_seconds'])}{when}"


async def _what_changed(asker: Asker, given: dict[str, Any]) -> Result:
    repository, since = given["repository"], days_ago(asker, given["days"])
    found = await asker.about(repository, "/summary", start_at=since)
    alerts = await asker.about(repository, "/alerts", start_at=since, state="all")
    changes = await _level_changes(asker, given)
    known = changes or ()
    figures = [_changed(name, found["all"][name]) for name in _CHANGES]
    window = found["window"]
    state = found["state"]["name"]
    lines = [
        f"{_span(found['window'])}, compared with {_span(found['window_before'])}: {state}.",
        *(_changed_line(name, found["all"][name]) for name in _CHANGES[:4]),
        _removals(found),
        *_level_lines(changes),
    ]
    lines += _incident_lines(alerts, most=MOST_LINES - len(lines) - 1)
    return Result(
        lines,
        {
            "state": state,
            "start": window["start"],
            "end": window["end"],
            "figures": figures,
            "removal_causes": found["removal_causes"],
            "removals_not_judged": found["removals_not_judged"],
            "changes": [_level_change(one) for one in known[-_MOST:]],
            "alerts": [_alert(one) for one in alerts["alerts"][:_MOST]],
            LEFT_OUT: sum(max(0, len(rows) - _MOST) for rows in (known, alerts["alerts"])),
        },
    )


async def _level_changes(asker: Asker, given: dict[str, Any]) -> Sequence[Change] | None:
    """Since when figures have had another level, the newest last; None if that takes too long to find."""
    since = days_ago(asker, max(given["days"], 7 * _WEEKS_OF_CHANGES))
    replied = await asker.reply(given["repository"], "/changes", start_at=since)
    if replied.status == _TOO_LONG:
        return None
    return asker.answer(replied, given["repository"], Changes).changes


def _level_lines(changes: Sequence[Change] | None) -> Iterator[str]:
    """The newest change of a level, and how many more there are."""
    if changes is None:
        yield "When figures changed is not known: finding that takes too long here."
    elif changes:
        more = len(changes) - 1
        older = f" There {plural(more, 'is', 'are')} {counted(more, 'older change')}." if more else ""
        yield f"{_level_line(changes[-1])}{older}"


def _level_line(one: Change) -> str:
    figure = FIGURES[one.figure]
    before, after = figure.written(one.before), figure.written(one.after)
    return f"Since about {one.began_on}: {figure.words} {after}, {before} before that."


def _level_change(one: Change) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("figure", "began_on", "before", "after")}


def _span(window: dict[str, str]) -> str:
    return f"{at(window['start'])} to {at(window['end'])}"


def _changed(name: str, figure: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "value": figure["value"], "before": figure["before"]}


def _changed_line(name: str, found: dict[str, Any]) -> str:
    figure = FIGURES[name]
    change = figure.written_change(found["change"])
    words = f"{figure.words}: {figure.written(found['value'])}, before {figure.written(found['before'])}"
    return f"{words[:1].upper()}{words[1:]} ({change})."


def _removals(found: dict[str, Any]) -> str:
    causes, waiting = found["removal_causes"] or {}, found["removals_not_judged"] or 0
    removed = sum(causes.values()) + waiting
    if not removed:
        return "No pull request was removed in this period."
    not_judged = f", {waiting:,} not judged yet" if waiting else ""
    told = f" Causes of removals: {causes_in_words(causes)}." if any(causes.values()) else ""
    return f"{removed:,} removed{not_judged}.{told}"


async def _repositories(asker: Asker, given: dict[str, Any]) -> Result:
    search = {} if given["search"] is None else {"search": given["search"]}
    found = await asker.repositories(limit=_MOST_REPOSITORIES, order="-last_event_at", **search)
    rows, total = found.repositories, found.total or 0
    names = [row.name for row in rows]
    if not names:
        return Result(["No repository was found that this credential may read."], _listed(rows, total))
    more = f" of {total}; search for others" if total > len(names) else ""
    shown = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
    line = f"{counted(len(names), 'repository', 'repositories')}{more}, the most recent first: {shown}."
    return Result([line], _listed(rows, total))


def _listed(rows: Sequence[ListedRepository], total: int) -> dict[str, Any]:
    listed = [{"name": row.name, "last_event_at": row.last_event_at} for row in rows]
    return {"repositories": listed, LEFT_OUT: total - len(listed)}


_QUEUE = {"base_ref": STRING, "queue_name": STRING}
_ALERT = object_of(
    **_QUEUE,
    figure=STRING,
    origin=STRING,
    since=STRING,
    ended_at=STRING_OR_NULL,
    value=NUMBER,
    threshold=NUMBER,
    pull_requests=list_of(INTEGER),
    unlisted=INTEGER,
)
QUEUE = Tool(
    "queue_status",
    "What is in the merge queues now, is something wrong with them (stuck, failing, slow), when do the "
    "first pull requests merge? For one pull request, call pull_request_status instead.",
    {"repository": REPOSITORY},
    object_of(
        in_queue=INTEGER,
        alerts=list_of(_ALERT),
        undiagnosed=list_of(object_of(**_QUEUE)),
        entries=list_of(
            object_of(
                number=INTEGER,
                position=INTEGER,
                **_QUEUE,
                waited_seconds=INTEGER,
                in_ci={"type": "boolean"},
                expected=STRING_OR_NULL,
                latest=STRING_OR_NULL,
                chance=NUMBER,
                expected_state=STRING,
            )
        ),
        newest_event_at=STRING_OR_NULL,
        silence=STRING_OR_NULL,
        left_out=INTEGER,
    ),
    _queue_status,
)
CHANGED = Tool(
    "what_changed",
    "What changed in the merge queues, compared with the period before: merges, failures, time in queue, CI "
    "runs; why were pull requests removed, since when are figures higher or lower, which alerts were there? "
    "Next: check_flakiness if failures rose.",
    {"repository": REPOSITORY, "days": DAYS},
    object_of(
        state=STRING,
        start=STRING,
        end=STRING,
        figures=list_of(object_of(name=STRING, value=NUMBER, before=NUMBER)),
        removal_causes={"type": ["object", "null"]},
        removals_not_judged=NUMBER,
        changes=list_of(object_of(figure=STRING, began_on=STRING, before=NUMBER, after=NUMBER)),
        alerts=list_of(_ALERT),
        left_out=INTEGER,
    ),
    _what_changed,
)
REPOSITORIES = Tool(
    "list_repositories",
    "Which repositories can I ask about? Use it when the name of a repository is not known, or was refused.",
    {"search": optional(NAME)},
    object_of(repositories=list_of(object_of(name=STRING, last_event_at=STRING_OR_NULL)), left_out=INTEGER),
    _repositories,
)
