-- The packs of a project, their runs, and their bytes as they lie in the table.
SELECT count(*), coalesce(sum(runs), 0)::bigint, coalesce(sum(pg_column_size(lines)), 0)::bigint
FROM rooflog.pack
WHERE place = $1;
