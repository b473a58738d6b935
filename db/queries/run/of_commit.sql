-- The runs of a commit, the newest one first; no more than :limit, unless that is negative. Their
-- numbers are in the index, and only these are sorted.
SELECT run.id, run.series_id, run.hash, run.dirty, run.node, run.ingested_at, run.source,
	run.kernel_hash
FROM run
WHERE run.id IN (
	SELECT found.id
	FROM revision CROSS JOIN run AS found ON found.revision_id = revision.id
	WHERE revision.oid = :oid AND (NOT :clean_only OR found.dirty = 0))
ORDER BY run.id DESC
LIMIT :limit;
