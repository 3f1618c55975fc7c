"""Make a store of 3 million stays, 1 million of them in one repository, by SQL inside the database.

    .venv/bin/python benchmarks/big_store.py FOLDER [STAYS]

The tables are those that ingest would write (a year of history up to now, six repositories, 18 groups
each, checks, CI runs, bisections and some 12 million events); making them by ingest takes 20 minutes.
"""

import sqlite3
import sys
import time
from contextlib import closing
from hashlib import md5
from pathlib import Path
from random import Random

from mergecast.queues.store.opening import FILE_NAME, open_store

STAYS = 3_000_000
YEAR = 365 * 86_400 * 1_000_000
REPOSITORY = "acme/large"

_NAMES = """
insert into repositories
select value, 'acme', iif(value = 1, 'large', 'other-' || value) from json_each('[1,2,3,4,5,6]');

insert into groups
select ids.value, ids.value * 100 + place, iif(place % 2 = 0, 'main', 'release/1.0'),
    case place % 3 when 0 then 'default' when 1 then 'hotfix' else 'low' end,
    case place / 6 when 1 then 'urgent' when 2 then 'bots' end
from json_each('[1,2,3,4,5,6]') as ids, (select i as place from numbers limit 18);

update store_state set last_repository_id = 6;
"""

_STAYS = """
create temporary table placed as
select i, repository, repository * 100 + i * 7 % 18 as place, i / 2 as batch, entered_at,
    entered_at + stay_length as left_at, stay_length, luck
from (
    select i, iif(i % 3 = 0, 1, 2 + i % 5) as repository, :start + i * (:year / :stays) as entered_at,
        cast(exp(chance() * 3) * 300000000 as integer) as stay_length, chance() as luck
    from numbers
);

insert into stays
select repository, 10 * i, i % 100000, entered_at, place, left_at, place,
    case when luck < 0.80 then 'PR_MERGED' when luck < 0.90 then 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'
        when luck < 0.95 then 'CHECKS_FAILED' else 'PR_MANUALLY_DEQUEUED' end,
    digest(batch), luck > 0.7 and luck < 0.75, stay_length, stay_length / 2, stay_length - stay_length / 2,
    0, 0, null
from placed order by repository, i;

insert into checks
select repository, 10 * i, 10 * batch + 1, entered_at + 60000000, place, 2, left_at - 30000000, place,
    iif(luck < 0.92, 'SUCCESS', 'CHECKS_FAILED')
from placed order by repository, i;

insert into runs
select repository, 10 * batch + 1, place, 1, 1, min(entered_at) + 60000000, max(left_at) - 30000000, 2
from placed group by 1, 2, 3;

insert into bisection_starts
select repository, 10 * i + 2, 0, entered_at, place, 4 from placed where i % 100 = 0;

insert into bisection_ends
select repository, 10 * i + 2, left_at, place, luck < 0.8, luck > 0.95 from placed where i % 100 = 0;

insert into subjects (repository_id, number, key_high, key_low)
select repository, 10 * i, hash(i), hash(-i) from placed;

insert into events (
    repository_id, number, key_high, key_low, group_id, stay, run, id, type, happened_at, source, session_id,
    pull_request, batch_id, attempt, batch_pull_requests, batch_size, reason, outcome, schedule_wait,
    freeze_wait
)
select repository, 10 * i + 3 + kind, hash(10 * i + kind), hash(-10 * i - kind), place, 10 * i,
    iif(is_of_run, 10 * batch + 1, null), digest(10 * i + kind),
    case kind when 0 then 'queue_entered' when 1 then 'checks_started' when 2 then 'checks_ended'
        else 'queue_left' end,
    case kind when 0 then entered_at when 1 then entered_at + 60000000 when 2 then left_at - 30000000
        else left_at end,
    'api', digest(i), i % 100000, iif(is_of_run, digest(batch), null), iif(is_of_run, 1, null),
    iif(kind = 1, '1,2', null), iif(kind = 1, 2, null), iif(kind = 3, 'PR_MERGED', null),
    iif(kind = 2, 'SUCCESS', null), iif(kind = 3, 0, null), iif(kind = 3, 0, null)
from placed, (select value as kind, value in (1, 2) as is_of_run from json_each('[0,1,2,3]'))
order by repository, i, kind;

insert into repository_state (
    repository_id, version, events, first_at, last_at, snapshots, recordings, last_event, last_subject,
    last_group, deliveries, last_delivery, ci_version, ci_checks, last_ci_run, last_ci_text, verdict_version
)
select repository_id, 1, count(*), min(happened_at), max(happened_at), 0, 0, 10 * :stays, 10 * :stays,
    699, 0, 0, 0, 0, 0, 0, 0
from events group by 1;
"""


def make(folder: Path, stays: int = STAYS) -> None:
    open_store(folder).close()
    start = time.time_ns() // 1000 - YEAR
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.create_function("chance", 0, Random(5).random)
        connection.create_function(
            "digest", 1, lambda one: md5(b"%d" % one, usedforsecurity=False).hexdigest()
        )
        connection.create_function("hash", 1, _hash)
        connection.execute("create temporary table numbers (i integer primary key)")
        connection.executemany("insert into numbers values (?)", ((number,) for number in range(stays)))
        for statement in (_NAMES + _STAYS).split(";\n"):
            if statement.strip():
                connection.execute(statement, {"start": start, "year": YEAR, "stays": stays})


def _digest(number: int) -> str:
    return md5(b"%d" % number).hexdigest()


def _hash(number: int) -> int:
    """As spread as a key."""
    return (number * 0x9E3779B97F4A7C15 & (2**64 - 1)) - 2**63


if __name__ == "__main__":
    begun = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else STAYS)
    print(f"made in {time.perf_counter() - begun:.0f} s")
