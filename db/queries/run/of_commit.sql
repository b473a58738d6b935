-- The runs of a commit, newest first; at most :limit, unless that is negative. Their rowids come from the
-- index, so only these rows are read and sorted.
SELECT run.id, run.series_id, run.hash, run.dirty, run.node, run.ingested_at, run.source,
	run.kernel_hash
FROM run
WHERE run.id IN (
	SELECT found.id
	FROM revision CROSS JOIN run AS found ON found.revision_id = revision.id
	WHERE revision.oid = :oid AND (NOT :clean_only OR found.dirty = 0))
ORDER BY run.id DESC
LIMIT :limit;
