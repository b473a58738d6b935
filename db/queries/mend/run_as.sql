-- The runs of run/range.sql as they would be in another state.
SELECT run.id, run.series_id, run.seals, run.hash, run.content, :state, run.node, run.ingested_at,
	run.ingest, run.source, run.kernel_hash, revision.id, revision.oid, revision.tree, revision.patch_id,
	revision.parent, revision.parents, revision.position, revision.time, revision.subject, revision.seal
FROM run LEFT JOIN revision ON revision.id = run.revision_id
WHERE run.id BETWEEN :first AND :last
ORDER BY run.id;
