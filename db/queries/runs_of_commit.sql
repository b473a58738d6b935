-- The runs of a commit, the newest one first; no more than :limit, unless that is negative.
SELECT run.id, run.series_id, run.hash, run.dirty, run.node, run.ingested_at, run.source,
	run.kernel_hash
FROM revision CROSS JOIN run ON run.revision_id = revision.id
WHERE revision.oid = :oid AND (NOT :clean_only OR run.dirty = 0)
ORDER BY run.id DESC
LIMIT :limit;
