"""What an explanation needs: the events of two periods, and the times of their CI checks."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET

from mergecast.forecasting.explanation.answer import ExplanationHead
from mergecast.forecasting.forecast.answer import Period
from mergecast.judge.messages import CheckTimes, ExplanationQuestion
from mergecast.prediction.history import USUAL_SEED, ReplayParameters, recorded_window
from mergecast.queues.answers.ci_checks import CiCheck
from mergecast.queues.model.instant import Window, format_instant, grid_for
from mergecast.queues.stats.answer import Filters, Question
from mergecast.queues.stats.ci_checks import ci_checks
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

Query = Callable[[int, Callable[[Reader], Any]], Awaitable[Any]]


async def explanation_question(
    query: Query, known: KnownRepository, base_ref: str, before: Window, after: Window
) -> ExplanationQuestion:
    old, new = [
        await recorded_window(query, known, ReplayParameters(base_ref, None, window, USUAL_SEED))
        for window in (before, after)
    ]
    checks = await query(known.id, partial(_check_times, known.id, base_ref, before, after))
    return ExplanationQuestion(old, new, checks, USUAL_SEED)


def _check_times(
    repository_id: int, base_ref: str, before: Window, after: Window, reader: Reader
) -> tuple[CheckTimes, ...]:
    """Checks that ran in both periods."""
    old, new = (_checks(reader, repository_id, base_ref, window) for window in (before, after))
    return tuple(
        CheckTimes(name, then.seconds.p50, now.seconds.p50, now.critical.share)
        for name, now in new.items()
        if (then := old.get(name)) is not None
        and then.seconds.p50 is not None
        and now.seconds.p50 is not None
        and now.critical.share is not None
    )


def _checks(reader: Reader, repository_id: int, base_ref: str, window: Window) -> dict[str, CiCheck]:
    filters = Filters(frozenset({base_ref}))
    groups = {id: one for id, one in reader.groups(repository_id).items() if filters.keep(one)}
    question = Question(repository_id, window, window, grid_for(window), groups, filters=filters)
    return {check.name: check for check in ci_checks(reader, question)}


def head_of(known: KnownRepository, base_ref: str, before: Window, after: Window) -> bytes:
    """What an answer begins with."""
    old, new = (Period(*map(format_instant, window)) for window in (before, after))
    kept = known.kept_since
    kept_since = UNSET if kept is None or kept <= before.start else format_instant(kept)
    return msgspec.json.encode(ExplanationHead(base_ref, old, new, kept_since))
