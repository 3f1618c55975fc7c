"""The jobs of a repository: their names in checks, and whether they run on pull requests and on groups."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from mergecast.language.audit.evaluation import Object, Unknown, Value, evaluate, holds, rendered
from mergecast.language.audit.events import GROUPS, Group, On, context_of, reaches
from mergecast.language.audit.expressions import Node, Template
from mergecast.language.audit.workflows import Job, Text, Workflow

_DEEPEST_CALL = 4
_MOST_NAMES = 256

# The name of a check. None stands for any text, where the name depends on what cannot be told.
Name = tuple[str | None, ...]


class Placed(NamedTuple):
    """A job where it runs: of its own workflow, or called by jobs of others, the outermost first."""

    workflow: Workflow  # the one that an event starts
    path: str  # the file that has the job
    job: Job
    jobs: Mapping[str, Job]  # the jobs of that file
    callers: tuple["Placed", ...]
    names: tuple[Name, ...]  # of its checks; with a matrix, one for each combination
    bare: Name  # of its check if it is skipped

    @property
    def shown(self) -> str:
        return shown_name(self.names[0])

    @property
    def has_matrix(self) -> bool:
        return self.job.matrix is not None

    @property
    def literal_names(self) -> set[str]:
        return {shown_name(name) for name in self.names if None not in name}

    def is_called(self, name: str) -> bool:
        return any(is_name(pattern, name) for pattern in self.names)


def is_name(pattern: Name, name: str) -> bool:
    """Whether a check of this pattern may have the name."""
    first, *rest = pattern
    if first is not None:
        return name.startswith(first) and (
            is_name(tuple(rest), name[len(first) :]) if rest else name == first
        )
    if not rest:
        return True
    literal = rest[0]
    if literal is None:
        return is_name(tuple(rest), name)
    if len(rest) == 1:
        return name.endswith(literal)
    place = name.find(literal)
    return place >= 0 and is_name(tuple(rest), name[place:])


def shown_name(name: Name) -> str:
    return "".join("…" if part is None else part for part in name)


class Jobs:
    """All jobs of the workflows, and when they run. Answers are remembered: rules ask for the same again."""

    def __init__(self, workflows: Sequence[Workflow], base_ref: str, repository: str | None) -> None:
        self.workflows = {workflow.path: workflow for workflow in workflows}
        self.base_ref, self.repository = base_ref, repository
        self._runs: dict[object, bool | None] = {}
        self._by_place: dict[object, Placed] = {}
        self.placed = tuple(placed for workflow in workflows for placed in self._of(workflow, workflow, ()))
        self._by_name: dict[str, list[Placed]] = {}
        for placed in self.placed:
            for name in placed.literal_names:
                self._by_name.setdefault(name, []).append(placed)
        self._of_any_name = [placed for placed in self.placed if any(None in name for name in placed.names)]

    def _of(self, root: Workflow, file: Workflow, callers: tuple[Placed, ...]) -> list[Placed]:
        found: list[Placed] = []
        for job in file.jobs.values():
            placed = self._place(root, file, job, callers)
            self._by_place[_place_of(placed, job.id)] = placed
            called = self.workflows.get(job.uses.removeprefix("./")) if job.uses.startswith("./") else None
            if called is not None and len(callers) < _DEEPEST_CALL:
                found += self._of(root, called, (*callers, placed))
            else:
                found.append(placed)
        return found

    def _place(self, root: Workflow, file: Workflow, job: Job, callers: tuple[Placed, ...]) -> Placed:
        own = names_of(job)
        bare = _bare_name(job)
        if job.uses and not job.uses.startswith("./"):
            own = tuple((*name, " / ", None) for name in own)
        outer = callers[-1].names if callers else ()
        names = tuple((*before, " / ", *name) for before in outer for name in own) if outer else own
        place = (*callers[-1].names[0], " / ", *bare) if callers else bare
        return Placed(root, file.path, job, file.jobs, callers, names[:_MOST_NAMES], place)

    def called(self, name: str) -> list[Placed]:
        """The jobs that may report a check of this name."""
        exactly = self._by_name.get(name, [])
        return exactly + [
            one
            for one in self._of_any_name
            if all(one is not other for other in exactly) and one.is_called(name)
        ]

    def reaches(self, placed: Placed, on: On) -> bool | None:
        return reaches(placed.workflow, on, self.base_ref)

    def runs(self, placed: Placed, on: On) -> bool | None:
        """Whether the job runs when the event has started its workflow; None if that cannot be told."""
        key = (*_place_of(placed, placed.job.id), on)
        if key not in self._runs:
            self._runs[key] = None  # for jobs that need each other
            chain = (*placed.callers, placed)
            answers = [_same(self._starts(job, on, group) for group in GROUPS) for job in chain]
            self._runs[key] = False if False in answers else None if None in answers else True
        return self._runs[key]

    def is_on_groups(self, placed: Placed) -> bool | None:
        """Whether the job runs on groups, started by `merge_group` or by the push to the group's branch."""
        return self.runs_on_any(placed, (On.GROUP, On.GROUP_PUSH))

    def runs_on_any(self, placed: Placed, events: Sequence[On]) -> bool | None:
        answers = []
        for on in events:
            reached = self.reaches(placed, on)
            runs = self.runs(placed, on) if reached is not False else False
            answers.append(False if runs is False else None if reached is None else runs)
        return True if True in answers else None if None in answers else False

    def context(self, placed: Placed, on: On, group: Group) -> dict[str, Value]:
        return context_of(on, self.base_ref, group, self.repository, placed.workflow.name)

    def holds(self, placed: Placed, condition: Text, on: On) -> bool | None:
        """Whether a condition in this job holds on an event, for every group."""
        return _same(holds(condition.template, self.context(placed, on, group)) for group in GROUPS)

    def _starts(self, placed: Placed, on: On, group: Group) -> bool | None:
        context = self.context(placed, on, group)
        before = {id: self.runs(self.sibling(placed, id), on) for id in ancestors(placed.job, placed.jobs)}
        needed = {id: before[id] for id in placed.job.needs if id in before}
        context["needs"] = Object({id.lower(): _result(runs=runs) for id, runs in needed.items()})
        is_success = False if False in before.values() else Unknown() if None in before.values() else True
        context["success()"] = is_success
        condition = placed.job.condition
        if condition is None:
            return holds((Node("call", "success"),), context)
        found = holds(condition.template, context)
        if names_a_status(condition.template) or found is False or is_success is True:
            return found
        return False if is_success is False else None

    def sibling(self, placed: Placed, id: str) -> Placed:
        """Another job of the same file, in the same place."""
        return self._by_place[_place_of(placed, id)]


