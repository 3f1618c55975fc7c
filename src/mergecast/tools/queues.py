"""`queue_status`, `what_changed` and `list_repositories`: what is going on."""

from collections.abc import Iterator
from typing import Any

from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import causes_in_words, counted, percentage
from mergecast.tools.asking import Asker
from mergecast.tools.strangers import cleaned, marked
from mergecast.tools.tool import (
    DAYS,
    INTEGER,
    LEFT_OUT,
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
    object_of,
    optional,
)

PROBLEMS = {
    "no_run_started": "a slot is free and no CI run starts",
    "run_too_long": "a CI run lasts longer than usual",
    "everyone_fails": "the last CI runs failed although they have no pull request in common",
    "going_round": "a pull request enters again and again, or a batch is split again and again",
    "nothing_merges": "nothing merges although merges are expected now",
    "source_silent": "a source reports nothing",
    "runs_slow": "CI runs take much longer than usual",
    "forgotten": "a pull request waits while later ones are tested",
}
_FIRST = 3  # in the text
_MOST = 10  # in the content
_MOST_REPOSITORIES = 50
_MOST_NAMED = 20
_CHANGES = ("merged", "failure_rate", "time_in_queue_p50", "time_in_queue_p95", "ci_runs_per_merge")
_MEASURES = {"time_to_merge_p95", "failure_rate", "ci_runs_per_merge"}


def _queue(row: dict[str, Any]) -> dict[str, str]:
    return {"base_ref": cleaned(row["base_ref"]), "queue_name": cleaned(row["queue_name"])}


def _named(row: dict[str, Any]) -> str:
    return f"{marked(row['queue_name'])} of {marked(row['base_ref'])}"


async def _queue_status(asker: Asker, given: dict[str, Any]) -> Result:
    found = await asker.about(given["repository"], "/queue")
    queues, problems, undiagnosed = found["queues"], found["queue_problems"], found["undiagnosed"]
    entries = [(queue, entry) for queue in queues for entry in queue["entries"]]
    lines = [*_problem_lines(problems, undiagnosed)]
    lines += [_queue_line(queue) for queue in queues[: 7 - len(lines)]] or ["All queues are empty."]
    return Result(
        lines,
        {
            "in_queue": len(entries),
            "problems": [_problem(one) for one in problems[:_MOST]],
            "undiagnosed": [_queue(one) for one in undiagnosed[:_MOST]],
            "entries": [_entry(queue, entry) for queue, entry in entries[:_MOST]],
            "newest_event_at": found["newest_event_at"],
            LEFT_OUT: sum(max(0, len(rows) - _MOST) for rows in (problems, undiagnosed, entries)),
        },
    )


def _problem_lines(problems: list[dict[str, Any]], undiagnosed: list[dict[str, Any]]) -> Iterator[str]:
    for one in problems[:_FIRST]:
        numbers = ", ".join(f"#{number}" for number in one["evidence"]["pull_requests"][:5])
        about = f" ({numbers})" if numbers else ""
        what = PROBLEMS.get(one["name"], one["name"])
        yield f"Problem in {_named(one)} since {at(one['since'])}: {what}{about}."
    if len(problems) > _FIRST:
        yield f"There are {len(problems) - _FIRST} more problems."
    if not problems:
        yield "No problem was found."
    if undiagnosed:
        names = ", ".join(_named(one) for one in undiagnosed[:_FIRST])
        more = f" and {len(undiagnosed) - _FIRST} more" if len(undiagnosed) > _FIRST else ""
        yield f"Not diagnosed, because of too little history: {names}{more}."


def _problem(one: dict[str, Any]) -> dict[str, Any]:
    numbers = one["evidence"]["pull_requests"][:_MOST]
    return {"name": one["name"], **_queue(one), "since": one["since"], "pull_requests": numbers}


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
    }


def _queue_line(queue: dict[str, Any]) -> str:
    entries = queue["entries"]
    first = "; ".join(_entry_words(entry) for entry in entries[:_FIRST])
    waits = counted(len(entries), "pull request")
    pending = " When they merge is being computed." if queue["expected_merges"] == "pending" else ""
    return f"{_named(queue)}: {waits}, {counted(len(queue['batches']), 'CI run')}. First: {first}.{pending}"


def _entry_words(entry: dict[str, Any]) -> str:
    expected = entry["expected_merge"]
    when = f", expected {at(expected['p50'])} ({percentage(expected['chance'])})" if expected else ""
    return f"#{entry['pull_request']} waited {duration(entry['waited_seconds'])}{when}"


