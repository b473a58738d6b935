-- The timelines of many runs (a JSON array of their ids), with the run's place in that array.
SELECT wanted.key, timelines.packed
FROM json_each(:ids) AS wanted CROSS JOIN timelines ON timelines.run_id = wanted.value;
