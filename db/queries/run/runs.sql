-- The runs that match, newest first: by the commit's first-parent position, then by its time, then by ingest
-- order. A filter is off if its parameter is NULL.
--   - `fitting` is the set of matching series; it is not used if no series is asked for.
--   - `scope` has one arm per kind of query and begins with the filter that leaves the fewest runs. SQLite
--     skips an arm whose constant condition is false.
--   - LIMIT -1 does not limit anything: without it, SQLite copies the rest of the query into each arm, and
--     planning takes twice as long.
--   - `chosen` sorts and limits before the wide columns are read.
WITH fitting (id) AS (
	SELECT id
	FROM (
		SELECT * FROM series WHERE :series IS NOT NULL AND key = :series
		UNION ALL
		SELECT * FROM series WHERE :series IS NULL
	)
	WHERE (:kernel IS NULL OR coalesce(kernel, '') GLOB :kernel)
		AND (:variant IS NULL OR coalesce(variant, '') GLOB :variant)
		AND (:dtype IS NULL OR coalesce(dtype, '') GLOB :dtype)
		AND (:device IS NULL OR coalesce(device, '') GLOB :device)
), scope (id) AS (
	SELECT id FROM run
	WHERE :first_hash IS NOT NULL AND hash BETWEEN :first_hash AND :last_hash
	UNION ALL
	SELECT id FROM run
	WHERE :first_hash IS NULL AND :content IS NOT NULL
		AND substr(content, 1, 8) = substr(:content, 1, 8) AND content = :content
	UNION ALL
	SELECT run.id FROM revision CROSS JOIN run ON run.revision_id = revision.id
	WHERE coalesce(:first_hash, :content, :series) IS NULL AND :oid IS NOT NULL
		AND revision.oid = :oid
	UNION ALL
	SELECT run.id
	FROM revision
		CROSS JOIN fitting
		CROSS JOIN run ON run.series_id = fitting.id AND run.revision_id = revision.id
	WHERE coalesce(:first_hash, :content) IS NULL AND :series IS NOT NULL AND :oid IS NOT NULL
		AND revision.oid = :oid
	UNION ALL
	SELECT run.id FROM fitting CROSS JOIN run ON run.series_id = fitting.id
	WHERE coalesce(:first_hash, :content, :oid) IS NULL
	LIMIT -1
), chosen (id, position, time) AS (
	SELECT run.id, revision.position, revision.time
	FROM scope
		CROSS JOIN run ON run.id = scope.id
		CROSS JOIN revision ON revision.id = run.revision_id
	WHERE (:content IS NULL OR run.content = :content)
		AND (:oid IS NULL OR revision.oid = :oid)
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
ORDER BY chosen.position DESC, chosen.time DESC, run.ingested_at DESC, run.ingest DESC, run.id DESC;
