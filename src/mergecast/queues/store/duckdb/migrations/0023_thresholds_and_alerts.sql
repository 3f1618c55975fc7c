-- Problems of queues and alerts against baselines become alerts of one form; levels that were set and targets become
-- thresholds, and baselines become reference periods. What is open stays open under the same id, or the same key.

create table new_alerts (
    repository_id integer not null,
    id text not null,
    figure text not null,
    origin text not null,
    base_ref text not null,
    queue_name text not null,
    since bigint not null,
    found_at bigint not null,
    ended_at bigint,
    document text not null
);

insert into new_alerts
select
    repository_id,
    concat(found_at, ':', base_ref, ':', queue_name, ':', name),
    name,
    case when document ->> '$.level.is_set' = 'true' then 'set' else 'learned' end,
    base_ref,
    queue_name,
    since,
    found_at,
    ended_at,
    json_object(
        'id', concat(found_at, ':', base_ref, ':', queue_name, ':', name),
        'figure', name,
        'origin', case when document ->> '$.level.is_set' = 'true' then 'set' else 'learned' end,
        'base_ref', base_ref,
        'queue_name', queue_name,
        'since', since,
        'found_at', found_at,
        'value', document -> '$.evidence.value',
        'threshold', document -> '$.level.value',
        'sentence', document -> '$.sentence',
        'advice', document -> '$.advice',
        'evidence', json_object(
            'pull_requests', coalesce(document -> '$.evidence.pull_requests', json_array()),
            'runs', coalesce(document -> '$.evidence.runs', json_array()),
            'source', document -> '$.evidence.source',
            'check', document -> '$.evidence.check',
            'unlisted', coalesce(document -> '$.evidence.unlisted', 0::json)
        ),
        'ended_at', ended_at,
        'end_reason', case when ended_at is not null then 'recovered' end,
        'unit', case
            when document ->> '$.level.unit' in ('splits', 'hours by the clock') then document ->> '$.level.unit'
            else ''
        end
    )
from queue_problems;

-- Alerts against baselines had no sentence; it is made when one is read.
insert into new_alerts
select
    repository_id,
    id,
    renamed.figure,
    'reference',
    document ->> '$.base_ref',
    document ->> '$.queue_name',
    began_at,
    began_at,
    ended_at,
    json_object(
        'id', id,
        'figure', renamed.figure,
        'origin', 'reference',
        'base_ref', document -> '$.base_ref',
        'queue_name', document -> '$.queue_name',
        'since', began_at,
        'found_at', began_at,
        'value', document -> '$.value',
        'threshold', (document ->> '$.baseline_value')::double * (document ->> '$.limit')::double,
        'sentence', '',
        'advice', '',
        'compared', json_object(
            'name', baseline,
            'value', document -> '$.baseline_value',
            'ratio', document -> '$.ratio',
            'limit', document -> '$.limit'
        ),
        'ended_at', ended_at,
        'end_reason', replace(document ->> '$.end_reason', 'baseline_', 'reference_'),
        'below_since', document -> '$.below_since',
        'seen_at', coalesce(document -> '$.seen_at', began_at::json)
    )
from alerts
inner join (
    values
        ('p95', 'time_to_merge_p95'),
        ('failure_rate', 'failure_rate'),
        ('runs_per_merge', 'ci_runs_per_merge')
) as renamed(measure, figure) on renamed.measure = document ->> '$.measure';

drop table queue_problems;
drop table alerts;
alter table new_alerts rename to alerts;

-- Empty names mean all branches and all queues; a value of null switches a figure off.
create table new_thresholds (
    repository_id integer not null,
    figure text not null,
    base_ref text not null default '',
    queue_name text not null default '',
    millionths bigint,
    alert boolean not null
);

insert into new_thresholds
select repository_id, name, base_ref, queue_name, millionths, true
from thresholds;

-- A level for going round has switched off the one for splits, which has a row of its own now.
insert into new_thresholds
select repository_id, 'splits', base_ref, queue_name, null, true
from thresholds
where name = 'going_round';

insert into new_thresholds
select
    repository_id,
    limited.figure,
    coalesce(target ->> 0, ''),
    coalesce(target ->> 1, ''),
    round((target ->> limited.place)::double * 1000000)::bigint,
    false
from (select repository_id, unnest(from_json(document, '["json"]')) as target from targets) as written
cross join (
    values ('time_in_queue_p95', 2), ('failure_rate', 3), ('ci_runs_per_merge', 4)
) as limited(figure, place)
where target ->> limited.place is not null;

drop table targets;
drop table thresholds;
alter table new_thresholds rename to thresholds;

update baselines
set comparison = replace(
    replace(comparison, '"p95":', '"time_to_merge_p95":'), '"runs_per_merge":', '"ci_runs_per_merge":'
);
alter table baselines rename to reference_periods;

-- The incident that an alert belongs to in each channel that it was sent to; null if an earlier version has sent it.
alter table causes add column announced text;

-- The document of a cause is the alert that it is about.
update causes set key = replace(key, chr(10), ':') where kind = 'problem';
update causes set kind = 'alert' where kind = 'problem';
update causes
set document = (
    select max(alerts.document)
    from alerts
    where alerts.repository_id = causes.repository_id and alerts.id = causes.key
)
where kind = 'alert' and exists (
    select 1
    from alerts
    where alerts.repository_id = causes.repository_id and alerts.id = causes.key
);

-- Messages that wait keep their ids.
update notices
set
    kind = 'alert',
    key = replace(key, chr(10), ':'),
    document = replace(document, '"kind":"problem"', '"kind":"alert"')
where kind = 'problem';

-- Channels get a name and rules.
update channels
set document = json_object(
    'shown', document -> '$.shown',
    'name', (
        select case
            when count(*) = 0 then channels.kind
            else concat(channels.kind, '-', count(*) + 1)
        end
        from channels as earlier
        where earlier.owner = channels.owner
            and earlier.repository = channels.repository
            and earlier.kind = channels.kind
            and (earlier.created_at, earlier.id) < (channels.created_at, channels.id)
    ),
    'rules', list_transform(
        from_json(document -> '$.notify', '["varchar"]'),
        lambda kind: json_object(
            'what', case when kind = 'problem' then 'alert' else kind end,
            'figures', null,
            'origins', case
                when kind = 'problem' then json_array('learned', 'set')
                when kind = 'alert' then json_array('reference')
            end,
            'queues', case when kind <> 'digest' then document -> '$.queues' end
        )
    ),
    'digest', document -> '$.digest'
);
