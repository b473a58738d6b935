-- Runs after this one in ingest order, each with its numbers; a run without any has one row.
SELECT run.id, run.series_id, run.revision_id, run.dirty, value.metric_id, value.value
FROM run LEFT JOIN value ON value.run_id = run.id
WHERE run.id > :after
ORDER BY run.id, value.metric_id;
