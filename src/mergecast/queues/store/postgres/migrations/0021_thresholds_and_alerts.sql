-- oldest program: 21
--
-- Problems of queues and alerts against baselines become alerts of one form; levels that were set and targets become
-- thresholds, and baselines become reference periods. What is open stays open under the same id, or the same key.
-- Citus refuses functions that are not immutable where it updates distributed rows: `jsonb_object` is, and
-- `jsonb_build_object` and `concat` are not.

update queue_problems
set document = (
    (
        jsonb_set(
            jsonb_set(document::jsonb, '{value}', document::jsonb #> '{evidence,value}'),
            '{threshold}',
            document::jsonb #> '{level,value}'
        ) #- '{evidence,value}' #- '{name}' #- '{level}'
    ) || jsonb_object(array[
        'id', found_at::text || ':' || base_ref || ':' || queue_name || ':' || name,
        'figure', name,
        'origin', case when document::jsonb #>> '{level,is_set}' = 'true' then 'set' else 'learned' end,
        'base_ref', base_ref,
        'queue_name', queue_name,
        'unit', case
            when document::jsonb #>> '{level,unit}' in ('splits', 'hours by the clock')
                then document::jsonb #>> '{level,unit}'
            else ''
        end
    ]) || (
        '{"since":' || since::text
        || ',"found_at":' || found_at::text
        || ',"ended_at":' || coalesce(ended_at::text, 'null')
        || ',"end_reason":' || case when ended_at is null then 'null' else '"recovered"' end || '}'
    )::jsonb
)::text;

-- Alerts against baselines had no sentence; it is made when one is read.
update alerts
set document = (
    jsonb_set(
        document::jsonb - array['baseline', 'measure', 'began_at', 'baseline_value', 'ratio', 'limit', 'end_reason'],
        '{compared}',
        jsonb_object(array['name', baseline]) || (
            '{"value":' || (document::jsonb ->> 'baseline_value')
            || ',"ratio":' || coalesce(document::jsonb ->> 'ratio', 'null')
            || ',"limit":' || (document::jsonb ->> 'limit') || '}'
        )::jsonb
    ) || jsonb_object(array[
        'figure', case document::jsonb ->> 'measure'
            when 'p95' then 'time_to_merge_p95'
            when 'runs_per_merge' then 'ci_runs_per_merge'
            else document::jsonb ->> 'measure'
        end,
        'origin', 'reference',
        'sentence', '',
        'advice', '',
        'end_reason', replace(document::jsonb ->> 'end_reason', 'baseline_', 'reference_')
    ]) || (
        '{"since":' || began_at::text
        || ',"found_at":' || began_at::text
        || ',"seen_at":' || coalesce(document::jsonb ->> 'seen_at', began_at::text)
        || ',"threshold":'
        || ((document::jsonb ->> 'baseline_value')::numeric * (document::jsonb ->> 'limit')::numeric)::text || '}'
    )::jsonb
)::text;

alter table alerts add column figure text;
alter table alerts add column origin text;
alter table alerts add column base_ref text;
alter table alerts add column queue_name text;
alter table alerts add column found_at bigint;
update alerts
set
    figure = document::jsonb ->> 'figure',
    origin = 'reference',
    base_ref = document::jsonb ->> 'base_ref',
    queue_name = document::jsonb ->> 'queue_name',
    found_at = began_at;
alter table alerts alter column figure set not null;
alter table alerts alter column origin set not null;
alter table alerts alter column base_ref set not null;
alter table alerts alter column queue_name set not null;
alter table alerts alter column found_at set not null;
alter table alerts drop column baseline;
alter table alerts rename column began_at to since;

insert into alerts (
    repository_id, id, figure, origin, base_ref, queue_name, since, found_at, ended_at, document
)
select
    repository_id,
    document::jsonb ->> 'id',
    name,
    document::jsonb ->> 'origin',
    base_ref,
    queue_name,
    since,
    found_at,
    ended_at,
    document
from queue_problems;

drop table queue_problems;

-- Empty names mean all branches and all queues; a value of null switches a figure off.
alter table thresholds rename column name to figure;
alter table thresholds alter column millionths drop not null;
alter table thresholds alter column base_ref set default '';
alter table thresholds alter column queue_name set default '';
alter table thresholds add column alert boolean not null default true;

-- A level for going round has switched off the one for splits, which has a row of its own now.
insert into thresholds (repository_id, figure, base_ref, queue_name, millionths, alert)
select repository_id, 'splits', base_ref, queue_name, null, true
from thresholds
where figure = 'going_round';

insert into thresholds (repository_id, figure, base_ref, queue_name, millionths, alert)
select
    repository_id,
    'time_in_queue_p95',
    coalesce(target ->> 0, ''),
    coalesce(target ->> 1, ''),
    round((target ->> 2)::numeric * 1000000)::bigint,
    false
from targets, jsonb_array_elements(document::jsonb) as target
where target ->> 2 is not null;

insert into thresholds (repository_id, figure, base_ref, queue_name, millionths, alert)
select
    repository_id,
    'failure_rate',
    coalesce(target ->> 0, ''),
    coalesce(target ->> 1, ''),
    round((target ->> 3)::numeric * 1000000)::bigint,
    false
from targets, jsonb_array_elements(document::jsonb) as target
where target ->> 3 is not null;

insert into thresholds (repository_id, figure, base_ref, queue_name, millionths, alert)
select
    repository_id,
    'ci_runs_per_merge',
    coalesce(target ->> 0, ''),
    coalesce(target ->> 1, ''),
    round((target ->> 4)::numeric * 1000000)::bigint,
    false
from targets, jsonb_array_elements(document::jsonb) as target
where target ->> 4 is not null;

drop table targets;

update baselines
set comparison = replace(
    replace(comparison, '"p95":', '"time_to_merge_p95":'), '"runs_per_merge":', '"ci_runs_per_merge":'
);
alter table baselines rename to reference_periods;

-- The incident that an alert belongs to in each channel that it was sent to; null if an earlier version has sent it.
alter table causes add column announced text;

-- The document of a cause is the alert that it is about.
update causes set kind = 'alert', key = replace(key, chr(10), ':') where kind = 'problem';
update causes
set document = alerts.document
from alerts
where alerts.repository_id = causes.repository_id and alerts.id = causes.key and causes.kind = 'alert';

-- Messages that wait keep their ids.
update notices
set
    kind = 'alert',
    key = replace(key, chr(10), ':'),
    document = replace(document, '"kind":"problem"', '"kind":"alert"')
where kind = 'problem';

-- Channels get a name and rules.
update channels
set document = json_build_object(
    'shown', document::json -> 'shown',
    'name', (
        select case when count(*) = 0 then channels.kind else channels.kind || '-' || (count(*) + 1) end
        from channels as earlier
        where earlier.owner = channels.owner
            and earlier.repository = channels.repository
            and earlier.kind = channels.kind
            and (earlier.created_at, earlier.id) < (channels.created_at, channels.id)
    ),
    'rules', (
        select json_agg(
            json_build_object(
                'what', case when chosen.kind = 'problem' then 'alert' else chosen.kind end,
                'figures', null,
                'origins', case
                    when chosen.kind = 'problem' then json_build_array('learned', 'set')
                    when chosen.kind = 'alert' then json_build_array('reference')
                end,
                'queues', case when chosen.kind <> 'digest' then document::json -> 'queues' end
            )
            order by chosen.place
        )
        from json_array_elements_text(document::json -> 'notify') with ordinality as chosen (kind, place)
    ),
    'digest', document::json -> 'digest'
)::text;
