"""The jobs of a train's pipelines become reports about CI checks."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.gitlab.observation import Observation, read_history_item
from mergecast.incoming.sources.gitlab.translate import TrainAround, translate
from sources.ci_check_reports import as_line
from sources.gitlab_pages import TrainStory

_URL = "https://gitlab.example/jobs"


def _story() -> TrainStory:
    """A job fails and is run again; one more may fail, and one runs too long."""
    story = TrainStory()
    story.car(5120, 59, 0, merged=21)
    story.pipeline(246, 59, 1, "success", 20)
    story.job(1, 246, 59, 3, status="failed", failure_reason="script_failure")
    story.job(2, 246, 59, 10, finished_at="2026-09-14T10:19:00Z", queued_duration=None)
    story.job(3, 246, 59, 3, name="audit", status="failed", allow_failure=True, tag_list=[])
    story.job(4, 246, 59, 3, name="load", status="failed", failure_reason="job_execution_timeout")
    story.job(5, 246, 59, None, name="docs", status="skipped", finished_at=None, tag_list=[], runner=None)
    story.job(6, 246, 59, None, name="e2e", status="pending", finished_at=None, queued_duration=None)
    return story


def _lines(observations: list[Observation]) -> list[str]:
    return [as_line(report) for report in translate(59, observations, TrainAround()).ci_checks]


def test_every_job_is_a_check_of_its_pipeline() -> None:
    """How long it waited for a machine is known once it has begun."""
    assert _lines(_story().observations) == [
        f"main 246 attempt 1  rspec  10:01:29 → 10:03:00 → 10:09:00  failure  linux-x64  {_URL}/1  required",
        f"main 246 attempt 1  rspec  ? → 10:10:00 → 10:19:00  success  linux-x64  {_URL}/2  required",
        (
            f"main 246 attempt 1  audit  10:01:29 → 10:03:00 → 10:09:00  failure  runner-17  {_URL}/3  "
            "not required"
        ),
        f"main 246 attempt 1  load  10:01:29 → 10:03:00 → 10:09:00  timed_out  linux-x64  {_URL}/4  required",
        f"main 246 attempt 1  docs  ? → ? → ?  skipped  {_URL}/5  required",
        f"main 246 attempt 1  e2e  ? → ? → ?  runs  linux-x64  {_URL}/6  required",
    ]


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """An import may read the same page twice, once while a job was running."""
    story = _story()
    story.job(1, 246, 59, None, status="pending", finished_at=None)
    repeated = data.draw(st.lists(st.sampled_from(story.observations), max_size=5))
    shuffled = data.draw(st.permutations([*story.observations, *repeated]))

    assert _lines(_story().observations) == _lines(shuffled)


def test_jobs_change_no_event() -> None:
    """Stays and runs follow from cars, notes and pipelines alone."""
    told = _story().observations
    without = [one for one in told if one.name is None]

    assert translate(59, without, TrainAround()).events == translate(59, told, TrainAround()).events
    assert not translate(59, without, TrainAround()).ci_checks


def test_a_job_is_reported_once_its_pipeline_is_known() -> None:
    """Other pipelines of the merge request are not those of the train."""
    story = TrainStory()
    story.car(5120, 59, 0, merged=21)
    story.job(1, 246, 59, 3)
    alone = _lines(story.observations)
    story.pipeline(246, 59, 1, "success", 20)

    assert not alone
    assert 1 == len(_lines(story.observations))


def test_what_does_not_fit_is_counted() -> None:
    """Nothing makes the translation fail."""
    story = TrainStory()
    story.car(5120, 59, 0, merged=21)
    story.pipeline(246, 59, 1, "success", 20)
    story.job(1, 246, 59, 3, name="x" * 10_000)
    story.job(2, 246, 59, 3, name="two\nlines\u202e")
    story.job(3, 246, 59, 3, status="astonished")
    story.job(4, 246, 59, 3, name="linked", web_url="javascript:alert(1)")
    translation = translate(59, story.observations, TrainAround())

    assert [("x" * 238, f"{_URL}/1"), ("two lines", f"{_URL}/2"), ("linked", None)] == [
        (report.name[:238], report.url) for report in translation.ci_checks
    ]
    assert [missing.reason for missing in translation.untranslated] == [
        "control, bidirectional or tag characters were removed from the name of a CI check",
        "a CI check with the unknown conclusion 'astonished' is left out",
        "the link of a CI check is not a web address of at most 500 characters",
    ]


@pytest.mark.parametrize("value", [None, True, -1, 10**30, "x", [7], {}, float("1e300")])
def test_a_field_of_another_type_is_like_a_missing_one(value: Any) -> None:
    job = {
        "id": 7, "pipeline": {"id": 246, "ref": "refs/merge-requests/59/train"}, "name": "rspec",
        "status": "success", "created_at": "2026-09-14T10:01:00Z", "started_at": "2026-09-14T10:03:00Z",
        "finished_at": "2026-09-14T10:09:00Z", "queued_duration": 1, "allow_failure": True,
        "web_url": "https://gitlab.example/jobs/7", "tag_list": ["a"], "runner": {"description": "b"},
        "failure_reason": "x",
    }  # fmt: skip
    for name in job:
        story = TrainStory()
        story.car(5120, 59, 0, merged=21)
        story.pipeline(246, 59, 1, "success", 20)
        seen = read_history_item("job", {**job, name: value})
        translate(59, [*story.observations, *([seen] if seen else [])], TrainAround())
