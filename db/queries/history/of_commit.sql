-- The runs of a commit, with the columns and the order of history/missing.sql.
SELECT run.id, run.series_id, run.revision_id, run.dirty, numbers.run_id, numbers.packed, numbers.seal,
	value.metric_id, value.value
FROM run INDEXED BY run_by_revision
	LEFT JOIN numbers ON numbers.run_id = run.id AND run.dirty NOT IN (4, 5)
	LEFT JOIN value ON value.run_id = run.id AND run.dirty NOT IN (4, 5) AND numbers.run_id IS NULL
WHERE run.revision_id = :revision AND coalesce(run.dirty, 0) NOT IN (2, 6)
ORDER BY run.id, value.metric_id;
