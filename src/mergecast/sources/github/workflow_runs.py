"""A run of a GitHub Actions workflow on a queue branch, from a webhook or from the list of runs."""

from collections.abc import Iterator

from msgspec import structs

from mergecast.sources.github.observation import Observation, Seen
from mergecast.sources.github.payload import Payload, instant, text
from mergecast.sources.github.queue_branch import read_queue_branch
from mergecast.sources.numbers import is_number


def read_workflow_run(run: Payload, id: str, received_at: int) -> Iterator[Observation]:
    """The attempt, and the first one if this is another: lists contain only the newest attempt."""
    branch, head_sha = read_queue_branch(text(run, "head_branch")), text(run, "head_sha")
    if branch is None or head_sha is None:
        return
    given, created_at = run.get("run_attempt"), instant(run, "created_at")
    attempt = given if is_number(given) else None
    started_at = instant(run, "run_started_at") or created_at

    def seen(id: str, attempt: int | None, started_at: int | None) -> Observation:
        return Observation(
            seen=Seen.CHECK,
            id=id,
            received_at=received_at,
            base_ref=branch.base_ref,
            number=branch.number,
            head_sha=head_sha,
            base_sha=branch.built_on,
            check=f"workflow {run.get('workflow_id')}",
            check_id=f"{run.get('id')}/{attempt}",
            attempt=attempt,
            started_at=started_at,
        )

    this = seen(id, attempt, started_at)
    if run.get("status") == "completed":
        this = structs.replace(this, ended_at=instant(run, "updated_at"), conclusion=text(run, "conclusion"))
    yield this
    if attempt is not None and attempt > 1 and created_at is not None:
        yield seen(f"{id}/first", 1, created_at)
