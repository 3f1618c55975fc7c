"""Simulations of what GitHub shows now, without a server: one child process reads the document."""

import time
from functools import partial

import msgspec

from mergecast.cli.documents import LocalJudge
from mergecast.cli.environment import Environment
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.platform.github import GitHub
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import (
    NEEDS,
    PULL_REQUEST,
    REPOSITORY,
    Form,
    NeedsAnswer,
    PullRequestQuestion,
    Record,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
    json_text,
)
from mergecast.judge.pool import Judge, extended_document, with_extended
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs

_CALLS = 300  # to GitHub, for all open pull requests of a repository


def simulate_live(
    environment: Environment, repository: str, number: int | None, document: str, form: Form
) -> SimulationAnswer:
    """What a document would do to a pull request, or to all open ones compared with the current document."""
    owner, _, name = repository.partition("/")
    setting = Setting(json_text(document), _now(), owner, name, is_live=True, form=form)
    with LocalJudge() as judge:
        github = GitHub(environment.github_url, _now)
        live = _Live(judge.judge, LiveForge(github, _now), environment.github_token or "")
        try:
            return judge.run(
                live.repository(setting) if number is None else live.pull_request(setting, number)
            )
        finally:
            judge.run(github.close())


class _Live:
    def __init__(self, judge: Judge, forge: LiveForge, token: str) -> None:
        self._judge = judge
        self._forge = forge
        self._token = token

    async def pull_request(self, setting: Setting, number: int) -> SimulationAnswer:
        setting, found = await self._needs(setting)
        if found.errors:
            return SimulationAnswer(errors=found.errors, more_errors=found.more_errors)
        needs = Needs(found.parts, found.teams)
        place = Repository(setting.owner, setting.repository)
        record = await self._forge.pull_request(place, number, needs, self._token)
        question = PullRequestQuestion(setting, number, msgspec.Raw(record))
        return await self._judge.ask(PULL_REQUEST, question, SimulationAnswer)

    async def repository(self, setting: Setting) -> SimulationAnswer:
        setting, found = await self._needs(setting)
        if found.errors:
            return SimulationAnswer(errors=found.errors, more_errors=found.more_errors)
        current, current_needs, setting = await self._current(setting)
        needs = Needs(found.parts, found.teams) | current_needs
        place = Repository(setting.owner, setting.repository)
        pulls = await self._forge.open_pull_requests(place, needs, self._token, _CALLS)
        records = tuple(Record(number, msgspec.Raw(record)) for number, record in pulls.records)
        question = RepositoryQuestion(setting, records, pulls.not_looked_at, current)
        return await self._judge.ask(REPOSITORY, question, SimulationAnswer)

    async def _needs(self, setting: Setting) -> tuple[Setting, NeedsAnswer]:
        """What the document needs, with the document that it extends."""
        ask = partial(self._judge.ask, NEEDS, answer=NeedsAnswer)
        return await with_extended(ask, setting, await ask(setting), self._remotes)

    async def _remotes(self, owner: str, name: str) -> dict[str, str]:
        return await extended_document(partial(self._forge.document, token=self._token), owner, name)

    async def _current(self, setting: Setting) -> tuple[str | None, Needs, Setting]:
        """The document on the default branch, what it needs, and the setting with what it extends."""
        text = await self._forge.document(setting.owner, setting.repository, self._token)
        nothing = Needs(frozenset())
        if text is None:
            return None, nothing, setting
        try:
            its_own, found = await self._needs(msgspec.structs.replace(setting, text=json_text(text)))
        except LimitReached:
            return None, nothing, setting
        remotes = {**its_own.remotes, **setting.remotes}
        return text, Needs(found.parts, found.teams), msgspec.structs.replace(setting, remotes=remotes)


def _now() -> int:
    return time.time_ns() // 1000
