-- The numbers of many runs (a JSON array of their ids), with the run's place in that array.
SELECT wanted.key, value.metric_id, value.value, value.provenance
FROM json_each(:ids) AS wanted CROSS JOIN value ON value.run_id = wanted.value;
