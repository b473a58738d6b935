-- The commits of the runs after a rowid, each once.
SELECT DISTINCT revision.oid
FROM run CROSS JOIN revision ON revision.id = run.revision_id
WHERE run.id > :last;
