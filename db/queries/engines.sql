-- The engines of many runs (a JSON array of their ids), each with the place of its run in that
-- array, in the order in which they were added; with a timeline where an older program wrote it.
SELECT wanted.key, engine.name, engine.active_time, engine.timeline
FROM json_each(:ids) AS wanted CROSS JOIN engine ON engine.run_id = wanted.value
ORDER BY wanted.key, engine.ordinal;
