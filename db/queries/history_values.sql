-- One metric of many runs (a JSON array of their ids), each with the place of its run in that array.
SELECT wanted.key, value.value
FROM json_each(:ids) AS wanted CROSS JOIN value ON value.run_id = wanted.value
WHERE value.metric_id = :metric_id;
