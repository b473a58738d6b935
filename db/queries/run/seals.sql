-- What identifies the runs of a range, and their seals.
SELECT run.id, run.hash, revision.oid, run.seals
FROM run CROSS JOIN revision ON revision.id = run.revision_id
WHERE run.id BETWEEN :first AND :last
ORDER BY run.id;
