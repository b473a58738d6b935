-- The runs from :first on in ingest order, with their numbers. A run has one row if its numbers are packed or
-- if it has none, or is set aside or removed; a run of a program before schema version 4 has one row per number.
SELECT run.id, run.series_id, run.revision_id, run.dirty, numbers.run_id, numbers.packed, numbers.seal,
	value.metric_id, value.value
FROM run
	LEFT JOIN numbers ON numbers.run_id = run.id AND run.dirty NOT IN (2, 4, 5, 6)
	LEFT JOIN value ON value.run_id = run.id AND run.dirty NOT IN (2, 4, 5, 6) AND numbers.run_id IS NULL
WHERE run.id >= :first
ORDER BY run.id, value.metric_id;