async def _what_changed(asker: Asker, given: dict[str, Any]) -> Result:
    repository, since = given["repository"], days_ago(asker, given["days"])
    found = await asker.about(repository, "/summary", start_at=since)
    alerts = (await asker.about(repository, "/alerts", start_at=since))["alerts"]
    problems = (await asker.about(repository, "/queue-problems", start_at=since))["queue_problems"]
    figures = [_changed(name, found["all"][name]) for name in _CHANGES]
    window = found["window"]
    state = found["verdict"]["state"]
    lines = [
        f"{_span(found['window'])}, compared with {_span(found['window_before'])}: {state}.",
        *(_changed_line(name, found["all"][name]) for name in _CHANGES[:4]),
        _removals(found),
        *_alert_lines(alerts),
        _past_problems(problems),
    ]
    return Result(
        lines,
        {
            "state": state,
            "start": window["start"],
            "end": window["end"],
            "figures": figures,
            "removal_causes": found["removal_causes"],
            "alerts": [_alert(one) for one in alerts[:_MOST]],
            "problems": [{**_problem(one), "ended_at": one["ended_at"]} for one in problems[:_MOST]],
            LEFT_OUT: sum(max(0, len(rows) - _MOST) for rows in (alerts, problems)),
        },
    )


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
    causes = causes_in_words(found["removal_causes"] or {})
    return f"Causes of removals: {causes}." if causes else "No removal was judged in this period."


def _alert_lines(alerts: list[dict[str, Any]]) -> Iterator[str]:
    for one in alerts[:2]:
        measure = FIGURES[one["measure"]].words if one["measure"] in _MEASURES else cleaned(one["measure"])
        until = f" until {at(one['ended_at'])}" if one["ended_at"] else ", still"
        yield (
            f"Alert since {at(one['began_at'])}{until}: {measure} of {_named(one)} against the baseline "
            f"{marked(one['baseline'])}."
        )
    if not alerts:
        yield "No alert."
    elif len(alerts) > 2:  # noqa: PLR2004 - as many as are listed
        yield f"There are {len(alerts) - 2} more alerts."


def _alert(one: dict[str, Any]) -> dict[str, Any]:
    kept = {name: one[name] for name in ("measure", "began_at", "ended_at", "ratio")}
    return {**_queue(one), "baseline": cleaned(one["baseline"]), **kept}


def _past_problems(problems: list[dict[str, Any]]) -> str:
    if not problems:
        return "No problem of a queue."
    names = sorted({one["name"] for one in problems})
    what = "; ".join(PROBLEMS.get(name, name) for name in names[:_FIRST])
    return f"{counted(len(problems), 'problem')} of queues: {what}."


async def _repositories(asker: Asker, given: dict[str, Any]) -> Result:
    search = {} if given["search"] is None else {"search": given["search"]}
    found = await asker.repositories(limit=_MOST_REPOSITORIES, order="-last_event_at", **search)
    rows, total = found["repositories"], found["total"]
    names = [f"{row['owner']}/{row['repository']}" for row in rows]
    if not names:
        return Result(["No repository was found that this credential may read."], _listed(rows, total))
    more = f" of {total}; search for others" if total > len(names) else ""
    shown = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
    line = f"{counted(len(names), 'repository', 'repositories')}{more}, the most recent first: {shown}."
    return Result([line], _listed(rows, total))


def _listed(rows: list[dict[str, Any]], total: int) -> dict[str, Any]:
    listed = [
        {"name": f"{row['owner']}/{row['repository']}", "last_event_at": row["last_event_at"]} for row in rows
    ]
    return {"repositories": listed, LEFT_OUT: total - len(listed)}


_QUEUE = {"base_ref": STRING, "queue_name": STRING}
QUEUE = Tool(
    "queue_status",
    "What is in the merge queues now, is something wrong with them (stuck, failing, slow), when do the "
    "first pull requests merge? For one pull request, call pull_request_status instead.",
    {"repository": REPOSITORY},
    object_of(
        in_queue=INTEGER,
        problems=list_of(object_of(name=STRING, **_QUEUE, since=STRING, pull_requests=list_of(INTEGER))),
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
            )
        ),
        newest_event_at=STRING_OR_NULL,
        left_out=INTEGER,
    ),
    _queue_status,
)
CHANGED = Tool(
    "what_changed",
    "What changed in the merge queues against the period before: merges, failures, time in queue, CI runs; "
    "why were pull requests removed, which alerts and problems were there? Next: "
    "check_flakiness if failures rose.",
    {"repository": REPOSITORY, "days": DAYS},
    object_of(
        state=STRING,
        start=STRING,
        end=STRING,
        figures=list_of(object_of(name=STRING, value=NUMBER, before=NUMBER)),
        removal_causes={"type": ["object", "null"]},
        alerts=list_of(
            object_of(
                **_QUEUE,
                baseline=STRING,
                measure=STRING,
                began_at=STRING,
                ended_at=STRING_OR_NULL,
                ratio=NUMBER,
            )
        ),
        problems=list_of(object_of(name=STRING, **_QUEUE, since=STRING, ended_at=STRING_OR_NULL)),
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
