-- The runs of a commit, newest first; at most :limit, unless that is negative. Their rowids come from the
-- index, so only these rows are read and sorted.
SELECT run.id, run.series_id, run.seals, run.hash, run.content, run.dirty, run.node,
	run.ingested_at, run.ingest, run.source, run.kernel_hash
FROM run
WHERE run.id IN (
	SELECT found.id
	FROM revision CROSS JOIN run AS found ON found.revision_id = revision.id
	WHERE revision.oid = :oid AND coalesce(found.dirty, 0) NOT IN (2, 4, 5, 6, 2 - :clean_only))
ORDER BY run.ingested_at DESC, run.ingest DESC, run.id DESC
LIMIT :limit;
