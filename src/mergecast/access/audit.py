"""The audit log: who did what, when and from where. It never contains a secret."""

from collections import Counter
from collections.abc import Callable
from secrets import token_hex

import msgspec
import structlog

from mergecast.access.errors import Refusal
from mergecast.access.rights import AccessRequest, Admission, Caller
from mergecast.errors import MergecastError
from mergecast.process.concurrently import finished
from mergecast.queues.model.instant import SECONDS_PER_MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.audit_rows import AuditRow, add_audit_lines
from mergecast.queues.store.store import Store

log = structlog.get_logger("mergecast.audit")

# All lines are warnings, because a command that runs its own server logs nothing below that level.

# Refusals cost the client nothing, so only this many are logged per minute; the rest are counted.
MOST_LINES_OF_ADDRESS = 10
MOST_LINES = 200

Later = Callable[[float, Callable[[], None]], object]


class Audit:
    """Deletions and changes of settings: a line in the log for each, and one in the store for 400 days."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._last = 0

    async def note(
        self, admission: Admission, event: str, about: Repository | str | None, **details: object
    ) -> None:
        """To be awaited once the change is durable.

        `about` is a repository, an owner of repositories, or None for the whole store.

        The change was made, so a line that cannot be stored is not an error of the request: the log has it.
        """
        what = {"who": str(admission.caller), "address": admission.address}
        log.warning(event, logger="mergecast.audit", **what, **_named(about), **details)
        document = msgspec.json.encode({"event": event, **what, "details": details}).decode()
        try:
            await finished(add_audit_lines(self._store, [self._row(about, document)]))
        except MergecastError as error:
            log.warning("an audit line was not stored", logger="mergecast.audit", error=str(error))

    def _row(self, about: Repository | str | None, document: str) -> AuditRow:
        # No two lines of a server have the same time, so that they stay in order.
        self._last = max(self._now(), self._last + 1)
        owner, name = (about.owner, about.name) if isinstance(about, Repository) else (about, None)
        return AuditRow(f"{self._last:016x}{token_hex(4)}", self._last, owner, name, document)


def _named(about: Repository | str | None) -> dict[str, str]:
    if about is None:
        return {}
    return {"repository": str(about)} if isinstance(about, Repository) else {"owner": about}


def signed_in(caller: Caller, address: str) -> None:
    log.warning("signed in", logger="mergecast.audit", who=str(caller), address=address)


def signed_out(who: str, address: str) -> None:
    log.warning("signed out", logger="mergecast.audit", who=who, address=address)


def code_made(admission: Admission) -> None:
    who, address = str(admission.caller), admission.address
    log.warning("one-time code made", logger="mergecast.audit", who=who, address=address)


class Refusals:
    """One line per refusal; beyond the limit, one line per minute and address that counts them."""

    def __init__(self, later: Later) -> None:
        self._later = later
        self._lines: Counter[str] = Counter()
        self._untold: Counter[str] = Counter()

    def note(self, request: AccessRequest, refusal: Refusal, status: int) -> None:
        if not self._lines:
            self._later(SECONDS_PER_MINUTE, self.tell)
        if self._lines[request.address] < MOST_LINES_OF_ADDRESS and self._lines.total() < MOST_LINES:
            self._lines[request.address] += 1
            _write(request, refusal, status)
        elif request.address in self._untold or len(self._untold) < MOST_LINES:
            self._untold[request.address] += 1
        else:
            self._untold["others"] += 1

    def tell(self) -> None:
        """Log the number of refusals that were not logged individually, and reset the counters."""
        for address, refusals in self._untold.items():
            log.warning("more refusals", logger="mergecast.audit", address=address, refusals=refusals)
        self._lines.clear()
        self._untold.clear()


def _write(request: AccessRequest, refusal: Refusal, status: int) -> None:
    log.warning(
        "refused",
        logger="mergecast.audit",
        who=refusal.who,
        address=request.address,
        what=str(request.route),
        repository=None if request.repository is None else str(request.repository),
        reason=refusal.reason,
        status=status,
    )
