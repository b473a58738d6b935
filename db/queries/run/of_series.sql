-- The runs of a commit in one series, newest first. run/runs.sql would find them, too, but planning that
-- statement takes longer than running this one.
SELECT run.id, run.series_id, run.seals, run.hash, run.content, run.dirty, run.node,
	run.ingested_at, run.ingest, run.source, run.kernel_hash
FROM revision
	CROSS JOIN series
	CROSS JOIN run INDEXED BY run_by_revision
		ON run.revision_id = revision.id AND run.series_id = series.id
WHERE revision.oid = :oid AND coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6, 2 - :clean_only) AND series.key = :series
ORDER BY run.ingested_at DESC, run.ingest DESC, run.id DESC
LIMIT :limit;
