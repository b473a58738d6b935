-- The run with this hash, if it is stored: its rowid, its state (`dirty`), and, if it is set aside, the number of the
-- call of ingest that stored it with other runs of its commit that are intact (NULL: none).
SELECT id, dirty,
	CASE WHEN dirty = 2 THEN (
		SELECT other.ingest FROM run AS other
		WHERE other.revision_id = run.revision_id AND other.ingest = run.ingest AND other.ingest > 0
			AND other.dirty IN (0, 1)) END
FROM run
WHERE hash = :hash;
