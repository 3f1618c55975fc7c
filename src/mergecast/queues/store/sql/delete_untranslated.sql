-- Delete what some threads could not translate, to write it again.
-- $1 repository, $2 numbers of the threads
delete from untranslated
where repository_id = $1 and thread in (select unnest($2::bigint[]));
