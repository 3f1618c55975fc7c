"""Why pull requests were removed from a queue, and what came of what was said."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime, one_of
from mergecast.queues.model.verdict import ACTS, CAUSES, CERTAINTIES, EVIDENCE_KINDS, NEARBY_RESULTS, OUTCOMES

VerdictCause = Annotated[str, one_of(*CAUSES)]


VerdictCertainty = Annotated[str, one_of(*CERTAINTIES)]


VerdictAct = Annotated[str, one_of(*ACTS)]


VerdictOutcome = Annotated[str, one_of(*OUTCOMES)]


EvidenceKind = Annotated[str, one_of(*EVIDENCE_KINDS)]


NearbyResult = Annotated[str, one_of(*NEARBY_RESULTS)]


class CauseProbabilities(Struct, frozen=True):
    """How probable each cause of a failed check is; together 1."""

    own: float
    other: float
    flake: float
    everybody: float


class WaitFor(Struct, frozen=True):
    """What must happen first: another run passes this check, or this pull request leaves the queue."""

    check: str | UnsetType = UNSET
    pull_request: int | UnsetType = UNSET


class VerdictEvidence(Struct, frozen=True):
    """One observation behind a verdict, and the ids of the batches that show it."""

    kind: EvidenceKind
    text: str
    batches: tuple[str, ...]


class NearbyRun(Struct, frozen=True):
    """A run of others in the 6 hours before the removal; `result` is about the check that failed.

    Without names of checks, it is about the run. `failed_otherwise`: another check failed.
    """

    batch_id: str
    attempt: int
    ended_at: DateTime
    pull_requests: tuple[int, ...]
    result: NearbyResult


class VerdictBasis(Struct, frozen=True):
    """What a verdict could draw on, in this queue until then."""

    runs: int
    removals: int
    check_names: bool  # the run that failed has names of failed checks
    head_sha: bool  # the commit of this stay is known
    unchanged_returns: int  # removals that people queued again with the same commit


class Proven(Struct, frozen=True):
    """What later runs proved about the cause of a removal."""

    cause: VerdictCause
    sentence: str


class RemovalVerdict(Struct, frozen=True):
    """Why a pull request was removed from a queue, and what to do next.

    A verdict is what could be said then. `outcome` says what came later, null while that is open or cannot be
    known; `proven` says what that proved. `in_queue_since` is null unless it is in a queue again.
    `probabilities`, `passes_now` and `passes_later` are null if the reason of the removal says enough, or if
    nothing can be computed. Until the removal is judged, a reason that says enough is answered with
    revision 0.
    """

    removed_at: DateTime
    in_queue_since: DateTime | None
    proven: Proven | None
    cause: VerdictCause
    certainty: VerdictCertainty
    probabilities: CauseProbabilities | None
    passes_now: float | None
    passes_later: float | None
    act: VerdictAct
    wait_for: WaitFor | None
    checks: tuple[str, ...]
    others: tuple[int, ...]
    evidence: tuple[VerdictEvidence, ...]
    nearby: tuple[NearbyRun, ...]
    sentence: str
    basis: VerdictBasis
    judged_at: DateTime
    revision: int
    outcome: VerdictOutcome | None


class RemovalCauses(Struct, frozen=True):
    """How many removals had each cause."""

    own: int = 0
    other: int = 0
    flake: int = 0
    everybody: int = 0
    conflict: int = 0
    person: int = 0
    push: int = 0
    queue: int = 0
    platform: int = 0
    unknown: int = 0

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__struct_fields__}


class VerdictOutcomes(Struct, frozen=True):
    """What came later: it came back unchanged and merged, or failed again; came back changed; or never did.

    `open` are those of which that is not known: it is too early, or no event names the commit.
    """

    merged: int = 0
    failed_again: int = 0
    changed: int = 0
    never_returned: int = 0
    open: int = 0


class SaidAct(Struct, frozen=True):
    """How often an act was said, and what came of it.

    Of the `known` ones, which came back unchanged, `right` came as said: after `queue_again` and `wait` they
    merged, after `fix` they failed again. A return with changes proves nothing. Both are null for `look` and
    `nothing`.
    """

    act: VerdictAct
    said: int
    outcomes: VerdictOutcomes
    right: int | None
    known: int | None


class SureVerdicts(Struct, frozen=True):
    """Verdicts by CI runs that were sure; of the `returned` ones, which came back unchanged, as they said."""

    said: int
    returned: int
    as_said: int


class QueueVerdicts(Struct, frozen=True):
    """The verdicts of a queue.

    `outcomes` are those of all removals, whatever was said: the base rates. `unchanged_merged` of the
    `unchanged_returns` merged. In `removal_causes`, what later runs proved counts instead of what was said;
    `not_judged` of the removals are not among them yet.
    """

    base_ref: str
    queue_name: str
    removals: int
    not_judged: int
    removal_causes: RemovalCauses
    acts: tuple[SaidAct, ...]
    outcomes: VerdictOutcomes
    unchanged_returns: int
    unchanged_merged: int
    sure: SureVerdicts
    sentence: str


class Verdicts(Struct, frozen=True):
    """The verdicts about removals of a period, by queue."""

    start_at: DateTime
    end_at: DateTime
    queues: tuple[QueueVerdicts, ...]
