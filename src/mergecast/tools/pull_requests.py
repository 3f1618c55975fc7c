"""`pull_request_status` and `explain_removal`: where a pull request stands, and why it was removed."""

from collections.abc import Iterator, Sequence
from typing import Any

from mergecast.queues.answers.pulls import PullState, Removal, ShortWait
from mergecast.queues.answers.verdicts import RemovalVerdict, WaitFor
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.words import (
    CAUSE_WORDS,
    OUTCOME_WORDS,
    TROUBLE_WORDS,
    counted,
    from_here,
    in_words,
)
from mergecast.tools.asking import Asker, ToolError
from mergecast.tools.strangers import cleaned, link, marked
from mergecast.tools.tool import (
    BOOLEAN,
    INTEGER,
    LEFT_OUT,
    NUMBER,
    PULL_REQUEST,
    REPOSITORY,
    STRING,
    STRING_OR_NULL,
    Result,
    Tool,
    at,
    list_of,
    no_time,
    object_of,
)

_WAITS = {
    "ci": "its CI run is in progress",
    "ahead": "others are ahead of it",
    "batch": "the queue waits for more pull requests to fill a batch",
    "capacity": "all slots for CI runs are taken",
    "start": "its CI run has not started yet",
    "schedule": "the queue is closed by its schedule",
    "freeze": "the queue is frozen",
    "pause": "the queue is paused",
    "no_data": "nothing has arrived from the platform for unusually long, so this may be outdated",
}
_ACTS = {
    "queue_again": "Queue it again, unchanged.",
    "wait": "Wait, then queue it again unchanged.",
    "fix": "Fix it before it is queued again: queueing it unchanged will very probably fail.",
    "look": "Look at the log first: the evidence does not tell whether the change is at fault.",
    "nothing": "Do nothing: it was removed on purpose. Ask whoever removed it.",
}
_CERTAINTIES = {"sure": "almost certainly", "likely": "probably", "cannot_tell": "perhaps"}
_EVIDENCE = {
    "failed_alone": "failed when it was tested alone",
    "failed_with": "failed when it was tested with others",
    "passed_without": "others passed without it",
    "others_failed": "failed for others nearby",
    "others_passed": "passed for others nearby",
    "retried": "was tried again",
}
_NEVER_REMOVED = "was never removed"
_MOST_SHOWN = 10
_NOT_FOUND = 404


async def _status(asker: Asker, given: dict[str, Any]) -> Result:
    found = await asker.read(given["repository"], f"/pulls/{given['number']}/state", PullState)
    expected, removal = found.expected_merge, found.removal
    lines = list(_standing(found))
    if removal is not None and found.state != "merged":
        lines += _removal(removal, is_last=found.state == "removed")
    return Result(
        lines,
        {
            "number": found.pull_request,
            "state": found.state,
            "since": found.since,
            "position": found.position,
            "waiting_for": found.waiting_for and found.waiting_for.reason,
            "expected": expected and expected.p50,
            "latest": expected and expected.p90,
            "chance": expected and expected.chance,
            "expected_state": found.expected_merges,
            "removed_at": removal and removal.at,
            "cause": removal and removal.cause,
            "act": removal and removal.act,
        },
    )


def _standing(found: PullState) -> Iterator[str]:
    number, since = f"#{found.pull_request}", at(found.since or "")
    if found.state == "unknown":
        yield f"{number} is not known here: it has not been in a queue. It may not be queued yet."
    elif found.state == "merged":
        yield f"{number} merged at {since}."
    elif found.state == "removed":
        yield f"{number} is in no queue: it was removed at {since}."
    else:
        place = "" if found.position is None else f" at position {found.position}"
        yield f"{number} is in the queue{place} since {since}."
        yield from _waiting(found)


def _waiting(found: PullState) -> Iterator[str]:
    waits, expected = found.waiting_for, found.expected_merge
    if waits is not None:
        until = f", until {at(waits.until)}" if waits.until else ""
        failed = "; its last CI run failed" if waits.failed_at else ""
        yield f"It waits: {_WAITS.get(waits.reason, waits.reason)}{until}{failed}{_trouble(waits)}."
    if expected is None:
        yield no_time(found.expected_merges)
    else:
        yield (
            f"Expected merge: {at(expected.p50)}, at the latest {at(expected.p90)} in nine of ten "
            f"cases; {from_here(expected.chance)}."
        )
    yield "Do not poll: `mergecast wait` waits for the end."


