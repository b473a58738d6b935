-- The newest runs that match, with the parameters, the columns and the order of run/runs.sql. For queries with
-- a limit and without a commit or a hash. It walks the commits from the newest one until there are enough
-- runs, so it does not sort the older history. All filtered columns are in the index run_by_revision.
WITH fitting (id) AS (
	SELECT id
	FROM series
	WHERE (:series IS NULL OR key = :series)
		AND (:kernel IS NULL OR coalesce(kernel, '') GLOB :kernel)
		AND (:variant IS NULL OR coalesce(variant, '') GLOB :variant)
		AND (:dtype IS NULL OR coalesce(dtype, '') GLOB :dtype)
		AND (:device IS NULL OR coalesce(device, '') GLOB :device)
), chosen (id) AS (
	SELECT run.id
	FROM revision CROSS JOIN run INDEXED BY run_by_revision ON run.revision_id = revision.id
	WHERE coalesce(:first_hash, :last_hash, :content, :oid) IS NULL
		AND (coalesce(:series, :kernel, :variant, :dtype, :device) IS NULL
			OR run.series_id IN (SELECT id FROM fitting))
		AND coalesce(run.dirty, 0) NOT IN (2, 4, 5, 6, 2 - :clean_only)
	ORDER BY revision.position DESC, revision.time DESC, run.ingested_at DESC, run.ingest DESC, run.id DESC
	LIMIT :limit
)
SELECT run.id, run.series_id, run.seals, run.hash, run.content, run.dirty, run.node,
	run.ingested_at, run.ingest, run.source, run.kernel_hash, revision.id, revision.oid, revision.tree, revision.patch_id,
	revision.parent, revision.parents, revision.position, revision.time, revision.subject,
	revision.seal
FROM chosen
	CROSS JOIN run ON run.id = chosen.id
	CROSS JOIN revision ON revision.id = run.revision_id
ORDER BY revision.position DESC, revision.time DESC, run.ingested_at DESC, run.ingest DESC, run.id DESC;
