-- Runs after this one in ingest order, each with its numbers: packed in one row, else one row for
-- each as older programs wrote them; a run without any has one row.
SELECT run.id, run.series_id, run.revision_id, run.dirty, numbers.packed, value.metric_id, value.value
FROM run
	LEFT JOIN numbers ON numbers.run_id = run.id
	LEFT JOIN value ON value.run_id = run.id AND numbers.run_id IS NULL
WHERE run.id > :after
ORDER BY run.id, value.metric_id;