def _place_of(placed: Placed, id: str) -> tuple[object, ...]:
    return placed.workflow.path, placed.path, tuple(caller.job.id for caller in placed.callers), id


def _result(*, runs: bool | None) -> Object:
    """What a job sees of one that it needs, when nothing fails."""
    result: Value = Unknown() if runs is None else "success" if runs else "skipped"
    return Object({"result": result}, Unknown())


def _same(answers: Any) -> bool | None:
    """What holds for all groups: their numbers and commits are invented."""
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def ancestors(job: Job, jobs: Mapping[str, Job]) -> set[str]:
    """The jobs that a job waits for, directly or not."""
    found: set[str] = set()
    waiting = [id for id in job.needs if id in jobs]
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            waiting += [need for need in jobs[id].needs if need in jobs]
    return found - {job.id}


def calls(template: Template) -> set[str]:
    """The names of the functions that the expressions of a text call."""
    nodes = [node for part in template if isinstance(part, Node) for node in part.walk()]
    return {str(node.value) for node in nodes if node.kind == "call"}


def names_a_status(template: Template) -> bool:
    """Whether a condition names a function about the jobs before; otherwise GitHub adds `success()`."""
    return not calls(template).isdisjoint(("success", "failure", "cancelled", "always"))


def names_of(job: Job) -> tuple[Name, ...]:
    """The names of the checks that a job reports when it runs."""
    if job.matrix is None:
        return (_bare_name(job),)
    combinations = _combinations(job.matrix)
    if combinations is None or len(combinations) > _MOST_NAMES:
        return (((_name_with(job, Unknown())) if _uses_matrix(job) else (*_bare_name(job), " (", None, ")")),)
    if _uses_matrix(job):
        return tuple(dict.fromkeys(_name_with(job, Object(values)) for values, _ in combinations))
    return tuple(dict.fromkeys((*_bare_name(job), " (", *shown, ")") for _, shown in combinations))


