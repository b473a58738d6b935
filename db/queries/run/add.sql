-- Adds a run. Its numbers and lists refer to the rowid.
INSERT INTO run (hash, content, series_id, revision_id, dirty, node, ingested_at, source,
	kernel_hash)
VALUES (:hash, :content, :series_id, :revision_id, :dirty, :node, :ingested_at, :source,
	:kernel_hash);
