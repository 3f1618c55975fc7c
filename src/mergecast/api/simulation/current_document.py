"""The document on the default branch now, which a simulation compares the submitted one with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec
from starlette.requests import Request

from mergecast.api.platform_access import Access
from mergecast.api.services import Services
from mergecast.judge.errors import LimitReached
from mergecast.judge.extended import with_extended
from mergecast.judge.messages import LONGEST_DOCUMENT, NEEDS, NeedsAnswer, Setting, json_text
from mergecast.model.snapshot import Needs

_BEYOND_LIMITS = "The current document exceeds the limits, so there is no comparison with it"


@dataclass(frozen=True, slots=True)
class CurrentDocument:
    """No text when there is no document, or none that can be simulated."""

    text: str | None = None
    needs: Needs = field(default_factory=lambda: Needs(frozenset()))
    remotes: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


async def read_current_document(
    services: Services, request: Request, setting: Setting, access: Access
) -> CurrentDocument:
    """Fetch the document and find what it needs, so that facts for both documents are fetched together."""
    text = await access.forge.document(setting.owner, setting.repository, access.token)
    if text is None:
        return CurrentDocument()
    if len(text) > LONGEST_DOCUMENT:
        return CurrentDocument(remarks=(_BEYOND_LIMITS,))
    its_own = msgspec.structs.replace(setting, text=json_text(text), remotes={})
    ask = partial(services.ask_child, request, NEEDS, answer=NeedsAnswer)
    try:
        # An invalid document needs nothing; the simulation reports that it is invalid.
        found = await ask(its_own)
        its_own, found = await with_extended(ask, its_own, found, access.remotes)
    except LimitReached:
        # In one task with the submitted document, the submitted one would be blamed.
        return CurrentDocument(remarks=(_BEYOND_LIMITS,))
    return CurrentDocument(text, Needs(found.parts, found.teams), its_own.remotes)