def _bare_name(job: Job) -> Name:
    return (job.id,) if job.name is None else _name_with(job, Unknown())


def _uses_matrix(job: Job) -> bool:
    nodes = (
        [node for part in job.name.template if isinstance(part, Node) for node in part.walk()]
        if job.name
        else []
    )
    return any(node.kind == "name" and node.value == "matrix" for node in nodes)


def _name_with(job: Job, matrix: Value) -> Name:
    assert job.name is not None  # noqa: S101 - a job without a name is called by its id
    parts = rendered(job.name.template, {"matrix": matrix})
    return tuple(part if isinstance(part, str) else None for part in parts)


def _combinations(matrix: Any) -> list[tuple[dict[str, Value], Name]] | None:
    """The values of each combination of a matrix, and how a name shows them; None if that cannot be told."""
    if not isinstance(matrix, dict):
        return None
    lists = {key: value for key, value in matrix.items() if key not in ("include", "exclude")}
    entries = [*lists.values(), matrix.get("include", []), matrix.get("exclude", [])]
    if not all(isinstance(value, list) for value in entries):
        return None
    texts = [entry for value in lists.values() for entry in value]
    if any(not isinstance(entry, str) or "${{" in entry for entry in texts):
        return None
    crossed = 1
    for value in lists.values():
        crossed *= len(value)
    if crossed > _MOST_NAMES:
        return None
    combinations = (
        [dict(zip(lists, values, strict=True)) for values in product(*lists.values())] if lists else []
    )
    combinations = [
        one for one in combinations if not any(_fits(out, one) for out in matrix.get("exclude", []))
    ]
    shown: list[tuple[dict[str, Value], Name]] = []
    included = [entry for entry in matrix.get("include", []) if isinstance(entry, dict)]
    for combination in combinations:
        more = [
            entry for entry in included if _fits({k: v for k, v in entry.items() if k in lists}, combination)
        ]
        values: dict[str, Value] = {**combination}
        for entry in more:
            values |= {key: value if isinstance(value, str) else Unknown() for key, value in entry.items()}
        name: Name = (", ".join(combination.values()),)
        # A value that `include` adds may or may not be part of the name.
        shown.append((_lower(values), (*name, None) if len(values) > len(combination) else name))
    for entry in included:
        if not any(_fits({k: v for k, v in entry.items() if k in lists}, one) for one in combinations):
            alone: dict[str, Value] = {k: v if isinstance(v, str) else Unknown() for k, v in entry.items()}
            texts = [value for value in alone.values() if isinstance(value, str)]
            shown.append((_lower(alone), (", ".join(texts),) if len(texts) == len(alone) else (None,)))
    return shown


def _lower(values: dict[str, Value]) -> dict[str, Value]:
    return {key.lower(): value for key, value in values.items()}


def _fits(some: Any, combination: Mapping[str, str]) -> bool:
    return isinstance(some, dict) and all(combination.get(key) == value for key, value in some.items())


def evaluated(template: Template, context: Mapping[str, Value]) -> Value:
    """The value of a text that is one expression; otherwise the text, or unknown."""
    if len(template) == 1 and isinstance(template[0], Node):
        return evaluate(template[0], context)
    parts = rendered(template, context)
    return parts[0] if len(parts) == 1 else Unknown()
