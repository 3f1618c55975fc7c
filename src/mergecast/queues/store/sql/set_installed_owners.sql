-- Replace the owners of the installations of a GitHub App.
-- $1 id, $2 a list in JSON
update github_apps
set installed = $2
where id = $1;
