"""Which checks a base branch requires, by its rulesets and its branch protection."""

from hashlib import sha256
from typing import Any
from urllib.parse import quote

from mergecast.incoming.platform.patient import PatientApi
from mergecast.incoming.sources.github.history.rest_lists import list_if_any
from mergecast.incoming.sources.github.history_items import REQUIRED_CHECKS
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import Payload, member, members, text
from mergecast.queues.model.instant import format_instant

_STATUS_CHECKS = "required_status_checks"
_OK = 200


async def required_checks(api: PatientApi, url: str, repository: str, branch: str) -> list[Item]:
    """The checks that a branch requires now; nothing if the token may not read all of its rules.

    Rules that require a workflow do not name its checks, so with such a rule nothing is known either.
    """
    place, name = f"{url}/repos/{quote(repository)}", quote(branch, safe="")
    rules = await list_if_any(api, f"{place}/rules/branches/{name}?per_page=100", None)
    protection = await api.get(f"{place}/branches/{name}")
    if rules is None or protection.status != _OK or any(text(rule, "type") == "workflows" for rule in rules):
        return []
    shown = protection.value if isinstance(protection.value, dict) else {}
    names = sorted({*_of_rules(rules), *_of_protection(shown)})
    return [_item(branch, names, format_instant(api.now()))] if names else []


def _of_rules(rules: list[dict[str, Any]]) -> set[str]:
    required = [member(rule, "parameters") for rule in rules if text(rule, "type") == _STATUS_CHECKS]
    return {text(check, "context") or "" for rule in required for check in members(rule, _STATUS_CHECKS)}


def _of_protection(branch: Payload) -> set[str]:
    contexts = member(member(branch, "protection"), _STATUS_CHECKS).get("contexts")
    return {name for name in contexts if isinstance(name, str)} if isinstance(contexts, list) else set()


def _item(branch: str, names: list[str], at: str) -> Item:
    """One item a day, however often the rules are read, and another when they change."""
    digest = sha256("\n".join((branch, *names)).encode()).hexdigest()[:24]
    return Item(
        f"required-{digest}-{at[:10]}", REQUIRED_CHECKS, {"base_ref": branch, "names": names, "at": at}
    )
