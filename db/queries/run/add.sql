-- Adds a run. Its numbers and lists refer to the rowid.
INSERT INTO run (hash, content, dirty, node, ingested_at, ingest, source, kernel_hash, id, series_id, revision_id,
	seals)
VALUES (:hash, :content, :dirty, :node, :ingested_at, :ingest, :source, :kernel_hash, :id, :series_id, :revision_id,
	:seals);
