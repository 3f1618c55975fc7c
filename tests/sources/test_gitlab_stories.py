"""Merge trains become the same events, in whatever order and however often their pages are read."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.gitlab.observation import Observation, read_history_item
from mergecast.incoming.sources.gitlab.translate import TrainAround, translate
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.event import Event
from sources.github_deliveries import clock
from sources.github_translation import as_line
from sources.gitlab_pages import TrainStory
from sources.golden_stories import golden

_REMOVED = "removed this merge request from the merge train"


def merged_at_the_first_try() -> TrainStory:
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.car(5120, 59, 0.01, merged=21)
    story.pipeline(246, 59, 1, "success", 20)
    return story


def the_pipeline_failed_and_it_entered_again() -> TrainStory:
    """GitLab deletes the car of a removed merge request: only the notes show the first stay."""
    story = TrainStory()
    story.note(1, 59, 0, "added this merge request to the merge train at position 2")
    story.pipeline(246, 59, 1, "failed", 9)
    story.note(2, 59, 9.2, f"{_REMOVED} because the pipeline did not succeed.")
    story.note(3, 59, 30, "started a merge train")
    story.car(5121, 59, 30, merged=45)
    story.pipeline(250, 59, 31, "success", 44)
    return story


def the_one_ahead_failed() -> TrainStory:
    story = TrainStory()
    story.car(5120, 60, 0, merged=30)
    story.pipeline(246, 60, 1, "canceled", 9)
    story.pipeline(247, 60, 9.5, "success", 29)
    return story


def removed_by_hand() -> TrainStory:
    story = TrainStory()
    story.car(5120, 59, 0)
    story.note(2, 59, 5, _REMOVED)
    story.pipeline(246, 59, 1, "canceled", 5)
    return story


def closed_while_queued() -> TrainStory:
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.pipeline(246, 59, 1, "canceled", 5.1)
    story.note(2, 59, 5, f"{_REMOVED} because the merge request was closed.")
    return story


def someone_pushed_to_the_base_branch() -> TrainStory:
    """Long before, someone ahead was removed; GitLab builds the train again, and says nothing."""
    story = TrainStory()
    story.car(5120, 59, 0, merged=50)
    story.pipeline(246, 59, 1, "canceled", 30)
    story.pipeline(248, 59, 30.1, "success", 49)
    return story


def two_base_branches() -> TrainStory:
    """The merge request moves from the train of one to the train of the other."""
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.note(2, 59, 5, f"{_REMOVED} because the target branch was changed.")
    story.branch = "release/2.x"
    story.note(3, 59, 6, "added this merge request to the merge train at position 2")
    story.car(5121, 59, 6, merged=30)
    return story


def clocks_differ() -> TrainStory:
    """The pipeline begins before the merge request entered, and ends after it has merged."""
    story = TrainStory()
    story.note(1, 59, 0.5, "started a merge train")
    story.car(5120, 59, 0, merged=20)
    story.pipeline(246, 59, -0.5, "success", 20.5)
    return story


def merged_immediately() -> TrainStory:
    story = TrainStory()
    story.car(5120, 59, 0, merged=5, status="skip_merged")
    return story


def gone_without_a_word() -> TrainStory:
    story = TrainStory()
    story.car(5120, 59, 0)
    story.pipeline(246, 59, 1, "running")
    story.absent(59, 30)
    return story


def still_on_the_train() -> TrainStory:
    story = TrainStory()
    story.car(5120, 59, 0)
    story.pipeline(246, 59, 1, "running")
    return story


def removed_and_added_again_within_a_minute() -> TrainStory:
    """The pipeline began before it was removed; both entries are close to the only car that is left."""
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.pipeline(246, 59, 0.2, "canceled", 0.5)
    story.note(2, 59, 0.5, _REMOVED)
    story.note(3, 59, 1, "started a merge train")
    story.car(5121, 59, 1)
    story.pipeline(247, 59, 1.2, "failed", 20)
    story.note(4, 59, 20.1, f"{_REMOVED} because the [pipeline](https://x.test/1) did not succeed.")
    return story


def jobs_ran_again_after_the_merge() -> TrainStory:
    """The pipeline's record changes a day later: its last change is not the end of the check."""
    story = TrainStory()
    story.car(5120, 59, 0, merged=21)
    story.pipeline(246, 59, 1, "success", 20 + 24 * 60)
    return story