def _trouble(waits: ShortWait) -> str:
    """What is wrong with its queue."""
    if waits.alert is None or waits.alert.figure not in TROUBLE_WORDS:
        return ""
    return f"; {TROUBLE_WORDS[waits.alert.figure].format(at(waits.alert.since))}"


def _removal(removal: Removal, *, is_last: bool) -> Iterator[str]:
    before = "" if is_last else f"Before, it was removed at {at(removal.at)}. "
    if removal.cause is None:
        soon = "The verdict is being computed. " if removal.is_being_judged else ""
        yield f"{before}{soon}The reason that the queue gave: {in_words(removal.reason)}."
    else:
        yield f"{before}Probable cause: {CAUSE_WORDS.get(removal.cause, removal.cause)}."
    if is_last and removal.act is not None:
        yield f"{_ACTS.get(removal.act, '')} Call explain_removal for the evidence and the failed check."


async def _explain(asker: Asker, given: dict[str, Any]) -> Result:
    repository, number = given["repository"], given["number"]
    replied = await asker.reply(repository, f"/pulls/{number}/verdict")
    if replied.status == _NOT_FOUND and _NEVER_REMOVED.encode() in replied.body:
        line = f"#{number} was never removed from a queue, as far as is known. Call pull_request_status."
        return Result([line], {"number": number, "removed": False})
    verdict = asker.answer(replied, repository, RemovalVerdict)
    failed = await _failed_checks(asker, repository, number, verdict.checks)
    lines = [*_why(number, verdict), *_failures(failed), *_evidence(verdict)]
    awaited = verdict.wait_for or WaitFor()
    return Result(
        lines,
        {
            "number": number,
            "removed": True,
            "cause": verdict.cause,
            "certainty": verdict.certainty,
            "act": verdict.act,
            "failed_checks": failed[:_MOST_SHOWN],
            "others": verdict.others[:_MOST_SHOWN],
            "wait_for_check": cleaned(awaited.check) if awaited.check else None,
            "wait_for_pull_request": awaited.pull_request or None,
            "evidence": _counted_evidence(verdict),
            "removed_at": verdict.removed_at,
            "in_queue_since": verdict.in_queue_since,
            "proven_cause": verdict.proven and verdict.proven.cause,
            "judged_at": verdict.judged_at,
            "outcome": verdict.outcome,
            LEFT_OUT: max(0, len(failed) - _MOST_SHOWN),
        },
    )


async def _failed_checks(
    asker: Asker, repository: Repository, number: int, names: Sequence[str]
) -> list[dict[str, Any]]:
    """The checks that a verdict names, each with the address of its last failure, if that is known."""
    if not names:
        return []
    try:
        history = await asker.about(repository, f"/pulls/{number}/history")
    except ToolError:  # the verdict is worth more than the links
        history = {"stays": []}
    links: dict[str, str | None] = {}
    for stay in history["stays"]:  # the newest first
        if stay["left_at"] is not None:
            for run in reversed(stay["checks"]):
                if (check := run.get("failed_ci_check")) is not None:
                    links.setdefault(check["name"], check["url"])
    return [{"name": cleaned(name), "url": link(links.get(name))} for name in names]


def _why(number: int, verdict: RemovalVerdict) -> Iterator[str]:
    cause = CAUSE_WORDS.get(verdict.cause, verdict.cause)
    removed, again = f"#{number} was removed at {at(verdict.removed_at)}", verdict.in_queue_since
    if again is not None:
        yield f"{removed}. It is in the queue again since {at(again)}: do not queue it again."
    if verdict.proven is not None:
        yield f"Later runs proved: {verdict.proven.sentence} What follows was said before that."
    if verdict.probabilities is None:
        yield f"{removed}. Cause, by the reason that the queue gave: {cause}."
    else:
        yield f"{removed}, {_CERTAINTIES[verdict.certainty]} because of {cause}."
    sentence = _marked_sentence(verdict)
    if sentence is not None:
        yield sentence
    others = ", ".join(f"#{other}" for other in verdict.others[:5])
    if others:
        yield f"Pull requests that it was tested with and that may be at fault: {others}."
    yield f"What to do: {_ACTS.get(verdict.act, verdict.act)}{_awaited(verdict)}"


