"""The audit log: who did what, when and from where. It never contains a secret."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import structlog

from mergecast.access.errors import Refusal
from mergecast.access.rights import AccessRequest, Admission, Caller
from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.model.instant import SECONDS_PER_MINUTE, format_instant
from mergecast.queues.model.repository import Repository

log = structlog.get_logger("mergecast.audit")

# All lines are warnings, because a command that runs its own server logs nothing below that level.

# Refusals cost the client nothing, so only this many are logged per minute; the rest are counted.
MOST_LINES_OF_ADDRESS = 10
MOST_LINES = 200

Later = Callable[[float, Callable[[], None]], object]


def key_made(admission: Admission, key: ApplicationKey) -> None:
    expires = None if key.expires_at is None else format_instant(key.expires_at)
    fields = {"name": key.name, "owner": key.owner, "scopes": key.scopes, "expires_at": expires}
    log.warning("key created", **_who(admission), key=key.id, **fields)


def key_revoked(admission: Admission, key: ApplicationKey) -> None:
    log.warning("key revoked", **_who(admission), key=key.id, name=key.name, owner=key.owner)


def products_changed(admission: Admission, repository: Repository, products: Sequence[str] | None) -> None:
    log.warning("products changed", **_who(admission), repository=str(repository), products=products)


def baseline_pinned(admission: Admission, repository: Repository, name: str) -> None:
    log.warning("baseline pinned", **_who(admission), repository=str(repository), baseline=name)


def baseline_deleted(admission: Admission, repository: Repository, name: str) -> None:
    log.warning("baseline deleted", **_who(admission), repository=str(repository), baseline=name)


def thresholds_changed(
    admission: Admission, repository: Repository, queue: Sequence[str | None], levels: Mapping[str, float]
) -> None:
    base_ref, queue_name = queue
    where = {"repository": str(repository), "base_ref": base_ref, "queue_name": queue_name}
    log.warning("thresholds changed", **_who(admission), **where, levels=dict(levels))


def targets_changed(admission: Admission, repository: Repository, count: int) -> None:
    log.warning("targets changed", **_who(admission), repository=str(repository), targets=count)


def prices_changed(admission: Admission, repository: Repository, prices: Mapping[str, object]) -> None:
    log.warning("prices changed", **_who(admission), repository=str(repository), prices=dict(prices))


def channel_made(admission: Admission, id: str, scope: str, kind: str) -> None:
    log.warning("channel created", **_who(admission), channel=id, of=scope, kind=kind)


def channel_deleted(admission: Admission, id: str, scope: str, kind: str) -> None:
    log.warning("channel deleted", **_who(admission), channel=id, of=scope, kind=kind)


def signed_in(caller: Caller, address: str) -> None:
    log.warning("signed in", logger="mergecast.audit", who=str(caller), address=address)


def signed_out(who: str, address: str) -> None:
    log.warning("signed out", logger="mergecast.audit", who=who, address=address)


def code_made(admission: Admission) -> None:
    log.warning("one-time code made", **_who(admission))


def _who(admission: Admission) -> dict[str, str]:
    return {"logger": "mergecast.audit", "who": str(admission.caller), "address": admission.address}


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
