-- A run; its numbers and lists follow under the row's id.
INSERT INTO run (hash, content, series_id, revision_id, dirty, node, ingested_at, source,
	kernel_hash)
VALUES (:hash, :content, :series_id, :revision_id, :dirty, :node, :ingested_at, :source,
	:kernel_hash);