def _marked_sentence(verdict: RemovalVerdict) -> str | None:
    """What the API says, with each name of a check marked; None if its names cannot be told from its words.

    Only this sentence has percentages that are calibrated: `probabilities` are not.
    """
    awaited = verdict.wait_for and verdict.wait_for.check
    known = {*verdict.checks, *([awaited] if awaited else [])}
    parts = verdict.sentence.split("`")
    words, names = parts[::2], parts[1::2]
    if len(words) == len(names) or not known.issuperset(names) or any("`" in name for name in known):
        return None
    shown = [*map(marked, names), ""]
    return "".join(f"{said}{name}" for said, name in zip(words, shown, strict=True))


def _awaited(verdict: RemovalVerdict) -> str:
    awaited = verdict.wait_for or WaitFor()
    if awaited.check:
        return f" Wait until another run passes {marked(awaited.check)}."
    return f" Wait until #{awaited.pull_request} has left the queue." if awaited.pull_request else ""


def _failures(failed: list[dict[str, Any]]) -> Iterator[str]:
    if failed:
        shown = (f"«{one['name']}»" + (f" («{one['url']}»)" if one["url"] else "") for one in failed[:3])
        more = f" and {len(failed) - 3} more" if len(failed) > 3 else ""  # noqa: PLR2004 - as many as shown
        yield f"Failed checks: {', '.join(shown)}{more}. check_flakiness says how often they fail by chance."


def _counted_evidence(verdict: RemovalVerdict) -> dict[str, int]:
    kinds = [one.kind for one in verdict.evidence]
    return {kind: kinds.count(kind) for kind in _EVIDENCE if kind in kinds}


def _evidence(verdict: RemovalVerdict) -> Iterator[str]:
    found = [f"{_EVIDENCE[kind]} ({count})" for kind, count in _counted_evidence(verdict).items()]
    basis = verdict.basis
    known = f"{counted(basis.runs, 'CI run')} and {counted(basis.removals, 'removal')} of this queue"
    yield f"Evidence: {'; '.join(found) or 'the reason alone'}. It rests on {known}."
    if not basis.check_names and verdict.probabilities is not None:
        yield "Which check failed is not known here, which makes the verdict less certain."
    if verdict.outcome is not None:
        yield f"What came later: {OUTCOME_WORDS[verdict.outcome]}"


_INPUTS = {"repository": REPOSITORY, "number": PULL_REQUEST}
STATUS = Tool(
    "pull_request_status",
    "Is a pull request merged, when will it merge, why is it still waiting in the merge queue? Use it first "
    "for any question about one pull request. If it was removed (evicted, ejected, dequeued, kicked), call "
    "explain_removal next.",
    _INPUTS,
    object_of(
        number=INTEGER,
        state={"enum": ["unknown", "in_queue", "merged", "removed"]},
        since=STRING_OR_NULL,
        position=NUMBER,
        waiting_for=STRING_OR_NULL,
        expected=STRING_OR_NULL,
        latest=STRING_OR_NULL,
        chance=NUMBER,
        expected_state=STRING_OR_NULL,
        removed_at=STRING_OR_NULL,
        cause=STRING_OR_NULL,
        act=STRING_OR_NULL,
    ),
    _status,
)
EXPLAIN = Tool(
    "explain_removal",
    "Why was a pull request removed from the merge queue (evicted, ejected, dequeued, kicked), whose fault "
    "was it probably, should it be queued again, which check failed, what is the evidence? Do what `act` "
    "says: never queue again against it. Next: check_flakiness for a failed check.",
    _INPUTS,
    object_of(
        number=INTEGER,
        removed=BOOLEAN,
        cause=STRING,
        certainty=STRING,
        act={"enum": list(_ACTS)},
        failed_checks=list_of(object_of(name=STRING, url=STRING_OR_NULL)),
        others=list_of(INTEGER),
        wait_for_check=STRING_OR_NULL,
        wait_for_pull_request=NUMBER,
        evidence={"type": "object"},
        removed_at=STRING,
        in_queue_since=STRING_OR_NULL,
        proven_cause=STRING_OR_NULL,
        judged_at=STRING,
        outcome=STRING_OR_NULL,
        left_out=INTEGER,
    ),
    _explain,
)
