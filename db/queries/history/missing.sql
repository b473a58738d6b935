-- The runs from :first on in ingest order, with their numbers, except those that are set aside. A run has one row if
-- its numbers are packed or if it has none, or is removed; a run of a program before schema version 4 has one row per
-- number.
SELECT run.id, run.series_id, run.revision_id, run.dirty, numbers.run_id, numbers.packed, numbers.seal,
	value.metric_id, value.value
FROM run
	LEFT JOIN numbers ON numbers.run_id = run.id AND run.dirty NOT IN (4, 5)
	LEFT JOIN value ON value.run_id = run.id AND run.dirty NOT IN (4, 5) AND numbers.run_id IS NULL
WHERE run.id >= :first AND coalesce(run.dirty, 0) NOT IN (2, 6)
ORDER BY run.id, value.metric_id;
