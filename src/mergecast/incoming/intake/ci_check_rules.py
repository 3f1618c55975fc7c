"""The rules of reports about CI checks."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from mergecast.errors import FieldError
from mergecast.inputs.field import Fields
from mergecast.inputs.kinds import BOOLEAN, instant, integer, line, name, one_of, text, web_address
from mergecast.queues.model.ci_check import CONCLUSIONS
from mergecast.queues.model.instant import DAY

LONGEST_URL = 2000
MOST_ATTEMPTS = 1000
LONGEST_CHECK = 35 * DAY  # GitHub ends every workflow after that
INSTANTS = ("queued_at", "started_at", "ended_at")  # in this order

CI_CHECK_FIELDS: Fields = {
    "batch_id": text(200),
    "attempt": integer(1, MOST_ATTEMPTS).by_default(1),
    "check_id": line(200).described("One execution; reports with the same id in a CI run are about the same"),
    "name": name(255).described("`workflow / job` where two checks have the same name"),
    "conclusion": one_of(*CONCLUSIONS).required_or_null().described("null while it runs"),
    **{step: instant().or_null() for step in INSTANTS},
    "url": web_address(LONGEST_URL).or_null(),
    "runner": name(100).or_null().described("The label of the machine, such as `linux-x64-16`"),
    "is_required": BOOLEAN.or_null().described("null if not known; it is then counted as required"),
}


def order_errors(content: Mapping[str, Any], pointer: str) -> list[FieldError]:
    """An error for each instant that is before an earlier step of the same execution, or long after it."""
    given = [step for step in INSTANTS if content.get(step) is not None]
    errors = [
        FieldError("body", f"{pointer}/{step}", f"must not be before {earlier}")
        for earlier, step in pairwise(given)
        if content[step] < content[earlier]
    ]
    has_both = "started_at" in given and "ended_at" in given
    if has_both and content["ended_at"] - content["started_at"] > LONGEST_CHECK:
        message = f"must not be more than {LONGEST_CHECK // DAY} days after started_at"
        errors.append(FieldError("body", f"{pointer}/ended_at", message))
    return errors
