"""The rules of reports about CI checks."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from mergecast.errors import FieldError
from mergecast.inputs.field import Fields
from mergecast.inputs.kinds import BOOLEAN, instant, integer, line, one_of, text, web_address
from mergecast.queues.model.ci_check import CONCLUSIONS

LONGEST_URL = 2000
MOST_ATTEMPTS = 1000
INSTANTS = ("queued_at", "started_at", "ended_at")  # in this order

CI_CHECK_FIELDS: Fields = {
    "batch_id": text(200),
    "attempt": integer(1, MOST_ATTEMPTS).by_default(1),
    "check_id": line(200).described("One execution; reports with the same id in a CI run are about the same"),
    "name": line(255).described("`workflow / job` where two checks have the same name"),
    "conclusion": one_of(*CONCLUSIONS).required_or_null().described("null while it runs"),
    **{name: instant().or_null() for name in INSTANTS},
    "url": web_address(LONGEST_URL).or_null(),
    "runner": line(100).or_null().described("The label of the machine, such as `linux-x64-16`"),
    "is_required": BOOLEAN.or_null().described("null if not known; it is then counted as required"),
}


def order_errors(content: Mapping[str, Any], pointer: str) -> list[FieldError]:
    """An error for each instant that is before an earlier step of the same execution."""
    given = [name for name in INSTANTS if content.get(name) is not None]
    return [
        FieldError("body", f"{pointer}/{name}", f"must not be before {earlier}")
        for earlier, name in pairwise(given)
        if content[name] < content[earlier]
    ]
