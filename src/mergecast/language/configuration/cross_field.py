"""Rules between fields: values that are valid individually but not together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mergecast.language.configuration.errors import ANY, Place
from mergecast.language.configuration.models.actions import Merge
from mergecast.language.configuration.models.configuration import (
    Configuration,
    checks_in_place,
    fast_forwards,
)
from mergecast.language.configuration.models.queue_rules import BatchRange, QueueOptions, QueueRule
from mergecast.language.configuration.models.scopes import FilesSource, ManualSource, capacity_error
from mergecast.queues.model.nearest import nearest

_LONGEST_NAME = 100
_QUEUE_DEFAULTS: Place = ("defaults", "queue_rule")
_IN_PLACE_FIELDS = (
    *("batch_size", "max_checks_retries", "merge_conditions", "queue_conditions"),
    *("conditions", "routing_conditions"),
)


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """Fields that cannot be combined, reported at one place."""

    steps: Place
    message: str
    # While an `extends` is unresolved, the other document may contain what is missing here.
    may_be_elsewhere: bool = False
    # Places that decide whether this is a conflict; an error at one of them must be fixed first.
    depends_on: tuple[Place, ...] = ()
    first: Place | None = None  # the first of two equal names
    is_at_key: bool = False  # the key itself is wrong, not its value


def field_conflicts(configuration: Configuration) -> Iterator[FieldConflict]:
    """All conflicts between fields, after defaults and `extends` are applied."""
    for rule in _RULES:
        yield from rule(configuration)


def conflicts_in_defaults(configuration: Configuration) -> Iterator[FieldConflict]:
    """Conflicts inside the defaults, whether a rule uses them or not."""
    rule, merge = configuration.defaults.queue_rule, configuration.defaults.actions.merge
    if rule is not None:
        yield from _bounds(rule, _QUEUE_DEFAULTS)
        yield from _message(rule, _QUEUE_DEFAULTS)
    if merge is not None:
        yield from _message(merge, ("defaults", "actions", "merge"))


def _unique_names(configuration: Configuration) -> Iterator[FieldConflict]:
    for section in ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections"):
        first: dict[str, int] = {}
        for index, rule in enumerate(getattr(configuration, section)):
            if rule.name in first:
                message = f"{section} names must be unique, found `{rule.name[:_LONGEST_NAME]}` twice"
                yield FieldConflict((section, index), message, first=(section, first[rule.name]))
            first.setdefault(rule.name, index)


def _known_queues(configuration: Configuration) -> Iterator[FieldConflict]:
    names = [rule.name for rule in configuration.queue_rules]
    known = names or ["default"]  # a document without queue rules has the queue `default`
    for index, rule in enumerate(configuration.pull_request_rules):
        queue = rule.actions.queue
        if queue is not None and queue.name is not None and queue.name not in known:
            yield FieldConflict(
                ("pull_request_rules", index, "actions", "queue", "name"),
                f"{queue.name[:_LONGEST_NAME]} queue not found; {_other_queue(queue.name, known)}",
                may_be_elsewhere=True,
                depends_on=(("queue_rules", ANY, "name"),),
            )


def _other_queue(name: str, known: list[str]) -> str:
    if near := nearest(name, known):
        return f"did you mean `{near}`?"
    return f"the queues are {', '.join(f'`{queue}`' for queue in known)}"


def _queue_rules(configuration: Configuration) -> Iterator[FieldConflict]:
    in_place = checks_in_place(configuration)
    mode = configuration.merge_queue.mode
    for index, rule in enumerate(configuration.queue_rules):
        steps: Place = ("queue_rules", index)
        yield from _batches(rule, steps)
        yield from _merging(rule, steps)
        if in_place and fast_forwards(rule) and rule.update_method == "merge":
            yield _update_in_place(steps)
        if mode != "serial" and fast_forwards(rule):
            message = f"fast-forward is not supported with merge_queue mode {mode}; use mode serial"
            yield FieldConflict(steps, message)
        yield from _message(rule, steps)


def _batches(rule: QueueRule, steps: Place) -> Iterator[FieldConflict]:
    yield from _bounds(rule, steps)
    size = rule.batch_size
    largest = size.max if isinstance(size, BatchRange) else size
    if rule.merge_method == "merge-batch" and largest == 1:
        yield _missing(rule, steps, "batch_size", "merge_method: merge-batch requires batch_size > 1")


def _bounds(rule: QueueOptions, steps: Place) -> Iterator[FieldConflict]:
    size = rule.batch_size
    if isinstance(size, BatchRange) and size.min > size.max:
        message = f"min must be lower than or equal to max, found {size.min} and {size.max}"
        yield FieldConflict((*steps, "batch_size"), message)


def _merging(rule: QueueRule, steps: Place) -> Iterator[FieldConflict]:
    if rule.allow_queue_branch_edit and rule.merge_method not in ("merge-batch", "fast-forward"):
        message = "allow_queue_branch_edit requires merge_method to be merge-batch or fast-forward"
        yield _missing(rule, steps, "merge_method", message)
    if rule.branch_protection_injection_mode == "none" and rule.merge_bot_account is None:
        message = "branch_protection_injection_mode: none requires merge_bot_account"
        yield _missing(rule, steps, "merge_bot_account", message)


def _missing(rule: QueueRule, steps: Place, option: str, message: str) -> FieldConflict:
    """A conflict that another value of this option would resolve."""
    return FieldConflict(
        steps,
        message,
        may_be_elsewhere=option not in rule.model_fields_set,
        depends_on=((*steps, option), (*_QUEUE_DEFAULTS, option)),
    )


def _update_in_place(steps: Place) -> FieldConflict:
    return FieldConflict(
        steps,
        "`update_method: merge` is not compatible with fast-forward merge method; use `rebase`",
        depends_on=(
            ("merge_queue", "max_parallel_checks"),
            *(("queue_rules", ANY, field) for field in _IN_PLACE_FIELDS),
            *((*_QUEUE_DEFAULTS, field) for field in _IN_PLACE_FIELDS),
        ),
    )


def _message(options: QueueOptions | Merge, steps: Place) -> Iterator[FieldConflict]:
    written = options.commit_message_format
    if written is not None and options.commit_message_template is not None:
        message = "commit_message_format and commit_message_template are mutually exclusive; keep the first"
        yield FieldConflict(steps, message)
    if written is not None and written.trailers and written.body == "inherit":
        place: Place = (*steps, "commit_message_format")
        message = "trailers can't be used with body: inherit; set `body` to `pr-body` or `empty`"
        yield FieldConflict(place, message, depends_on=((*place, "body"),))


def _merge_actions(configuration: Configuration) -> Iterator[FieldConflict]:
    for index, rule in enumerate(configuration.pull_request_rules):
        if merge := rule.actions.merge:
            steps: Place = ("pull_request_rules", index, "actions", "merge")
            yield from _message(merge, steps)


def _modes(configuration: Configuration) -> Iterator[FieldConflict]:
    queue, scopes = configuration.merge_queue, configuration.scopes
    if queue.mode == "parallel" and scopes.source is None:
        message = "merge_queue mode parallel requires scopes.source"
        depends_on: tuple[Place, ...] = (("scopes", "source"),)
        yield FieldConflict(("merge_queue", "mode"), message, may_be_elsewhere=True, depends_on=depends_on)
    if queue.mode == "isolated" and queue.skip_intermediate_results:
        message = "skip_intermediate_results is not supported with merge_queue mode isolated"
        yield FieldConflict(("merge_queue",), message)


def _capacities(configuration: Configuration) -> Iterator[FieldConflict]:
    scopes = configuration.scopes
    if isinstance(scopes.source, ManualSource):
        return
    for name in scopes.capacities:
        if error := capacity_error(name):
            place: Place = ("scopes", "capacities", name)
            yield FieldConflict(place, error, depends_on=(("scopes", "source"),), is_at_key=True)


def _barriers(configuration: Configuration) -> Iterator[FieldConflict]:
    scopes = configuration.scopes
    if scopes.barrier_files is not None and not isinstance(scopes.source, FilesSource):
        message = "barrier_files requires a files source (`scopes.source.files`)"
        yield FieldConflict(("scopes", "barrier_files"), message, depends_on=(("scopes", "source"),))


_RULES: tuple[Callable[[Configuration], Iterator[FieldConflict]], ...] = (
    _unique_names,
    _known_queues,
    _queue_rules,
    _merge_actions,
    _modes,
    _capacities,
    _barriers,
)
