-- The commit of the run with this content that was ingested last, apart from the runs of one commit.
SELECT revision.oid
FROM run CROSS JOIN revision ON revision.id = run.revision_id
WHERE substr(run.content, 1, 8) = substr(:content, 1, 8) AND run.content = :content
	AND revision.oid <> :not_oid AND coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6)
ORDER BY run.ingested_at DESC, run.ingest DESC, run.id DESC
LIMIT 1;
