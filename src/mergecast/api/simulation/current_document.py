"""The document that is on the default branch now: what it needs, and what is in the way of comparing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from mergecast.api.platform_access import Access
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import LONGEST_DOCUMENT, NEEDS, NeedsAnswer, NeedsQuestion, Setting, json_text
from mergecast.judge.pool import Judge
from mergecast.model.snapshot import Needs

_BEYOND_LIMITS = "The document in force cannot be read within the limits, so that nothing is compared with it"


@dataclass(frozen=True, slots=True)
class InForce:
    """No text when there is no document, or none that can be simulated."""

    text: str | None = None
    needs: Needs = field(default_factory=lambda: Needs(frozenset()))
    remotes: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


async def read_in_force(judge: Judge, setting: Setting, access: Access) -> InForce:
    """What it needs must be known before facts are fetched: it is simulated on the same ones."""
    text = await access.forge.document(setting.owner, setting.repository, access.token)
    if text is None:
        return InForce()
    if len(text) > LONGEST_DOCUMENT:
        return InForce(remarks=(_BEYOND_LIMITS,))
    its_own = msgspec.structs.replace(setting, text=json_text(text), remotes={})
    try:
        return await _needing(judge, its_own, text, access)
    except LimitReached:
        # With the candidate in one task, the candidate would be blamed.
        return InForce(remarks=(_BEYOND_LIMITS,))


async def _needing(judge: Judge, setting: Setting, text: str, access: Access) -> InForce:
    """An invalid one needs nothing; the simulation says that it is invalid."""
    found = await judge.ask(NEEDS, NeedsQuestion(setting), NeedsAnswer)
    remotes: dict[str, str] = {}
    if found.extends is not None:
        remotes = await access.remotes(setting.owner, found.extends)
        extending = msgspec.structs.replace(setting, remotes=remotes)
        found = await judge.ask(NEEDS, NeedsQuestion(extending), NeedsAnswer)
    return InForce(text, Needs(found.parts, found.teams), remotes)
