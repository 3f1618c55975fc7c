"""Rules between fields: what each of them allows, but not together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mergecast.configuration.errors import one_line
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import BatchRange, QueueOptions, QueueRule
from mergecast.configuration.models.scopes import FilesSource
from mergecast.configuration.models.templated_fields import CommitMessageFormat
from mergecast.configuration.queues import checks_in_place
from mergecast.model.nearest import nearest

Steps = tuple[str | int, ...]
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """Fields that do not go together, reported at one place."""

    steps: Steps
    message: str
    # While an `extends` is unresolved, the other document may hold what is missing here.
    may_be_elsewhere: bool = False


def field_conflicts(configuration: Configuration) -> Iterator[FieldConflict]:
    """Everything that only shows when fields are looked at together, after defaults and `extends`."""
    for rule in _RULES:
        yield from rule(configuration)


def conflicts_in_defaults(configuration: Configuration) -> Iterator[FieldConflict]:
    """What is wrong inside the defaults themselves, whoever uses them."""
    rule, merge = configuration.defaults.queue_rule, configuration.defaults.actions.merge
    if rule is not None:
        steps: Steps = ("defaults", "queue_rule")
        yield from _bounds(rule, steps)
        yield from _message(rule.commit_message_format, rule.commit_message_template, steps)
    if merge is not None:
        yield from _message(
            merge.commit_message_format, merge.commit_message_template, ("defaults", "actions", "merge")
        )


def _unique_names(configuration: Configuration) -> Iterator[FieldConflict]:
    for section in ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections"):
        first: dict[str, int] = {}
        for index, rule in enumerate(getattr(configuration, section)):
            if rule.name in first:
                name, item = rule.name[:_LONGEST_NAME], first[rule.name]
                message = f"{section} names must be unique, found `{name}` twice, first at item {item}"
                yield FieldConflict((section, index), message)
            first.setdefault(rule.name, index)


def _known_queues(configuration: Configuration) -> Iterator[FieldConflict]:
    names = [rule.name for rule in configuration.queue_rules]
    known = names or ["default"]  # without queue rules there is still the queue `default`
    for index, rule in enumerate(configuration.pull_request_rules):
        queue = rule.actions.queue
        if queue is not None and queue.name is not None and queue.name not in known:
            steps: Steps = ("pull_request_rules", index, "actions", "queue", "name")
            near = nearest(queue.name, known)
            hint = (
                f"did you mean `{near}`?"
                if near
                else f"the queues are {', '.join(f'`{it}`' for it in known)}"
            )
            yield FieldConflict(
                steps, f"{queue.name[:_LONGEST_NAME]} queue not found; {hint}", may_be_elsewhere=True
            )


def _queue_rules(configuration: Configuration) -> Iterator[FieldConflict]:
    in_place = checks_in_place(configuration)
    mode = configuration.merge_queue.mode
    for index, rule in enumerate(configuration.queue_rules):
        steps: Steps = ("queue_rules", index)
        yield from _batches(rule, steps)
        yield from _merging(rule, steps, in_place=in_place)
        if mode != "serial" and fast_forwards(rule):
            yield FieldConflict(
                steps, f"fast-forward is not supported with merge_queue mode {mode}; use mode serial"
            )
        yield from _message(rule.commit_message_format, rule.commit_message_template, steps)


def _batches(rule: QueueRule, steps: Steps) -> Iterator[FieldConflict]:
    yield from _bounds(rule, steps)
    size = rule.batch_size
    largest = size.max if isinstance(size, BatchRange) else size
    if rule.merge_method == "merge-batch" and largest == 1:
        message = "merge_method: merge-batch requires batch_size > 1"
        yield FieldConflict(steps, message, may_be_elsewhere="batch_size" not in rule.model_fields_set)


def _bounds(rule: QueueOptions, steps: Steps) -> Iterator[FieldConflict]:
    size = rule.batch_size
    if isinstance(size, BatchRange) and size.min > size.max:
        message = f"min must be lower than or equal to max, found {size.min} and {size.max}"
        yield FieldConflict((*steps, "batch_size"), message)


def _merging(rule: QueueRule, steps: Steps, *, in_place: bool) -> Iterator[FieldConflict]:
    if rule.allow_queue_branch_edit and rule.merge_method not in ("merge-batch", "fast-forward"):
        message = "allow_queue_branch_edit requires merge_method to be merge-batch or fast-forward"
        yield FieldConflict(steps, message, may_be_elsewhere="merge_method" not in rule.model_fields_set)
    if rule.branch_protection_injection_mode == "none" and rule.merge_bot_account is None:
        message = "branch_protection_injection_mode: none requires merge_bot_account"
        yield FieldConflict(steps, message, may_be_elsewhere="merge_bot_account" not in rule.model_fields_set)
    if in_place and fast_forwards(rule) and rule.update_method == "merge":
        message = "`update_method: merge` is not compatible with fast-forward merge method; use `rebase`"
        yield FieldConflict(steps, message)


def fast_forwards(rule: QueueRule) -> bool:
    return "fast-forward" in (rule.merge_method, rule.queue_branch_merge_method)


def _message(
    written: CommitMessageFormat | None, template: str | None, steps: Steps
) -> Iterator[FieldConflict]:
    if written is not None and template is not None:
        message = "commit_message_format and commit_message_template are mutually exclusive; keep the first"
        yield FieldConflict(steps, message)
    if written is not None and written.trailers and written.body == "inherit":
        message = "trailers can't be used with body: inherit; set `body` to `pr-body` or `empty`"
        yield FieldConflict((*steps, "commit_message_format"), message)


def _merge_actions(configuration: Configuration) -> Iterator[FieldConflict]:
    for index, rule in enumerate(configuration.pull_request_rules):
        if merge := rule.actions.merge:
            steps: Steps = ("pull_request_rules", index, "actions", "merge")
            yield from _message(merge.commit_message_format, merge.commit_message_template, steps)


def _modes(configuration: Configuration) -> Iterator[FieldConflict]:
    queue, scopes = configuration.merge_queue, configuration.scopes
    if queue.mode == "parallel" and scopes.source is None:
        message = "merge_queue mode parallel requires scopes.source"
        yield FieldConflict(("merge_queue", "mode"), message, may_be_elsewhere=True)
    if queue.mode == "isolated" and queue.skip_intermediate_results:
        message = "skip_intermediate_results is not supported with merge_queue mode isolated"
        yield FieldConflict(("merge_queue",), message)
    if queue.mode == "serial" and (scopes.capacities or scopes.default_capacity is not None):
        option = "capacities" if scopes.capacities else "default_capacity"
        message = f"scopes.{option} requires merge_queue mode parallel or isolated"
        yield FieldConflict(("scopes",), message, may_be_elsewhere="mode" not in queue.model_fields_set)


def _barriers(configuration: Configuration) -> Iterator[FieldConflict]:
    scopes = configuration.scopes
    if scopes.barrier_files is not None and not isinstance(scopes.source, FilesSource):
        yield FieldConflict(
            ("scopes", "barrier_files"), "barrier_files requires a files source (`scopes.source.files`)"
        )


def _automatic_merges(configuration: Configuration) -> Iterator[FieldConflict]:
    queues = [*configuration.queue_rules, configuration.defaults.queue_rule]
    written = any(rule is not None and "autoqueue" in rule.model_fields_set for rule in queues)
    if written and configuration.merge_protections_settings.auto_merge_conditions is not None:
        message = "auto_merge_conditions and autoqueue can't be used together; remove `autoqueue`"
        yield FieldConflict(("merge_protections_settings",), message)


def notes(configuration: Configuration) -> Iterator[str]:
    """What is allowed, and probably not meant."""
    queue = configuration.merge_queue
    if queue.mode == "isolated" and queue.max_parallel_checks == 1:
        yield "merge_queue mode isolated has no effect while max_parallel_checks is 1"
    for rule in configuration.queue_rules:
        if fast_forwards(rule) and rule.commit_message_template:
            yield f"queue `{one_line(rule.name)}`: commit_message_template has no effect with fast-forward"
    for action in configuration.pull_request_rules:
        merge = action.actions.merge
        if merge is not None and merge.method == "fast-forward" and merge.commit_message_template:
            yield f"rule `{one_line(action.name)}`: commit_message_template has no effect with fast-forward"


_RULES: tuple[Callable[[Configuration], Iterator[FieldConflict]], ...] = (
    _unique_names,
    _known_queues,
    _queue_rules,
    _merge_actions,
    _modes,
    _barriers,
    _automatic_merges,
)
