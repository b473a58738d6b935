-- The run with this hash, if it is stored: its rowid, its state (`dirty`), and, if it is set aside, the number of the
-- call of ingest that stored it with other runs that are intact (NULL: none). Those lie next to it.
-- The index may be damaged and lead to another run.
SELECT run.id, run.dirty,
	CASE WHEN run.dirty IN (2, 6) THEN (
		SELECT other.ingest FROM run AS other
		WHERE other.id BETWEEN run.id - 1000 AND run.id + 1000 AND other.ingest = run.ingest
			AND other.ingest > 0 AND other.dirty IN (0, 1)
		LIMIT 1) END
FROM run AS found CROSS JOIN run NOT INDEXED ON run.id = found.id
WHERE found.hash = :hash AND run.hash = :hash;
