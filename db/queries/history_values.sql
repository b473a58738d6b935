-- One metric of a series' history, in ingest order; runs without it have no row.
SELECT history.run_id, value.value
FROM history CROSS JOIN value ON value.run_id = history.run_id AND value.metric_id = :metric_id
WHERE history.series_id = :series_id
ORDER BY history.run_id;
