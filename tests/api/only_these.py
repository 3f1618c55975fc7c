"""A platform that has only the pull requests and documents of a test."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from api.recorded_pulls import Record
from mergecast.errors import NotFound
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs
from mergecast.simulation.ports import MayRead


@dataclass(frozen=True)
class _Open:
    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int = 0


@dataclass
class OnlyThese:
    """It records the requests that it gets."""

    pulls: Mapping[int, Record] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    failure: Exception | None = None
    not_looked_at: int = 0
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    async def pull_request(
        self, repository: Repository, number: int, needs: Needs, token: str, _: MayRead
    ) -> bytes:
        self._note("pull", str(repository), number, needs, token)
        if number not in self.pulls:
            raise NotFound(f"pull request {number} is not there")
        return json.dumps(self.pulls[number]).encode()

    async def open_pull_requests(
        self, repository: Repository, needs: Needs, token: str, budget: int, _: MayRead
    ) -> _Open:
        self._note("open", str(repository), needs, token, budget)
        found = sorted(self.pulls.items(), reverse=True)
        return _Open(tuple((number, json.dumps(one).encode()) for number, one in found), self.not_looked_at)

    async def find(self, repository: Repository, token: str) -> None:
        self._note("find", str(repository), token)

    async def document(self, owner: str, name: str, token: str) -> str | None:
        self._note("document", f"{owner}/{name}", token)
        return self.documents.get(f"{owner}/{name}")

    def _note(self, *asked: Any) -> None:
        self.asked.append(asked)
        if self.failure is not None:
            raise self.failure
