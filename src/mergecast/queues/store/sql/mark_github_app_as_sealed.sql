-- Replace the encrypted secrets of a GitHub App, unless they have changed meanwhile.
-- $1 id, $2 the text that was read, $3 the new one
update github_apps
set sealed = $3
where id = $1 and sealed = $2;
