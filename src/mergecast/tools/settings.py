"""`forecast_settings` and `check_configuration`: what would other settings do, is a document valid?"""

from typing import Any

import msgspec

from mergecast.inputs.field import Field, InvalidValue
from mergecast.inputs.kinds import text
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.words import counted
from mergecast.tools.asking import Asker, ToolError
from mergecast.tools.strangers import cleaned, marked
from mergecast.tools.tool import (
    BOOLEAN,
    INTEGER,
    LEFT_OUT,
    NAME,
    NUMBER,
    REPOSITORY,
    STRING,
    Result,
    Tool,
    days_ago,
    is_named,
    list_of,
    object_of,
    optional,
)

_FIGURES = ("time_to_merge_p50", "time_to_merge_p95", "ci_runs_per_merge", "removed_by_checks")
_DAYS = 60  # those that a forecast replays
_LONGEST_DOCUMENT = 1 << 20
_UNPROCESSABLE = 422
_MOST_ERRORS = 20
_MOST_LINES = 7
_GRADES = {
    "good": "good: it may be the basis of a decision",
    "fair": "fair: expect surprises",
    "poor": "poor: do not base a decision on it",
}


def _settings(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise InvalidValue('must be an object such as {"batch_size": 5}')
    return value


async def _forecast(asker: Asker, given: dict[str, Any]) -> Result:
    repository, settings = given["repository"], given["settings"]
    base_ref = await _branch(asker, repository, given["base_ref"])
    asked = {"base_ref": base_ref, "candidate": {"settings": settings}}
    found = asker.answer(await asker.reply(repository, "/forecast", asked), repository, dict[str, Any])
    today = [name for name in settings if _is_todays(found["settings"], name)]
    grade, reach = found["trust"]["grade"], found["trust"]["reach"]
    lines = [
        f"With {_words(settings)} on {marked(base_ref)}, {_difference(found)}.",
        *(_figure_line(name, found) for name in _FIGURES),
        f"Trust is {_GRADES.get(grade, grade)}. {counted(found['merged'], 'merge')} were replayed.",
    ]
    if reach["level"] == "beyond":
        lines.append("The history never shows such a queue: how CI behaves then is assumed.")
    if today:
        lines.append(f"Already today's value in every queue: {', '.join(marked(name) for name in today)}.")
    return Result(
        lines,
        {
            "base_ref": cleaned(base_ref),
            "figures": [_figure(name, found) for name in _FIGURES],
            "grade": grade,
            "beyond_history": reach["level"] == "beyond",
            "already_set": [cleaned(name) for name in today],
        },
    )


async def _branch(asker: Asker, repository: Repository, wanted: str | None) -> str:
    """The branch as it is written, for its cleaned name; without a name, that with most merges."""
    found = await asker.about(repository, "/summary", start_at=days_ago(asker, _DAYS))
    merged: dict[str, int] = {}
    for queue in found["queues"]:
        merged[queue["base_ref"]] = merged.get(queue["base_ref"], 0) + (queue["merged"]["value"] or 0)
    if not merged:
        raise ToolError(f"Nothing merged in the last {_DAYS} days, so there is nothing to forecast from.")
    if wanted is None:
        return max(merged, key=lambda one: merged[one])
    for name in (wanted, *(one for one in merged if is_named(one, wanted))):
        if name in merged:
            return name
    names = ", ".join(marked(one) for one in list(merged)[:_MOST_ERRORS])
    raise ToolError(f"No branch of this name has a queue. Those that do are {names}. Use one of them.")


def _is_todays(settings: dict[str, Any], name: str) -> bool:
    queues = settings["candidate"]
    return all(settings["baseline"][one].get(name) == queues[one].get(name) for one in queues)


def _words(settings: dict[str, Any]) -> str:
    return ", ".join(f"{marked(name)} = {marked(str(value))}" for name, value in list(settings.items())[:8])


def _difference(found: dict[str, Any]) -> str:
    """Which of the two times and the runs are lower or higher, in one clause."""
    sure = found["trust"]["difference"]
    said = (
        f"{FIGURES[name].words} is {sure[name]['verdict']}"
        for name in ("time_to_merge_p50", "time_to_merge_p95", "ci_runs_per_merge")
    )
    return (
        ", ".join(said).replace("is none", "stays the same").replace("is unclear", "may be lower or higher")
    )


def _figure_line(name: str, found: dict[str, Any]) -> str:
    figure, sides = FIGURES[name], (found["baseline"][name], found["candidate"][name])
    before, after = (
        f"{figure.written(side['value'])} ({figure.written(side['low'])} to {figure.written(side['high'])})"
        for side in sides
    )
    return f"{figure.words[:1].upper()}{figure.words[1:]}: {after}, with today's settings {before}."


def _figure(name: str, found: dict[str, Any]) -> dict[str, Any]:
    today, candidate = found["baseline"][name], found["candidate"][name]
    return {"name": name, "today": today["value"], **candidate}


async def _check(asker: Asker, given: dict[str, Any]) -> Result:
    repository, document = given["repository"], given["document"]
    replied = await asker.reply(repository, "/configuration-simulator", {"config_yml": document})
    if replied.status == _UNPROCESSABLE and (invalid := _invalid(replied.body)):
        return invalid
    found = asker.answer(replied, repository, dict[str, Any])
    warnings = [
        cleaned(f"{one['message']} (accepted until {one['deadline']})", 300) for one in found["deprecations"]
    ]
    unused = [cleaned(one["section"]) for one in found["unused_sections"] or ()]
    lines = ["The document is valid.", *(f"Deprecated: «{one}»" for one in warnings[:_MOST_LINES])]
    if unused:
        lines.append(f"Sections without effect: {', '.join(f'«{one}»' for one in unused[:5])}.")
    content = {
        "valid": True,
        "errors": [],
        "deprecations": warnings[:_MOST_ERRORS],
        "unused_sections": unused,
    }
    return Result(lines, content)


def _invalid(body: bytes) -> Result | None:
    """The errors in a document; None if something else is wrong with the request."""
    document = msgspec.json.decode(body, type=dict[str, Any])
    errors = [one for one in document.get("errors", ()) if "line" in one]
    if not errors:
        return None
    more = document.get("more_errors", 0)
    lines = [f"The document is invalid: {counted(len(errors) + more, 'error')}."]
    lines += [_error_line(one) for one in errors[:_MOST_LINES]]
    listed = [
        {
            "line": one["line"],
            "column": one["column"],
            "path": cleaned(".".join(map(str, one["path"] or ()))),
            "message": cleaned(one["message"], 300),
        }
        for one in errors[:_MOST_ERRORS]
    ]
    left_out = len(errors) + more - len(listed)
    return Result(
        lines,
        {"valid": False, "errors": listed, "deprecations": [], "unused_sections": [], LEFT_OUT: left_out},
    )


def _error_line(error: dict[str, Any]) -> str:
    where = f"Line {error['line']}, column {error['column']}" if error["line"] else "Somewhere"
    return f"{where}: «{cleaned(error['message'], 300)}»"


FORECAST = Tool(
    "forecast_settings",
    "What would other settings of the merge queue do to time to merge, CI runs and removals? Replays the "
    'recorded weeks, for example with {"batch_size": 5} or {"max_parallel_checks": 10}. Takes seconds '
    "to minutes: call it once, not in parallel. Read the grade first.",
    {
        "repository": REPOSITORY,
        "settings": Field(_settings, {"type": "object"}),
        "base_ref": optional(NAME),
    },
    object_of(
        base_ref=STRING,
        figures=list_of(object_of(name=STRING, today=NUMBER, value=NUMBER, low=NUMBER, high=NUMBER)),
        grade=STRING,
        beyond_history=BOOLEAN,
        already_set=list_of(STRING),
        left_out=INTEGER,
    ),
    _forecast,
)
CHECK = Tool(
    "check_configuration",
    "Is this configuration document of the merge queue (.mergify.yml) valid, and where and how must each "
    "error be fixed? Use it before a changed document is committed.",
    {"repository": REPOSITORY, "document": text(_LONGEST_DOCUMENT)},
    object_of(
        valid=BOOLEAN,
        errors=list_of(object_of(line=NUMBER, column=NUMBER, path=STRING, message=STRING)),
        deprecations=list_of(STRING),
        unused_sections=list_of(STRING),
        left_out=INTEGER,
    ),
    _check,
)
