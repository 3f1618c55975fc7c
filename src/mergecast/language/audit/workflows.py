"""Reads workflow files into what the audit needs of them, each part with its line."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mergecast.language.audit.expressions import NotAnExpression, Template, parse_condition, parse_template
from mergecast.language.configuration.yaml.load import load_texts
from mergecast.language.configuration.yaml.values import InvalidYaml, YamlList, YamlMapping

FOLDER = ".github/workflows/"
_LONGEST_FILE = 1_048_576  # characters, as of other documents
_FILTERS = ("branches", "branches-ignore", "tags", "tags-ignore", "paths", "paths-ignore", "types")


class Unreadable(Exception):
    """A file, or a part of it, that cannot be read; says why, and on which line."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Text(NamedTuple):
    """A text of a file that may contain expressions."""

    text: str
    template: Template
    line: int


class Event(NamedTuple):
    """An event that starts a workflow, and its filters."""

    line: int
    filters: Mapping[str, tuple[str, ...]]


class Concurrency(NamedTuple):
    line: int
    group: Text
    cancels: Text | None
    keeps_waiting: bool  # `queue: max`: a third run does not cancel the one that waits


class Step(NamedTuple):
    line: int
    name: str
    uses: str
    condition: Text | None
    texts: tuple[tuple[str, Text], ...]  # what it runs and is given, by key: `run`, `with.ref`, `env.BASE`


class Job(NamedTuple):
    id: str
    line: int
    name: Text | None
    condition: Text | None
    needs: tuple[str, ...]
    matrix: Any  # None, a mapping of texts and lists, or a text
    uses: str  # the reusable workflow that it calls
    has_outputs: bool
    limit: Text | None  # `timeout-minutes`
    concurrency: Concurrency | None
    steps: tuple[Step, ...]
    environment: str


class Workflow(NamedTuple):
    path: str
    name: str
    line: int  # of what starts it
    events: Mapping[str, Event]
    concurrency: Concurrency | None
    jobs: Mapping[str, Job]


def read_workflow(path: str, text: str) -> Workflow:
    """Raises `Unreadable`."""
    if len(text) > _LONGEST_FILE:
        raise Unreadable(f"it has more than {_LONGEST_FILE} characters", 1)
    try:
        document = load_texts(text)
    except InvalidYaml as error:
        raise Unreadable(error.error.text, error.error.line) from None
    if not isinstance(document, YamlMapping) or not isinstance(document.get("jobs"), YamlMapping):
        raise Unreadable("it has no jobs", 1)
    jobs = document["jobs"]
    return Workflow(
        path,
        _text(document.get("name")) or path,
        document.places["on"][1].line + 1 if "on" in document else 1,
        _events(document),
        _concurrency(document),
        {id: _job(id, jobs[id], _line(jobs, id)) for id in jobs if isinstance(jobs[id], YamlMapping)},
    )


def _line(mapping: YamlMapping, key: str) -> int:
    return int(mapping.places[key][0].line) + 1


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return (
        tuple(map(_text, value))
        if isinstance(value, YamlList)
        else (value,)
        if isinstance(value, str)
        else ()
    )


def _events(document: YamlMapping) -> dict[str, Event]:
    found = document.get("on")
    if isinstance(found, str):
        return {found: Event(_line(document, "on"), {})}
    if isinstance(found, YamlList):
        return {_text(name): Event(mark.line + 1, {}) for name, mark in zip(found, found.places, strict=True)}
    if not isinstance(found, YamlMapping):
        return {}
    return {name: Event(_line(found, name), _filters(found[name])) for name in found}


def _filters(value: object) -> dict[str, tuple[str, ...]]:
    given = value if isinstance(value, YamlMapping) else {}
    return {name: _texts(given[name]) for name in _FILTERS if name in given}


def _template(mapping: YamlMapping, key: str, *, is_condition: bool = False) -> Text | None:
    value = mapping.get(key)
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        parsed = parse_condition(value) if is_condition else parse_template(value)
    except NotAnExpression as error:
        raise Unreadable(
            f"`{key}` has an expression that GitHub would refuse: {error}", _line(mapping, key)
        ) from None
    return Text(value, parsed, _line(mapping, key))


def _concurrency(owner: YamlMapping) -> Concurrency | None:
    given = owner.get("concurrency")
    if isinstance(given, str):
        group = _template(owner, "concurrency")
        return Concurrency(group.line, group, None, False) if group else None
    if not isinstance(given, YamlMapping) or (group := _template(given, "group")) is None:
        return None
    line = _line(owner, "concurrency")
    return Concurrency(
        line, group, _template(given, "cancel-in-progress"), _text(given.get("queue")) == "max"
    )


def _job(id: str, job: YamlMapping, line: int) -> Job:
    strategy, environment = job.get("strategy"), job.get("environment")
    steps = job.get("steps")
    return Job(
        id,
        line,
        _template(job, "name"),
        _template(job, "if", is_condition=True),
        _texts(job.get("needs")),
        strategy.get("matrix") if isinstance(strategy, YamlMapping) else None,
        _text(job.get("uses")),
        bool(job.get("outputs")),
        _template(job, "timeout-minutes"),
        _concurrency(job),
        tuple(_steps(steps)) if isinstance(steps, YamlList) else (),
        _text(environment.get("name") if isinstance(environment, YamlMapping) else environment),
    )


def _steps(steps: YamlList) -> list[Step]:
    found = []
    for step in steps:
        if not isinstance(step, YamlMapping):
            continue
        texts = [("run", _template(step, "run"))]
        for key in ("with", "env"):
            given = step.get(key)
            if isinstance(given, YamlMapping):
                texts += [(f"{key}.{name}", _template(given, name)) for name in given]
        found.append(
            Step(
                step.start.line + 1,
                _text(step.get("name")),
                _text(step.get("uses")),
                _template(step, "if", is_condition=True),
                tuple((key, text) for key, text in texts if text is not None),
            )
        )
    return found
