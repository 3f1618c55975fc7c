from ci_checks
join ci_runs on ci_runs.repository_id = $1 and ci_runs.run = ci_checks.run
join ci_texts as base_refs on base_refs.repository_id = $1 and base_refs.number = ci_checks.base_ref
join ci_texts as queue_names on queue_names.repository_id = $1 and queue_names.number = ci_checks.queue_name
join ci_texts as names on names.repository_id = $1 and names.number = ci_checks.name
left join ci_texts as runners on runners.repository_id = $1 and runners.number = ci_checks.runner
where ci_checks.repository_id = $1
