"""What GitLab's API lists about merge trains, written as a story that begins at 10:00:00."""

from dataclasses import dataclass, field
from typing import Any

from mergecast.incoming.sources.gitlab.observation import Observation, read_history_item
from mergecast.queues.model.instant import format_instant
from sources.github_deliveries import clock, sha


@dataclass
class TrainStory:
    """Every method is something GitLab lists; minutes count from the beginning."""

    observations: list[Observation] = field(default_factory=list)
    branch: str = "main"

    def _add(self, kind: str, item: dict[str, Any]) -> None:
        seen = read_history_item(kind, {"target_branch": self.branch, **item})
        assert seen is not None
        self.observations.append(seen)

    def car(self, id: int, number: int, entered: float, merged: float | None = None, **more: Any) -> None:
        item = {
            "id": id,
            "merge_request": {"iid": number},
            "created_at": format_instant(clock(entered)),
            "status": "fresh" if merged is None else "merged",
            "merged_at": None if merged is None else format_instant(clock(merged)),
            "head_sha": sha(f"change {number}"),
            "merged_head_sha": None if merged is None else sha(f"change {number}"),
            **more,
        }
        self._add("car", item)

    def pipeline(self, id: int, number: int, began: float, status: str, ended: float | None = None) -> None:
        item = {
            "id": id,
            "ref": f"refs/merge-requests/{number}/train",
            "status": status,
            "created_at": format_instant(clock(began)),
            "updated_at": None if ended is None else format_instant(clock(ended)),
        }
        self._add("pipeline", item)

    def job(self, id: int, pipeline: int, number: int, began: float | None, **more: Any) -> None:
        item = {
            "id": id,
            "pipeline": {"id": pipeline, "ref": f"refs/merge-requests/{number}/train"},
            "name": "rspec",
            "status": "success",
            "created_at": format_instant(clock(1)),
            "started_at": None if began is None else format_instant(clock(began)),
            "finished_at": format_instant(clock(9)),
            "queued_duration": 90.5,
            "allow_failure": False,
            "web_url": f"https://gitlab.example/jobs/{id}",
            "tag_list": ["linux-x64"],
            "runner": {"description": "runner-17"},
            **more,
        }
        self._add("job", item)

    def note(self, id: int, number: int, minutes: float, body: str) -> None:
        item = {"id": id, "system": True, "body": body, "created_at": format_instant(clock(minutes))}
        self._add("note", {**item, "number": number, "head_sha": sha(f"change {number}")})

    def absent(self, number: int, minutes: float) -> None:
        self._add("absent", {"number": number, "at": format_instant(clock(minutes))})
