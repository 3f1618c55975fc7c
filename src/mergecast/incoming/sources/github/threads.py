"""The deliveries of one thread → its standing and its events.

A thread is a pull request (`#412`), or all pushes to a branch that the queue did not make (`main#`). A group
of one pull request may be built on the group of another, by commit.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

import msgspec
from msgspec import structs

from mergecast.incoming.sources.commits import with_bad_commits
from mergecast.incoming.sources.github.base_branches import by_base
from mergecast.incoming.sources.github.branch_standing import StandingOfBranch, standing_of_branch
from mergecast.incoming.sources.github.ci_checks import CiOfBranch, by_commit
from mergecast.incoming.sources.github.groups import SKEW, is_destroyed_before, merge_groups, rebuilt_at
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import with_server_clock_corrected
from mergecast.incoming.sources.github.stays.draft import GitHubStay
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
    branch = standing_of_branch(seen)
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
