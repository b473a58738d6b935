-- The commit of the run with this content that was stored last, apart from the runs of one commit. The index
-- on the first bytes of the content ends with run.id, so the first matching row is the result.
SELECT revision.oid
FROM run CROSS JOIN revision ON revision.id = run.revision_id
WHERE substr(run.content, 1, 8) = substr(:content, 1, 8) AND run.content = :content
	AND revision.oid <> :not_oid AND coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6)
ORDER BY run.id DESC
LIMIT 1;
