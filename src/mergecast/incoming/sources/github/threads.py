"""The deliveries of one thread → its standing and its events.

A thread is a pull request (`#412`), or all pushes to a branch that the queue did not make (`main#`). A group
of one pull request may be built on the group of another, by commit.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

import msgspec
from msgspec import structs

from mergecast.incoming.sources.commits import with_bad_commits
from mergecast.incoming.sources.github.branch_standing import (
    StandingOfBranch,
    standing_of_branch,
    standing_of_settings,
)
from mergecast.incoming.sources.github.ci_checks import CiOfBranch, by_commit
from mergecast.incoming.sources.github.groups import SKEW, is_destroyed_before, merge_groups, rebuilt_at
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import with_server_clock_corrected
from mergecast.incoming.sources.github.stays.draft import GitHubStay
from mergecast.incoming.sources.github.stays.exits import SAME, is_merge
from mergecast.incoming.sources.github.stays.sequence import github_stays
from mergecast.incoming.sources.github.surroundings import GroupFate, fates_of_groups, surroundings_of
from mergecast.incoming.sources.github.translate import translate
from mergecast.incoming.sources.titles import with_changed_title
from mergecast.incoming.sources.translation import (
    MOST_DELIVERIES,
    ReadThread,
    Standing,
    TooManyReports,
    Translation,
    check_length,
)
from mergecast.queues.model.event import MERGED_REASONS

_ENTRIES = (Seen.ENTERED, Seen.QUEUED)


def by_base(observations: Sequence[Observation]) -> dict[str, list[Observation]]:
    """What was seen of a pull request in the queue of each base branch."""
    bases = {report.base_ref for report in observations}
    if len(bases) <= 1:
        return {base_ref: list(observations) for base_ref in bases}
    found: defaultdict[str, list[Observation]] = defaultdict(list)
    for report in _with_branches_left(observations):
        found[report.base_ref].append(report)
    return dict(found)


def _with_branches_left(observations: Iterable[Observation]) -> Iterator[Observation]:
    """The observations; an exit counts for the base branch that the pull request was queued for.

    A pull request leaves its queue when its base branch is changed, and GitHub reports the exit with the
    new branch, for which it is not queued.
    """
    queues = _Queues()
    for report in sorted(
        observations, key=lambda report: (_changed_at(report), report.seen in _ENTRIES, report.id)
    ):
        if _is_exit(report):
            base_ref = queues.left_by(report)
            queues.leave(base_ref, _changed_at(report))
        else:
            base_ref = report.base_ref
            queues.note(report)
        yield structs.replace(report, base_ref=base_ref)


class _Queues:
    """The queues that a pull request may be in, after some of its reports."""

    def __init__(self) -> None:
        self._queued_for: str | None = None
        self._unended: set[str] = set()  # branches with an entry or a group, and no exit since
        self._last_left, self._last_left_at = "", 0

    def left_by(self, exit: Observation) -> str:
        """The base branch whose queue the pull request left: not always the one that the exit names."""
        if exit.base_ref in self._unended or _is_by_queue(exit):
            return exit.base_ref
        if self._queued_for is not None:
            return self._queued_for
        is_repeated = self._last_left and _changed_at(exit) - self._last_left_at <= SAME
        return self._last_left if is_repeated and exit.seen is Seen.LEFT else exit.base_ref

    def leave(self, base_ref: str, at: int) -> None:
        self._unended.discard(base_ref)
        if base_ref == self._queued_for:
            self._last_left, self._last_left_at, self._queued_for = base_ref, at, None

    def note(self, report: Observation) -> None:
        """Remember an entry or a group."""
        if report.seen in _ENTRIES:
            self._queued_for = report.base_ref
        if report.seen in _ENTRIES or report.seen is Seen.GROUP_BUILT:
            self._unended.add(report.base_ref)


def _is_exit(report: Observation) -> bool:
    return report.seen in (Seen.LEFT, Seen.CLOSED)


def _is_by_queue(exit: Observation) -> bool:
    """Whether the queue of the branch merged the pull request, which was therefore in that queue."""
    return is_merge(exit) and (exit.seen is Seen.LEFT or exit.is_by_queue)


def _changed_at(report: Observation) -> int:
    """The webhook may be late, but the pull request last changed when its base branch did, or afterwards."""
    return report.changed_at or report.instant


# Commit statuses that do not say which merge group they are about: they only name its commit.
#
# A status lists up to ten branches that contain its commit, also those of groups that were built on top of
# it. Only the branch whose head is the commit is that of its group, and it may be missing: others fill the
# list, or it was deleted before the status was sent. Such a status belongs to the pull request that has a
# group with this commit. Until a delivery shows that group, it is stored with other strays.


_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# Strays are stored in 4,096 threads at most, however many commits there are.
_DIGITS = 3


def is_commit(text: str | None) -> bool:
    return text is not None and _COMMIT.fullmatch(text) is not None


def is_stray(observation: Observation) -> bool:
    return not observation.base_ref and observation.number is None


def thread_of_strays(commit: str) -> str:
    """Where strays about a commit are stored; no branch has such a name."""
    return f"strays {commit[:_DIGITS]}#"


def commit_of_stray(fields: str) -> str:
    """The commit that a stored stray is about."""
    (stray,) = _observations.decode(fields)
    return stray.head_sha or ""


def placed(seen: Sequence[Observation]) -> Sequence[Observation]:
    """The observations, with strays assigned to the groups that have their commits, or else left out."""
    if not any(is_stray(observation) for observation in seen):
        return seen
    groups: dict[str | None, Observation] = {
        observation.head_sha: observation
        for observation in sorted(
            seen,
            key=lambda observation: (observation.base_ref, observation.number or 0, observation.id),
            reverse=True,
        )
        if observation.head_sha is not None and not is_stray(observation)
    }
    found = []
    for observation in seen:
        group = groups.get(observation.head_sha) if is_stray(observation) else observation
        if group is not None:
            found.append(structs.replace(observation, base_ref=group.base_ref, number=group.number))
    return found


_observations = msgspec.json.Decoder(list[Observation])
_branch = msgspec.json.Decoder(StandingOfBranch)
_fates = msgspec.json.Decoder(dict[str, GroupFate])
_OF_CI = frozenset({Seen.CHECK, Seen.JOB})
# A bot may push to a pull request all day, which takes no time to translate.
_UNCOUNTED = _OF_CI | {Seen.PUSHED}

_StaysByBase = Mapping[str, Sequence[GitHubStay]]


def read_thread(thread: str, fields: Sequence[str]) -> ReadThread:
    """The standing of a thread, and its translation, which both follow from the same stays."""
    decoded = [observation for text in fields for observation in _observations.decode(text)]
    seen = with_server_clock_corrected(placed(decoded))
    branch = standing_of_settings(seen) or standing_of_branch(seen)
    if branch is not None:
        return ReadThread(branch, _without_events)
    _check_length(seen)
    observations = [report for report in seen if report.seen is not Seen.JOB]
    jobs = [report for report in seen if report.seen is Seen.JOB]
    stays = {
        base_ref: github_stays(own, merge_groups(own)) for base_ref, own in by_base(observations).items()
    }
    _, _, number = thread.rpartition("#")
    titled = [report.instant for report in seen if report.has_changed_title]
    bad = [report.instant for report in seen if report.pull_sha == ""]
    standing = _standing_of_pull_request(observations, stays)
    if not number:
        return ReadThread(standing, _without_events)

    def translated(around: Sequence[str]) -> Translation:
        translation = _translate(int(number), stays, jobs, around)
        return with_bad_commits(with_changed_title(translation, titled), bad)

    return ReadThread(standing, translated)


def _without_events(_: Sequence[str]) -> Translation:
    return Translation()


def _standing_of_pull_request(observations: Sequence[Observation], stays: _StaysByBase) -> Standing:
    """Its groups, and how they ended."""
    grouped = [report for report in observations if report.head_sha is not None]
    # It may have left long before the webhook came.
    changed = [
        report.changed_at
        for report in observations
        if report.seen is Seen.LEFT and report.changed_at is not None
    ]
    fates: dict[str, GroupFate] = {}
    owns = {report.head_sha for report in grouped if report.head_sha}
    strays_in = frozenset(map(thread_of_strays, owns))
    built_on = {report.base_sha for report in grouped if report.base_sha}
    built_on |= {f"{report.base_ref}#" for report in grouped}
    for base_ref, own in stays.items():
        instants = [instant for stay in own for instant in _ends_of_groups(stay)]
        fates |= fates_of_groups(own)
        owns |= _moments(base_ref, [*instants, *changed])
        built_on |= _moments(base_ref, [instant + shift for instant in instants for shift in (-SKEW, SKEW)])
    text = msgspec.json.encode(fates, order="deterministic").decode()
    return Standing(text, frozenset(owns), frozenset(built_on), min(changed, default=None), strays_in)


def _ends_of_groups(stay: GitHubStay) -> Iterator[int]:
    """When groups of the stay were destroyed without merging."""
    for group, following in zip_longest(stay.groups, stay.groups[1:]):
        if following is not None:
            yield rebuilt_at(group, following)
        elif stay.exit is not None and stay.exit.reason not in MERGED_REASONS:
            yield stay.exit.at
        is_void = stay.exit is None or is_destroyed_before(group, stay.exit.at)
        if following is None and is_void and group.destroyed_at is not None:
            yield group.destroyed_at


def _moments(base_ref: str, instants: Iterable[int]) -> set[str]:
    """Names that connect the pull requests whose groups were destroyed together."""
    return {f"{base_ref}@{instant // (2 * SKEW)}" for instant in instants}


def _translate(
    number: int, stays: _StaysByBase, jobs: Sequence[Observation], standings: Iterable[str]
) -> Translation:
    """The events of a pull request, given the standings of the threads that it depends on."""
    fates: dict[str, GroupFate] = {}
    branches: dict[str, StandingOfBranch] = {}
    for standing in standings:
        if standing.startswith("["):
            branch = _branch.decode(standing)
            branches[branch.base_ref] = branch
        else:
            fates |= _fates.decode(standing)
    translations = []
    for base_ref, own in stays.items():
        branch = branches.get(base_ref) or StandingOfBranch(base_ref)
        ci = CiOfBranch(by_commit(jobs), branch.required)
        translations.append(translate(base_ref, number, own, surroundings_of(fates, branch.pushes), ci))
    return Translation(
        tuple(event for translation in translations for event in translation.events),
        tuple(missing for translation in translations for missing in translation.untranslated),
        tuple(report for translation in translations for report in translation.ci_checks),
    )


def _check_length(observations: Sequence[Observation]) -> None:
    if len(observations) > MOST_DELIVERIES:
        raise TooManyReports(f"more than {MOST_DELIVERIES:,} checks of one pull request")
    tested = {report.head_sha for report in observations if report.seen in _OF_CI}
    check_length(len(tested) + sum(report.seen not in _UNCOUNTED for report in observations))
