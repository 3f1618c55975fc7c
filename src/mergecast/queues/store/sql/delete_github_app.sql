-- Delete a GitHub App, unless an added source uses it.
-- $1 id
delete from github_apps
where id = $1 and not exists (select 1 from added_sources where app_id = $1);
