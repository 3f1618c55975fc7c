"""Attacks with a key: requests of every kind that take long, as many as one credential can send."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count

from builders import entered
from mergecast.queues.model.instant import parse_instant
from robustness.hostile_documents import HOSTILE_DOCUMENTS, SLEEPING_DOCUMENTS
from soak.scene import HEAVY, OWNER, QUEUE, QUEUE_WINDOW, WIDE
from soak.target import MIB, Target, in_threads
from sources.activity_log_history import LogWriter

_AT_ONCE = 8  # what the server runs for one credential
_CONNECTIONS = 64
_EXPORTS = 50
_LARGEST_DELIVERY = 10_000
_ITEMS = 10_000
_MARK = b"@@@@@@@@"
_SLOW_PATTERNS = ("(a+)+$", "(a|a)+$", "(a*)*$", "^(?:a?){60}a{60}$", "(.*a){20}$")


def forecast(target: Target) -> None:
    """Forecasts, one after another, in as many threads as the server allows."""

    def turn() -> None:
        settings = {"batch_size": target.chance.randrange(1, 10)}
        asked = {"base_ref": "main", **QUEUE_WINDOW, "candidate": {"settings": settings}}
        target.post(f"{QUEUE}/forecast", _json({**asked, "seed": target.chance.randrange(1 << 30)}))

    in_threads(target, _AT_ONCE, turn)


def search(target: Target) -> None:
    """Searches among 100 combinations."""
    sizes = list(range(1, 11))

    def turn() -> None:
        asked = {"base_ref": "main", **QUEUE_WINDOW, "seed": target.chance.randrange(1 << 30)}
        vary = {"batch_size": sizes, "max_parallel_checks": sizes}
        target.post(f"{QUEUE}/forecast/search", _json({**asked, "vary": vary}))

    in_threads(target, _AT_ONCE, turn)


def documents(target: Target) -> None:
    """Documents that are costly to read, valid or not."""
    made = list((HOSTILE_DOCUMENTS | SLEEPING_DOCUMENTS).values())

    def turn() -> None:
        body = _json({"config_yml": target.chance.choice(made)()})
        target.post(f"{QUEUE}/configuration-simulator", body)

    in_threads(target, _AT_ONCE, turn)


def simulator(target: Target) -> None:
    """Rules whose patterns try everything on the title of the recorded pull request."""

    def turn() -> None:
        pattern = target.chance.choice(_SLOW_PATTERNS)
        conditions = [f"title ~= {pattern}", f"body ~= {pattern}", f"title ~= {pattern[:-1]}!$"]
        rules = [
            {"name": f"r{number}", "conditions": conditions, "actions": {"close": {}}} for number in range(20)
        ]
        # JSON is YAML.
        body = _json({"config_yml": json.dumps({"pull_request_rules": rules})})
        target.post(f"{QUEUE}/pulls/7/simulator", body)

    in_threads(target, _AT_ONCE, turn)


def statistics(target: Target) -> None:
    """Long windows that no cache holds, over many connections."""
    numbers = count(target.chance.randrange(1 << 40))
    names = ("queue_size", "running_speculative_checks", "idle_queue_time", "total_queue_time")

    def turn() -> None:
        end = f"2026-12-31T00:00:00.{next(numbers) % 1_000_000:06}Z"
        window = f"start_at=2016-01-01T00:00:00Z&end_at={end}"
        path = target.chance.choice((HEAVY, QUEUE))
        target.get(f"{path}/stats/{target.chance.choice(names)}?{window}")

    in_threads(target, _CONNECTIONS, turn)


def deliveries(target: Target) -> None:
    """The largest deliveries, each with new events."""
    at, mark = "2026-03-02T10:00:00Z", _MARK.decode()
    events = [entered(at, f"{mark}-{n}", n + 1, id=f"{mark}-{n}") for n in range(_LARGEST_DELIVERY)]
    body, numbers = _json(events), _eight_digits(target)
    path = f"/v1/repos/{OWNER}/flood/events"
    in_threads(target, 4, lambda: target.post(path, body.replace(_MARK, numbers())))


def imports(target: Target) -> None:
    """Compressed imports: as many items as fit, and items with texts of a megabyte."""
    entries = LogWriter(1).entries(_ITEMS // 3, parse_instant("2026-11-01T00:00:00Z"))[:_ITEMS]
    many = [{"id": str(entry["id"]), "kind": entry["type"], "body": entry} for entry in entries]
    check = {"number": 7, "base_ref": "main", "head_sha": "a" * MIB, "name": "build", "status": "queued"}
    long = [{"id": f"c{number}", "kind": "check_run", "body": check} for number in range(28)]
    bodies = {"activity-log": _packed(many), "github": _packed(long)}
    numbers = _eight_digits(target)

    def turn(source: str) -> None:
        path = f"/v1/repos/{OWNER}/import-{numbers().decode()}/sources/{source}/deliveries"
        target.post(path, bodies[source], "Content-Encoding: gzip")

    in_threads(target, 2, *(partial(turn, source) for source in bodies))


def exports(target: Target) -> None:
    """Exports of long lines on a hundred connections, half of which read slowly."""

    def read_slowly() -> None:
        with target.connect(60) as connection:
            connection.sendall(target.head("GET", f"{WIDE}/events", "Connection: close"))
            target.note(connection.recv(4096))
            while connection.recv(4096) and not target.ending.wait(0.1):
                pass

    in_threads(target, _EXPORTS, lambda: target.get(f"{WIDE}/events"), read_slowly)


def _eight_digits(target: Target) -> Callable[[], bytes]:
    """Numbers that earlier rounds have hardly used."""
    numbers = count(target.chance.randrange(90_000_000))

    def following() -> bytes:
        return f"{next(numbers):08}".encode()

    return following


def _packed(items: Sequence[Mapping[str, object]]) -> bytes:
    return gzip.compress(_json({"items": items}), 5)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


COSTLY_ATTACKS: dict[str, Callable[[Target], None]] = {
    "forecast": forecast,
    "search": search,
    "documents": documents,
    "simulator": simulator,
    "statistics": statistics,
    "deliveries": deliveries,
    "imports": imports,
    "exports": exports,
}