def a_failed_job_ran_again_and_passed() -> TrainStory:
    """The first pipeline was seen only afterwards, the second also when it failed."""
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.pipeline(246, 59, 1, "success", 200)
    story.note(2, 59, 9.2, f"{_REMOVED} because the pipeline did not succeed.")
    story.note(3, 59, 30, "started a merge train")
    story.pipeline(250, 59, 31, "failed", 39)
    story.pipeline(250, 59, 31, "success", 300)
    story.note(4, 59, 39.2, f"{_REMOVED} because the pipeline did not succeed.")
    return story


STORIES: tuple[Callable[[], TrainStory], ...] = (
    merged_at_the_first_try,
    the_pipeline_failed_and_it_entered_again,
    the_one_ahead_failed,
    removed_by_hand,
    closed_while_queued,
    someone_pushed_to_the_base_branch,
    two_base_branches,
    clocks_differ,
    merged_immediately,
    gone_without_a_word,
    still_on_the_train,
    removed_and_added_again_within_a_minute,
    jobs_ran_again_after_the_merge,
    a_failed_job_ran_again_and_passed,
)
_AROUND = TrainAround(members={247: [58]}, removals=((clock(8.9), "CHECKS_FAILED"),))


def _events(observations: Sequence[Observation]) -> tuple[Event, ...]:
    return translate(observations[0].number, observations, _AROUND).events


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_story_gives_its_events(story: Callable[[], TrainStory]) -> None:
    """The golden file holds the events, one per line."""
    told = "".join(f"{as_line(event)}\n" for event in _events(story().observations))

    assert golden("gitlab", story.__name__, told) == told


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """Every poll lists again what the last one listed."""
    seen = data.draw(st.sampled_from(STORIES))().observations
    repeated = data.draw(st.lists(st.sampled_from(seen), max_size=5))

    assert _events(seen) == _events(data.draw(st.permutations([*seen, *repeated])))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "PR_MANUALLY_DEQUEUED"),
        (" because the pipeline did not succeed.", "CHECKS_FAILED"),
        (" because [the pipeline](https://x.test/1) did not succeed.", "CHECKS_FAILED"),
        (" because the source branch was updated.", "PULL_REQUEST_UPDATED"),
        (" because the merge train pipeline could not be prepared.", "CONFLICT_WITH_PULL_AHEAD"),
        (" because the target branch was changed.", "BASE_BRANCH_CHANGED"),
        (" because the merge request was marked as draft.", "PR_DEQUEUED"),
        (" because the merge request was closed.", "PR_DEQUEUED"),
        (" because an unexpected error occurred. Correlation id: 01HX.", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
        (" because it is not mergeable. Explanation: The pipeline must succeed.", "CHECKS_FAILED"),
        (" because it is not mergeable. Explanation: It is behind the target branch.", "PR_DEQUEUED"),
        (
            " because it is not mergeable. Explanation: There are merge conflicts.",
            "CONFLICT_WITH_BASE_BRANCH",
        ),
        (" because the merge did not complete in time.", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
        (" because no stages / jobs for this pipeline.", "PR_DEQUEUED"),
        (
            " because the resulting pipeline would have been empty. Review the rules configuration.",
            "PR_DEQUEUED",
        ),
        (" because the pipeline did not run. Review the workflow:rules configuration.", "PR_DEQUEUED"),
        (" because of the weather.", "UNKNOWN"),
    ],
)
def test_the_words_of_a_note_give_the_reason(words: str, reason: str) -> None:
    """Notes are the only record of removals, and they are prose."""
    story = TrainStory()
    story.car(5120, 59, 0)
    story.note(2, 59, 5, f"{_REMOVED}{words}")

    assert reason == _events(story.observations)[-1].reason


def test_older_versions_of_gitlab_aborted_a_merge_request() -> None:
    story = TrainStory()
    story.car(5120, 59, 0)
    story.note(
        2, 59, 5, "aborted this merge request from the merge train because the pipeline did not succeed."
    )

    assert "CHECKS_FAILED" == _events(story.observations)[-1].reason


def test_an_unknown_reason_is_reported() -> None:
    """The stay is still counted, with the reason UNKNOWN."""
    story = TrainStory()
    story.note(1, 59, 0, "started a merge train")
    story.note(2, 59, 5, f"{_REMOVED} because of the weather.")

    expected = (Untranslated("unknown reason: of the weather.", clock(5)),)
    assert expected == translate(59, [*story.observations] * 2, _AROUND).untranslated


@pytest.mark.parametrize("item", [{}, {"id": "x"}, {"id": 1, "merge_request": None}, {"created_at": "soon"}])
def test_items_of_another_shape_are_nothing(item: dict[str, Any]) -> None:
    """They give no observation and no crash."""
    kinds = ("car", "pipeline", "note", "absent", "another")

    assert [None] * 5 == [read_history_item(kind, {"number": 1, **item}) for kind in kinds]
