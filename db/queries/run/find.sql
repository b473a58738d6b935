-- The run with this hash, if it is stored: its rowid, whether it is set aside, and the number of the call of ingest
-- that stored it with other runs of its commit that are intact (NULL: none).
SELECT id, dirty = 2,
	CASE WHEN dirty = 2 THEN (
		SELECT other.ingest FROM run AS other
		WHERE other.revision_id = run.revision_id AND other.ingest = run.ingest AND other.ingest > 0
			AND other.dirty IN (0, 1)) END
FROM run
WHERE hash = :hash;
