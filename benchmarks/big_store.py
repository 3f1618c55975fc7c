"""Make a store of 3 million stays, 1 million of them in one repository, by SQL inside the database.

    .venv/bin/python benchmarks/big_store.py FOLDER [STAYS]

The tables are those that ingest would write (a year of history up to now, six repositories, 18 groups
each, checks, CI runs, bisections and some 13 million events); making them by ingest takes 20 minutes.
"""

import sys
import time
from pathlib import Path

from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.opening import FILE_NAME

STAYS = 3_000_000
YEAR = 365 * 86_400 * 1_000_000
REPOSITORY = "acme/large"

_NAMES = """
insert into repositories
select id, 'acme', case when id = 1 then 'large' else 'other-' || id end from range(1, 7) as ids(id);

insert into groups
select repository, repository * 100 + place,
    case when place % 2 = 0 then 'main' else 'release/1.0' end,
    ['default', 'hotfix', 'low'][1 + place % 3],
    [null, 'urgent', 'bots'][1 + place // 6]
from range(1, 7) as repositories(repository), range(18) as places(place);
"""

_STAYS = """
create temp table made as
select
    i,
    case when i % 3 = 0 then 1 else 2 + i % 5 end as repository,
    $1 + i * ($2 // $3) + (random() * 60000000)::bigint as entered_at,
    (exp(random() * 3) * 300000000)::bigint as stay_length,
    random() as luck,
    i // 2 as batch
from range($3) as numbers(i);

create temp table placed as
select *, (repository * 100 + hash(i) % 18)::integer as place, entered_at + stay_length as left_at from made;

insert into stays
select repository, 10 * i, i % 100000, entered_at, place, left_at, place,
    case when luck < 0.80 then 'PR_MERGED' when luck < 0.90 then 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'
        when luck < 0.95 then 'CHECKS_FAILED' else 'PR_MANUALLY_DEQUEUED' end,
    md5(batch::text), case when luck > 0.7 and luck < 0.75 then 1 else 0 end,
    stay_length, stay_length // 2, stay_length - stay_length // 2, 0, 0
from placed order by left_at;

insert into checks
select repository, 10 * i, 10 * batch + 1, entered_at + 60000000, place, 2, left_at - 30000000, place,
    case when luck < 0.92 then 'SUCCESS' else 'CHECKS_FAILED' end
from placed order by left_at;

insert into runs
select repository, 10 * batch + 1, place, true, true, min(entered_at) + 60000000, max(left_at) - 30000000, 2
from placed group by 1, 2, 3 order by 7;

insert into bisection_starts
select repository, 10 * i + 2, 0, entered_at, place, 4 from placed where i % 100 = 0 order by 4;

insert into bisection_ends
select repository, 10 * i + 2, left_at, place, luck < 0.8, luck > 0.95
from placed where i % 100 = 0 order by 3;

insert into subjects select repository, 10 * i, (hash(i) // 2)::bigint, (hash(-i) // 2)::bigint from placed;

insert into events
select repository, 10 * i + 3 + kind, (hash(10 * i + kind) // 2)::bigint, (hash(-10 * i - kind) // 2)::bigint,
    md5((10 * i + kind)::text), ['queue_entered', 'checks_started', 'checks_ended', 'queue_left'][1 + kind],
    case kind when 0 then entered_at when 1 then entered_at + 60000000 when 2 then left_at - 30000000
        else left_at end,
    place, 'api', md5(i::text), 10 * i, i % 100000, case when kind in (1, 2) then md5(batch::text) end,
    case when kind in (1, 2) then 10 * batch + 1 end, case when kind in (1, 2) then 1 end,
    case when kind = 1 then '1,2' end, case when kind = 1 then 2 end,
    case when kind = 3 then 'PR_MERGED' end, case when kind = 2 then 'SUCCESS' end,
    case when kind = 3 then 0 end, case when kind = 3 then 0 end, null, null, null, null
from placed, range(4) as kinds(kind) order by i, kind;

insert into repository_state (repository_id, version, events, first_at, last_at, snapshots, recordings,
    last_event, last_subject, last_group)
select repository_id, 1, count(*), min(happened_at), max(happened_at), 0, 0, 10 * $3, 10 * $3, 699
from events group by 1;

update store_state set last_repository_id = 6;
"""


def make(folder: Path, stays: int = STAYS) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    engine = Engine(folder / FILE_NAME)
    start = time.time_ns() // 1000 - YEAR
    with engine.cursor() as cursor:
        cursor.execute("select setseed(0.5)")
        for statement in (_NAMES + _STAYS).split(";\n"):
            if statement.strip():
                text = statement.replace("$1", str(start)).replace("$2", str(YEAR)).replace("$3", str(stays))
                cursor.execute(text)
        cursor.execute("checkpoint")
    engine.close()


if __name__ == "__main__":
    begun = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else STAYS)
    print(f"made in {time.perf_counter() - begun:.0f} s")
